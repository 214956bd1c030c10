"""As whose a passage may be found, and how much of it comes to mind: what the law allows.

A line of talk has a salience of its own, and under a law that judges lines (``judge_line``) one
comes to mind while its neighbour does not. It is read off the line and the index when somebody
asks; nothing of it is stored.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import nlargest
from math import inf
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from memory.changes import Receipt
from memory.laws.contract import LONE_CONNECTEDNESS
from memory.laws.law import Assessment
from memory.laws.registry import is_visible
from memory.model import (
    Memory,
    Mode,
    Passage,
    Tier,
)
from memory.network.links import connectedness
from memory.network.walk import MayShow, is_everyday
from memory.recall.index import IndexedPassage, PassageIndex
from memory.recall.meaning import NOTHING_NEAR, Near
from memory.recall.passage_arrays import NOWHERE
from memory.recall.query import share_asked
from memory.state import MemoryState, can_be_looked_up, is_hidden
from memory.text.line_salience import EARLY_LINES, TALK_PAUSE_SECONDS, LineTold, line_salience
from memory.text.requests import asks_to_let_go
from memory.text.word_forms import SIMPLIFIED

DepthName: TypeAlias = Literal["auto", "everyday", "deep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a search looks.

    ``depth``: only what comes to mind ("everyday"), also what has to be looked up ("deep"), or as
    the question asks for ("auto"); any ``mode`` but the normal one sees what it says, no more.
    Messages to ``skip`` are not quoted. ``near``: how near passages are in meaning, where known.
    ``of_partner``: what the partner told is asked for, and what only asks or she said follows it.
    """

    mode: Mode = Mode.NORMAL
    depth: DepthName = "auto"
    skip: AbstractSet[str] = frozenset()
    near: Near = field(default_factory=lambda: NOTHING_NEAR)
    of_partner: bool = False


FAR_AND_WIDE: Final = Reach()


class Standing(NamedTuple):
    """As whose a passage is found: the memory, 0 if none; how much it is retained; how deep.

    ``by_cue``: it comes to mind only where the cue is strong.
    """

    memory_id: int
    retention: float
    looked_up: bool = False
    by_cue: bool = False


_THE_PRESENT: Final = Standing(0, 1.0)  # what nothing was cut from yet
_LET_GO: Final = Standing(0, 0.0, looked_up=True)  # only the diary knows it
_NOT_ASKED: Final = Standing(-1, 0.0)


_RECENT: Final = 100
_FEWEST_ANSWERS: Final = 20
_TOP: Final = 0.9


def share_told(passage: Passage) -> float:
    """Return what a passage counts as evidence of what the partner told: 1, or little.

    What she said of it she said from memory, so it follows what it was said from; what only asks
    tells nothing.
    """
    told = passage.role != "assistant" and share_asked(passage.text) < 1.0
    return 1.0 if told else _UNTOLD_SHARE


_UNTOLD_SHARE: Final = 0.2


def usual_best(receipts: Iterable[Receipt]) -> float:
    """Return the score that the best memory of a tenth of the last answers had or exceeded.

    While there are few answers nothing is known to be usual, and no cue is strong: infinity.
    """
    last = nlargest(_RECENT, receipts, key=lambda each: each.at)
    best = sorted(max(used.score for used in each.used) for each in last if each.used)
    return best[int(_TOP * len(best))] if len(best) >= _FEWEST_ANSWERS else inf


class InMind:
    """What of one state may be found at one instant; each memory's law is asked once.

    ``deep``: the reason to look things up as well; without one only what comes to mind is found.
    ``cued``: also what a strong cue would bring, marked as such, where the law knows of that.
    """

    def __init__(
        self,
        index: PassageIndex,
        state: MemoryState,
        *,
        now: datetime,
        reach: Reach = FAR_AND_WIDE,
        deep: str = "",
        cued: bool = False,
    ) -> None:
        self._index = index
        self._state = state
        self._rules = state.rules
        self._context = self._rules.context(now)
        self._mode = reach.mode
        self._skip = reach.skip
        self._deep = deep
        law = self._rules.law
        self._cue_from = (
            law.cue_from(self._rules.parameters_of(law))
            if cued and law.cue_from and self._mode is Mode.NORMAL and not deep
            else inf
        )
        self._standings: dict[int, Standing | None] = {}

    def of_passage(self, entry: IndexedPassage) -> Standing | None:
        """Return as whose a passage may be recalled, None if it may not."""
        if entry.memory_id:
            return self.of_memory(entry.memory_id)
        line = entry.line
        skipped = self._skip and line is not None and line.key in self._skip
        if skipped or self._is_hidden(entry):
            return None
        best: Standing | None = None
        # Dozens are asked about in a search, and nearly all of them have one owner.
        for owner in entry.owners:
            found = self._of_line(owner, entry)
            if found is not None and (best is None or found.retention > best.retention):
                best = found
        if best is not None or line is None:
            return best
        if line.scene == 0:
            # What was learnt from it already is found as that, with the line for a quote.
            learnt = filter(None, map(self.of_memory, entry.others))
            return next((each for each in learnt if not each.looked_up), _THE_PRESENT)
        if not self._deep:
            return None
        # What was cut from it is there, but says less by now, or it is gone.
        cut = self.of_memory(line.scene)
        return cut._replace(looked_up=True) if cut is not None else _LET_GO

    def of_memory(self, memory_id: int) -> Standing | None:
        """Return how a memory may be recalled, None if it may not be."""
        standing = self._standings.get(memory_id, _NOT_ASKED)
        if standing is _NOT_ASKED:
            memory = self._state.memories.get(memory_id)
            standing = None if memory is None else self._by_law(memory)
            self._standings[memory_id] = standing
        return standing

    def _by_law(self, memory: Memory) -> Standing | None:
        rules, context = self._rules, self._context
        # Told as past it would be told as true once.
        if self._mode is Mode.NORMAL and memory.is_past and self._state.was_slip(memory):
            return None
        # Adding up the links of every candidate is dear, so only a law that reads them pays.
        if rules.law.reads_links:
            context = replace(context, connectedness=connectedness(memory.id, self._state))
        found = rules.judge_recall(memory, context)
        if is_visible(memory, found, self._mode):
            return Standing(memory.id, found.retention)
        if self._deep and can_be_looked_up(memory):
            return Standing(memory.id, found.retention, looked_up=True)
        if found.retention >= self._cue_from and is_visible(
            memory, found._replace(recallable=True), self._mode
        ):
            return Standing(memory.id, found.retention, by_cue=True)
        return None

    def _of_line(self, owner: int, entry: IndexedPassage) -> Standing | None:
        """Return how a line may be recalled as part of a memory that holds it word for word."""
        whole = self.of_memory(owner)
        if whole is None or self._rules.law.judge_line is None:
            return whole
        memory = self._state.memories[owner]
        if memory.nature.tier is not Tier.EPISODE:
            return whole
        salience = line_salience(entry.passage.text, told_at(entry.slot, self._index)).value
        found = self._rules.judge_recall(memory, self._context, salience)
        out_of_mind = self._mode is Mode.NORMAL and not found.recallable
        if out_of_mind and not self._deep:
            cued = found.retention >= self._cue_from
            return Standing(owner, found.retention, by_cue=True) if cued else None
        return Standing(owner, found.retention, looked_up=whole.looked_up or out_of_mind)

    def _is_hidden(self, entry: IndexedPassage) -> bool:
        """Whether the partner hid what rests on a line."""
        if self._mode is Mode.DEBUG:
            return False
        memories = self._state.memories
        for resting in (entry.owners, entry.others):
            for memory_id in resting:
                memory = memories.get(memory_id)
                if memory is not None and is_hidden(memory):
                    return True
        return entry.line is not None and entry.line.hidden


