"""One turn: from what was said, over the answer and its sending, to what memory keeps of it.

A turn may be cut short after any step, so the ledger records each step before the next begins and
:meth:`ResponseHandler.resume` continues from there. What every step needs to know is resolved once
per attempt: :class:`TurnFacts` from the words alone, :class:`TurnContext` from the agent's memory.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

from bot.conversation.delivery import AnswerSender, Delivery
from bot.conversation.growing import (
    GrowingAnswer,
    GrowingAnswers,
    answer_of,
    find_reply,
    last_exchange,
    rules_answer,
    wants_again,
)
from bot.conversation.ledger import GiveUp, Ledger, Received, TurnAnswer, TurnEntry
from bot.conversation.media import MediaReader, shown_with_author, with_names_here
from bot.conversation.messages import Incoming
from bot.conversation.reply_generator import (
    Agent,
    GeneratedReply,
    OpenAgent,
    ReplyGenerator,
    ShowText,
    TurnContext,
)
from bot.conversation.turn_ends import (
    OUTAGE_LIMIT,
    FailedTries,
    Failure,
    NotRemembered,
    excerpt_of,
    finished_turn,
    keep_unaddressed,
    keep_unanswered,
    show_nothing,
    verdict_on,
)
from bot.tasks import Done, Failed, TurnsFirst, attempt
from bot.texts import dialogue as texts
from bot.texts import say
from memory.errors import StoreError
from memory.learning.remember_requests import LINES_BEFORE
from memory.model import Language, Message
from memory.ports import Clock
from memory.privacy.redaction import is_secret
from memory.privacy.talk import places_in_talk
from memory.text.requests import not_to_be_kept

# Wider than what memory takes for a request (memory.learning.remember_requests): holding a reply
# back without need only delays it, while showing "I'll remember" too early may be a lie.
_REMEMBER_REQUEST: Final = re.compile(
    r"记[住下好着得]|记一下|别忘|不要忘"
    r"|\b(?:remember|note|keep\s+in\s+mind)\b|(?:don['’]?t|do\s+not)\s+forget",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What the words of a turn demand of its steps; known without opening a memory."""

    asks_to_remember: bool
    holds_secret: bool

    @classmethod
    def of(cls, messages: Sequence[Received]) -> "TurnFacts":
        """Read the facts from messages that still hold their words."""
        said = [message.incoming for message in messages]
        unkept = any(not_to_be_kept(each.text) for each in said)
        secret = any(is_secret(each.text) or is_secret(each.quoted) for each in said)
        asks = any(_REMEMBER_REQUEST.search(each.text) for each in said)
        return cls(asks_to_remember=asks or unkept, holds_secret=secret or unkept)


