"""One turn, from what was said to what is remembered of it (DESIGN §3)."""

import re
from collections.abc import Sequence
from typing import Final

from bot.conversation.agents import Agent, Agents
from bot.conversation.channel import Delivery
from bot.conversation.failures import PATIENCE, Failure, Unkept, judged
from bot.conversation.ledger import Answer, GiveUp, Ledger, Received, TurnEntry
from bot.conversation.messages import ConversationKey
from bot.conversation.perceiving import Senses
from bot.conversation.sending import Sending
from bot.conversation.voice import Voice, Worded
from bot.supervise import Done, Stumbled, attempt
from bot.texts import Sentence, say
from bot.texts import conversation as texts
from memory.background.discretion import asks_to_keep_a_secret
from memory.background.privacy import is_secret
from memory.changes import Turn
from memory.errors import StoreError
from memory.model import Message
from memory.ports import Clock
from memory.settings import AgentSettings, Language

__all__ = ["Agent", "Agents", "ResponseHandler"]

OWN_NAME: Final = "小祥"

_REQUEST: Final = re.compile(
    r"记[住下好着得]|记一下|别忘|不要忘"
    r"|\b(?:remember|note|keep\s+in\s+mind)\b|(?:don['’]?t|do\s+not)\s+forget",
    re.IGNORECASE,
)
"""More than what memory takes for a request: holding back an answer needlessly does no harm."""