def assessment(memory: Memory, state: MemoryState, now: datetime) -> Assessment:
    """Return what the agent's law says of a memory of ``state`` at ``now``."""
    rules = state.rules
    linked = connectedness(memory.id, state) if rules.law.reads_links else LONE_CONNECTEDNESS
    return rules.judge(memory, rules.context(now, linked))


def may_come_to_mind(state: MemoryState, now: datetime) -> MayShow:
    """Return what tells whether a memory comes to mind by itself under the agent's law."""

    def shows(memory: Memory) -> bool:
        found = assessment(memory, state, now)
        return is_everyday(memory) and is_visible(memory, found, Mode.NORMAL)

    return shows


def told_at(slot: int, index: PassageIndex) -> LineTold:
    """Return how the line in a slot was told, as far as the index knows."""
    before = _line_before(slot, index)
    answers = before != NOWHERE and bool(index.columns.is_question[before])
    place = 0
    while before != NOWHERE and place < EARLY_LINES:
        place, before = place + 1, _line_before(before, index)
    said, order = index.words.texts.in_slot(slot), index.columns.order
    new = sum(index.words.is_first(slot, token, order) for token in said) / max(len(said), 1)
    return LineTold(answer=answers, early=place < EARLY_LINES, new=new)


def _line_before(slot: int, index: PassageIndex) -> int:
    """Return the slot of the line before in the same talk; a long line has several slots."""
    columns = index.columns
    at, before = columns.at[slot], int(columns.before[slot])
    while before != NOWHERE and columns.at[before] == at:
        before = int(columns.before[before])
    if before == NOWHERE or at - columns.at[before] > TALK_PAUSE_SECONDS:
        return NOWHERE
    return before


def is_unmentioned(text: str, state: MemoryState) -> bool:
    """Whether a text names what the partner asked her not to bring up."""
    topics = state.agent_info.settings.unmentioned
    read = plain_text(text) if topics else ""
    return any(each in read for each in topics)


def plain_text(text: str) -> str:
    """Return a text as what is not to be mentioned is looked for in it."""
    return text.translate(SIMPLIFIED).lower()


def stays_unmentioned(asked: Iterable[str], state: MemoryState) -> Callable[[str], bool]:
    """Return what tells whether a text is not to come up after what was ``asked``.

    Whoever names the matter, but to say that it is not to be mentioned, may hear of it.
    """
    names = any(is_unmentioned(each, state) and asks_to_let_go(each) is None for each in asked)
    return lambda text: not names and is_unmentioned(text, state)


class _HasSources(Protocol):
    @property
    def memory_id(self) -> int: ...
    @property
    def quote(self) -> str: ...
    @property
    def source_ids(self) -> tuple[str, ...]: ...


HitT = TypeVar("HitT", bound=_HasSources)


def without_unmentioned(hits: list[HitT], asked: Iterable[str], state: MemoryState) -> list[HitT]:
    """Return what may come up after what was ``asked``, by its words and by those it rests on."""
    keeps_out = stays_unmentioned(asked, state)

    def told(hit: HitT) -> Iterator[str]:
        yield hit.quote
        memory = state.memories.get(hit.memory_id)
        yield memory.words.text if memory else ""
        rests = (*hit.source_ids, *(memory.source_ids if memory and memory.is_fact else ()))
        yield from (state.diary[each].message.text for each in rests if each in state.diary)

    return [hit for hit in hits if not any(map(keeps_out, told(hit)))]
