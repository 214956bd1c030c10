"""Answers under way: what there is of each so far, how to stop one, how to ask for it again.

The ledger decides which comes first, the answer or the stop. What is kept here is known only to
the program that runs: the words until now, and the way to end the call of a model.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from bot.conversation.footnotes import cut_with_line, footnote_of, marked_as_cut, with_footnote
from bot.conversation.ledger import Received, TurnAnswer
from bot.conversation.ledger.turns import StopOrder, TurnStops
from bot.conversation.messages import PENDING, PRESSED, Incoming, asks_again, asks_to_stop
from bot.conversation.reply_generator import (
    GeneratedReply,
    ReplyGenerator,
    ShowText,
    TurnContext,
)
from bot.conversation.turn_ends import Failure, known_answer, show_nothing
from bot.tasks import Done, attempt
from bot.texts import Sentence, say
from bot.texts import dialogue as texts
from memory.changes import Used
from memory.jobs.edits import correction_made
from memory.learning.remember_requests import asks_to_keep_a_secret, explicit_requests
from memory.model import Message
from memory.offline.utterances import asks_to_keep_what_is_shown, statements_in
from memory.offline.vocabulary import is_question
from memory.ports import Clock, Unavailable
from memory.privacy.redaction import asks_not_to_keep, lines_not_kept, without_unkept
from memory.text.correction_forms import her_name_given
from memory.text.passed_on import own_words_of
from memory.text.requests import NotKept, not_to_be_kept

T = TypeVar("T")

STOP: Final = "stop"
AGAIN: Final = "again"
"""The names of the two commands."""


async def as_command(incoming: Incoming, stops: TurnStops) -> Incoming:
    """Return a message that is a request about an answer as the command it comes to.

    The word to stop is one only while something that its sender said is being answered, or waits
    behind what is; else it is talk. Then it need not be addressed to her in a group.
    """
    beside = set(incoming.raw) - {PENDING}
    if incoming.is_command or incoming.quoted or beside:
        return incoming
    if incoming.addressed and asks_again(incoming.text):
        return _command(incoming, AGAIN)
    place, person = incoming.conversation, incoming.person
    if asks_to_stop(incoming.text) and await stops.is_answering(place, person, or_waits=True):
        return _command(incoming, STOP)
    return incoming


@dataclass(frozen=True, slots=True)
class NotTheirs:
    """Not kept: a press that would stop what is answered to somebody else."""


async def stops_anothers(incoming: Incoming, stops: TurnStops) -> bool:
    """Whether somebody presses the button to stop an answer that is given to somebody else."""
    command = incoming.command
    if not incoming.raw.get(PRESSED) or command is None or command.name != STOP:
        return False
    place = incoming.conversation
    return await stops.is_answering(place, "") and not await stops.is_answering(
        place, incoming.person
    )


def _command(incoming: Incoming, name: str) -> Incoming:
    # Whom it replies to, and what its sender is called, need not be asked any more.
    return replace(incoming.with_pending({}), text=f"/{name}", addressed=True)


def wants_again(messages: Sequence[Received]) -> bool:
    """Whether a turn is only the wish to have the last answer anew."""
    command = messages[0].incoming.command if messages else None
    return command is not None and command.name == AGAIN


@dataclass(frozen=True, slots=True)
class LastExchange:
    """What was said last, what was answered to it, and the lines before; all empty for none."""

    said: tuple[Message, ...] = ()
    before: tuple[Message, ...] = ()
    reply_id: str = ""


def last_exchange(window: Sequence[Message], person: str = "") -> LastExchange:
    """Return the last answer of a window with what it answers.

    With a ``person`` only if all of that was said by that person.
    """
    places = [place for place, line in enumerate(window) if line.role == "assistant"]
    if not places:
        return LastExchange()
    end = begin = places[-1]
    while begin and window[begin - 1].role == "user" and _may_ask(window[begin - 1], person):
        begin -= 1
    if begin == end:
        return LastExchange()
    return LastExchange(tuple(window[begin:end]), tuple(window[:begin]), window[end].id)


def _may_ask(line: Message, person: str) -> bool:
    return not person or line.speaker_id == person


@dataclass(eq=False)
class GrowingAnswer:
    """One answer under way: its words until now, and the memories its prompt holds."""

    text: str = ""
    used: tuple[Used, ...] = ()
    _stopped: bool = False
    _scope: asyncio.Timeout | None = field(default=None, repr=False)

    def stop(self) -> None:
        """End the work under way, at its next step."""
        self._stopped = True
        if self._scope is not None:
            self._scope.reschedule(asyncio.get_running_loop().time())

    def note_used(self, used: tuple[Used, ...]) -> None:
        """Note the memories that the prompt holds."""
        self.used = used

    async def until_stopped(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """Return what ``work`` returns; None if it was stopped before that."""
        if self._stopped:
            return None
        try:
            # A time limit that is set when somebody says so: cancelled by it, a call of a model
            # is closed, and a cancellation from outside still passes through.
            async with asyncio.timeout(None) as self._scope:
                return await work()
        except TimeoutError:
            return None
        finally:
            self._scope = None


class GrowingAnswers:
    """The answers under way, by the ids of their turns."""

    def __init__(self, stops: TurnStops, clock: Clock) -> None:
        self._stops = stops
        self._clock = clock
        self._growing: dict[str, GrowingAnswer] = {}

    @asynccontextmanager
    async def growing(self, turn_id: str) -> AsyncIterator[GrowingAnswer]:
        """Keep an answer for the length of the block."""
        answer = self._growing[turn_id] = GrowingAnswer()
        try:
            yield answer
        finally:
            del self._growing[turn_id]

    async def stop(self, order: StopOrder, *, cut: str, nothing: str) -> bool:
        """Stop the answer under way; return whether there was one.

        What there is of it is kept with the line ``cut`` below; ``nothing`` is kept if not a word
        was shown. The stop is durable when this returns.
        """

        def answer_for(turn_id: str) -> TurnAnswer:
            grown = self._growing.get(turn_id, GrowingAnswer())
            said = grown.text.rstrip()
            text = cut_with_line(said, cut) if said else nothing
            return TurnAnswer("reply", text, at=self._clock.now(), used=grown.used)

        stopped = await self._stops.stop(order, answer_for)
        if stopped in self._growing:
            self._growing[stopped].stop()
        return bool(stopped) or await self._stops.withdraw(order)


async def find_reply(
    generator: ReplyGenerator, context: TurnContext, show: ShowText
) -> GeneratedReply | Failure:
    """Return the reply to a turn: what rules say of it, the model's, or why there is none."""
    line = _line_of_keeping(context)
    if fixed := _fixed_answer(context, line):
        return GeneratedReply(fixed, ())
    ruled = generator.by_rule(context, generator.clock.now())
    if ruled is None:
        found = await _kept_in_room(await generator.generate(context, show), context)
        if not isinstance(found, GeneratedReply):
            away = isinstance(found, Unavailable)
            return (away and await known_answer(generator, context)) or found
        return with_footnote(found, line or footnote_of(found.text, context))
    if not ruled.beside:
        return ruled.reply
    # Shown as a whole: what is kept by rule must not be seen before it is.
    found = await _kept_in_room(await generator.generate(context, show_nothing), context)
    if not isinstance(found, GeneratedReply):
        return found if ruled.only_beside else ruled.reply
    if ruled.only_beside:  # What hangs on it sets no reminder and erases nothing.
        found = with_footnote(found, footnote_of(found.text, context))
    return ruled.below(found)


