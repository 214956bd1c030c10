"""One memory made of two that are one person's: what ``/link`` does to what is known.

Careful on purpose: it names two homes, names, birthdays, ages or origins, and one thing that is
liked here and disliked there. Whatever else disagrees stays side by side, for the partner or the
background 小祥 to settle (docs/decisions/walls.md).

The younger memory comes into the older one, whose law, settings and ids stay. ``#7`` of the
younger becomes 7 plus the highest id of the older. What both say is mentioned once more, what
cannot both hold is settled like any contradiction, and what is sealed is sealed again. Nothing is
thrown away: what gave way is kept as merged and can be restored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from immutables import Map

from memory.changes import Change, Correction, DiaryLine, Links, Put, RememberedId
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import Draft
from memory.judgement.evidence import LABELS
from memory.judgement.lexicon import SINGLE_VALUED
from memory.judgement.new_facts import known_fact
from memory.judgement.wording import Clause, Names, clauses, is_class
from memory.laws.law import Event
from memory.lifecycle.consequences import corrections_with, plan_events
from memory.lifecycle.effects import as_former_version, previous_text
from memory.merging.arrival import (
    Arrival,
    VaultPair,
    changes_beside_memories,
    links_with_new_ends,
    new_lines,
)
from memory.model import Active, Archived, Link, Memory, Merged, Tier
from memory.privacy.redaction import known_secrets, redaction_changes
from memory.revision import Strategy, strategy_for, successor, superseded
from memory.state import MemoryState, is_hidden

_ONE_AT_A_TIME: Final = SINGLE_VALUED - {"work"}
"""Those whose words say little else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a fact answers, and how: two claims with one question may contradict each other."""

    question: frozenset[str]
    answer: frozenset[str]


def claim_of(memory: Memory, names: Names) -> Claim | None:
    """Return what a living fact claims about whom ``names`` name; None if nothing plain."""
    if not memory.is_living_fact:
        return None
    said = [clause for clause in clauses(memory.words.text, names) if clause.terms]
    if len(said) != 1 or said[0].past or said[0].wished:
        return None
    return _claim_in(said[0])


def are_contradictory(one: Claim, other: Claim) -> bool:
    """Tell whether two claims cannot both hold; a closer answer is no other one."""
    if one.question != other.question:
        return False
    return not (_is_within(one.answer, other.answer) or _is_within(other.answer, one.answer))


def contradictions(
    here: Iterable[tuple[Memory, Claim]], there: Iterable[tuple[Memory, Claim]]
) -> Iterator[tuple[Memory, Memory]]:
    """Yield each fact of ``there`` with the first of ``here`` that it contradicts; each once."""
    asked: dict[frozenset[str], list[tuple[Memory, Claim]]] = {}
    for memory, claim in here:
        asked.setdefault(claim.question, []).append((memory, claim))
    for memory, claim in there:
        rivals = asked.get(claim.question, [])
        rival = next((pair for pair in rivals if are_contradictory(pair[1], claim)), None)
        if rival is not None:
            rivals.remove(rival)
            yield rival[0], memory


def _is_within(closer: frozenset[str], wider: frozenset[str]) -> bool:
    # 浦东 in 上海浦东 is a closer answer to the same question, not another one.
    return all(any(term in each for each in wider) for term in closer)


def _claim_in(clause: Clause) -> Claim | None:
    classes = {term.partition(":")[2] for term in clause.terms if is_class(term)}
    values = frozenset(term for term in clause.terms if not is_class(term))
    if len(classes) == 1 and classes <= _ONE_AT_A_TIME and values and not clause.negative:
        return Claim(frozenset(classes), values)
    if classes == {"like"} and values:
        return Claim(values | classes, frozenset({"no" if clause.negative else "yes"}))
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionPlan:
    """What becomes of two memories. ``settled`` are pairs, what gives way and to what.

    ``known`` counts what both say, ``sealed`` the secrets sealed again, ``erased`` what does not
    come because it was erased here. ``id_shift`` is added to the ids of what comes.
    """

    changes: tuple[Change, ...]
    came: int
    known: int
    settled: tuple[tuple[Memory, Memory], ...]
    sealed: int
    erased: int
    id_shift: int


def plan_union(
    state: MemoryState, other: MemoryState, now: datetime, *, vaults: VaultPair, mark: str
) -> UnionPlan:
    """Return the changes that take the younger memory ``other`` into the older one.

    All of it in one commit that holds ``mark``: an older memory that holds it already has taken
    the other in, and nothing more happens. Raises :class:`CannotReseal` if anything sealed cannot
    be opened here and sealed again.
    """
    if mark in state.remembered_ids:
        return UnionPlan(changes=(), came=0, known=0, settled=(), sealed=0, erased=0, id_shift=0)
    arriving = Arrival.of(state, other)
    coming = [memory for memory in other.memories.values() if memory.id in arriving.coming]
    draft = Draft(state=state, now=now)
    sealed = [memory for memory in coming if memory.sealed is not None]
    draft = draft.then(*(Put(arriving.memory(m, state, vaults)) for m in coming))
    draft = draft.then(
        *changes_beside_memories(draft.state, other, arriving.renumbering, arriving.coming)
    )
    # Echoes first: merged away, they contradict nothing any more.
    draft, echoes = _with_echoes_confirmed(draft, state, arriving)
    draft, settled = _with_contradictions_settled(draft, state, arriving)
    draft = draft.then(*_arriving_links(draft.state, other, arriving, echoes))
    # Last: a secret of one side may stand in the clear in what the other side brought.
    draft = draft.then(*redaction_changes(known_secrets(draft.state, vaults.new), draft.state))
    told = [memory for memory in coming if memory.nature.tier is not Tier.ENTITY]
    return UnionPlan(
        changes=(*draft.changes, Put(RememberedId(message_id=mark))),
        came=len(told),
        known=len(echoes) + arriving.already_known,
        settled=settled,
        sealed=len(sealed),
        erased=len(arriving.erased),
        id_shift=arriving.id_shift,
    )


def known_here(
    state: MemoryState, other: MemoryState, identity: Callable[[Memory], object]
) -> Mapping[int, int]:
    """Return which memories of another state are known here, by their ids, and as which.

    That is what one ``identity`` says, and the same fact of one day in the same words: two agents
    that lived apart learnt it at another instant. What a law let go here may come again.
    """
    told = {identity(memory): memory.id for memory in state.memories.values()}
    alike = _told_by_day(state)
    found: dict[int, int] = {}
    for memory in other.memories.values():
        known = told.get(identity(memory)) or alike.get(_told_that_day(memory, state))
        if known is not None:
            found[memory.id] = known
    return found


def told_otherwise(
    state: MemoryState,
    other: MemoryState,
    new: Iterable[Memory],
    identity: Callable[[Memory], object],
) -> Iterator[tuple[Memory, Memory]]:
    """Yield what is known here only, with what comes and tells the same moment otherwise."""
    there = {identity(memory) for memory in other.memories.values()}
    here = {
        _moment_key(memory): memory
        for memory in state.memories.values()
        if memory.source_ids and identity(memory) not in there
    }
    for memory in new:
        known = here.pop(_moment_key(memory), None) if memory.source_ids else None
        if known is not None:
            yield known, memory


def _moment_key(memory: Memory) -> tuple[object, ...]:
    return (memory.nature.tier, memory.trace.created_at, frozenset(memory.source_ids))


def _told_by_day(state: MemoryState) -> Mapping[object, int]:
    standing = (
        memory
        for memory in state.memories.values()
        if isinstance(memory.standing, Active | Archived) or is_hidden(memory)
    )
    keyed = ((_told_that_day(memory, state), memory.id) for memory in standing)
    return {key: memory_id for key, memory_id in keyed if key is not None}


def _told_that_day(memory: Memory, state: MemoryState) -> object:
    """Return what two memories share that are one thing lived twice; None for what is none.

    Of a talk that is what others said in it: what she answered hangs on the law.
    """
    if memory.sealed is not None or not (memory.is_fact or memory.nature.tier is Tier.EPISODE):
        return None
    talk = tuple(p.text for p in memory.passages if p.verbatim and p.role == "user")
    said = () if memory.is_fact else talk
    day = memory.trace.created_at.astimezone(state.agent_info.settings.zone).date()
    return memory.words.text, said, day, memory.origin.speaker, memory.is_past


def unheard_lines(
    state: MemoryState, other: MemoryState, ids: Mapping[int, int]
) -> Iterator[DiaryLine]:
    """Yield the lines that come with an import, but what was said in a talk known here as well.

    ``ids`` are those that memories of the other state have here.
    """
    here = {(x.scene, x.message.role, x.message.text) for x in state.diary.values() if x.scene > 0}
    for line in new_lines(state, other):
        said = line.message
        if (ids.get(line.scene, 0), said.role, said.text) not in here:
            yield line


def _with_echoes_confirmed(
    draft: Draft, state: MemoryState, arriving: Arrival
) -> tuple[Draft, Mapping[int, int]]:
    """Return the draft in which a fact known here already only confirms it, and which did."""
    living = {m.id: m for m in state.memories.values() if m.is_living_fact}
    # Compared with what was here before, not with what arrives: that was one memory already.
    facts = replace(state, memories=Map(living))
    alike = _told_by_day(state)
    echoes: dict[int, int] = {}
    for memory_id in sorted(arriving.ids):
        memory = draft.state.memories[memory_id]
        if not memory.is_living_fact:
            # What has ended on both sides is one thing too; whether it has is part of the key.
            if memory.is_past and (ended := alike.get(_told_that_day(memory, state))):
                draft = draft.then(Put(replace(memory, standing=Merged(draft.now, ended))))
                echoes[memory_id] = ended
            continue
        known = known_fact(ParsedText(memory.words.text), memory.origin.speaker, facts)
        if known is not None:
            draft = _with_echo_confirmed(draft, draft.state.memories[known.id], memory)
            echoes[memory_id] = known.id
    return draft, echoes


def _with_echo_confirmed(draft: Draft, known: Memory, echo: Memory) -> Draft:
    at = max(known.trace.activated_at, echo.trace.activated_at)
    draft = draft.then(*plan_events(draft.state, [(known.id, Event.MENTION)], at))
    firm = draft.state.memories[known.id]
    nature = replace(
        firm.nature,
        pinned=firm.nature.pinned or echo.nature.pinned,
        sensitivity=max(firm.nature.sensitivity, echo.nature.sensitivity),
    )
    verified = firm.origin.verified or echo.origin.verified
    firm = replace(firm, nature=nature, origin=replace(firm.origin, verified=verified))
    return draft.then(Put(firm), Put(replace(echo, standing=Merged(draft.now, known.id))))


def _with_contradictions_settled(
    draft: Draft, state: MemoryState, arriving: Arrival
) -> tuple[Draft, tuple[tuple[Memory, Memory], ...]]:
    """Return the draft in which of two facts that cannot both hold the later one does."""
    here = list(_claims(draft, frozenset(state.memories)))
    there = list(_claims(draft, arriving.ids))
    pairs: list[tuple[Memory, Memory]] = []
    for one, other in contradictions(here, there):
        old, new = sorted((one, other), key=lambda m: (m.trace.activated_at, m.id))
        draft = _with_older_superseded(draft, old, new)
        pairs.append((old, new))
    return draft, tuple(pairs)


def _claims(draft: Draft, ids: frozenset[int]) -> Iterator[tuple[Memory, Claim]]:
    partner = draft.state.agent_info.settings.partner
    names = Names.of(LABELS | {partner})
    for memory_id in sorted(ids & set(draft.state.memories)):
        memory = draft.state.memories[memory_id]
        claim = claim_of(memory, names)
        if claim is not None and memory.origin.speaker in {partner, ""}:
            yield memory, claim


def _with_older_superseded(draft: Draft, old: Memory, new: Memory) -> Draft:
    """Return the draft after a contradiction, settled as if the newer had been said to correct."""
    rules = draft.state.rules
    at = max(old.trace.created_at, new.trace.created_at)
    strategy = strategy_for(old, new.trace.confidence)
    gone = superseded(old, new.id, strategy, at, rules)
    if strategy is Strategy.VERSION_KEEP:
        draft = draft.then(Put(previous_text(old, draft.state, draft.now)))
        gone = as_former_version(gone)
    entry = Correction(at=at, reason="link", before=old.words.text, after=new.words.text)
    return draft.then(
        Put(gone),
        Put(successor(new, old, at, rules)),
        *(Put(corrections_with(entry, each.id, draft.state)) for each in (old, new)),
    )


def _arriving_links(
    state: MemoryState, other: MemoryState, arriving: Arrival, echoes: Mapping[int, int]
) -> Iterator[Change]:
    """Yield the links that come; what became one memory has the links of both."""
    moved: dict[int, list[Link]] = {}

    def end(memory_id: int) -> int:
        here = arriving.renumbering.ids(memory_id)
        return echoes.get(here, here)

    for links in other.links.values():
        if links.source in other.memories and links.source not in arriving.erased:
            kept = [e for e in links.links if e.target not in arriving.erased]
            moved.setdefault(end(links.source), []).extend(
                replace(e, target=end(e.target)) for e in kept if e.target < other.next_id
            )
    for source, links_here in sorted(moved.items()):
        both = links_with_new_ends(source, (*state.links_of(source), *links_here), int)
        if both and both != state.links_of(source):
            yield Put(Links(source=source, links=both))
