"""One turn, from what was said to what is remembered of it (DESIGN §3)."""

import re
from collections.abc import Sequence
from typing import Final

from bot.conversation.delivery import AnswerSender, Delivery
from bot.conversation.failures import OUTAGE_LIMIT, Failure, NotRemembered, verdict_on
from bot.conversation.ledger import GiveUp, Ledger, Received, TurnAnswer, TurnEntry
from bot.conversation.media import MediaReader
from bot.conversation.messages import ConversationKey
from bot.conversation.reply_generator import Agent, GeneratedReply, OpenAgent, ReplyGenerator
from bot.supervise import Done, Failed, attempt
from bot.texts import Sentence, say
from bot.texts import dialogue as texts
from memory.changes import Turn
from memory.errors import StoreError
from memory.learning.prompt_material import asks_to_keep_a_secret
from memory.model import AgentSettings, Language, Message
from memory.ports import Clock
from memory.privacy.redaction import is_secret

__all__ = ["Agent", "OpenAgent", "ResponseHandler"]

OWN_NAME: Final = "小祥"

_REMEMBER_REQUEST: Final = re.compile(
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
        agents: OpenAgent,
        sender: AnswerSender,
        generator: ReplyGenerator,
        clock: Clock,
        media: MediaReader | None = None,
    ) -> None:
        self._ledger = ledger
        self._turns = ledger.turns
        self._open_agent_by_id = agents
        self._sender = sender
        self._generator = generator
        self._clock = clock
        self._media = media or MediaReader()

    async def answer(self, messages: Sequence[Received]) -> bool:
        """Answer messages of one sender as one turn; False while the answer waits to be sent."""
        told = [await self._put_into_words(message) for message in messages]
        return await self._continue_turn(await self._turns.begin(told, self._clock.now()))

    async def resume(self, conversation: ConversationKey) -> bool:
        """Finish what an earlier attempt left; False while an answer still waits to be sent."""
        for turn in await self._turns.unfinished(conversation):
            if not await self._continue_turn(turn):
                return False
        return True

    async def listen(self, messages: Sequence[Received]) -> bool:
        """Hear messages that ask for no answer; False while memory cannot keep them."""
        step = await attempt("listening", lambda: self._let_agent_listen(messages))
        if isinstance(step, Failed) and isinstance(step.error, StoreError):
            return False
        await self._ledger.inbox.settle(messages)
        return True

    async def language(self, messages: Sequence[Received]) -> Language:
        """Return the language of the agent that hears the messages."""
        opened = await attempt("opening a memory", lambda: self._open_agent(messages))
        return (
            opened.value.settings.language
            if isinstance(opened, Done)
            else self._generator.language
        )

    async def _put_into_words(self, message: Received) -> Received:
        """Return a message whose picture or voice is put into words, as far as she can."""
        if not message.incoming.raw:
            return message
        step = await attempt("perceiving", lambda: self._media.put_into_words(message.incoming))
        if isinstance(step, Failed) or step.value == message.incoming:
            return message
        return await self._ledger.inbox.replace_words(message, step.value)

    async def _continue_turn(self, turn: TurnEntry) -> bool:
        """Take a turn on from wherever it stands; whether the partner has what it says."""
        delivery = self._sender.delivery(turn)
        try:
            return await self._take_steps(turn, delivery)
        finally:
            await delivery.stop_showing()

    async def _take_steps(self, turn: TurnEntry, delivery: Delivery) -> bool:
        if turn.answer is None and not turn.messages:
            # Everything in it was erased: what the partner saw of an answer goes as well.
            await delivery.withdraw()
            await self._turns.release(turn, GiveUp("erased"), None)
            return True
        if turn.answer is None:
            turn = await self._record_answer(turn, delivery)
        if _asks_to_remember(turn):
            turn = await self._commit_before_sending(turn)
        if turn.answer is None:
            await delivery.withdraw()
            return True
        turn = await self._sender.send(turn, delivery, self._clock.now())
        await self._commit_after_sending(turn)
        if any(is_secret(message.incoming.text) for message in turn.messages):
            await attempt("tidying", self._ledger.checkpoint)
        return turn.is_sent

    async def _record_answer(self, turn: TurnEntry, delivery: Delivery) -> TurnEntry:
        """Return the turn with its reply, or with an apology, in the ledger."""
        await delivery.show_thinking()
        step = await attempt("finding a reply", lambda: self._find_reply(turn, delivery))
        outcome = step if isinstance(step, Failed) else step.value
        if isinstance(outcome, GeneratedReply):
            reply = TurnAnswer("reply", outcome.text, at=self._clock.now(), used=outcome.used)
            return await self._turns.record_answer(turn, reply)
        return await self._record_failure(turn, outcome)

    async def _find_reply(self, turn: TurnEntry, delivery: Delivery) -> GeneratedReply | Failure:
        agent = await self._open_agent(turn.messages)
        said = _spoken_messages(turn.messages, agent.settings)
        if asks_to_keep_a_secret(said):
            return GeneratedReply(say(agent.settings.language, _secret_sentence(turn, agent)), ())
        # "记住了" must not be seen before it is true: such a reply is shown only once it is kept.
        show = _show_nothing if _asks_to_remember(turn) else delivery.show
        return await self._generator.generate(agent, str(turn.conversation), said, show)

    async def _record_failure(self, turn: TurnEntry, failure: Failure) -> TurnEntry:
        """Give the messages back, to wait or to be marked; memory stays as it is.

        The partner is told once per message. What waited too long is still remembered as said.
        """
        now = self._clock.now()
        verdict = verdict_on(failure, turn.messages, now)
        if verdict.remembered:
            await attempt("listening", lambda: self._let_agent_listen(turn.messages))
        apology = None
        if isinstance(verdict.fate, GiveUp) or not all(each.told for each in turn.messages):
            language = await self.language(turn.messages)
            apology = TurnAnswer("apology", say(language, verdict.sentence), at=now)
        return await self._turns.release(turn, verdict.fate, apology)

    async def _commit_before_sending(self, turn: TurnEntry) -> TurnEntry:
        """Commit before anything is said; where that fails, the partner is told that instead."""
        step = await attempt("keeping a turn", lambda: self._commit(turn))
        if isinstance(step, Done):
            return await self._turns.record_committed(turn) if turn.owes_commit else turn
        return await self._record_failure(
            turn, NotRemembered() if isinstance(step.error, StoreError) else step
        )

    async def _commit_after_sending(self, turn: TurnEntry) -> None:
        """Commit what was sent; what fails stays owed, for a day."""
        if not turn.owes_commit:
            return
        step = await attempt("keeping a turn", lambda: self._commit(turn))
        if isinstance(step, Done):
            await self._turns.record_committed(turn)
        elif turn.is_sent and self._clock.now() - turn.at > OUTAGE_LIMIT:
            await self._turns.release(turn, GiveUp("not kept"), None)

    async def _commit(self, turn: TurnEntry) -> None:
        if turn.answer is not None and turn.owes_commit:
            agent = await self._open_agent(turn.messages)
            await agent.commit(_finished_turn(turn, turn.answer, agent.settings))

    async def _let_agent_listen(self, messages: Sequence[Received]) -> None:
        """Let the agent hear them, as far as its settings want that."""
        agent = await self._open_agent(messages)
        if agent.settings.listening or messages[0].incoming.addressed:
            said = _spoken_messages(messages, agent.settings)
            await agent.listen(str(messages[0].conversation), said)

    async def _open_agent(self, messages: Sequence[Received]) -> Agent:
        first = messages[0]
        bindings = self._ledger.bindings
        name = await bindings.agent_id(first.conversation, private=first.incoming.private)
        return await self._open_agent_by_id(name)