async def rules_answer(generator: ReplyGenerator, context: TurnContext) -> bool:
    """Whether rules say something to a turn whatever becomes of the model."""
    # A mistake of ours there must not stop the lane at these lines for ever.
    step = await attempt("asking the rules", partial(_rules_answer, generator, context))
    return isinstance(step, Done) and step.value


async def _rules_answer(generator: ReplyGenerator, context: TurnContext) -> bool:
    if _fixed_answer(context, _line_of_keeping(context)):
        return True
    ruled = generator.by_rule(context, generator.clock.now())
    if ruled is None:
        return await known_answer(generator, context) is not None
    return not ruled.only_beside


async def _kept_in_room(
    found: GeneratedReply | Failure, context: TurnContext
) -> GeneratedReply | Failure:
    """Let memory take what fills the model's context; return a reply as it is sent."""
    if not isinstance(found, GeneratedReply):
        return found
    if found.crowded_until:
        room = partial(context.agent.make_room, context.conversation, found.crowded_until)
        # The reply does not depend on it: what fails is asked for again by the next turn.
        await attempt("making room", room)
    return marked_as_cut(found, context)


def _sentence_of_keeping(context: TurnContext) -> Sentence | None:
    """Return what is said of words that no model may see: whether they are kept, and why not."""
    said, before = context.said, context.before
    if context.replaces:
        return None
    if asks_not_to_keep(said, before):
        return _sentence_of_unkept(said, before)
    if not context.settings.learning and _told_to_be_kept(context):
        return texts.NOT_WHILE_PAUSED
    return _sentence_of_secrets(context)


