"""What the partner does to memories by hand: clean up, hide, restore, edit, pin, settings.

Every function returns a plan and writes nothing; each step can be undone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from memory.changes import (
    AGENT_INFO_KEY,
    Change,
    Correction,
    Drop,
    PendingReview,
    PreviousText,
    Put,
)
from memory.diary import emptied_window
from memory.laws.law import Birth, Event
from memory.laws.registry import Rules
from memory.lifecycle.consequences import corrections_with, plan_events, with_counts
from memory.lifecycle.night import FatePlan, plan_fates
from memory.lifecycle.undo import PARTNER, pause_over, with_undo
from memory.model import (
    ACTIVE,
    AgentSettings,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Sensitivity,
    Source,
    Tier,
    Words,
    only_speaker,
)
from memory.network.index import NetworkIndex
from memory.network.links import links_for, missing_links
from memory.revision import without_doubt
from memory.state import MemoryState
from memory.text.salience import STANDS
from memory.text.slots import slot_claims
from memory.text.tokens import keywords, phrase_of, tokens
from memory.text.word_forms import COUNTED, is_name, whole_places
from prompts.rendering import one_line


@dataclass(frozen=True, slots=True)
class TooSoon:
    """The law asks for a pause after the last cleanup; the next may run at ``next_at``."""

    next_at: datetime


def plan_cleanup(
    state: MemoryState, now: datetime, *, dry_run: bool = False
) -> FatePlan | TooSoon:
    """Return what the law says of every memory now, without waiting for the night.

    What became part of another memory 30 days ago goes too. A law may ask for a pause after the
    last cleanup. A dry run may be planned at any time: it is shown and never applied. Episodes
    still wait for their consolidation.
    """
    agent_info = state.agent_info
    if agent_info.cleaned_at and not dry_run:
        pause = state.rules.cleanup_pause
        # A negative time means that the clock was set back: nobody waits for it to catch up.
        if timedelta(0) <= now - agent_info.cleaned_at < pause:
            return TooSoon(agent_info.cleaned_at + pause)
    plan = plan_fates(state, now, merged=True)
    noted = with_counts(agent_info, {"passive_compression_count": len(plan.compressed)})
    return replace(plan, changes=(*plan.changes, Put(replace(noted, cleaned_at=now))))


def plan_hide(state: MemoryState, memory_id: int, now: datetime) -> tuple[Change, ...]:
    """Return the changes that hide a memory for its partner: deleted softly, purged in 30 days.

    Raises :class:`memory.errors.UnknownMemory`; a memory that is deleted already stays as it is.
    """
    memory = state.memory(memory_id)
    if isinstance(memory.standing, Deleted):
        return ()
    hidden = replace(memory, standing=Deleted(now, DeletionPolicy.USER_DELETE))
    changes = (Put(hidden), Drop(PendingReview, memory_id))
    return with_undo(state, changes, now, actor=PARTNER, label="hide")


def plan_restore(
    state: MemoryState, memory_id: int, now: datetime, *, whole: Memory | None = None
) -> tuple[Change, ...]:
    """Return the changes that bring a memory back as it was, whatever took it away.

    Deleted, archived and merged become active, what is active but past holds again, and what a law
    shortened in the last 30 days gets its previous text again, or the words it has as ``whole``.
    Asking for it is a mention and a reason to keep it, and an episode begins its days anew; else
    the very next night would take it away again. Nothing for a memory that lacks nothing. Raises
    :class:`memory.errors.UnknownMemory`.
    """
    memory = state.memory(memory_id)
    known = state.previous_texts.get(memory_id)
    if memory.is_active and known is None and whole is None and not memory.is_past:
        return ()
    told = known or whole
    if told is not None:
        memory = replace(memory, words=told.words, passages=told.passages)
    changes = (Put(_after_restore(memory, state, now)), Drop(PreviousText, memory_id))
    return with_undo(state, changes, now, actor=PARTNER, label="restore")


def mark_consolidated(
    state: MemoryState, memory_ids: tuple[int, ...], now: datetime
) -> tuple[Change, ...]:
    """Return the marks on episodes whose lasting facts were taken out; they may end now."""
    episodes = (state.memories.get(memory_id) for memory_id in memory_ids)
    return tuple(
        Put(replace(episode, lineage=replace(episode.lineage, consolidated_at=now)))
        for episode in episodes
        if episode and episode.lineage.consolidated_at is None
    )


def _after_restore(memory: Memory, state: MemoryState, now: datetime) -> Memory:
    if memory.is_active and memory.is_past:
        memory = holding_again(memory)
    memory = replace(memory, standing=ACTIVE, lineage=replace(memory.lineage, restored_at=now))
    # KEEP lifts it over the border where it faded, MENTION begins its rest anew.
    kept = state.rules.after_event(memory, Event.KEEP, now)
    return state.rules.after_event(kept, Event.MENTION, now)


def holding_again(memory: Memory) -> Memory:
    """Return what was taken for past as what still holds."""
    lineage = replace(memory.lineage, valid_until=None, replaced_by=None)
    return replace(memory, lineage=lineage, trace=replace(memory.trace, negated_at=None))


def plan_edit(
    state: MemoryState,
    memory_id: int,
    text: str,
    now: datetime,
    *,
    by: Message | None = None,
    also: tuple[Change, ...] = (),
) -> tuple[Change, ...]:
    """Return the changes that let a memory say ``text``, in its place, with its history.

    A name that is put right is so in every living fact that holds it.
    ``by`` is the message that puts it right: it was said then, and rests on that as well. ``also``
    is what changes with it in one step.

    What the partner corrected is confirmed and counts as mentioned. Verbatim lines stay: they
    are what was said; those that tell what does not hold are quoted no more. Raises
    :class:`UnknownMemory`; the same words again change nothing.
    """
    memory = state.memory(memory_id)
    said = after_edit(memory, text, now, state.rules)
    if said is None:
        return ()
    if by is None:
        said = replace(said, origin=replace(said.origin, quote=""))
    else:
        gist, *lines = said.passages
        gist = replace(gist, source_ids=(*gist.source_ids, by.id), at=by.at)
        origin = replace(said.origin, at=by.at, quote=by.text)
        said = replace(said, passages=(gist, *lines), origin=origin)
    before, after = memory.words.text, said.words.text
    entry = Correction(at=now, reason="edit", before=before, after=after)
    told = dict.fromkeys(memory.source_ids, (before, after))
    renamed = _named_anew(state, before, after) if memory.nature.tier is Tier.ENTITY else {}
    facts: list[Change] = []
    for held, anew in renamed.items():
        fact = state.memory(held)
        slip = Correction(at=now, reason="edit", before=fact.words.text, after=anew)
        facts += (Put(_with_text(fact, anew, now)), Put(corrections_with(slip, held, state)))
        told |= dict.fromkeys(fact.source_ids, (slip.before, slip.after))
    rests_on = [(state.diary[x], both) for x, both in told.items() if x in state.diary]
    hidden = [Put(replace(x, hidden=True)) for x, two in rests_on if _tells(x.message.text, *two)]
    own = (Put(said), Put(corrections_with(entry, memory_id, state)))
    return with_undo(state, (*own, *facts, *hidden, *also), now, actor=PARTNER, label="edit")


def _named_anew(state: MemoryState, old: str, new: str) -> dict[int, str]:
    """Return what the facts that hold a name say by the new one, by id.

    Whatever is more than a name (小芳是我妹妹) stands in no name's place.
    """
    if not is_name(new) or _MORE_THAN_A_NAME.search(new):
        return {}
    found: dict[int, str] = {}
    for memory in state.memories.values():
        text = memory.words.text
        if memory.is_living_fact and memory.sealed is None and old in text and new not in text:
            for start, end in reversed(whole_places(old, text)):
                text = f"{text[:start]}{new}{text[end:]}"
        if text != memory.words.text:
            found[memory.id] = text
    return found


_MORE_THAN_A_NAME: Final = re.compile("[是叫我你他她，。]")


def _tells(line: str, before: str, after: str) -> bool:
    """Whether a line tells what a text said before it was edited and does not say any more."""
    # Of 五十一 half the signs are fifty, the number is not.
    reads = (tokens, COUNTED.findall)
    return any(set(read(line)) & set(read(before)) - set(read(after)) for read in reads)


def after_edit(memory: Memory, text: str, now: datetime, rules: Rules) -> Memory | None:
    """Return a memory as it says ``text`` from now on; None if it says so already."""
    written = one_line(text)
    if written == memory.words.text:
        return None
    return rules.after_event(_with_text(memory, written, now), Event.MENTION, now)


def plan_pin(
    state: MemoryState, memory_id: int, now: datetime, *, pinned: bool
) -> tuple[Change, ...]:
    """Return the changes that pin a memory, so that no law takes it, or let go of it again."""
    memory = state.memory(memory_id)
    if memory.nature.pinned is pinned:
        return ()
    after = replace(memory, nature=replace(memory.nature, pinned=pinned))
    label = "pin" if pinned else "unpin"
    return with_undo(state, (Put(after),), now, actor=PARTNER, label=label)


def plan_sensitivity(
    state: MemoryState, memory_id: int, grade: Sensitivity, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that make a memory as private as ``grade``."""
    memory = state.memory(memory_id)
    if memory.nature.sensitivity is grade:
        return ()
    after = replace(memory, nature=replace(memory.nature, sensitivity=grade))
    return with_undo(state, (Put(after),), now, actor=PARTNER, label="sensitivity")