class ResponseHandler:
    """Answer turns. Every step is in the ledger before the next begins, so any may be the last."""

    def __init__(
        self,
        ledger: Ledger,
        agents: OpenAgent,
        sender: AnswerSender,
        generator: ReplyGenerator,
        clock: Clock,
        media: MediaReader | None = None,
    ) -> None:
        self._ledger = ledger
        self.growing: Final = GrowingAnswers(ledger.stops, clock)
        self._turns = ledger.turns
        self._open_agent_by_id = agents
        self.sender: Final = sender
        self._generator = generator
        self.clock: Final = clock
        self._media = media or MediaReader()
        self._failed = FailedTries()
        self._unclean: set[str] = set()  # turns that only the talk before shows to be secret

    async def answer(self, messages: Sequence[Received]) -> bool:
        """Answer messages of one sender as one turn; False while the answer waits to be sent."""
        in_words = [await self._put_into_words(message) for message in messages]
        fresh = [message for message in in_words if not message.attempts]
        opened = await self._open_context(fresh) if 0 < len(fresh) < len(in_words) else None
        ruled = isinstance(opened, TurnContext) and await rules_answer(self._generator, opened)
        now = self._failed.next_of(in_words, fresh_is_ruled=ruled)
        return await self._continue_turn(await self._turns.begin(now, self.clock.now()))

    async def resume(self, unfinished: Sequence[TurnEntry]) -> bool:
        """Finish what earlier attempts left; False while an answer still waits to be sent."""
        for turn in unfinished:
            held = self.sender.may_wait(turn, self.clock.now()) and not turn.owes_commit
            if not held and not await self._continue_turn(turn):
                return False
        return True

    async def listen(self, messages: Sequence[Received]) -> bool:
        """Let memory hear messages that ask for no answer; False while it cannot keep them."""
        facts = TurnFacts.of(messages)
        keep = partial(keep_unaddressed, self._ledger.wakes, self._generator)
        heard = partial(_listen_if_wanted, keep, self._resolve_context, messages)
        step = await attempt("listening", heard)
        if isinstance(step, Failed) and isinstance(step.error, StoreError):
            return False
        await self._ledger.inbox.settle(messages)
        secret = facts.holds_secret or (isinstance(step, Done) and step.value)
        await self._clean_ledger_file(replace(facts, holds_secret=secret))
        return True

    async def language(self, messages: Sequence[Received]) -> Language:
        """Return the language of what was said before the messages, which are commands."""
        opened = await self._open_context(messages)
        return _language_before(opened) or self._generator.language

    async def _put_into_words(self, message: Received) -> Received:
        """Return a message with its picture or voice put into words, as far as that works."""
        if not message.incoming.raw:
            return message
        step = await attempt("perceiving", lambda: self._media.put_into_words(message.incoming))
        if isinstance(step, Failed) or step.value == message.incoming:
            return message
        return await self._ledger.inbox.replace_words(message, step.value)

    async def _continue_turn(self, turn: TurnEntry) -> bool:
        """Continue a turn from wherever it stands; return whether the partner has what it says."""
        # Read now: settling and giving up empty the messages, and then nothing would tell that a
        # secret had been in them.
        facts = TurnFacts.of(turn.messages)
        delivery = self.sender.delivery(turn)
        try:
            is_sent = await self._take_steps(turn, facts, delivery)
        finally:
            await delivery.stop_showing()
        await self._clean_ledger_file(facts, turn.id)
        return is_sent

    async def _take_steps(self, turn: TurnEntry, facts: TurnFacts, delivery: Delivery) -> bool:
        if turn.answer is None and not turn.messages:
            # Everything in it was erased: what the partner saw of an answer goes as well.
            await delivery.withdraw()
            await self._turns.release(turn, GiveUp("erased"), None)
            return True
        if turn.answer is not None and not turn.owes_commit:
            return await self.sender.send_in_order(turn, delivery, self.clock.now())
        if turn.answer is None:
            # Before memory is opened, which takes seconds for a large one that was closed.
            await delivery.show_thinking()
        opened = await self._open_turn(turn)
        if turn.answer is None:
            turn = await self._record_answer(turn, opened, facts, delivery)
        if turn.owes_commit and (facts.asks_to_remember or _is_kept_first(turn)):
            turn = await self._commit_before_sending(turn, opened)
        if turn.answer is None:
            await delivery.withdraw()
            return True
        # Sending needs no memory: a recorded answer goes out even when none can be opened.
        turn = await self.sender.send(turn, delivery, self.clock.now())
        if turn.owes_commit:
            await self._commit_after_sending(turn, opened)
        return self.sender.lets_others_pass(turn, self.clock.now())

    async def _record_answer(
        self, turn: TurnEntry, opened: TurnContext | Failed, facts: TurnFacts, delivery: Delivery
    ) -> TurnEntry:
        """Return the turn with its reply, or with an apology, in the ledger."""
        if isinstance(opened, Failed):
            return await self._record_failure(turn, opened, opened)
        if not opened.said:
            sentence = say(opened.spoken, texts.NOTHING_TO_REPEAT)
            line = TurnAnswer("apology", sentence, at=self.clock.now())
            return await self._turns.record_answer(turn, line)
        async with self.growing.growing(turn.id) as growing:
            context = opened.telling(growing.note_used)
            # "记住了" must not be seen before it is true: such a reply is shown once it is kept.
            show = show_nothing if facts.asks_to_remember else _keeping(growing, delivery.show)
            find = partial(find_reply, self._generator, context, show)
            step = await growing.until_stopped(partial(attempt, "finding a reply", find))
            if step is None:
                return await self._ledger.stops.reread(turn)
            outcome = step if isinstance(step, Failed) else step.value
            if isinstance(outcome, GeneratedReply):
                self._failed.forget(turn)
                # What memory is given first is not being sent yet.
                at_once = not (facts.asks_to_remember or outcome.document)
                answer = answer_of(outcome, self.clock.now())
                return await self._turns.record_answer(turn, answer, sending=at_once)
            return await self._record_failure(turn, outcome, opened)

    async def _record_failure(
        self, turn: TurnEntry, failure: Failure, opened: TurnContext | Failed
    ) -> TurnEntry:
        """Give the messages back, to wait or to be marked; the partner is told once per message.

        Memory has them now: what the rules learn of them waits for no model.
        """
        now = self.clock.now()
        verdict = verdict_on(failure, turn.messages, now, is_owner=self._generator.is_owner)
        if isinstance(opened, TurnContext) and not isinstance(failure, NotRemembered):
            await attempt("keeping what was said", lambda: keep_unanswered(turn, opened))
        apology, sentence = None, self._failed.note(turn, failure, verdict)
        if isinstance(verdict.fate, GiveUp) or not all(each.told for each in turn.messages):
            language = self._generator.language if isinstance(opened, Failed) else opened.spoken
            line = say(language, sentence, said=excerpt_of(turn.messages))
            apology = TurnAnswer("apology", line, at=now)
        return await self._turns.release(turn, verdict.fate, apology)

    async def _commit_before_sending(
        self, turn: TurnEntry, opened: TurnContext | Failed
    ) -> TurnEntry:
        """Commit before anything is said; where that fails, the partner is told that instead."""
        step = await _commit(turn, opened, self._generator.turns)
        if isinstance(step, Done):
            return await self._turns.record_committed(turn)
        failure = NotRemembered() if isinstance(step.error, StoreError) else step
        return await self._record_failure(turn, failure, opened)

    async def _commit_after_sending(self, turn: TurnEntry, opened: TurnContext | Failed) -> None:
        """Commit what was sent; what fails stays owed, for a day."""
        step = await _commit(turn, opened, self._generator.turns)
        if isinstance(step, Done):
            await self._turns.record_committed(turn)
        elif turn.is_sent and self.clock.now() - turn.at > OUTAGE_LIMIT:
            await self._turns.release(turn, GiveUp("not kept"), None)

    async def _open_context(self, messages: Sequence[Received]) -> TurnContext | Failed:
        step = await attempt("opening a memory", lambda: self._resolve_context(messages))
        return step.value if isinstance(step, Done) else step

    async def _open_turn(self, turn: TurnEntry) -> TurnContext | Failed:
        own = partial(_own_context, self._ledger, self._open_agent_by_id, turn)
        asked = partial(self._resolve_context, turn.messages, turn.agent_id)
        step = await attempt("opening a memory", asked if turn.messages else own)
        opened = step.value if isinstance(step, Done) else step
        if turn.messages and isinstance(opened, TurnContext) and _talk_holds_secret(opened):
            self._unclean.add(turn.id)
        return opened

    async def _resolve_context(
        self, messages: Sequence[Received], agent_id: str = ""
    ) -> TurnContext:
        """Open the memory the messages belong to; raises :class:`StoreError`.

        Good for one attempt at a turn: joining and erasing stop a turn under way, so its
        conversation cannot change hands before the attempt ends.
        """
        first = messages[0]
        agent_id = agent_id or await self._ledger.bindings.agent_id(
            first.conversation, private=first.incoming.private
        )
        return await _context_of(await self._open_agent_by_id(agent_id), messages)

    async def _clean_ledger_file(self, facts: TurnFacts, turn_id: str = "") -> None:
        """Fold the write-ahead log at once if a secret was in it; else that is done every hour."""
        if facts.holds_secret or turn_id in self._unclean:
            self._unclean.discard(turn_id)
            await attempt("tidying", self._ledger.checkpoint)


