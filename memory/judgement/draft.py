"""Carrying out what was admitted, one operation after another, on a draft of the state.

Each function returns the draft after one decision. Nothing is written here: what comes of it is a
judgement, the changes that the writer will apply.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from memory.changes import AgentInfo, Change, Correction, Drop, Links, Put
from memory.judgement.evidence import Support
from memory.judgement.new_facts import names_spoken_of
from memory.laws.law import Event
from memory.lifecycle.consequences import (
    corrections_handed_on,
    corrections_with,
    plan_events,
    weight_log,
    with_counts,
)
from memory.lifecycle.effects import as_former_version, previous_text
from memory.lifecycle.undo import with_undo
from memory.model import (
    Deleted,
    DeletionPolicy,
    Link,
    LinkType,
    Memory,
    Merged,
    Message,
    Source,
    Tier,
)
from memory.network.index import NetworkIndex
from memory.network.links import links_for
from memory.privacy.vault import Vault
from memory.recall.slot_index import SlotIndex
from memory.revision import (
    Strategy,
    merged_memory,
    negated,
    strategy_for,
    successor,
    superseded,
    without_doubt,
)
from memory.state import MAX_LINKS, SLIP, MemoryState
from memory.text.corrections import right_word
from memory.text.tokens import keywords, phrase_of
from prompts import WrongLine
from prompts.rendering import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What an answer changes, built against the state it will be applied to.

    ``learnt`` and ``refused`` say what was done and what was not, by ids and our own words only
    (``ADD #42``, ``UPDATE #3 #42``, ``ADD: not said``), so that a receipt holds no private text.
    ``wrong`` is what a model may be told where nothing of its answer counted; it is never stored.
    """

    changes: tuple[Change, ...] = ()
    learnt: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    wrong: tuple[WrongLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTools:
    """What an agent's plans use beside its state: its network index, and its vault if any.

    Without an index what it would find is found by building one; without a vault nothing can be
    sealed, so secrets are refused.
    """

    index: NetworkIndex | None = None
    vault: Vault | None = None
    slots: SlotIndex | None = None


NO_TOOLS: Final = AgentTools()

SUCCESSION_STRENGTH: Final = 0.5
"""The strength of the link to what a memory replaced, or was taken from."""


def inherited_links(old: Sequence[int], new_id: int, state: MemoryState) -> list[Put]:
    """Return the links that pass to ``new_id``: those the old ones had, and those to them."""
    own: dict[int, Link] = {
        each: Link(target=each, strength=SUCCESSION_STRENGTH, type=LinkType.SEMANTIC)
        for each in old
    }
    puts: list[Put] = []
    for source in old:
        for link in state.links_of(source):
            if link.target not in {*old, new_id}:
                own[link.target] = max(own.get(link.target, link), link, key=_strength)
    for target in own.keys() - set(old):
        back = [e for e in state.links_of(target) if e.target in old]
        if back:
            strongest = replace(max(back, key=_strength), target=new_id)
            rest = [e for e in state.links_of(target) if e not in back and e.target != new_id]
            puts.append(Put(Links(source=target, links=_strongest([*rest, strongest]))))
    return [*puts, Put(Links(source=new_id, links=_strongest(own.values())))]


def links_to_episodes(
    memory: Memory, episodes: Mapping[str, int], state: MemoryState
) -> list[Put]:
    """Return the links, both ways, between a fact and the episodes it was taken from."""
    wanted = {episodes[each] for each in memory.source_ids if each in episodes}
    puts: list[Put] = []
    for source, target in [p for e in wanted for p in ((memory.id, e), (e, memory.id))]:
        known = {link.target: link for link in state.links_of(source)}
        if target not in known or known[target].strength < SUCCESSION_STRENGTH:
            known[target] = Link(
                target=target, strength=SUCCESSION_STRENGTH, type=LinkType.CO_TURN
            )
            # Applied at once: a fact has one record of links, written again for each episode.
            state, _ = state.apply([Put(Links(source=source, links=_strongest(known.values())))])
            puts.append(Put(state.links[source]))
    return puts


def _strongest(links: Iterable[Link]) -> tuple[Link, ...]:
    return tuple(sorted(links, key=lambda e: (-e.strength, e.target))[:MAX_LINKS])


def _strength(link: Link) -> float:
    return link.strength


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What was decided so far, and the state it would lead to.

    ``hidden`` are memories that turned out to be secret: they are to be sealed where they stand.
    """

    state: MemoryState
    now: datetime
    tools: AgentTools = NO_TOOLS
    changes: tuple[Change, ...] = ()
    new: tuple[int, ...] = ()
    learnt: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    hidden: tuple[int, ...] = ()

    def then(self, *changes: Change, learnt: str = "", new: int | None = None) -> "Draft":
        """Return the draft after more changes."""
        state, _ = self.state.apply(changes)
        return replace(
            self,
            state=state,
            changes=(*self.changes, *changes),
            learnt=(*self.learnt, learnt) if learnt else self.learnt,
            new=self.new if new is None else (*self.new, new),
        )

    def with_refusal(self, what: str) -> "Draft":
        """Return the draft with a note of what was not done and why."""
        return replace(self, refused=(*self.refused, what))

    def judgement(self, *more: Change) -> Judgement:
        """Return what was decided as a judgement, with changes that belong to no draft."""
        return Judgement(changes=(*self.changes, *more), learnt=self.learnt, refused=self.refused)


def with_added(draft: Draft, memory: Memory, label: str = "") -> Draft:
    """Return the draft with a new memory in it."""
    return draft.then(Put(memory), learnt=label or f"ADD #{memory.id}", new=memory.id)


def with_event(draft: Draft, memory_id: int, event: Event, at: datetime, label: str) -> Draft:
    """Return the draft after an event, with the reviews, logs and counters it brings."""
    return draft.then(*plan_events(draft.state, [(memory_id, event)], at), learnt=label)


def with_mention(draft: Draft, memory: Memory, support: Support) -> Draft:
    """Return the draft after the known thing was said again; a picture or voice of it joins it.

    Said twice within one turn is said once.
    """
    if memory.id in draft.new:
        return draft
    # Voice and pictures of a known thing join it instead of becoming memories of their own.
    modalities = (*memory.origin.modalities, *(m.modality for m in support.messages))
    origin = replace(
        memory.origin,
        modalities=tuple(dict.fromkeys(modalities)),
        verified=memory.origin.verified or any(map(_confirms, support.messages)),
    )
    known = without_doubt(replace(memory, origin=origin))
    at = max(support.messages[0].at.astimezone(UTC), memory.trace.activated_at)
    return with_event(
        draft.then(Put(known)), memory.id, Event.MENTION, at, f"MENTION #{memory.id}"
    )


_CONFIRMS: Final = re.compile(
    r"(?:嗯|哦|啊|[\s，,])*(?:对(?!不)|没错|是的|正是|确实)[的啊呀了]*[，,。！!\s]"
    r"|(?:yes|yeah|yep|yup|right|correct|exactly|indeed|that['’]s right)\b[\s,.!]",
    re.IGNORECASE,
)


def _confirms(message: Message) -> bool:
    """Whether a message says yes to what it says again: 对，我住在上海."""
    return _CONFIRMS.match(message.text) is not None


def with_replacement(
    draft: Draft, old: Memory, new: Memory, strategy: Strategy, *, refines: bool = False
) -> Draft:
    """Return the draft with ``new`` in the place of ``old``, settled by ``strategy`` (UPDATE).

    What only says it better (``refines``) takes the old one in: nothing was otherwise before.
    """
    rules = draft.state.rules
    at = _since(old, new)
    gone = superseded(old, new.id, strategy, at, rules)
    if refines and strategy is Strategy.LATEST_WINS:
        gone = replace(old, standing=Merged(at, new.id), lineage=gone.lineage)
    # A past version is lowered to its keywords; its full text is kept for 30 days like any other.
    if strategy is Strategy.VERSION_KEEP:
        draft = draft.then(Put(previous_text(old, draft.state, at)))
        gone = as_former_version(gone)
    new_version = successor(new, old, at, rules)
    return _with_succession(draft, gone, new_version, f"UPDATE #{old.id} #{new.id}")


def with_slot_successor(draft: Draft, old: Memory, new: Memory) -> Draft:
    """Return the draft with ``old`` past because ``new``, which is in it, answers the same.

    The latest wins, and of a taste the old version is kept, lowered (source document 001).
    """
    rules = draft.state.rules
    at = _since(old, new)
    strategy = strategy_for(old, new.trace.confidence)
    if strategy is Strategy.VERSION_KEEP:
        draft = draft.then(Put(previous_text(old, draft.state, at)))
    gone = negated(old, new.id, at, rules)
    if strategy is Strategy.VERSION_KEEP:
        gone = as_former_version(gone)
    label = f"UPDATE #{old.id} #{new.id}"
    return _with_succession(draft, gone, successor(new, old, at, rules), label)


def with_negation(draft: Draft, old: Memory, new: Memory) -> Draft:
    """Return the draft with ``old`` told as past from now on, and ``new`` beside it (NEGATE)."""
    rules = draft.state.rules
    at = _since(old, new)
    gone = negated(old, new.id, at, rules)
    new_version = replace(new, lineage=replace(new.lineage, replaces=old.id, valid_from=at))
    agent_info = with_counts(draft.state.agent_info, {"negation_count": 1})
    return _with_succession(
        draft.then(Put(agent_info)), gone, new_version, f"NEGATE #{old.id} #{new.id}"
    )


def with_known_instead(draft: Draft, old: Memory, known: Memory) -> Draft:
    """Return the draft with ``old`` told as past because what is known already says what holds."""
    rules = draft.state.rules
    gone = negated(old, known.id, draft.now, rules)
    agent_info = with_counts(draft.state.agent_info, {"negation_count": 1})
    logs = _weight_logs(draft, gone)
    return draft.then(Put(gone), Put(agent_info), *logs, learnt=f"NEGATE #{old.id} #{known.id}")


def with_deletion(draft: Draft, memory: Memory) -> Draft:
    """Return the draft with a memory hidden, soft, for 30 days: it was wrong."""
    return with_unsaid(draft, memory, f"DELETE #{memory.id}")


def with_unsaid(draft: Draft, memory: Memory, label: str) -> Draft:
    """Return the draft without a memory that was not meant, and with what it had replaced."""
    standing = Deleted(draft.now, DeletionPolicy.AUTO_CLEANUP)
    return draft.then(
        *_replaced_by(memory, draft.state), Put(replace(memory, standing=standing)), learnt=label
    )


def _replaced_by(memory: Memory, state: MemoryState) -> Iterator[Put]:
    """Yield what a memory made past, as it stood before: its own step for undo still knows."""
    for step in state.undos.values():
        if Drop(Memory, memory.id) not in step.inverse:
            continue
        for change in step.inverse:
            match change:
                case Put(Memory() as before):
                    now = state.memories.get(before.id)
                    if now is not None and now.lineage.replaced_by == memory.id:
                        yield Put(before)
                case _:
                    pass


def with_merge(draft: Draft, memories: Sequence[Memory], text: str, source: Source) -> Draft:
    """Return the draft with several memories become one; the originals are kept (MERGE)."""
    new_id = draft.state.next_id
    written = one_line(text)
    one = merged_memory(memories, new_id, written, draft.now)
    one = replace(
        one,
        words=replace(one.words, phrase=phrase_of(written), keywords=keywords(written)),
        origin=replace(one.origin, source=source, at=draft.now),
    )
    old = [Put(replace(m, standing=Merged(draft.now, new_id))) for m in memories]
    links = inherited_links([m.id for m in memories], new_id, draft.state)
    ids = " ".join(f"#{memory.id}" for memory in memories)
    counters = with_counts(draft.state.agent_info, {"batch_merge_count": 1})
    return draft.then(
        Put(one), *old, *links, Put(counters), learnt=f"MERGE {ids} #{new_id}", new=new_id
    )


def with_links_and_undo(
    draft: Draft,
    before: MemoryState,
    label: str,
    episodes: Mapping[str, int] | None = None,
) -> Draft:
    """Return the draft with the links of what is new, and with the entry that takes it back.

    ``episodes`` says in which episode a message stands: what was learnt from it is linked to it.
    """
    new = [draft.state.memories[memory_id] for memory_id in draft.new]
    if new:
        index = draft.tools.index or NetworkIndex.build(draft.state)
        names, spoken_of = names_spoken_of(new, draft.state, index)
        draft = draft.then(*map(Put, names))
        draft = draft.then(*links_for(new, draft.state, index=index, focus=spoken_of))
        for memory in new:
            draft = draft.then(*links_to_episodes(memory, episodes or {}, draft.state))
    # Counters and focus move on with every turn, and others may speak of a name by then; an undo
    # that put them back would lose the others. A name that nothing speaks of goes at night.
    lasting = tuple(c for c in draft.changes if not _is_of_all(c))
    about_all = tuple(c for c in draft.changes if _is_of_all(c))
    changes = (*with_undo(before, lasting, draft.now, actor="background", label=label), *about_all)
    return replace(draft, changes=changes)


def _since(old: Memory, new: Memory) -> datetime:
    """Return from when the new version holds, never before the old began.

    That is when it was said, or the day for which it was announced.
    """
    begun = new.lineage.valid_from or new.trace.created_at
    return max(begun, new.trace.created_at, old.trace.created_at)


def _is_of_all(change: Change) -> bool:
    """Tell whether a change is to the agent's counters, focus or names, which no undo reverts."""
    match change:
        case Put(AgentInfo()):
            return True
        case Put(Memory() as memory):
            return memory.nature.tier is Tier.ENTITY
        case _:
            return False


def _with_succession(draft: Draft, gone: Memory, new_version: Memory, label: str) -> Draft:
    """Return the draft with an old and a new version, the history and the links handed on."""
    old = draft.state.memories[gone.id]
    # Both versions carry the whole history: the old one may be purged before the new one.
    entry = Correction(
        at=draft.now,
        reason=SLIP if right_word(new_version.origin.quote) else label.partition(" ")[0].lower(),
        before=old.words.text,
        after=new_version.words.text,
    )
    history = corrections_with(entry, gone.id, draft.state)
    return draft.then(
        Put(gone),
        Put(new_version),
        Put(history),
        Put(corrections_handed_on(history, new_version.id, draft.state)),
        *inherited_links([gone.id], new_version.id, draft.state),
        *_weight_logs(draft, gone),
        learnt=label,
        new=None if new_version.id in draft.new else new_version.id,
    )


def _weight_logs(draft: Draft, gone: Memory) -> tuple[Put, ...]:
    """Return the log of what being told as past did to a memory's weight (source document 001)."""
    before = draft.state.memories[gone.id]
    log = weight_log(before, gone, draft.state, draft.now, Event.NEGATE.value)
    return (Put(log),) if log else ()