def _secret_sentence(turn: TurnEntry, agent: Agent) -> Sentence:
    """Return what is said of a secret, which no model may see: that it is kept, or why not."""
    if not turn.private:
        return texts.SECRET_IN_GROUP
    return texts.SECRET_SEALED if agent.keeps_secrets else texts.SECRET_NEEDS_KEY


def _asks_to_remember(turn: TurnEntry) -> bool:
    return any(_REMEMBER_REQUEST.search(message.incoming.text) for message in turn.messages)


def _spoken_messages(messages: Sequence[Received], settings: AgentSettings) -> tuple[Message, ...]:
    """Return messages as memory keeps them: in private by the partner, in a group by name."""
    return tuple(
        message.as_message(
            settings.partner
            if message.incoming.private
            else message.incoming.sender.name or message.incoming.sender.id
        )
        for message in messages
    )


def _finished_turn(turn: TurnEntry, answer: TurnAnswer, settings: AgentSettings) -> Turn:
    """Return the answered turn as memory takes it; the same value at every attempt."""
    return Turn(
        id=turn.id,
        conversation=str(turn.conversation),
        at=answer.at,
        said=_spoken_messages(turn.messages, settings),
        reply=Message(
            id=turn.reply_id, at=answer.at, speaker=OWN_NAME, role="assistant", text=answer.text
        ),
        used=answer.used,
        private=turn.private,
    )


async def _show_nothing(text: str) -> None:
    del text
