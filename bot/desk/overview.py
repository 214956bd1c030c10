"""The commands about a memory as a whole: overview, health, fading, metrics and the timeline."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from bot.desk import answers, documents
from bot.desk.command import PAGE_LENGTH, Call
from bot.texts import Sentence, desk, desk_changes, desk_help
from memory.laws.contract import HealthColour, may_delete
from memory.learning import reviewer
from memory.lifecycle.night import (
    HealthReport,
    MemoryCondition,
    keeps_by_reinforcing,
    metrics,
    missed_soon,
)
from memory.lifecycle.night import health_report as health_of
from memory.model import Archived, Deleted, DeletionPolicy, Level, Memory, Merged, Source, Tier
from memory.state import MemoryState

WEAKEST: Final = 3

LABEL_LENGTH: Final = 36


def overview(call: Call) -> documents.Document:
    """Show what is known, how firm it is, what is being talked about, and what is fading."""
    told_of = health_of(call.state, call.now)
    if not told_of.by_standing:
        return answers.nothing_yet(call)
    conditions = _memory_conditions(call, told_of)
    names = told_of.by_tier.get(Tier.ENTITY, 0)
    total = sum(told_of.by_tier.values()) - names
    blocks: list[documents.Block] = [
        documents.Text(call.say(desk.OVERVIEW, count=total, names=names), title=True),
        documents.Facts((("law", call.say(desk.LAW), answers.law_term(call, call.settings.law)),)),
        _tier_bars(call, told_of),
        _band_bars(call, conditions),
    ]
    focus = [
        call.state.memories[each]
        for each in reversed(call.state.agent_info.focus)
        if each in call.state.memories
    ]
    if focus:
        between = "、" if call.language == "zh" else ", "
        known = between.join(memory.words.phrase or memory.words.text for memory in focus)
        blocks.append(documents.Text(call.say(desk.IN_FOCUS, names=known)))
    # The bars above count the two apart, so what only begins to fade is not called almost gone.
    weak = _weak(conditions)
    gone = [each for each in weak if each.colour is HealthColour.RED]
    if weak:
        title = call.say(desk.SOON_GONE if gone else desk_changes.FADING_MOST)
        blocks += [
            documents.Text(title, title=True),
            _condition_bars(call, (gone or weak)[:WEAKEST], "fading"),
        ]
    if not call.settings.learning:
        blocks.append(documents.Text(call.say(desk.IS_PAUSED)))
    blocks.append(_next_steps(call))
    return documents.Document(tuple(blocks))


def health(call: Call) -> documents.Document:
    """Show every memory by how much of it is retained, weakest first, in its colour."""
    told_of = health_of(call.state, call.now)
    shown = _memory_conditions(call, told_of)
    if not shown:
        return answers.nothing_yet(call)
    part, further = answers.page_of(call, shown, "/memory health")
    return documents.Document(
        (
            documents.Text(call.say(desk.HEALTH, count=len(shown)), title=True),
            _band_bars(call, shown),
            *_missed_soon(call, [*_about_to_go(call, told_of)]),
            _condition_bars(call, part, "memories"),
            *further,
        )
    )


def _about_to_go(call: Call, told_of: HealthReport) -> Iterator[int]:
    """Yield what fades, may matter, and would really go; what a reviewer will keep does not."""
    asks = call.state.rules.law.asks_reviews
    for memory_id in missed_soon(call.state, told_of, call.now):
        memory = call.state.memory(memory_id)
        stays = asks and (
            not may_delete(memory) or reviewer.kept_by_rule(memory, call.state, call.now)
        )
        if not stays:
            yield memory_id


def _missed_soon(call: Call, ids: Sequence[int]) -> Iterator[documents.Block]:
    """Yield the sentence of what is about to be forgotten and may matter, and what to do."""
    if not ids:
        yield documents.Text(call.say(desk.NOTHING_MISSED))
        return
    memory = call.state.memory(ids[0])
    text = answers.brief(memory.words.text, LABEL_LENGTH)
    others = len(ids) - 1
    sentence = desk.MISSED_SOON_ONE if not others else desk.MISSED_SOON
    yield documents.Text(call.say(sentence, id=memory.id, text=text, **_counted(others)))
    keep = "reinforce" if keeps_by_reinforcing(memory, call.state, call.now) else "pin"
    yield documents.Buttons(
        (
            documents.Button(call.say(desk.DO_KEEP, id=memory.id), f"/memory {keep} #{memory.id}"),
            documents.Button(
                call.say(desk.DO_LET_GO, id=memory.id), f"/memory forget #{memory.id}"
            ),
        )
    )


def _counted(others: int) -> dict[str, int]:
    return {"others": others} if others else {}


def fading(call: Call) -> documents.Document:
    """Show what is being forgotten, weakest first, and a button that keeps the weakest."""
    weak = _weak(_memory_conditions(call, health_of(call.state, call.now)))
    if not weak:
        return answers.one_sentence(call, desk.NOTHING_FADES)
    first = weak[0].memory_id
    return documents.Document(
        (
            documents.Text(call.say(desk.FADING_ONES, count=len(weak)), title=True),
            _condition_bars(call, weak[:PAGE_LENGTH], "memories"),
            documents.Buttons(
                (
                    documents.Button(
                        call.say(desk.DO_KEEP, id=first), f"/memory reinforce #{first}"
                    ),
                )
            ),
        )
    )


def show_metrics(call: Call) -> documents.Document:
    """Show the seven metrics of source document 001."""
    found = metrics(call.state, call.now)
    spread = {level: found[f"weight_distribution.{level.name.lower()}"] for level in Level}
    whole = sum(spread.values()) or 1.0
    names = {
        "passive_compression_count": desk.METRIC_COMPRESSED,
        "user_activation_count": desk.METRIC_ACTIVATED,
        "negation_count": desk.METRIC_NEGATED,
        "frequent_reinforce_count": desk.METRIC_FREQUENT,
        "batch_merge_count": desk.METRIC_MERGED,
    }
    plain = [(key, call.say(name), f"{found[key]:g}") for key, name in names.items()]
    plain.append(("avg_weight", call.say(desk.METRIC_AVERAGE), f"{found['avg_weight']:.4f}"))
    bars = [
        documents.Bar(
            key=level.name.lower(),
            label=answers.term(call.language, answers.LEVELS, level),
            share=count / whole,
            value=f"{count:g}",
        )
        for level, count in reversed(spread.items())
    ]
    return documents.Document(
        (
            documents.Text(call.say(desk.METRICS), title=True),
            documents.Facts(tuple(plain)),
            documents.Text(call.say(desk.METRIC_SPREAD)),
            documents.Bars(tuple(bars), name="weight_distribution"),
        )
    )


def _tier_bars(call: Call, told_of: HealthReport) -> documents.Bars:
    counts = {
        tier: told_of.by_tier.get(tier, 0) for tier in answers.TIERS if tier is not Tier.ENTITY
    }
    most = max(*counts.values(), 1)
    bars = [
        documents.Bar(
            key=tier.value,
            label=answers.term(call.language, answers.TIERS, tier),
            share=count / most,
            value=str(count),
        )
        for tier, count in counts.items()
        if count
    ]
    resting = [
        documents.Bar(
            key=name,
            label=answers.term(call.language, answers.STANDINGS, name),
            share=min(count / most, 1.0),
            value=str(count),
        )
        for name, count in sorted(told_of.by_standing.items())
        if name != "active"
    ]
    return documents.Bars((*bars, *resting), name="tiers")


def _band_bars(call: Call, conditions: Sequence[MemoryCondition]) -> documents.Bars:
    counts = Counter(each.colour for each in conditions)
    whole = sum(counts.values()) or 1
    return documents.Bars(
        tuple(
            documents.Bar(
                key=band.value,
                label=answers.term(call.language, answers.BANDS, band),
                share=counts.get(band, 0) / whole,
                value=str(counts.get(band, 0)),
                colour=answers.COLOURS[band],
            )
            for band in HealthColour
        ),
        name="health",
    )


def _condition_bars(
    call: Call, conditions: Sequence[MemoryCondition], name: str
) -> documents.Bars:
    return documents.Bars(
        tuple(
            documents.Bar(
                key=str(each.memory_id),
                label=f"#{each.memory_id} "
                + answers.memory_line(call, call.state.memory(each.memory_id), LABEL_LENGTH),
                share=each.retention,
                value=call.say(desk_help.STAYS_HERE) if each.stays else f"{each.retention:.2f}",
                colour=answers.COLOURS[each.colour],
            )
            for each in conditions
        ),
        name=name,
    )


def _memory_conditions(call: Call, told_of: HealthReport) -> list[MemoryCondition]:
    """Return the conditions of all memories except names, weakest first."""
    memories = call.state.memories
    return [c for c in told_of.conditions if memories[c.memory_id].nature.tier is not Tier.ENTITY]


def _weak(conditions: Sequence[MemoryCondition]) -> list[MemoryCondition]:
    return [each for each in conditions if each.colour is not HealthColour.GREEN]


def _next_steps(call: Call) -> documents.Buttons:
    steps = ((desk.SEE_LIST, "list"), (desk.SEE_FADING, "fading"), (desk.SEE_GRAPH, "graph"))
    return documents.Buttons(
        tuple(documents.Button(call.say(label), f"/memory {verb}") for label, verb in steps)
    )


class TimelineEntry(NamedTuple):
    """One entry of the timeline; ``memory_id`` is 0 where it is about no single memory."""

    at: datetime
    what: str
    memory_id: int
    text: str


# Programs that read ``--json`` know these keys, so they outlive the names of our functions.
ENTRY_NAMES: Final[dict[str, Sentence]] = {
    "learnt": desk.TIMELINE_LEARNT,
    "told": desk.TIMELINE_TOLD,
    "lived": desk.TIMELINE_TALKED,
    "imported": desk.TIMELINE_IMPORTED,
    "corrected": desk.TIMELINE_CORRECTED,
    "reviewed": desk.TIMELINE_REVIEWED,
    "archived": desk.TIMELINE_ARCHIVED,
    "hidden": desk.TIMELINE_HIDDEN,
    "forgotten": desk.TIMELINE_FORGOTTEN,
    "merged": desk.TIMELINE_MERGED,
    "negated": desk.TIMELINE_NEGATED,
    "weighed": desk.TIMELINE_WEIGHT,
    "night": desk.TIMELINE_NIGHT,
    "erased": desk.TIMELINE_ERASED,
    "sealed": desk.TIMELINE_SEALED,
}

_WEIGHED: Final[dict[str, Sentence]] = {
    "access": desk.EVENT_ACCESS,
    "success": desk.EVENT_SUCCESS,
    "failure": desk.EVENT_FAILURE,
    "manual": desk.EVENT_MANUAL,
    "association_hit": desk_help.HAPPENS_ASSOCIATED,
    "mention": desk_help.TOLD_AGAIN,
    "boost": desk_help.HAPPENS_USED,
    "keep": desk_help.HAPPENS_KEPT,
    "promote": desk_help.HAPPENS_PROMOTED,
    "negate": desk_help.HAPPENS_NEGATED,
    "archived": desk.TIMELINE_ARCHIVED,
    "deleted": desk.TIMELINE_FORGOTTEN,
    "compressed": desk_help.GREW_SHORTER,
}
"""Why a weight changed, by the words of the log (:mod:`memory.lifecycle.consequences`)."""

_TOMBSTONE_ENTRIES: Final = {"erasure": "erased", "sealing": "sealed"}


def review(call: Call) -> documents.Document:
    """Show what was learnt, corrected, put away and forgotten, the newest first."""
    found = sorted(_timeline(call), key=lambda one: (one.at, one.memory_id), reverse=True)
    if not found:
        return answers.nothing_yet(call)
    part, further = answers.page_of(call, found, "/memory review")
    rows = tuple(_timeline_row(call, one) for one in part)
    columns = tuple(map(call.say, (desk.WHEN, desk.HAPPENED, desk.ID, desk.TEXT)))
    title = documents.Text(call.say(desk.TIMELINE, count=len(found)), title=True)
    table = documents.Table(("at", "what", "id", "text"), columns, rows, name="happenings")
    return documents.Document((title, table, *further))


def _timeline_row(call: Call, one: TimelineEntry) -> tuple[documents.Cell, ...]:
    known = f"#{one.memory_id}" if one.memory_id else ""
    return (
        call.date_time(one.at),
        documents.Term(call.say(ENTRY_NAMES[one.what]), one.what),
        known,
        one.text,
    )


def _timeline(call: Call) -> Iterator[TimelineEntry]:
    state = call.state
    for memory in state.memories.values():
        if memory.nature.tier is not Tier.ENTITY:
            yield from _memory_entries(memory)
    for corrected in state.corrections.values():
        for entry in corrected.entries:
            text = f"{answers.brief(entry.before, 40)} → {answers.brief(entry.after, 40)}"
            yield TimelineEntry(entry.at, "corrected", corrected.memory_id, text)
        for past in corrected.reviews:
            text = answers.review_text(call, past)
            yield TimelineEntry(past.at, "reviewed", corrected.memory_id, text)
    # The numbers of another law decide nothing here.
    for log in state.weight_logs.values() if state.rules.law.logs_nights else ():
        for change in log.entries:
            why = call.say(_WEIGHED[change.reason]) if change.reason in _WEIGHED else change.reason
            text = f"{change.old:.3f} → {change.new:.3f} ({why})"
            yield TimelineEntry(change.at, "weighed", log.memory_id, text)
    yield from _agent_entries(state)


def _agent_entries(state: MemoryState) -> Iterator[TimelineEntry]:
    if state.agent_info.settled_at:
        yield TimelineEntry(state.agent_info.settled_at, "night", 0, "")
    for tombstone in state.tombstones.values():
        yield TimelineEntry(tombstone.at, _TOMBSTONE_ENTRIES[tombstone.kind], 0, "")


def _memory_entries(memory: Memory) -> Iterator[TimelineEntry]:
    text = answers.brief(memory.words.text, 60)
    yield TimelineEntry(memory.trace.created_at, _origin_entry(memory), memory.id, text)
    if memory.trace.negated_at:
        yield TimelineEntry(memory.trace.negated_at, "negated", memory.id, text)
    match memory.standing:
        case Archived(at):
            yield TimelineEntry(at, "archived", memory.id, text)
        case Deleted(at, policy):
            by_partner = policy is DeletionPolicy.USER_DELETE
            yield TimelineEntry(at, "hidden" if by_partner else "forgotten", memory.id, text)
        case Merged(at, into):
            yield TimelineEntry(at, "merged", memory.id, f"{text} → #{into}")
        case _:
            pass


def _origin_entry(memory: Memory) -> str:
    if memory.nature.tier is Tier.EPISODE:
        return "lived"
    if memory.origin.source is Source.IMPORT:
        return "imported"
    return "told" if memory.origin.source is Source.USER else "learnt"