def _line_of_keeping(context: TurnContext) -> str:
    sentence = _sentence_of_keeping(context)
    return say(context.spoken, sentence) if sentence is not None else ""


def _fixed_answer(context: TurnContext, line: str) -> str:
    """Return what is said without a model: the line of what is kept, or how her name is set."""
    if line:
        return "" if _says_more(context) else line
    name = her_name_given(context.said[0].text) if len(context.said) == 1 else ""
    if not name or context.replaces:
        return ""
    return say(context.spoken, texts.HOW_SHE_IS_NAMED, called=name)


def _sentence_of_unkept(said: Sequence[Message], before: Sequence[Message]) -> Sentence:
    """Return what is blotted out: only that, and not in its own words, kept as hers."""
    earlier, kept = lines_not_kept(said, before), without_unkept(said, before)
    blotted = [each for each, left in zip(said, kept, strict=True) if each != left]
    if len(earlier) > 1 or len(blotted) > 1:
        return texts.NOT_KEPT_LINES
    if blotted:
        return texts.NOT_KEPT_BOTH if earlier else texts.NOT_KEPT
    if earlier:
        return texts.NOT_KEPT_BEFORE
    announced = not_to_be_kept(said[-1].text) is NotKept.NEXT
    return texts.NOT_KEPT_NEXT if announced else texts.NOTHING_BEFORE


def _sentence_of_secrets(context: TurnContext) -> Sentence | None:
    said, before = context.said, context.before
    asked = asks_to_keep_a_secret(said, before)
    if not asked and context.redacted == tuple(said):
        return None
    if not context.private:
        return texts.SECRET_IN_GROUP
    if not context.agent.keeps_secrets:
        return texts.SECRET_NEEDS_KEY
    return texts.SECRET_SEALED if asked else texts.SECRET_CUT


def _says_more(context: TurnContext) -> bool:
    """Whether a turn that tells a secret asks something as well, or tells much beside it."""
    said, before = context.said, context.before
    if asks_not_to_keep(said, before) or asks_to_keep_a_secret(said, before):
        return False
    if not context.settings.learning and not _asks_outright(context):
        return True
    seen = "\n".join(message.text for message in context.redacted)
    return is_question(seen) or len(seen) > _BESIDE


def _told_to_be_kept(context: TurnContext) -> bool:
    """Whether rules would keep something of a turn, were learning not paused."""
    if _asks_outright(context):
        return True
    said, before, settings = context.said, context.before, context.settings
    if not context.private:
        return False
    if correction_made(said, before, context.agent.state) is not None:
        return True
    own = (each.text for each in own_words_of(said, before))
    at = said[0].at.astimezone(context.zone) if said else None
    return at is not None and any(statements_in(each, settings.partner, at) for each in own)


def _asks_outright(context: TurnContext) -> bool:
    """Whether a turn asks for something to be kept, be it only what it answers or shows."""
    asked = explicit_requests(context.said, context.before)
    return bool(asked) or any(asks_to_keep_what_is_shown(each.text) for each in context.said)


_BESIDE: Final = 60
"""So many characters beside a secret are something else that was said, and are answered."""


def answer_of(reply: GeneratedReply, at: datetime) -> TurnAnswer:
    """Return a reply as the ledger keeps it."""
    return TurnAnswer("reply", reply.text, at=at, used=reply.used, document=reply.document)
