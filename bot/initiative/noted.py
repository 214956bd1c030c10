"""What she says at once, by rule: of reminders, and of whether she may begin."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from bot.conversation.reply_generator import GeneratedReply, TurnContext
from bot.desk.documents import Button, Buttons, Document, Text, owed_json
from bot.desk.initiative import choice_text, quiet_text
from bot.texts import desk_changes as changes
from bot.texts import dialogue, initiative, say
from bot.texts import reminders as texts
from memory.erasing.erasure import named_target
from memory.initiative.consent import (
    asks_to_undo,
    choice_said,
    matter_told,
    may_ask,
    quiet_said,
    review_answered,
    says_more,
    topic_said,
)
from memory.initiative.finding import days_asked, plans_between
from memory.initiative.reminder_forms import no_such_day
from memory.initiative.reminders import coming_between, next_at, silenced, token_of
from memory.initiative.reminders_meant import (
    AskedChange,
    AskedMove,
    ending_asked,
    moving_asked,
    restoring_asked,
)
from memory.initiative.requests import LINES_BACK, AskedReminder, reminders_asked
from memory.jobs.edits import correction_made
from memory.model import Language, Message
from memory.offline.phrasing import spoken_to
from memory.privacy.redaction import is_secret
from memory.reminder import Reminder
from memory.text.correction_forms import only_says_wrong
from memory.text.corrections import corrected, right_word, says_only_right
from memory.text.requests import LetGo, asks_to_let_go
from memory.text.times import TimeDoubt


@dataclass(frozen=True, slots=True)
class Noted:
    """What is said at once, by rule, and what can be pressed below it.

    ``beside``: they said something else as well, which is answered before. ``only_beside``:
    without an answer to that it is not said at all. ``choice``: only one of the buttons counts.
    """

    text: str
    buttons: tuple[Button, ...] = ()
    beside: bool = False
    only_beside: bool = False
    choice: bool = False

    @property
    def reply(self) -> GeneratedReply:
        """What the rules say."""
        return self._shown(GeneratedReply(self.text, ()), (Text(self.text),))

    def below(self, answer: GeneratedReply) -> GeneratedReply:
        """Return the answer to the rest of what was said, with this below it."""
        whole = replace(answer, text=f"{answer.text}\n\n{self.text}")
        if len(answer.text) > _LONGEST_WITH_BUTTONS:
            # Words do as well as buttons; a long answer keeps its own form.
            return whole
        return self._shown(whole, (Text(answer.text), Text(self.text)))

    def _shown(self, reply: GeneratedReply, lines: tuple[Text, ...]) -> GeneratedReply:
        pressed = (Buttons(self.buttons, choice=self.choice),) if self.buttons else ()
        return replace(reply, document=owed_json(Document((*lines, *pressed))))


_LONGEST_WITH_BUTTONS: Final = 1_500

MOST_OFFERED: Final = 6
"""So many reminders are offered where it is not clear which one is meant."""

_BESIDE: Final = 60
"""So many characters beyond the matter and the time are something else that was said."""


def noted_by_rule(context: TurnContext, now: datetime) -> Noted | None:
    """Return what rules say of a turn; None if it asks for nothing that rules answer."""
    found = _noted(context, now)
    if found is None or context.private or not context.said:
        return found
    asker = context.said[-1].speaker_id
    # What is below their reminder is theirs; the admins lead the group.
    theirs = (
        each if each.person else replace(each, person=asker, or_admins=True)
        for each in found.buttons
    )
    return replace(found, buttons=tuple(theirs))


def _noted(context: TurnContext, now: datetime) -> Noted | None:
    if context.replaces or context.former is not None:
        return None if context.former is None else _noted_edit(context, context.former, now)
    # First: "forget that reminder" erases nothing. Then, 可以再提我前夫了 names no reminder.
    return (
        _noted_ending(context)
        or _noted_letting_go(context)
        or _noted_restoring(context, now)
        or _noted_moving(context, now)
        or _noted_list(context, now)
        or _noted_reminders(context, now)
        or _noted_beginning(context)
        or _noted_quiet(context)
        or _noted_correction(context)
    )


REMINDS: Final = re.compile(
    "[提叫喊闹鬧]|remind|ping|nudge|buzz|alert|wake|shout|heads|alarm", re.IGNORECASE
)
"""What no request to be reminded is without (memory.initiative.requests)."""


def _noted_correction(context: TurnContext) -> Noted | None:
    """Return what holds now, where something is put right; or the question what is."""
    settings = context.settings
    if len(context.said) != 1 or not context.private or not settings.learning:
        return None
    (message,), language = context.said, context.spoken
    if only_says_wrong(message.text) and context.before:
        return Noted(say(language, dialogue.WHAT_IS_RIGHT))
    made = correction_made(context.said, context.before, context.agent.state)
    if right := made.text if made is not None else _explained(message, context):
        told = spoken_to(right, settings.partner, english=language == "en")
        return Noted(say(language, dialogue.PUT_RIGHT, text=told))
    if says_only_right(message.text):
        return Noted(say(language, dialogue.OF_WHAT))
    return None


def _explained(message: Message, context: TurnContext) -> str:
    """Return what one fact just told says by who explains the wrong word: 是16，17是虚岁.

    It is learnt as news, for two things are stated; what was told becomes the past.
    """
    right, zone = right_word(message.text), context.settings.zone
    lines = {x.id for x in context.before[-LINES_BACK:] if x.speaker_id == message.speaker_id}
    facts = context.agent.state.memories.values() if right and right.rest else ()
    told = [m.words.text for m in facts if m.is_living_fact and lines & {*m.source_ids}]
    found = [x for each in told if (x := corrected(message.text, each, (), message.at, zone))]
    return found[0] if len(found) == 1 else ""


def _noted_letting_go(context: TurnContext) -> Noted | None:
    """Return what to say where a matter is to be forgotten or not brought up, or a step undone."""
    if not context.said:
        return None
    (*_, last), state = context.said, context.agent.state
    language = context.spoken
    if len(context.said) == 1 and asks_to_undo(last.text):
        text, undo = say(language, dialogue.UNDO_IN_WORDS), say(language, changes.UNDO)
        return Noted(text, (Button(undo, "/undo"),))
    if topic := topic_said(context.said, context.before, private=context.private):
        way, what = topic
        told = dialogue.WILL_NOT_MENTION if way is LetGo.LEAVE else dialogue.MAY_MENTION
        return Noted(say(language, told, what=what))
    asked = asks_to_let_go(last.text)
    if asked is None or asked[0] not in {LetGo.ERASE, LetGo.EVERYTHING}:
        return None
    what, every = matter_told(asked[1]), asked[0] is LetGo.EVERYTHING and context.private
    found = "all" if every else named_target(state, what)
    if not found:
        return None
    command, asker = f"/forget {found}", "" if context.private else last.speaker_id
    sentence = dialogue.ERASE_ALL_IN_WORDS if every else dialogue.ERASE_IN_WORDS
    text = say(language, sentence, what=what, command=found)
    return Noted(text, (Button(say(language, dialogue.LOOK_WHAT_GOES), command, asker),))


def _noted_reminders(context: TurnContext, now: datetime) -> Noted | None:
    """Return what is said of reminders asked for, also by an hour: kept, or what is missing."""
    lines = (*context.said, *(e for e in context.before[-LINES_BACK:] if e.role == "user"))
    # Whose words they are is dearer to tell, and asked only where there may be a request at all.
    if not any(REMINDS.search(each.text) for each in lines):
        return None
    asked = reminders_asked(context.said, context.before, context.zone)
    if not asked:
        return None
    language = context.spoken
    text = "\n".join(_line_for(each, now, context) for each in asked)
    buttons: tuple[Button, ...] = ()
    if any(each.request.missing is None for each in asked):
        token = token_of(asked[-1].message.id)
        buttons = (Button(say(language, texts.TAKE_BACK), f"/reminders undo {token}"),)
    said = sum(len(message.text) for message in context.said)
    beside = said - sum(len(each.request.what) for each in asked) > _BESIDE
    return Noted(text, buttons, beside)


def _noted_edit(context: TurnContext, former: tuple[Reminder, ...], now: datetime) -> Noted | None:
    """Return what to say where an edit changed what somebody asked to be reminded of."""
    (message,), local = context.said, now.astimezone(context.zone)
    known = context.agent.state.reminders.values()
    held = tuple(each for each in known if each.is_open and message.id in each.message_ids)
    if [_when_and_what(each) for each in held] == [_when_and_what(each) for each in former]:
        return None
    language = context.spoken
    gap = "；" if language == "zh" else "; "
    over = gap.join(texts.matter_text(each, language) for each in former)
    lines = [
        texts.kept_text(next_at(each) or each.first_at, each.rule, each.text, language, local)
        for each in held
    ]
    if not held:
        before = tuple(each for each in context.before if each.at <= message.at)
        asked = reminders_asked(context.said, before, context.zone)
        lines = [say(language, texts.ENDED_BY_THE_EDIT, what=over)]
        lines += [_line_for(each, now, context) for each in asked]
    elif former:
        lines.insert(0, say(language, texts.BY_THE_EDIT))
    back = say(language, texts.TAKE_BACK)
    buttons = tuple(Button(back, f"/reminders end {each.id}") for each in held[:1])
    return Noted("\n".join(lines), buttons if len(held) == 1 else ())


def _when_and_what(one: Reminder) -> tuple[datetime, str, str]:
    return one.first_at, one.rule, one.text


def _noted_restoring(context: TurnContext, now: datetime) -> Noted | None:
    """Return what to say where an ended reminder is wanted again: when it comes, if it can."""
    state, place = context.agent.state, context.conversation
    asked = restoring_asked(context.said, context.before, state, conversation=place)
    if asked is None or asked.only is None:
        return None
    language = context.spoken
    one = silenced(replace(asked.only, ended="", ended_at=None), now)
    coming, what = next_at(one), texts.matter_text(one, language)
    if coming is None:
        return Noted(say(language, texts.IS_OVER, what=what))
    text = texts.kept_text(coming, one.rule, one.text, language, now.astimezone(context.zone))
    return Noted(text, (Button(say(language, texts.TAKE_BACK), f"/reminders end {one.id}"),))


def _noted_moving(context: TurnContext, now: datetime) -> Noted | None:
    """Return what to say where a reminder is to be moved: its new hour, or that nothing moved."""
    state, local = context.agent.state, now.astimezone(context.zone)
    place = context.conversation
    asked = moving_asked(context.said, context.before, state, conversation=place)
    if asked is None:
        return None
    language = context.spoken
    one = asked.only
    if asked.others:
        whose = "、".join(texts.matter_text(each, language, named=True) for each in asked.others)
        return Noted(say(language, texts.NOT_YOURS_TO_MOVE, what=whose))
    if one is None:
        return _which_to_move(asked, language, local)
    when, what = asked.when(one), texts.matter_text(one, language)
    former = next_at(one) or one.first_at
    if when is None:
        then = texts.time_text(former, one.rule, language, local)
        return Noted(say(language, texts.STILL_THEN, what=what, when=then))
    text = texts.kept_text(when.at, when.rule, one.text, language, local)
    if one.rule or asked.rang:
        return Noted(text)
    back = f"/reminders change {one.id} {former.astimezone(context.zone):%Y-%m-%d %H:%M}"
    return Noted(text, (Button(say(language, texts.TAKE_BACK), back),))


def _noted_list(context: TurnContext, now: datetime) -> Noted | None:
    """Return the reminders and plans of the days somebody asks for, or that there are none."""
    if len(context.said) != 1:
        return None
    (message,), state = context.said, context.agent.state
    asked = days_asked(message.text, message.at, context.zone)
    if asked is None:
        return None
    language = context.spoken
    coming = coming_between(state, message, context.conversation, (asked.first, asked.last), now)
    local, colon = now.astimezone(context.zone), "：" if language == "zh" else ": "
    items = []
    for at, one in coming[:MOST_LISTED]:
        when = texts.time_text(at, one.rule, language, local)
        what = texts.matter_text(one, language, named=not context.private)
        items.append(f"· {when}{colon}{what}")
    lines = [say(language, texts.LISTED), *items] if items else []
    if context.private and not asked.only_reminders:
        plans = plans_between(state, asked.first, asked.last)[:MOST_LISTED]
        partner, english = context.settings.partner, language == "en"
        told = (spoken_to(each.words.text, partner, english=english) for each in plans)
        items = [f"· {each}" for each in told]
        lines += [say(language, texts.PLANNED), *items] if items else []
    none = texts.NONE if asked.last == date.max else texts.NONE_THEN
    nothing = say(language, none if asked.only_reminders else texts.NOTHING_THEN)
    return Noted("\n".join(lines) or nothing)


MOST_LISTED: Final = 12
"""So many reminders, and so many plans, are named at most; /reminders lists them all."""


def _which_to_move(asked: AskedMove, language: Language, now: datetime) -> Noted:
    """Return the question which reminder is meant, with a button for each that could be moved."""
    if not asked.all_open:
        return Noted(say(language, texts.NONE_TO_MOVE))
    buttons: list[Button] = []
    for one in (asked.meant or asked.all_open)[:MOST_OFFERED]:
        when = asked.when(one)
        if when is not None and not when.rule:
            command = f"/reminders change {one.id} {when.at.astimezone(now.tzinfo):%Y-%m-%d %H:%M}"
            buttons.append(Button(texts.matter_text(one, language), command))
    which = texts.WHICH_TO_MOVE if asked.meant else texts.NONE_TO_MOVE
    return Noted(say(language, which), tuple(buttons))


def _noted_ending(context: TurnContext) -> Noted | None:
    """Return what to say where somebody wants to be reminded no more: ended, or asked which."""
    place = context.conversation
    asked = ending_asked(context.said, context.before, context.agent.state, conversation=place)
    if asked is None:
        return None
    language = context.spoken
    if (nothing := _nothing_ends(asked, language)) is not None:
        return nothing
    if asked.only is not None:
        text = say(language, texts.ENDED, what=texts.matter_text(asked.only, language))
        again = f"/reminders again {asked.only.id}"
        return Noted(text, (Button(say(language, texts.TAKE_BACK), again),))
    if asked.every:
        gap = "；" if language == "zh" else "; "
        what = gap.join(texts.matter_text(each, language) for each in asked.meant)
        back = Button(say(language, texts.TAKE_BACK), "/undo")
        return Noted(say(language, texts.ENDED_ALL, count=len(asked.meant), what=what), (back,))
    offered = (asked.meant or asked.all_open)[:MOST_OFFERED]
    buttons = [Button(texts.matter_text(e, language), f"/reminders end {e.id}") for e in offered]
    return Noted(say(language, texts.WHICH_TO_END), tuple(buttons))


def _nothing_ends(asked: AskedChange, language: Language) -> Noted | None:
    """Return what to say where nothing that is theirs can end; None where something may."""
    if asked.others:
        whose = "、".join(texts.matter_text(each, language, named=True) for each in asked.others)
        return Noted(say(language, texts.OF_SOMEBODY_ELSE, what=whose))
    if asked.dropped is not None:
        what = asked.dropped.what or say(language, texts.REMIND_OF)
        return Noted(say(language, texts.NOT_SET, what=what))
    return None if asked.all_open else Noted(say(language, texts.NONE_TO_MOVE))


def _noted_quiet(context: TurnContext) -> Noted | None:
    """Return which hours are quiet by what was said, and the way back."""
    state, former = context.agent.state, context.settings.quiet_hours
    hours = quiet_said(context.said, context.before, state, private=context.private)
    back = Button(say(context.spoken, texts.TAKE_BACK), f"/initiative quiet {former}")
    return Noted(quiet_text(hours, context.spoken), (back,)) if hours else None


def _noted_beginning(context: TurnContext) -> Noted | None:
    """Return what to say of whether she may begin, and of what she asked herself."""
    state, private = context.agent.state, context.private
    said, before, language = context.said, context.before, context.spoken
    if not said:
        return None
    choice = choice_said(said, before, state, private=private)
    if choice is not None:
        may = choice == "yes"
        hours = quiet_said(said, before, state, private=private)
        text = choice_text(hours or context.settings.quiet_hours, language, may=may)
        # Not /undo: what else is learnt from this turn becomes the newest step.
        back, verb = (initiative.RATHER_NOT, "off") if may else (initiative.RATHER_DO, "on")
        button = Button(say(language, back), f"/initiative {verb}")
        return Noted(text, (button,), not hours and says_more(said[-1]))
    answered = review_answered(said, before, state)
    if answered is not None:
        still = initiative.IS_STILL_SO if answered[1] == "yes" else initiative.IS_NO_LONGER
        return Noted(say(language, still))
    if may_ask(said, before, state, private=private):
        offered = (
            Button(say(language, initiative.YES_YOU_MAY), "/initiative on"),
            Button(say(language, initiative.NO_YOU_MAY_NOT), "/initiative off"),
        )
        text = say(language, initiative.MAY_I)
        if corrected := _noted_correction(context):
            return Noted(f"{corrected.text}\n\n{text}", offered, choice=True)
        return Noted(text, offered, beside=True, only_beside=True, choice=True)
    return None


def _line_for(asked: AskedReminder, now: datetime, context: TurnContext) -> str:
    when, language = asked.request.when, context.spoken
    what = "" if is_secret(asked.message.text) else asked.request.what
    if isinstance(when, TimeDoubt) and (named := no_such_day(asked.message.text)):
        what = what or say(language, texts.REMIND_OF)
        return say(language, texts.NO_SUCH_DAY, day=named, what=what)
    if isinstance(when, TimeDoubt):
        return texts.asked_back_text(when.missing, what, language)
    told = texts.telling(coming=when.at > now, group=not context.private)
    return told(when.at, when.rule, what, language, now.astimezone(context.zone))