async def _own_context(ledger: Ledger, agents: OpenAgent, turn: TurnEntry) -> TurnContext:
    """Open the memory of a turn that she began; raises :class:`StoreError`."""
    place, private = turn.conversation, turn.private
    agent = await agents(await ledger.bindings.agent_id(place, private=private))
    return TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=agent.settings.zone,
        conversation=str(place),
        said=(),
        private=private,
    )


async def _context_of(agent: Agent, messages: Sequence[Received]) -> TurnContext:
    """Return what a turn knows of its agent; one that is asked for again is what it repeats."""
    first, settings = messages[0], agent.settings
    context = TurnContext(
        agent=agent,
        settings=settings,
        zone=ZoneInfo(settings.time_zone),
        conversation=str(first.conversation),
        said=await _spoken_messages(messages, agent),
        private=first.incoming.private,
    )
    if not wants_again(messages):
        return context
    person = "" if context.private else first.incoming.person
    found = last_exchange(agent.window(context.conversation), person)
    return replace(context, said=found.said, earlier=found.before, replaces=found.reply_id)


def _language_before(opened: TurnContext | Failed) -> Language | None:
    return None if isinstance(opened, Failed) else replace(opened, said=()).spoken


async def _commit(
    turn: TurnEntry, opened: TurnContext | Failed, turns: TurnsFirst
) -> Done[None] | Failed:
    """Give an answered turn to memory, before any page is shown; raises nothing."""
    if isinstance(opened, Failed):
        return opened
    with turns.first():
        return await attempt(
            "keeping a turn", lambda: opened.agent.commit(finished_turn(turn, opened))
        )


