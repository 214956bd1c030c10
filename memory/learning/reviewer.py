"""MemoryReviewer: a verdict on a memory that crossed a threshold, in up to three rounds.

In each round but the last it may search instead of deciding (source document 003).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from memory.changes import PendingReview as Waiting
from memory.judgement.brackets import Unreadable, brackets
from memory.judgement.draft import Judgement
from memory.judgement.permission import addresses_a_model, is_from_outside
from memory.lifecycle.consequences import Verdict, after_verdict
from memory.model import Memory
from memory.state import MemoryState
from memory.views import memories_by_handle, prompt_memories, prompt_memory
from prompts import Review
from prompts.plain import one_line

# Three rounds and five relatives are those of source document 003.
ROUNDS: Final = 3
RELATIVES: Final = 5
QUERY_CHARACTERS: Final = 60
"""The longest search: a query is a few words, and a longer one is a text."""

_NAMES: Final = frozenset({"SEARCH", "PROMOTE", "KEEP", "DELETE"})
_VERDICTS: Final[Mapping[str, Verdict]] = {
    "PROMOTE": "promote",
    "KEEP": "keep",
    "DELETE": "delete",
}

EarlierRounds: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Earlier rounds: what was searched for, and the memories that were found."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The reviewer wants to look at what else is known about ``query``."""

    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQuestion:
    """One round of one review; ``memory`` as it stood when it was shown."""

    prompt: Review
    review: Waiting
    memory: Memory
    found: EarlierRounds

    @property
    def last_round(self) -> bool:
        """Tell whether no further search is possible."""
        return len(self.found) + 1 >= ROUNDS


def review_question(
    review: Waiting,
    state: MemoryState,
    now: datetime,
    *,
    relatives: Sequence[int],
    found: EarlierRounds = (),
) -> ReviewQuestion | None:
    """Return what to ask in this round; None if the memory is gone, or sealed and not to be shown.

    ``relatives`` are the memories nearest in meaning, best first; the first five are shown. What
    nobody here may have said is left out: it could speak to the reviewer about the others.
    """
    memory = state.memories.get(review.memory_id)
    if memory is None or memory.sealed is not None:
        return None
    settings = state.agent_info.settings
    zone = settings.zone
    near = _relatives_shown(relatives, memory, state)[:RELATIVES]
    prompt = Review(
        language=settings.language,
        partner=settings.partner,
        now=now.astimezone(zone),
        task=review.task,
        memory=prompt_memory("m0", memory, zone),
        relatives=prompt_memories(memories_by_handle(near), zone),
        found=tuple(
            (
                query,
                prompt_memories(
                    memories_by_handle(_relatives_shown(ids, memory, state)[:RELATIVES]), zone
                ),
            )
            for query, ids in found
        ),
        last_round=len(found) + 1 >= ROUNDS,
    )
    return ReviewQuestion(prompt=prompt, review=review, memory=memory, found=found)


def judge(
    asked: ReviewQuestion, answer: str, state: MemoryState, now: datetime
) -> Judgement | SearchRequest | Unreadable:
    """Return what the verdict changes, or what to search for before the next round.

    No verdict after the last round is KEEP. A memory that changed since it was shown
    is not judged by this answer: its review goes on waiting.
    """
    said = parse_verdict(answer)
    if isinstance(said, Unreadable):
        return said
    if isinstance(said, SearchRequest):
        if not asked.last_round:
            return said
        said = "keep"
    return decide(asked, said, state, now)


def judge_finally(
    asked: ReviewQuestion, answer: str, state: MemoryState, now: datetime
) -> Judgement:
    """Return what the answer changes where no other round follows: KEEP if it decides nothing."""
    judged = judge(asked, answer, state, now)
    return judged if isinstance(judged, Judgement) else decide(asked, "keep", state, now)


def decide(
    asked: ReviewQuestion, verdict: Verdict, state: MemoryState, now: datetime
) -> Judgement:
    """Return the changes of a verdict; also for giving up, with "keep".

    A memory whose text addresses a model does not become core on that model's word.
    """
    memory = state.memories.get(asked.review.memory_id)
    if memory is not None and _visible_state(memory) != _visible_state(asked.memory):
        return Judgement(refused=(f"REVIEW #{memory.id}: changed meanwhile",))
    # It may have asked for its own promotion; at worst a good memory is not promoted.
    if verdict == "promote" and memory is not None and addresses_a_model(memory):
        verdict = "keep"
    changes = after_verdict(state, asked.review, verdict, now)
    return Judgement(changes=changes, learnt=(f"{verdict.upper()} #{asked.review.memory_id}",))


def parse_verdict(
    answer: str,
) -> SearchRequest | Literal["promote", "keep", "delete"] | Unreadable:
    """Return what an answer decides: exactly one operation, after the reasons."""
    found = brackets(answer, _NAMES)
    if isinstance(found, Unreadable):
        return found
    if len(found) != 1 or found[0].attributes:
        return Unreadable("more than one verdict")
    (only,) = found
    if only.name == "SEARCH":
        query = one_line(only.target or only.text)[:QUERY_CHARACTERS]
        return SearchRequest(query) if query else Unreadable("a search for nothing")
    return Unreadable("a verdict on something else") if only.target else _VERDICTS[only.name]


def _relatives_shown(ids: Sequence[int], memory: Memory, state: MemoryState) -> list[Memory]:
    """Return the memories of ``ids`` that are there, without the one under review."""
    known = (state.memories.get(each) for each in dict.fromkeys(ids) if each != memory.id)
    # A forwarded text shown beside a memory could tell the reviewer what to do with it.
    return [each for each in known if each is not None and not is_from_outside(each)]


def _visible_state(memory: Memory) -> tuple[object, ...]:
    return (memory.words, memory.standing, memory.nature)