def plan_system(
    state: MemoryState, text: str, source_id: str, now: datetime, *, index: NetworkIndex
) -> tuple[Change, ...]:
    """Return the changes that lay down a memory of the tier ``system``: it never fades.

    ``source_id`` is that of the order it was given by. The same words again change nothing.
    """
    written = one_line(text)
    for known in state.memories.values():
        if known.nature.tier is Tier.SYSTEM and known.is_active and known.words.text == written:
            return ()
    laid_down = Memory(
        id=state.next_id,
        words=Words(text=written, phrase=phrase_of(written), keywords=keywords(written)),
        nature=Nature(tier=Tier.SYSTEM),
        trace=state.rules.new_trace(Birth(at=now, tier=Tier.SYSTEM, explicit=True)),
        origin=Origin(source=Source.SYSTEM, at=now, verified=True),
        passages=(Passage(text=written, source_ids=(source_id,), at=now),),
    )
    after, _ = state.apply([Put(laid_down)])
    links = links_for([laid_down], after, index=index)
    changes = (Put(laid_down), *links)
    return with_undo(state, changes, now, actor=PARTNER, label="remember")


ChooseSettings: TypeAlias = Callable[[AgentSettings | None], AgentSettings]
"""Given the settings an agent has, None if it is new, return those it lives by from now on."""


