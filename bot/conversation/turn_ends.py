"""How a turn ends: what memory is given of it, and what becomes of what could not be answered.

What is known by rule is told though the model is away. What the partner is told of a failure is
decided here and carried out by :mod:`bot.conversation.response_handler`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final, TypeAlias, assert_never

from bot.conversation.ledger import Fate, GiveUp, Received, TryAgain, TurnAnswer, TurnEntry
from bot.conversation.ledger.wakes import Wakes
from bot.conversation.messages import LATE, ConversationKey, Incoming, nobody_owns
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from bot.tasks import Failed
from bot.texts import Sentence, say
from bot.texts import dialogue as texts
from memory.changes import Turn
from memory.errors import StoreError
from memory.initiative.reminders import next_at
from memory.initiative.requests import reminders_asked
from memory.learning.remember_requests import asks_to_keep_a_secret, redacted_text
from memory.model import ACTIVE, Message
from memory.offline import OfflineModel
from memory.offline.vocabulary import is_question, match_terms
from memory.ports import (
    DAILY_LIMIT_REACHED,
    Invalid,
    Refused,
    TooLong,
    Truncated,
    Unavailable,
)
from memory.reminder import Reminder
from memory.text.passed_on import without_sent

ATTEMPTS: Final = 3
"""How often an answer may go wrong: one bad message must not block its chat for ever."""

OUTAGE_LIMIT: Final = timedelta(hours=24)
"""How long a message waits for a model that is away."""

# Doubled at every attempt, up to the longest: a restart of the model's server is over in seconds,
# and asking through an outage of a night costs some fifty calls.
FIRST_WAIT: Final = timedelta(seconds=15)
LONGEST_WAIT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class NotRemembered:
    """There was a reply to a request to remember, but memory could not keep it."""


Failure: TypeAlias = Refused | Truncated | TooLong | Unavailable | Invalid | Failed | NotRemembered


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens to the messages of a failed turn: their fate, and what the partner is told."""

    fate: Fate
    sentence: Sentence


def verdict_on(
    failure: Failure,
    messages: Sequence[Received],
    now: datetime,
    *,
    is_owner: Callable[[Incoming], bool] = nobody_owns,
) -> Verdict:
    """Decide about the messages of a failed turn.

    While a model or a disk is away a message only waits. An answer that goes wrong costs it one
    of three attempts. A refusal, or a text that never fits, ends it at once. In private an owner
    hears what only they can mend.
    """
    first = messages[0].incoming
    to_owner = first.private and is_owner(first)
    match failure:
        case Unavailable(reason, asked_to_wait):
            sentence = texts.LIMIT_REACHED if reason == DAILY_LIMIT_REACHED else texts.POSTPONED
            sentence = texts.OWNERS_REASONS.get(reason, sentence) if to_owner else sentence
            verdict = _verdict_while_away(
                messages, now, sentence, timedelta(seconds=asked_to_wait or 0)
            )
        case NotRemembered():
            verdict = _verdict_while_away(messages, now, texts.NOT_STORED)
        case Refused():
            verdict = Verdict(GiveUp("refused"), texts.DECLINED)
        case TooLong():
            verdict = Verdict(GiveUp("too long"), texts.TOO_LONG)
        case Truncated(at_limit=True):
            # Not a word came before the limit: all of it went into what a model only thinks.
            verdict = Verdict(GiveUp("truncated"), texts.GAVE_UP)
        case Truncated() | Invalid():
            verdict = _verdict_after_try(messages, now, type(failure).__name__.lower())
        case Failed(error):
            verdict = _verdict_on_error(messages, now, error)
        case never:
            assert_never(never)
    return verdict


def _verdict_while_away(
    messages: Sequence[Received],
    now: datetime,
    sentence: Sentence,
    at_least: timedelta = timedelta(0),
) -> Verdict:
    # The age counts from when it was said: a message that came during the outage is young, and one
    # that was delivered a day late still gets its attempts.
    tried = _attempts_made(messages) + 1 >= ATTEMPTS
    if tried and now - max(message.incoming.at for message in messages) > OUTAGE_LIMIT:
        return Verdict(GiveUp("expired"), texts.EXPIRED)
    until = now + max(_next_wait(messages), at_least)
    return Verdict(TryAgain(until, all_wait=True), sentence)


def _verdict_on_error(messages: Sequence[Received], now: datetime, error: Exception) -> Verdict:
    if isinstance(error, StoreError):
        return _verdict_while_away(messages, now, texts.POSTPONED)
    return _verdict_after_try(messages, now, type(error).__name__)


def _verdict_after_try(messages: Sequence[Received], now: datetime, reason: str) -> Verdict:
    if _attempts_made(messages) + 1 >= ATTEMPTS:
        return Verdict(GiveUp(reason), texts.GAVE_UP)
    return Verdict(TryAgain(now + _next_wait(messages)), texts.POSTPONED)


