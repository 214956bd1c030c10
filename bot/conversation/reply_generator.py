"""Generating a reply from an agent's memory: recall, prompt, model. Nothing is written here.

The prompt is cut to the tokens the model takes. Old lines of the talk go first, then memories,
always in the same order, so that a prompt that is too long loses what matters least.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Final, Literal, Protocol, TypeAlias
from zoneinfo import ZoneInfo

from bot.conversation.echoes import LATELY, NOTHING_OF_HER_OWN, in_her_words, surely_own
from bot.conversation.messages import Incoming, nobody_owns, of_this_talk
from bot.conversation.prompt_budget import TokenBudget, cost, crowding_lines, fitted, for_rules
from bot.conversation.reply_text import without_controls
from bot.tasks import TurnsFirst
from bot.texts import language_spoken
from memory import ports
from memory.changes import Turn, Used
from memory.learning.remember_requests import redacted_window
from memory.model import AgentSettings, Language, Message
from memory.offline import OfflineModel
from memory.recall import Hit, need
from memory.recall.telling import marked, of_use
from memory.reminder import Reminder
from memory.state import MemoryState
from memory.text.segmentation import has_visible_text, holds_run, letters_of
from memory.views import PromptMemories, prompt_lines
from prompts import Ability, PromptMemory, Reply


class Agent(Protocol):
    """Reading is immediate and writes nothing; what was written is durable on return."""

    @property
    def settings(self) -> AgentSettings:
        """Return the settings as they stand."""

    @property
    def state(self) -> MemoryState:
        """Return everything as it stands."""

    @property
    def keeps_secrets(self) -> bool:
        """Return whether what is secret can be sealed; otherwise it is refused."""

    def redacted(
        self, messages: Sequence[Message], before: Sequence[Message] = ()
    ) -> tuple[Message, ...]:
        """Return messages as a model may see them, without what is secret in them.

        ``before`` is what was said just before: an answer may be a secret for what was asked.
        """

    async def search(
        self,
        query: str,
        *,
        k: int = 12,
        skip: AbstractSet[str] = frozenset(),
        context: Sequence[Message] = (),
    ) -> Sequence[Hit]:
        """Return the ``k`` best passages for what is said after ``context``, none to ``skip``."""

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        """Return what of the hits goes into a prompt of that room."""

    async def kept_in_mind(
        self, query: str, hits: Sequence[Hit], *, skip: Collection[str] = (), private: bool = True
    ) -> tuple[PromptMemory, ...]:
        """Return what a prompt is given besides what was found: laid down, or once known."""

    async def called(self, name: str, person: str) -> str:
        """Return what the person of that id is called here, where several may have one name."""

    async def name_of_partner(self) -> str:
        """Return the name the partner goes by, as far as it is known; empty if it is not."""

    def window(self, conversation: str) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first, at most 46."""

    async def commit(self, turn: Turn) -> None:
        """Keep a turn and what it explicitly asked to be remembered; idempotent by its id."""

    async def make_room(self, conversation: str, last: str) -> None:
        """Let the lines of a conversation up to the message ``last`` become episodes now."""

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        """Keep what was said without an answer; idempotent by the ids of the messages."""


OpenAgent: TypeAlias = Callable[[str], Awaitable[Agent]]
"""Return the agent of that id, opened; raises :class:`memory.errors.StoreError`."""

SEARCHED_PASSAGES: Final = 12
"""How many passages are looked for; the injector shows those that fit."""

ShowText: TypeAlias = Callable[[str], Awaitable[None]]

NoReply: TypeAlias = (
    ports.Refused | ports.Truncated | ports.TooLong | ports.Unavailable | ports.Invalid
)


@dataclass(frozen=True, slots=True)
class GeneratedReply:
    """A reply, and the memories its prompt held.

    ``cut`` says what ended it before it was whole: the model's own length limit, or a filter.
    ``document`` shows the reply with buttons, as the ledger keeps it.
    ``crowded_until`` is the last message that the model's context has no room for; empty for none.
    """

    text: str
    used: tuple[Used, ...]
    cut: Literal["", "limit", "filter"] = ""
    crowded_until: str = ""
    document: object = None


class RuleReply(Protocol):
    """What is answered by rule, alone or below what the model answers to the rest."""

    @property
    def reply(self) -> GeneratedReply:
        """What the rules say."""

    @property
    def beside(self) -> bool:
        """Whether something else was said."""

    @property
    def only_beside(self) -> bool:
        """Whether it is said below the answer to that only."""

    def below(self, answer: GeneratedReply) -> GeneratedReply:
        """Return the answer to the rest with this below it."""


def ignore_used(_: tuple[Used, ...]) -> None:
    """Note nothing of what a prompt holds."""