async def _listen_if_wanted(
    keep: Callable[[Received, TurnContext], Awaitable[None]],
    resolve: Callable[[Sequence[Received]], Awaitable[TurnContext]],
    messages: Sequence[Received],
) -> bool:
    """Let the agent hear messages that it will not answer, as far as its settings want that.

    Return whether they hold a secret for what was said before.
    """
    context = await resolve(messages)
    told = _talk_holds_secret(context)
    for message, said in zip(messages, context.said, strict=True):
        await keep(message, replace(context, said=(said,)))
    return told


async def _spoken_messages(messages: Sequence[Received], agent: Agent) -> tuple[Message, ...]:
    """Return messages as memory keeps them: in private by the partner, in a group by name."""
    said = list[Message]()
    for message in messages:
        incoming, language = message.incoming, agent.settings.language
        each = message.as_message(await _speaker_of(message, agent))
        text = await with_names_here(each.text, incoming, agent.called)
        called = partial(_name_here, agent, each.speaker, incoming)
        shown = await shown_with_author(incoming, called, language)
        said.append(replace(each, text=text, quoted=shown))
    return tuple(said)


async def _name_here(
    agent: Agent, speaker: str, incoming: Incoming, name: str, person: str, /
) -> str:
    """Return what somebody is called whose words a message shows: its own speaker as ever."""
    return speaker if person == incoming.person else await agent.called(name, person)


async def _speaker_of(message: Received, agent: Agent) -> str:
    incoming = message.incoming
    if incoming.private:
        return agent.settings.partner
    # Anyone may take another's name: by the platform's id, two of one name are told apart.
    return await agent.called(incoming.sender.name or incoming.sender.id, incoming.person)


def _talk_holds_secret(context: TurnContext) -> bool:
    """Tell whether a turn, or the lines before it, hold a secret for what was said before."""
    before = context.before[-LINES_BEFORE:]
    return any(places_in_talk((*before, *context.said)))


def _keeping(growing: GrowingAnswer, show: ShowText) -> ShowText:
    """Return what shows a text and keeps it as that which an answer has come to."""

    async def show_and_keep(text: str) -> None:
        growing.text = text
        await show(text)

    return show_and_keep


def _is_kept_first(turn: TurnEntry) -> bool:
    """Whether a reply says that something is kept, so that it must be true when it is seen."""
    return bool(turn.messages and turn.answer and turn.answer.document)