def excerpt_of(messages: Sequence[Received]) -> str:
    """Return enough of what was said to tell which lines are meant, without what is secret."""
    lines = [redacted_text(each.incoming.text.strip()) for each in messages]
    text = " / ".join(" ".join(line.split()) for line in lines if line)
    return f"{text[:_EXCERPT].rstrip()}…" if len(text) > _EXCERPT or not text else text


_EXCERPT: Final = 40
"""So many characters tell a line from others, and hold up no later answer."""


def _attempts_made(messages: Sequence[Received]) -> int:
    return max(message.attempts for message in messages)


def _next_wait(messages: Sequence[Received]) -> timedelta:
    doublings = min(_attempts_made(messages), 10)  # far above LONGEST_WAIT, far below overflow
    return min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)


class FailedTries:
    """What was tried in vain since the program began, and what was told of it."""

    def __init__(self) -> None:
        self._spoilt: set[str] = set()
        self._told: dict[ConversationKey, Sentence] = {}

    def next_of(self, messages: Sequence[Received], *, fresh_is_ruled: bool) -> Sequence[Received]:
        """Return which of the messages of an utterance to answer first.

        What is new goes alone where rules answer it: what they say is no answer to lines that wait
        for a model. Lines to which the model said nothing of use are tried apart, so that no
        other is spoilt with them; but none before one that was said earlier.
        """
        fresh = [message for message in messages if not message.attempts]
        if fresh and fresh_is_ruled:
            return fresh
        if fresh:
            return [each for each in messages if each.id not in self._spoilt]
        # The oldest must be among them: as long as it is due, all are handed out again and again.
        first = messages[0].id in self._spoilt
        return [*takewhile(lambda each: (each.id in self._spoilt) == first, messages)]

    def note(self, turn: TurnEntry, failure: Failure, verdict: Verdict) -> Sentence:
        """Note a turn that failed; return what the partner is told: once in full, then shorter."""
        if isinstance(verdict.fate, GiveUp):
            self.forget(turn)
            return verdict.sentence
        if isinstance(failure, Invalid | Truncated):
            self._spoilt.update(message.id for message in turn.messages)
        told_before = self._told.get(turn.conversation)
        self._told[turn.conversation] = verdict.sentence
        again = told_before == verdict.sentence and not isinstance(failure, NotRemembered)
        return texts.POSTPONED_TOO if again else verdict.sentence

    def forget(self, turn: TurnEntry) -> None:
        """Note that a turn is over."""
        self._spoilt.difference_update(message.id for message in turn.messages)
        if any(message.attempts for message in turn.messages):
            self._told.pop(turn.conversation, None)


OWN_NAME: Final = "小祥"


def finished_turn(turn: TurnEntry, context: TurnContext) -> Turn:
    """Return the answered turn as memory takes it; the same value at every attempt."""
    answer = turn.answer
    if answer is None:
        raise ValueError("the turn has no answer yet")
    return Turn(
        id=turn.id,
        conversation=context.conversation,
        at=answer.at,
        # Said, and remembered, before: what is answered anew is not said again.
        said=_not_kept_yet(turn, context),
        replaces=context.replaces,
        reply=Message(
            id=turn.reply_id, at=answer.at, speaker=OWN_NAME, role="assistant", text=answer.text
        ),
        used=answer.used,
        private=turn.private,
    )


async def keep_unaddressed(
    wakes: Wakes, generator: ReplyGenerator, message: Received, context: TurnContext
) -> None:
    """Give memory a message that nobody answers: an edit, what was said to her, or chatter."""
    to_her = _is_to_her(message)
    if message.incoming.edits:
        await _keep_edited(wakes, generator, message, context)
    elif to_her and without_sent(message.incoming.text):
        await _keep_heard(wakes, generator, message, context)
    elif context.settings.listening or to_her:
        await context.agent.listen(context.conversation, context.said)


def _is_to_her(message: Received) -> bool:
    """Whether it was said to her, though it may have come too late to be answered."""
    incoming = message.incoming
    return incoming.private or incoming.addressed or LATE in incoming.raw


async def _keep_edited(
    wakes: Wakes, generator: ReplyGenerator, message: Received, context: TurnContext
) -> None:
    """Give memory what an edited message says by now: a turn that nobody answers.

    What rules say of it (the reminder it asks for has another hour) is owed from now on, once.
    """
    (said,) = context.said
    known = context.agent.state.reminders.values()
    former = tuple(each for each in known if each.is_open and said.id in each.message_ids)
    turn = Turn(
        id=message.id,
        conversation=context.conversation,
        at=said.at,
        said=(said,),
        private=context.private,
        edited=True,
    )
    await context.agent.commit(turn)
    now = generator.clock.now()
    ruled = generator.by_rule(replace(context, former=former), now)
    if ruled is not None:
        told = TurnAnswer("reply", ruled.reply.text, at=now, document=ruled.reply.document)
        own, place = f"{message.id}-edit", message.conversation
        await wakes.begin(own, place, told, private=context.private)


