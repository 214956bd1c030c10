"""``/reminders``: what she will remind of, listed, changed, put off and ended.

How they are worded is in :mod:`bot.texts.reminders`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.conversation.messages import CHINESE_NAMES
from bot.desk import answers, parser
from bot.desk.command import Argument, Call, Example, Policy, Spec
from bot.desk.documents import Block, Button, Buttons, Document, Table, Text
from bot.texts import desk
from bot.texts import reminders as texts
from memory.initiative.reminder_forms import matter_beside
from memory.initiative.reminders import (
    next_at,
    of_token,
    plan_ended,
    plan_moved,
    plan_reminders,
    plan_reopened,
    plan_snoozed,
    plan_zone,
)
from memory.initiative.requests import AskedReminder, ReminderRequest, reminders_asked
from memory.model import Message
from memory.reminder import Reminder
from memory.text.times import TimeDoubt, TimeSaid, read_time

_VERBS: Final = {
    "end": ("结束", "取消", "删除", "删掉", "停", "stop", "cancel", "delete", "remove"),
    "done": ("办好了", "完成", "好了", "做完了", "ok"),
    "later": ("推迟", "过会儿", "稍后", "snooze", "晚点"),
    "tomorrow": ("明天再说",),
    "change": ("改", "改到", "修改", "move", "edit", "set"),
    "undo": ("撤销",),
    "again": ("恢复", "重新", "restore", "reopen"),
    "zone": ("时区",),
    "list": ("列表", "全部", "all", "ls"),
}
_VERB_OF: Final = {word: verb for verb, words in _VERBS.items() for word in (verb, *words)}
_NUMBER: Final = re.compile(r"#?(?P<id>[0-9]{1,9})(?![0-9点:：月号日])(?P<rest>.*)", re.DOTALL)
_TOKEN: Final = re.compile(r"t[0-9a-f]{8}")

LATER: Final = timedelta(minutes=30)
"""How much later "later" is, where no time is named."""

_SHOWN: Final = 60


async def reminders(call: Call) -> Document:
    """Carry out ``/reminders``: list them, or do what the first word says."""
    words = call.given.text("what").strip()
    first, _, rest = words.partition(" ")
    verb = _VERB_OF.get(first.lower())
    if verb is None or re.match("(?i)tomorrow (?!#?[0-9])", words):
        found = next((w for w in sorted(_VERB_OF, key=len, reverse=True) if _begins(words, w)), "")
        verb, rest = (_VERB_OF[found], words[len(found) :]) if found else (None, words)
    if not words or verb == "list":
        return _listed(call)
    if verb is None:
        return await _asked_here(call, words)
    return await _with_verb(call, verb, rest.strip())


async def _with_verb(call: Call, verb: str, rest: str) -> Document:
    if verb == "zone":
        return await _by_this_zone(call)
    chosen, when = _chosen(call, rest)
    match verb:
        case "end" | "undo":
            return await _end(call, chosen)
        case "done" | "again":
            told = await _done_or_again(call, chosen, done=verb == "done")
            # Pressed, it takes the place of the reminder: no button stays that does nothing.
            return replace(told, in_place=verb == "done")
        case "change":
            return await _change(call, chosen, when)
        case _:
            return await _put_off(call, chosen, when, tomorrow=verb == "tomorrow")


def _begins(words: str, verb: str) -> bool:
    """Whether words begin with a Chinese verb that no space follows: 结束3."""
    return not verb.isascii() and bool(re.match(rf"{verb}\s*#?[0-9]", words))


def _own(call: Call) -> list[Reminder]:
    """Return the open reminders the caller may see, the next first."""
    mine = [e for e in call.state.reminders.values() if e.is_open and _may_see(call, e)]
    far = datetime.max.replace(tzinfo=call.now.tzinfo)
    return sorted(mine, key=lambda each: (next_at(each) or far, each.id))


def _may_see(call: Call, reminder: Reminder) -> bool:
    # A group sees what was asked there; whose it is, the list says.
    return call.private or not reminder.private


def _listed(call: Call) -> Document:
    own = _own(call)
    if not own:
        return answers.one_sentence(call, texts.NONE)
    shown, further = answers.page_of(call, own, "/reminders list")
    rows = tuple(
        (
            f"#{each.id}",
            texts.moment_text(next_at(each) or each.first_at, call.language, _now(call)),
            answers.brief(texts.matter_text(each, call.language, named=not call.private), _SHOWN),
            texts.rule_text(each.rule, call.language) if each.rule else "",
        )
        for each in shown
    )
    columns = tuple(map(call.say, (desk.ID, texts.NEXT, texts.MATTER, texts.RULE)))
    table = Table(("id", "next", "text", "rule"), columns, rows, name="reminders")
    blocks: list[Block] = [Text(call.say(texts.TITLE), title=True), table, *further]
    blocks += [Text(call.say(texts.HOW, one=shown[0].id)), *_zone_question(call, own)]
    return Document(tuple(blocks))


def _zone_question(call: Call, own: Sequence[Reminder]) -> tuple[Block, ...]:
    """Return the question whether reminders move along with the partner; nothing if all do."""
    apart = [each for each in own if each.zone != call.settings.time_zone]
    if not apart:
        return ()
    asked = call.say(
        texts.ANOTHER_ZONE,
        count=len(apart),
        former=apart[0].zone,
        zone=call.settings.time_zone,
    )
    return Text(asked), Buttons((Button(call.say(texts.MOVE_ZONE), "/reminders zone"),))


async def _by_this_zone(call: Call) -> Document:
    zone = call.settings.time_zone
    count = sum(each.zone != zone for each in _own(call))
    await call.writer.steer(lambda state, _: plan_zone(state, zone, call.now))
    return answers.with_undo_button(call, call.say(texts.ZONE_MOVED, count=count, zone=zone))


async def _asked_here(call: Call, words: str) -> Document:
    """Keep a reminder that was given as a command: /提醒 明天八点 交房租."""
    message = Message(
        id=call.caller.message or f"desk:{call.now.isoformat()}",
        at=call.now,
        speaker=call.caller.name or call.settings.partner,
        role="user",
        text=words,
        speaker_id="" if call.private else call.caller.person,
    )
    # Who writes a whole request behind the command means what it means in the chat.
    whole = reminders_asked((message,), (), call.zone)
    when = whole[0].request.when if whole else read_time(words, call.now, call.zone)
    what = whole[0].request.what if whole else matter_beside(words, when.spans)
    if isinstance(when, TimeDoubt):
        if not when.spans:
            raise call.refusal(texts.NOT_READ, when=answers.brief(words, _SHOWN))
        return Document((Text(texts.asked_back_text(when.missing, what, call.language)),))
    asked = AskedReminder(ReminderRequest(what, when), message, (message.id,))
    place = call.conversation
    await call.writer.steer(
        lambda state, _: plan_reminders(
            (asked,), state, call.now, conversation=place, turn_id="", private=call.private
        )
    )
    line = texts.kept_text(when.at, when.rule, what, call.language, _now(call))
    return answers.with_undo_button(call, line)


def _chosen(call: Call, words: str) -> tuple[tuple[Reminder, ...], str]:
    """Return the reminders that are meant, and the words behind their number.

    Raises :class:`~bot.desk.command.CommandRefused` where there is none, or it is another's.
    """
    state = call.state
    token = _TOKEN.match(words)
    if token:
        ids, rest = of_token(state, token[0]), words[token.end() :]
    elif found := _NUMBER.fullmatch(words):
        ids, rest = (int(found["id"]),), found["rest"]
    else:
        own = _own(call)
        if len(own) != 1:
            raise call.refusal(texts.WHICH_ONE)
        ids, rest = (own[0].id,), words
    known = tuple(state.reminders[key] for key in ids if key in state.reminders)
    if not known or not all(_may_see(call, each) for each in known):
        which = str(ids[0]) if ids and not token else "?"
        raise call.refusal(texts.NOT_THERE, which=which)
    if call.only_words_of and any(e.speaker_id != call.only_words_of for e in known):
        raise call.refusal(texts.NOT_YOURS)
    return known, rest.strip()


async def _end(call: Call, chosen: Sequence[Reminder]) -> Document:
    ids = [each.id for each in chosen]
    await call.writer.steer(lambda state, _: plan_ended(state, ids, "stopped", call.now))
    what = "；".join(texts.matter_text(each, call.language) for each in chosen)
    told = texts.ENDED if any(each.is_open for each in chosen) else texts.ENDED_BEFORE
    return answers.with_undo_button(call, call.say(told, what=what))


async def _done_or_again(call: Call, chosen: Sequence[Reminder], *, done: bool) -> Document:
    """Take this time as done, or let what ended come again; say what comes next."""
    ids = [each.id for each in chosen]
    await call.writer.steer(
        lambda state, _: (
            plan_ended(state, ids, "done", call.now)
            if done
            else plan_reopened(state, ids, call.now)
        )
    )
    one = call.writer.state.reminders.get(chosen[0].id, chosen[0])
    coming, what = next_at(one), texts.matter_text(one, call.language)
    if coming is None:
        return answers.one_sentence(call, texts.IS_DONE if done else texts.IS_OVER, what=what)
    when = texts.moment_text(coming, call.language, _now(call))
    sentence = texts.DONE_AND_NEXT if done else texts.MOVED
    return answers.one_sentence(call, sentence, what=what, when=when)


async def _put_off(
    call: Call, chosen: Sequence[Reminder], words: str, *, tomorrow: bool
) -> Document:
    """Let a reminder come once more: at a time that is named, in half an hour, or tomorrow."""
    one = chosen[0]
    until = call.now + LATER
    if words:
        until = _time_in(call, words).at
    elif tomorrow:
        # The same hour of the clock, also over a change of the clocks.
        wall = (one.rung_at or one.first_at).astimezone(call.zone)
        day = call.now.astimezone(call.zone).date() + timedelta(days=1)
        until = datetime.combine(day, wall.time(), call.zone)
    await call.writer.steer(lambda state, _: plan_snoozed(state, one.id, until, call.now))
    done = button_of(one, call.say(texts.DONE), "done")
    return replace(_moved(call, one, until, "", Buttons((done,))), in_place=True)


def button_of(one: Reminder, label: str, verb: str) -> Button:
    """Return a button of a reminder: in a group it is for who asked for it, and the admins."""
    person = "" if one.private else one.speaker_id
    return Button(label, f"/reminders {verb} {one.id}", person, or_admins=bool(person))


async def _change(call: Call, chosen: Sequence[Reminder], words: str) -> Document:
    if not words:
        raise call.refusal(texts.NOT_READ, when="")
    one, when = chosen[0], _time_in(call, words)
    await call.writer.steer(lambda state, _: plan_moved(state, one.id, when, call.now))
    return _moved(call, one, when.at, when.rule)


def _time_in(call: Call, words: str) -> TimeSaid:
    """Return the time that words mean; raises CommandRefused where it is not clear."""
    when = read_time(words, call.now, call.zone)
    if isinstance(when, TimeDoubt):
        raise call.refusal(texts.NOT_READ, when=answers.brief(words, _SHOWN))
    return when


def _moved(call: Call, one: Reminder, at: datetime, rule: str = "", *more: Block) -> Document:
    when = texts.time_text(at, rule, call.language, _now(call))
    line = call.say(texts.MOVED, when=when, what=texts.matter_text(one, call.language))
    return answers.with_undo_button(call, line, *more)


def _now(call: Call) -> datetime:
    return call.now.astimezone(call.zone)


SPEC: Final = Spec(
    name="reminders",
    parent="",
    chinese=CHINESE_NAMES["reminders"],
    policy=Policy.ANSWER,
    help=texts.REMINDERS,
    run=reminders,
    arguments=(Argument(name="what", shown=texts.A_REQUEST, kind="words", required=False),),
    options=(parser.PAGE, parser.LIMIT),
    examples=(
        Example("/提醒", "/reminders"),
        Example("/提醒 推迟 3 明天早上九点", "/reminders later 3 tomorrow at 9 am"),
        Example("/提醒 结束 3", "/reminders end 3"),
    ),
)
"""The declaration of ``/reminders``."""