# What was said before is kept in the instance's __dict__, so it is frozen but has no slots.
@dataclass(frozen=True, kw_only=True)
class TurnContext:
    """What one attempt at a turn knows of its agent: opened, read and worded once.

    ``replaces`` is the id of the reply that is asked for again, ``earlier`` what was said before
    that. ``former`` are the reminders it asked for before it was edited, None if it was not.
    ``on_prompt`` is told the memories a prompt holds.
    """

    agent: Agent
    settings: AgentSettings
    zone: ZoneInfo
    conversation: str
    said: tuple[Message, ...]
    private: bool = True
    replaces: str = ""
    earlier: tuple[Message, ...] = ()
    former: tuple[Reminder, ...] | None = None
    on_prompt: Callable[[tuple[Used, ...]], None] = ignore_used

    @cached_property
    def before(self) -> tuple[Message, ...]:
        """What was said in the conversation before."""
        if self.replaces:
            return self.earlier
        window = self.agent.window(self.conversation)
        return need.said_before(window, self.said, private=self.private)

    @cached_property
    def spoken(self) -> Language:
        """The language of what was said, or of what they said before where it tells none."""
        said = " ".join(each.text for each in self.said)
        before = (each.text for each in reversed(self.before) if each.role == "user")
        return language_spoken((said, *before), self.settings.language)

    @cached_property
    def redacted(self) -> tuple[Message, ...]:
        """What was said, as a model may see it."""
        return self.agent.redacted(self.said, self.before)

    def telling(self, on_prompt: Callable[[tuple[Used, ...]], None]) -> "TurnContext":
        """Return this with who is told what a prompt holds; what was read of it stays read."""
        told = replace(self, on_prompt=on_prompt)
        vars(told).update({name: vars(self)[name] for name in vars(self).keys() - vars(told)})
        return told


