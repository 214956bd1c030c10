"""MemoryReviewer: a verdict on a memory that crossed a threshold, in up to three rounds.

In each round but the last it may search instead of deciding (source document 003). The partner's
own verdict, on what she had let go and asks whether to keep, stands here as well.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from memory.changes import Change, Drop, Put, Turn
from memory.changes import PendingReview as Waiting
from memory.initiative.consent import answer_said
from memory.judgement.brackets import Unreadable, brackets
from memory.judgement.draft import Draft, Judgement
from memory.judgement.permission import addresses_a_model, is_from_outside
from memory.laws.law import Event
from memory.lifecycle.consequences import (
    Decision,
    GivenVerdict,
    after_verdicts,
    plan_events,
    was_taken_back,
)
from memory.lifecycle.partner_steps import made_firm
from memory.lifecycle.undo import with_undo
from memory.model import Archived, Memory, Message
from memory.offline import OFFLINE_NAME
from memory.offline.reviews import rule_verdict
from memory.offline.understood import answer_to_keeping
from memory.offline.vocabulary import asks_to_keep
from memory.state import MemoryState
from memory.views import memories_by_handle, prompt_memories, prompt_memory
from prompts import REVIEW_NAMES, Review, ReviewSigns
from prompts.rendering import one_line

# Three rounds and five relatives are those of source document 003.
ROUNDS: Final = 3
RELATIVES: Final = 5
QUERY_CHARACTERS: Final = 60
"""The longest search: a query is a few words, and a longer one is a text."""

BY_RULE: Final = OFFLINE_NAME
"""Who decided, in the history, where no model did."""

_VERDICTS: Final[Mapping[str, Decision]] = {
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
        signs=_signs_of(memory, state),
    )
    return ReviewQuestion(prompt=prompt, review=review, memory=memory, found=found)


def _signs_of(memory: Memory, state: MemoryState) -> ReviewSigns:
    return ReviewSigns(
        kind=memory.nature.kind.value,
        told=1 + memory.trace.mention_count,
        confirmed=memory.origin.verified or was_taken_back(state, memory.id),
    )


def verdicts_by_rule(
    reviews: Iterable[Waiting], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return what the rules decide about memories that wait for a review, as one step.

    Its relatives are what a memory is linked to: looking each up by its words would take longer
    than all else of the night.
    """
    given: list[tuple[Waiting, GivenVerdict]] = []
    lost: list[Change] = []
    for review in reviews:
        near = [link.target for link in state.links_of(review.memory_id)]
        asked = review_question(review, state, now, relatives=near)
        if asked is None:
            lost.append(Drop(Waiting, review.memory_id))
            continue
        decision, reason = rule_verdict(asked.prompt)
        given.append(
            (review, GivenVerdict(_allowed(decision, asked.memory, state), BY_RULE, reason))
        )
    return (*after_verdicts(state, given, now), *lost)


def kept_by_rule(memory: Memory, state: MemoryState, now: datetime) -> bool:
    """Whether the rules would keep a memory if it were reviewed for having faded."""
    near = [link.target for link in state.links_of(memory.id)]
    waiting = Waiting(memory_id=memory.id, task="decay", since=now)
    asked = review_question(waiting, state, now, relatives=near)
    return asked is not None and rule_verdict(asked.prompt).decision != "delete"


def judge(
    asked: ReviewQuestion, answer: str, state: MemoryState, now: datetime, *, by: str = ""
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
    return decide(asked, GivenVerdict(said, by), state, now)


def judge_finally(
    asked: ReviewQuestion, answer: str, state: MemoryState, now: datetime, *, by: str = ""
) -> Judgement:
    """Return what the answer changes where no other round follows: KEEP if it decides nothing."""
    judged = judge(asked, answer, state, now, by=by)
    if isinstance(judged, Judgement):
        return judged
    return decide(asked, GivenVerdict("keep", by), state, now)


def decide(
    asked: ReviewQuestion, verdict: GivenVerdict, state: MemoryState, now: datetime
) -> Judgement:
    """Return the changes of a verdict; also for giving up, with "keep"."""
    memory = state.memories.get(asked.review.memory_id)
    if memory is not None and _visible_state(memory) != _visible_state(asked.memory):
        return Judgement(refused=(f"REVIEW #{memory.id}: changed meanwhile",))
    decision = _allowed(verdict.decision, asked.memory, state)
    changes = after_verdicts(state, [(asked.review, verdict._replace(decision=decision))], now)
    return Judgement(changes=changes, learnt=(f"{decision.upper()} #{asked.review.memory_id}",))


def _allowed(decision: Decision, memory: Memory, state: MemoryState) -> Decision:
    """Return what a reviewer may decide about a memory.

    One whose text addresses a model does not become core on that model's word; nor is a decision
    taken again that the partner took back.
    """
    # It may have asked for its own promotion; at worst a good memory is not promoted.
    if decision == "promote" and addresses_a_model(memory):
        return "keep"
    return "keep" if was_taken_back(state, memory.id) else decision


def parse_verdict(
    answer: str,
) -> SearchRequest | Literal["promote", "keep", "delete"] | Unreadable:
    """Return what an answer decides: exactly one operation, after the reasons."""
    found = brackets(answer, frozenset(REVIEW_NAMES))
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


def keeping_answered(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> Judgement:
    """Return what a yes or a no to her question makes of what a reply brought back and told.

    A yes is what the partner asks for: confirmed, told again, and as firm as what is told
    outright. By a no it rests where it was, and can be looked up.
    """
    last = before[-1] if before else None
    if last is None or last.role != "assistant" or not asks_to_keep(last.text):
        return Judgement()
    told = next((r for r in state.receipts.values() if f"{r.turn_id}-reply" == last.id), None)
    text = turn.said[0].text if len(turn.said) == 1 else ""
    answer = answer_to_keeping(text) or answer_said(turn.said)
    if told is None or not answer:
        return Judgement()
    labels = (each for each in told.learnt if each.startswith("REVIVE #"))
    ids = dict.fromkeys(int(each.partition("#")[2]) for each in labels)
    draft = Draft(state=state, now=now)
    for memory in [state.memories[each] for each in ids if each in state.memories]:
        if answer == "no":
            draft = draft.then(Put(replace(memory, standing=Archived(now))))
            continue
        draft = draft.then(*plan_events(draft.state, [(memory.id, Event.MENTION)], now))
        firm = made_firm(draft.state.memories[memory.id], now, state.rules)
        draft = draft.then(Put(firm))
    label = "REMEMBER" if answer == "yes" else "REST"
    kept = tuple(f"{label} #{each}" for each in ids if each in state.memories)
    changes = with_undo(state, draft.changes, now, actor="partner", label="remember")
    return Judgement(changes=changes, learnt=kept)