class ResponseHandler:
    """Answer turns. Every step is in the ledger before the next begins, so any may be the last."""

    def __init__(
        self,
        ledger: Ledger,
        agents: Agents,
        sending: Sending,
        voice: Voice,
        clock: Clock,
        senses: Senses | None = None,
    ) -> None:
        self._ledger = ledger
        self._turns = ledger.turns
        self._agents = agents
        self._sending = sending
        self._voice = voice
        self._clock = clock
        self._senses = senses or Senses()

    async def answer(self, messages: Sequence[Received]) -> bool:
        """Answer messages of one sender as one turn; False while the answer waits to be sent."""
        told = [await self._in_words(message) for message in messages]
        return await self._go_on(await self._turns.begin(told, self._clock.now()))

    async def resume(self, conversation: ConversationKey) -> bool:
        """Finish what an earlier attempt left; False while an answer still waits to be sent."""
        for turn in await self._turns.unfinished(conversation):
            if not await self._go_on(turn):
                return False
        return True

    async def listen(self, messages: Sequence[Received]) -> bool:
        """Hear messages that ask for no answer; False while memory cannot keep them."""
        step = await attempt("listening", lambda: self._heard(messages))
        if isinstance(step, Stumbled) and isinstance(step.error, StoreError):
            return False
        await self._ledger.inbox.done(messages)
        return True

    async def language(self, messages: Sequence[Received]) -> Language:
        """Return the language of the agent that hears the messages."""
        opened = await attempt("opening a memory", lambda: self._agent_of(messages))
        return opened.value.settings.language if isinstance(opened, Done) else self._voice.language

    async def _in_words(self, message: Received) -> Received:
        """Return a message whose picture or voice is put into words, as far as she can."""
        if not message.incoming.raw:
            return message
        step = await attempt("perceiving", lambda: self._senses.perceived(message.incoming))
        if isinstance(step, Stumbled) or step.value == message.incoming:
            return message
        return await self._ledger.inbox.retold(message, step.value)

    async def _go_on(self, turn: TurnEntry) -> bool:
        """Take a turn on from wherever it stands; whether the partner has what it says."""
        delivery = self._sending.delivery(turn)
        try:
            return await self._gone_on(turn, delivery)
        finally:
            await delivery.leave()

    async def _gone_on(self, turn: TurnEntry, delivery: Delivery) -> bool:
        if turn.answer is None and not turn.messages:
            # Everything in it was erased: what the partner saw of an answer goes as well.
            await delivery.withdraw()
            await self._turns.release(turn, GiveUp("erased"), None)
            return True
        if turn.answer is None:
            turn = await self._answered(turn, delivery)
        if _asks_to_remember(turn):
            turn = await self._committed_first(turn)
        if turn.answer is None:
            await delivery.withdraw()
            return True
        turn = await self._sending.send(turn, delivery, self._clock.now())
        await self._committed_later(turn)
        if any(is_secret(message.incoming.text) for message in turn.messages):
            await attempt("tidying", self._ledger.tidy)
        return turn.is_sent

    async def _answered(self, turn: TurnEntry, delivery: Delivery) -> TurnEntry:
        """Return the turn with its reply, or with an apology, in the ledger."""
        await delivery.thinking()
        step = await attempt("finding a reply", lambda: self._worded(turn, delivery))
        outcome = step if isinstance(step, Stumbled) else step.value
        if isinstance(outcome, Worded):
            reply = Answer("reply", outcome.text, at=self._clock.now(), used=outcome.used)
            return await self._turns.answer(turn, reply)
        return await self._failed(turn, outcome)

    async def _worded(self, turn: TurnEntry, delivery: Delivery) -> Worded | Failure:
        agent = await self._agent_of(turn.messages)
        said = _said(turn.messages, agent.settings)
        if asks_to_keep_a_secret(said):
            return Worded(say(agent.settings.language, _of_a_secret(turn, agent)), ())
        # "记住了" must not be seen before it is true: such a reply is shown only once it is kept.
        show = _unseen if _asks_to_remember(turn) else delivery.show
        return await self._voice.word(agent, str(turn.conversation), said, show)

    async def _failed(self, turn: TurnEntry, failure: Failure) -> TurnEntry:
        """Give the messages back, to wait or to be marked; memory stays as it is.

        The partner is told once per message. What waited too long is still remembered as said.
        """
        now = self._clock.now()
        verdict = judged(failure, turn.messages, now)
        if verdict.remembered:
            await attempt("listening", lambda: self._heard(turn.messages))
        apology = None
        if isinstance(verdict.fate, GiveUp) or not all(each.told for each in turn.messages):
            language = await self.language(turn.messages)
            apology = Answer("apology", say(language, verdict.sentence), at=now)
        return await self._turns.release(turn, verdict.fate, apology)

    async def _committed_first(self, turn: TurnEntry) -> TurnEntry:
        """Commit before anything is said; where that fails, the partner is told that instead."""
        step = await attempt("keeping a turn", lambda: self._commit(turn))
        if isinstance(step, Done):
            return await self._turns.committed(turn) if turn.owes_commit else turn
        return await self._failed(turn, Unkept() if isinstance(step.error, StoreError) else step)

    async def _committed_later(self, turn: TurnEntry) -> None:
        """Commit what was sent; what fails stays owed, for a day."""
        if not turn.owes_commit:
            return
        step = await attempt("keeping a turn", lambda: self._commit(turn))
        if isinstance(step, Done):
            await self._turns.committed(turn)
        elif turn.is_sent and self._clock.now() - turn.at > PATIENCE:
            await self._turns.release(turn, GiveUp("not kept"), None)

    async def _commit(self, turn: TurnEntry) -> None:
        if turn.answer is not None and turn.owes_commit:
            agent = await self._agent_of(turn.messages)
            await agent.commit(_finished(turn, turn.answer, agent.settings))

    async def _heard(self, messages: Sequence[Received]) -> None:
        """Let the agent hear them, as far as its settings want that."""
        agent = await self._agent_of(messages)
        if agent.settings.listening or messages[0].incoming.addressed:
            said = _said(messages, agent.settings)
            await agent.listen(str(messages[0].conversation), said)

    async def _agent_of(self, messages: Sequence[Received]) -> Agent:
        first = messages[0]
        bindings = self._ledger.bindings
        name = await bindings.agent_id(first.conversation, private=first.incoming.private)
        return await self._agents(name)


def _of_a_secret(turn: TurnEntry, agent: Agent) -> Sentence:
    """Return what is said of a secret, which no model may see: that it is kept, or why not."""
    if not turn.private:
        return texts.NOT_IN_GROUPS
    return texts.SEALED if agent.keeps_secrets else texts.NO_KEY


def _asks_to_remember(turn: TurnEntry) -> bool:
    return any(_REQUEST.search(message.incoming.text) for message in turn.messages)


def _said(messages: Sequence[Received], settings: AgentSettings) -> tuple[Message, ...]:
    """Return messages as memory keeps them: in private by the partner, in a group by name."""
    return tuple(
        message.as_said(
            settings.partner
            if message.incoming.private
            else message.incoming.sender.name or message.incoming.sender.id
        )
        for message in messages
    )


def _finished(turn: TurnEntry, answer: Answer, settings: AgentSettings) -> Turn:
    """Return the answered turn as memory takes it; the same value at every attempt."""
    return Turn(
        id=turn.id,
        conversation=str(turn.conversation),
        at=answer.at,
        said=_said(turn.messages, settings),
        reply=Message(
            id=turn.reply_id, at=answer.at, speaker=OWN_NAME, role="assistant", text=answer.text
        ),
        used=answer.used,
        private=turn.private,
    )


async def _unseen(text: str) -> None:
    del text