async def _keep_heard(
    wakes: Wakes, generator: ReplyGenerator, message: Received, context: TurnContext
) -> None:
    """Give memory what was said to her and is not answered: a turn of its own without a reply.

    What it asks to be kept is kept, and what it does to reminders is done. Of these she tells,
    once: nobody can rely on a reminder they know nothing of. One that is due tells by coming. So
    she does of a secret that she may not keep: she was asked to.
    """
    (said,), identity = context.said, f"{message.id}-heard"
    known, held = context.agent.state, context.agent.state.reminders
    if said.id in known.diary and identity not in known.receipts:
        return
    now = generator.clock.now()
    ruled, refusal = generator.by_rule(context, now), _refusal_of_secret(context)
    place, private = message.conversation, context.private
    turn = Turn(
        id=identity,
        conversation=context.conversation,
        at=said.at,
        said=context.said,
        private=private,
    )
    await context.agent.commit(turn)
    told: TurnAnswer | None = None
    if refusal is not None:
        told = TurnAnswer("reply", say(context.spoken, refusal), at=now)
    elif ruled and not ruled.only_beside and _is_of_reminders(context, held, now):
        told = TurnAnswer("reply", ruled.reply.text, at=now, document=ruled.reply.document)
    if told is not None:
        await wakes.begin(identity, place, told, private=private)


def _refusal_of_secret(context: TurnContext) -> Sentence | None:
    """Return what is said where a secret is to be kept that may not be."""
    if not asks_to_keep_a_secret(context.said, context.before):
        return None
    if not context.private:
        return texts.SECRET_IN_GROUP
    return None if context.agent.keeps_secrets else texts.SECRET_NEEDS_KEY


def _is_of_reminders(context: TurnContext, held: Mapping[int, Reminder], now: datetime) -> bool:
    """Whether a turn that was kept asked for a reminder, or changed those that were ``held``."""
    known = context.agent.state.reminders
    changed = [each for key, each in known.items() if held.get(key) != each]
    if changed:
        return any(not each.is_open or (next_at(each) or now) > now for each in changed)
    return bool(reminders_asked(context.said, context.before, context.zone))


async def keep_unanswered(turn: TurnEntry, context: TurnContext) -> None:
    """Give memory what nobody answers by now, as a turn of its own without a reply."""
    said = _not_kept_yet(turn, context)
    if said and (context.settings.listening or _is_to_her(turn.messages[0])):
        kept = Turn(
            id=_unanswered_id(turn),
            conversation=context.conversation,
            at=said[-1].at,
            said=said,
            private=turn.private,
        )
        await context.agent.commit(kept)


def _not_kept_yet(turn: TurnEntry, context: TurnContext) -> tuple[Message, ...]:
    """Return what a turn says first: neither asked again, nor kept when an attempt failed."""
    state = context.agent.state
    failed = {message.id for message in turn.messages if message.attempts}
    if _unanswered_id(turn) in state.receipts:
        failed.update(line.id for line in context.said)
    kept = failed.intersection(state.diary)
    return () if context.replaces else tuple(e for e in context.said if e.id not in kept)


def _unanswered_id(turn: TurnEntry) -> str:
    """Return the id under which memory keeps what a turn says while it has no reply."""
    return f"{turn.id}-unanswered"


async def known_answer(generator: ReplyGenerator, context: TurnContext) -> GeneratedReply | None:
    """Return what was told of the one thing that is asked; None if rules do not know it.

    While a model is away nobody need wait for what stands in memory word by word.
    """
    if len(context.said) != 1 or context.replaces or not is_question(context.said[0].text):
        return None
    found = await replace(generator, model=OfflineModel()).generate(context, show_nothing)
    if not isinstance(found, GeneratedReply) or not _REMEMBERED.match(found.text):
        return None
    told = _TOLD.match(found.text) is not None
    return None if told and not _is_kept(context, found.text) else found


_TOLD: Final = re.compile(
    r"你[^「：]{1,16}说过：「|我想到|(?i:you told me|two things come to mind)\b"
)
_REMEMBERED: Final = re.compile(rf"我记得：|I remember: |{_TOLD.pattern}")


def _is_kept(context: TurnContext, answer: str) -> bool:
    """Tell whether a fact says all that is asked for, and rests on words that an answer quotes."""
    asked = context.said[0].text
    cues = frozenset(re.findall(r"[\u4e00-\u9fff]", asked)) - _ASKS_ZH
    cues |= {each for each in match_terms(asked) if each.isascii()} - _ASKS_EN
    return bool(cues) and any(
        cues <= (match_terms(fact.words.text) | frozenset(fact.words.text))
        for fact in context.agent.state.memories.values()
        if fact.is_fact
        and fact.standing == ACTIVE
        and not fact.is_past
        and fact.origin.quote
        and fact.origin.quote in answer
    )


_ASKS_ZH: Final = frozenset("我你的是在什么吗呢啊呀吧谁哪里儿几多少怎样啥了过有个还记得叫名字")
_ASKS_EN: Final = frozenset({"what", "who", "where", "when", "how", "which", "remember", "name"})


async def show_nothing(text: str) -> None:
    """Show nothing of a reply while it grows."""
    del text