def settings_changes(state: MemoryState, choose_settings: ChooseSettings) -> tuple[Change, ...]:
    """Return the change that gives an agent its settings; nothing if it has them already."""
    known = state.agent_infos.get(AGENT_INFO_KEY)
    settings = choose_settings(known.settings if known else None)
    if known and known.settings == settings:
        return ()
    return (Put(replace(state.agent_info, settings=settings)),)


def shares_nothing(memory: Memory, text: str, partner: str) -> bool:
    """Whether a text has no word in common with what a memory says, and tells of nothing like it.

    我住在上海 tells of the same as 我住在杭州; 晚安 tells of nothing.
    """
    names = {partner, *STANDS}
    said, told = (set(tokens(each)) - set(tokens(partner)) for each in (memory.words.text, text))
    slots, others = (
        {claim.slot for claim in slot_claims(each, names)} for each in (memory.words.text, text)
    )
    return not (said & told or slots & others)


def plan_settings(
    state: MemoryState, settings: AgentSettings, now: datetime, label: str
) -> tuple[Change, ...]:
    """Return the changes that let an agent live by other settings from now on."""
    if settings == _settings(state):
        return ()
    change = Put(replace(state.agent_info, settings=settings))
    # Outside the step: what was said in the pause does not come back with it.
    over = pause_over(state, settings, now)
    return (*over, *with_undo(state, (change,), now, actor=PARTNER, label=label))


def plan_reset(state: MemoryState, conversation: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes that let a conversation begin anew; what is remembered stays.

    What was said waits to be summarised, as what leaves the window always does.
    """
    window = state.windows.get(conversation)
    if window is None or not window.lines:
        return ()
    return with_undo(
        state, (Put(emptied_window(window, state)),), now, actor=PARTNER, label="reset"
    )


def plan_rebuild(state: MemoryState, now: datetime) -> tuple[Change, ...]:
    """Return the changes that derive anew the links which follow from the memories themselves.

    As ``rebuildAllAssociations`` of source document 000 §11.5. What only a moment could give
    (focus, use, a talk's order) stays as it is, and no link gets weaker.
    """
    return with_undo(state, tuple(missing_links(state)), now, actor=PARTNER, label="rebuild")


def plan_reinforce(
    state: MemoryState, memory_id: int, event: Event, now: datetime
) -> tuple[Change, ...]:
    """Return the changes of an event the partner let happen to a memory.

    Whoever says that it was right has confirmed it.
    """
    memory = state.memory(memory_id)
    changes = plan_events(state, [(memory_id, event)], now)
    if event is Event.SUCCESS and memory != (sure := _confirmed(memory)):
        after, _ = state.apply(changes)
        confirmed = replace(after.memory(memory_id), origin=sure.origin, lineage=sure.lineage)
        changes = (*changes, Put(confirmed))
    return with_undo(state, changes, now, actor=PARTNER, label="reinforce")


def made_firm(memory: Memory, now: datetime, rules: Rules) -> Memory:
    """Return a memory as confirmed, and at least as firm as what is told outright begins."""
    born = rules.new_trace(Birth(at=now, tier=memory.nature.tier, explicit=True))
    trace = replace(
        memory.trace,
        stability_hours=max(memory.trace.stability_hours, born.stability_hours),
        importance=max(memory.trace.importance, born.importance),
    )
    return _confirmed(replace(memory, trace=trace))


def _confirmed(memory: Memory) -> Memory:
    return without_doubt(replace(memory, origin=replace(memory.origin, verified=True)))


def _with_text(memory: Memory, text: str, now: datetime) -> Memory:
    # Words that were said stay as they were said; only the gist is the partner's to correct.
    passages = tuple(p for p in memory.passages if p.verbatim)
    sources = tuple(i for p in memory.passages if not p.verbatim for i in p.source_ids)
    gist = Passage(
        text=text,
        source_ids=sources or memory.source_ids,
        at=memory.origin.at,
        speaker=memory.origin.speaker,
        speaker_id=only_speaker(p for p in memory.passages if not p.verbatim),
    )
    level = max(memory.words.level, Level.SUMMARY)
    words = replace(
        memory.words, text=text, phrase=phrase_of(text), keywords=keywords(text), level=level
    )
    return replace(
        memory,
        words=words,
        passages=(gist, *passages),
        origin=replace(memory.origin, verified=True),
        trace=replace(memory.trace, updated_at=now),
    )


def _settings(state: MemoryState) -> AgentSettings:
    return state.agent_info.settings