@dataclass(frozen=True, slots=True)
class PromptMaterial:
    """What every prompt of one turn is made of, however small its budget is.

    ``redacted`` is what was said, as a model may see it, and ``before`` what was said before.
    """

    context: TurnContext
    query: str
    before: tuple[Message, ...]
    redacted: tuple[Message, ...]
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyGenerator:
    """The model, the persona of an agent, and the token budget of a prompt.

    ``language`` is for the one sentence left to say when an agent's memory cannot be opened.
    ``is_owner`` tells who may hear what is wrong with the model, ``turns`` who waits for a prompt.
    """

    model: ports.LanguageModel
    persona: Callable[[AgentSettings], str]
    budget: TokenBudget
    clock: ports.Clock
    language: Language = "zh"
    abilities: tuple[Ability, ...] = ()
    is_owner: Callable[[Incoming], bool] = nobody_owns
    turns: TurnsFirst = field(default_factory=TurnsFirst)
    by_rule: Callable[[TurnContext, datetime], "RuleReply | None"] = lambda _context, _now: None

    async def generate(self, context: TurnContext, show: ShowText) -> GeneratedReply | NoReply:
        """Return the reply to what was said; ``show`` is given the text so far as it grows.

        A prompt that is too long for the model is tried once more with half the budget.
        """
        window, redacted = context.before, context.redacted
        material = PromptMaterial(
            context=context,
            before=redacted_window(window, context.said)[0],
            redacted=redacted,
            # What is secret finds nothing, and an embedder outside must not be given it.
            query="\n".join(message.text for message in redacted),
            # In a group there is no one partner, and each line says whose it is.
            name=await context.agent.name_of_partner() if context.private else "",
        )
        reply = await self._ask_model(material, self.budget, show)
        if isinstance(reply, ports.TooLong):
            # Our count is an estimate: a tokenizer that cuts finer than it expects sees more.
            reply = await self._ask_model(material, self.budget.halved(), show)
        return reply

    async def _ask_model(
        self, material: PromptMaterial, budget: TokenBudget, show: ShowText
    ) -> GeneratedReply | NoReply:
        with self.turns.first():
            prompt, used, crowded = await self._build_prompt(material, budget)
        material.context.on_prompt(used)
        state, private = material.context.agent.state, material.context.private
        with_more = partial(for_rules, state=state, now=self.clock.now(), private=private)
        if type(self.model) is OfflineModel:
            prompt = with_more(prompt)
        outcome, says_nothing = await self._stream_reply(prompt, show)
        if says_nothing:
            prompt, first = replace(prompt, again=True), outcome
            outcome, _ = await self._stream_reply(prompt, show)
            if isinstance(first, ports.Replied) and not isinstance(outcome, ports.Replied):
                outcome = first  # better a short line said back than none
        if outcome == NOTHING_OF_HER_OWN:
            # A model that only echoes is as good as none, and without one the rules answer.
            outcome = await OfflineModel().complete(with_more(prompt))
        reply = _reply_of(outcome, used)
        if not isinstance(reply, GeneratedReply):
            return reply
        return replace(reply, crowded_until=material.before[crowded - 1].id if crowded else "")

    async def _build_prompt(
        self, material: PromptMaterial, budget: TokenBudget
    ) -> tuple[Reply, tuple[Used, ...], int]:
        """Return the prompt cut to its budget, the memories it then shows, and what crowds it.

        No line stands in it twice, and a line the budget cuts can be found like any other.
        """
        context, before, said = material.context, material.before, len(material.redacted)
        answered = {message.id for message in context.said}
        crowding: int | None = None
        talk = of_this_talk(material.before, material.redacted)
        while True:
            shown = answered.union(message.id for message in before)
            hits = await context.agent.search(
                material.query, k=SEARCHED_PASSAGES, skip=shown, context=talk
            )
            if not self._needs_memory(material, talk, hits):
                hits = ()
            injected = self._memories_within(hits, context, budget)
            beside = await context.agent.kept_in_mind(
                material.query, hits, skip=shown, private=context.private
            )
            notes = (*injected.shown, *beside)
            if type(self.model) is not OfflineModel:
                partner = None if context.private else context.settings.partner
                notes = marked(notes, material.query, shown, partner)
            prompt = self._prompt_of(material, before, notes)
            total = cost(prompt, budget.count)
            if crowding is None:
                ratio = context.settings.context_threshold_ratio
                crowding = crowding_lines(prompt, total, said=said, budget=budget, ratio=ratio)
            # Rendering is what a prompt costs us: one that fits is rendered once.
            cut = fitted(prompt, said=said, budget=budget) if total > budget.tokens else prompt
            left = len(cut.window) - said
            if left == len(before):
                # The cut takes memories from the end, and each has its use at its place.
                return cut, of_use(cut.memories, injected.used), crowding
            before = before[len(before) - left :]

    def _needs_memory(
        self, material: PromptMaterial, talk: Sequence[Message], hits: Sequence[Hit]
    ) -> bool:
        before, zone = [line.text for line in talk], material.context.zone
        return need.needs_memory(material.query, hits, before, now=self.clock.now(), zone=zone)

    def _memories_within(
        self, hits: Sequence[Hit], context: TurnContext, budget: TokenBudget
    ) -> PromptMemories:
        # At most half of the prompt: memories must not crowd out the talk itself.
        tokens = min(context.settings.injected_tokens, budget.tokens // 2)
        return context.agent.memories_for_prompt(hits, budget_tokens=tokens, count=budget.count)

    def _prompt_of(
        self,
        material: PromptMaterial,
        before: Sequence[Message],
        memories: tuple[PromptMemory, ...],
    ) -> Reply:
        context, settings = material.context, material.context.settings
        able: list[Ability] = [*self.abilities]
        able += ["initiative"] if settings.begins == "yes" and context.private else []
        able += ["secrets"] if context.agent.keeps_secrets else []
        return Reply(
            persona=self.persona(settings),
            language=settings.language,
            partner=settings.partner,
            now=self.clock.now().astimezone(context.zone),
            window=prompt_lines((*before, *material.redacted), context.zone),
            memories=memories,
            name=material.name,
            abilities=tuple(able),
            paused=not settings.learning,
            new=len(material.redacted),
            group=not context.private,
        )

    async def _stream_reply(self, prompt: Reply, show: ShowText) -> tuple[ports.Outcome, bool]:
        """Return the reply, and whether it says nothing; only her own words of it are shown."""
        said = [line.text for line in need.lines_answered(prompt.window, prompt.new)]
        lately = [line.text for line in prompt.window[-LATELY:] if line.role == "user"]
        # The rules of a prompt are no answer either; who answers by rule never reads them.
        ruled = type(self.model) is OfflineModel
        rules = "" if ruled else letters_of(prompt.messages()[0].content)
        empty = frozenset[str]() if ruled else need.empty_answers(prompt.window, prompt.new)
        text = shown = ""
        ended: ports.Outcome = ports.Invalid("the stream ended without an outcome")
        # To its end: what is left standing is closed by a task of its own.
        async for event in self.model.stream(prompt):
            match event:
                case ports.Piece(piece):
                    text += piece
                case ports.StartAgain():
                    text = ""
                case outcome:
                    ended = outcome  # rules that quote what was just said do not echo it
                    if not ruled:
                        ended = in_her_words(outcome, text, said, prompt.name, lately)
                    if holds_run(getattr(ended, "text", ""), rules):
                        ended = NOTHING_OF_HER_OWN
                    continue
            # What rules say is whole at once: to grow, it would only flash a button to stop it.
            growing = shown if ruled else surely_own(text, said, prompt.name, lately)
            half = bool(begun := need.said_in_short(growing)) and any(
                e.startswith(begun) for e in empty
            )
            if growing != shown and not (half or holds_run(growing, rules, growing=True)):
                shown = growing
                await show(shown)
        told = need.said_in_short(ended.text) if isinstance(ended, ports.Replied) else ""
        return ended, ended == NOTHING_OF_HER_OWN or told in empty


def _reply_of(outcome: ports.Outcome, used: tuple[Used, ...]) -> GeneratedReply | NoReply:
    """Return the reply an outcome holds: what came before a limit or a filter is one as well."""
    match outcome:
        case ports.Replied(text):
            text = without_controls(text)
            # Nothing that can be seen is no answer, and the platforms refuse it.
            visible = has_visible_text(text)
            return GeneratedReply(text, used) if visible else ports.Invalid("nothing")
        case ports.Truncated(text, at_limit=True, endless=endless) if has_visible_text(text):
            text = without_controls(text).rstrip()
            return GeneratedReply(text, used, "" if endless else "limit")
        case ports.Refused(text) if has_visible_text(text):
            return GeneratedReply(without_controls(text).rstrip(), used, "filter")
        case _:
            return outcome
