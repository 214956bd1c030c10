"""``/memory show`` and ``associations``: everything about one memory.

What is stored, the quantities computed from it, when it will fade, what it is linked to, and its
past. The curve of :mod:`bot.desk.pictures` uses the same forecast.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.desk import answers, documents
from bot.desk.agent_settings import lines_table
from bot.desk.command import Call
from bot.texts import Sentence, desk, desk_changes, desk_help
from memory.laws.contract import may_fade
from memory.laws.disuse import salience_of
from memory.laws.registry import stays
from memory.model import Link, LinkType, Memory, Merged, Source, Tier
from memory.network.walk import is_forgotten
from memory.privacy.vault import UnsealFailure
from memory.recall.in_mind import assessment
from memory.recall.telling import lines_around
from memory.state import MemoryState, is_hidden
from memory.text.line_salience import most_salient_line
from memory.text.salience import Salience, Telling, most_salient
from memory.views import MemoryView, view

# Every law is asked for each day in turn, because not every law has a formula that can be solved
# for time. Beyond two months a week more or less says nothing to the partner.
DAILY_DAYS: Final = 60

HORIZON: Final = timedelta(days=3 * 365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """When a memory begins to fade and when its law acts on it; None is not within three years.

    ``never_fades`` says that no law takes it away.
    """

    never_fades: bool = False
    fades_at: datetime | None = None
    ends_at: datetime | None = None


def forecast_of(memory: Memory, state: MemoryState, now: datetime) -> Forecast:
    """Return what the agent's law will do to a memory if nothing happens to it."""
    if not may_fade(memory) or stays(memory, state.rules):
        return Forecast(never_fades=True)
    fades: datetime | None = None
    ends: datetime | None = None
    for day in _days(now):
        found = assessment(memory, state, day)
        if fades is None and found.is_fading:
            fades = day
        if ends is None and found.fates:
            ends = day
        if fades is not None and ends is not None:
            break
    return Forecast(fades_at=fades, ends_at=ends)


def _days(now: datetime) -> Iterator[datetime]:
    yield from (now + timedelta(days=each) for each in range(DAILY_DAYS))
    day = now + timedelta(days=DAILY_DAYS)
    while day <= now + HORIZON:
        yield day
        day += timedelta(days=7)


QUOTED: Final = 8

SHORT: Final = 60

MOST_LINKS: Final = 36
"""With what is said above and below them, no more than the 40 lines of a screen."""

MOST_SIGNS: Final = 5

LEAST_SIGN: Final = 0.3
"""What adds less to the sum says nothing to the partner."""

LOGGED: Final = 8


async def show(call: Call) -> documents.Document:
    """Show everything about one memory. A sealed one is opened in private only, for its owner."""
    turn = call.memory().origin.turn_id
    link = await call.services.link_to(turn) if call.services is not None else ""
    return await asyncio.to_thread(_memory_document, call, link)


def _memory_document(call: Call, link: str) -> documents.Document:
    memory = _readable_memory(call, call.memory())
    blocks: list[documents.Block] = [
        documents.Text(f"#{memory.id} {answers.memory_line(call, memory, 1_000)}", title=True),
        *present_blocks(call, memory, link),
        *_history_tables(call, memory),
        documents.Buttons(tuple(_next_buttons(call, memory))),
    ]
    return documents.Document(tuple(blocks), secret=memory is not call.memory())


def present_blocks(call: Call, memory: Memory, link: str = "") -> Iterator[documents.Block]:
    """Yield what a memory is now: facts, quantities, salience, forecast and links."""
    seen = view(memory, call.state, call.now)
    yield _facts(call, memory, seen, link)
    yield _amounts(call, memory, seen)
    yield from _salience_reasons(call, memory)
    yield documents.Text(forecast_text(call, memory))
    linked = tuple(branches(call, memory.id, depth=1))
    yield documents.Tree(documents.Branch(call.say(desk.LINKED_TO), linked))


def _readable_memory(call: Call, memory: Memory) -> Memory:
    """Return a sealed memory opened, where its owner may read it; else as it is."""
    # Without an agent the shell looks at the files of a running program, and has no vault.
    if memory.sealed is None or not call.may_unseal(memory.id) or call.agent is None:
        return memory
    plain = call.agent.unsealed(memory.id)
    return memory if isinstance(plain, UnsealFailure) else plain


def associations(call: Call) -> documents.Document:
    """Show what a memory is linked to, and what that is linked to, as a tree."""
    memory = call.memory()
    grown, left = within(tuple(branches(call, memory.id, depth=2)), MOST_LINKS)
    root = documents.Branch(f"#{memory.id} {answers.memory_line(call, memory, SHORT)}", grown)
    if not grown:
        return documents.Document(
            (documents.Text(call.say(desk.BRINGS_UP_NOTHING, id=memory.id)),)
        )
    told = call.say(desk.STRENGTH_FIRST)
    if left:
        told = f"{call.say(desk.MORE_LINKS, count=left)}\n{told}"
    return documents.Document((documents.Tree(root), documents.Text(told)))


def within(
    grown: tuple[documents.Branch, ...], most: int
) -> tuple[tuple[documents.Branch, ...], int]:
    """Return at most so many branches, the nearest first, and how many were left out.

    Of a memory that many others are linked to, its own links matter more than theirs.
    """
    near, room = grown[:most], max(most - len(grown), 0)
    left = len(grown) - len(near)
    kept: list[documents.Branch] = []
    for branch in near:
        further = branch.branches[:room]
        room -= len(further)
        left += len(branch.branches) - len(further)
        kept.append(documents.Branch(branch.label, further))
    left += sum(len(branch.branches) for branch in grown[most:])
    return tuple(kept), left


def branches(
    call: Call, memory_id: int, *, depth: int, above: tuple[int, ...] = ()
) -> Iterator[documents.Branch]:
    """Yield what a memory is linked to, strongest first, up to ``depth`` links away.

    What was forgotten is shown without its words. ``above`` are the memories on the way here; they
    are left out, so that no branch runs in a circle.
    """
    for link in call.state.links_of(memory_id):
        if link.target in above:
            continue
        target = call.state.memories.get(link.target)
        lost = target is None or is_forgotten(link.target, call.state)
        known = call.say(desk.FORGOTTEN)
        if target is not None and not lost:
            known = f"#{link.target} {answers.brief(target.words.text, SHORT)}"
        because = link.relation or call.say(_reason(call, memory_id, link))
        further = (
            tuple(branches(call, link.target, depth=depth - 1, above=(*above, memory_id)))
            if depth > 1 and not lost
            else ()
        )
        yield documents.Branch(f"{link.strength:.2f} {because} → {known}", further)


def _reason(call: Call, source: int, link: Link) -> Sentence:
    """Return why two are linked, in words that are true of these two.

    A name mentions nothing, it is mentioned; what one answer used was not said together; and
    twenty-four hours seldom lie within one day.
    """
    memory, other = call.state.memories[source], call.state.memories.get(link.target)
    if link.type is LinkType.FOCUS and memory.nature.tier is Tier.ENTITY:
        return desk.LINK_MENTIONED_IN
    if other is not None and link.type is LinkType.CO_TURN:
        return answers.how_together(memory, other)
    if other is not None and link.type is LinkType.TEMPORAL:
        zone = call.state.agent_info.settings.zone
        days = {each.trace.created_at.astimezone(zone).date() for each in (memory, other)}
        return desk.LINK_SAME_DAY if len(days) == 1 else desk.LINK_TEMPORAL
    return _LINKS[link.type.value]


_LINKS: Final[dict[str, Sentence]] = {
    "keyword": desk.LINK_KEYWORD,
    "co_turn": desk.LINK_CO_TURN,
    "temporal": desk.LINK_TEMPORAL,
    "semantic": desk.LINK_SEMANTIC,
    "sequence": desk.LINK_SEQUENCE,
    "focus": desk.LINK_FOCUS,
}


def _facts(call: Call, memory: Memory, one: MemoryView, link: str) -> documents.Facts:
    language = call.language
    entries: tuple[tuple[str, Sentence, documents.Cell], ...] = (
        ("phrase", desk.PHRASE, one.phrase if one.phrase != one.text else ""),
        ("keywords", desk.KEYWORDS, " ".join(one.keywords)),
        ("tier", desk.TIER, answers.term(language, answers.TIERS, one.tier)),
        ("kind", desk.KIND, answers.term(language, answers.KINDS, one.kind)),
        ("topic", desk.TOPIC, answers.term(language, answers.TOPICS, one.topic)),
        ("level", desk.LEVEL, answers.term(language, answers.LEVELS, one.level)),
        ("standing", desk.STANDING, answers.standing_term(language, memory)),
        (
            "sensitivity",
            desk.SENSITIVITY,
            answers.term(language, answers.SENSITIVITIES, one.sensitivity),
        ),
        ("pinned", desk.PINNED, answers.yes_or_no(language, so=one.pinned)),
        ("verified", desk.VERIFIED, answers.yes_or_no(language, so=one.verified)),
        ("created_at", desk.SINCE, call.date_time(one.created_at)),
        ("updated_at", desk.CHANGED, _last_changed(call, memory)),
        ("mentioned", desk.MENTIONED, str(memory.trace.mention_count)),
        ("speaker", desk.SPEAKER, one.speaker),
        ("quote", desk.QUOTE, answers.brief(one.quote, 200)),
        (
            "source_ids",
            desk.SOURCES,
            documents.Term(
                call.say(desk.MESSAGES, count=len(one.source_ids)), " ".join(one.source_ids)
            ),
        ),
        ("source_link", desk.SOURCE_LINK, link),
        ("lineage", desk.LINEAGE, _lineage(memory, call)),
    )
    return documents.Facts(
        tuple((key, call.say(name), value) for key, name, value in entries if value)
    )


def _last_changed(call: Call, memory: Memory) -> str:
    """Return when the words of a memory last changed; empty if they are as they were written."""
    changed = memory.trace.updated_at
    return "" if changed == memory.trace.created_at else call.date_time(changed)


def _salience_reasons(call: Call, memory: Memory) -> Iterator[documents.Block]:
    """Yield what speaks for its being needed later, and against, as its words show it."""
    if not memory.is_fact and memory.nature.tier is not Tier.EPISODE:
        return
    found = _salience_of(call, memory)
    reasons = " · ".join(
        f"{call.say(desk.SALIENCE_SIGNS[sign])} {added:+.1f}"
        for sign, added in found.signs[:MOST_SIGNS]
        if abs(added) >= LEAST_SIGN
    )
    if reasons:
        yield documents.Text(call.say(desk.SALIENCE_REASONS, reasons=reasons))


def _salience_of(call: Call, memory: Memory) -> Salience:
    said = [passage for passage in memory.passages if passage.verbatim]
    if memory.nature.tier is Tier.EPISODE and said:
        return most_salient_line((each.text, each.at, each.role == "user") for each in said)
    told = Telling(explicit=memory.origin.source is Source.USER, names=(call.settings.partner,))
    return most_salient((memory.words.text,), told)


def _amounts(call: Call, memory: Memory, one: MemoryView) -> documents.Bars:
    """Return what every law counts; the agent's own law decides, and its bar has the colour."""
    deciding = answers.COLOURS[one.colour]
    bars = [
        documents.Bar(
            key=law.quantity.key,
            label=law.quantity.title.in_language(call.language),
            share=min(amount.value / law.quantity.full, 1.0),
            value=f"{amount.value:.4g}",
            **({"colour": deciding} if law.name == call.settings.law else {}),
        )
        for law, amount in zip(call.state.laws.each, one.amounts, strict=True)
    ]
    kept = memory.is_active and stays(memory, call.state.rules)
    retained = documents.Bar(
        key="retention",
        label=call.say(desk.RETENTION),
        share=1.0 if kept else one.retention,
        value=call.say(desk_help.STAYS_HERE) if kept else f"{one.retention:.2f}",
        colour=deciding,
    )
    likely = salience_of(memory)
    salience = documents.Bar(
        key="salience", label=call.say(desk.SALIENCE), share=likely, value=f"{likely:.2f}"
    )
    return documents.Bars((*bars, salience, retained), name="quantities")


def forecast_text(call: Call, memory: Memory) -> str:
    """Return in words what the agent's law will do to a memory that nobody speaks of.

    What is no longer among what she remembers has no such future: it can be brought back.
    """
    if isinstance(memory.standing, Merged):
        return call.say(desk.MERGED_INTO, id=memory.standing.into)
    if not memory.is_active:
        gone = desk_changes.IS_HIDDEN if is_hidden(memory) else desk_changes.LET_GO
        return call.say(gone, id=memory.id)
    law = answers.law_title(call, call.settings.law)
    match forecast_of(memory, call.state, call.now):
        case Forecast(never_fades=True):
            return call.say(desk_help.SPARED if may_fade(memory) else desk.STAYS, law=law)
        case Forecast(fades_at=None, ends_at=None):
            return call.say(desk.NOT_SOON, law=law)
        case Forecast(fades_at=datetime() as fades, ends_at=None):
            return call.say(desk.FADES_AND_STAYS, law=law, fades=call.date(fades))
        case Forecast(fades_at=fades, ends_at=ends):
            first = call.date(fades) if fades else "–"
            last = call.date(ends) if ends else "–"
            return call.say(desk.FADES_ON, law=law, fades=first, ends=last)


def _lineage(memory: Memory, call: Call) -> str:
    line, parts = memory.lineage, []
    if line.replaces:
        parts.append(call.say(desk.REPLACES, id=line.replaces))
    if line.replaced_by:
        replaced = desk.REPLACED_BY if memory.is_past else desk.DOUBTED_BY
        parts.append(call.say(replaced, id=line.replaced_by))
    if line.merged_from:
        ids = " ".join(f"#{each}" for each in line.merged_from)
        parts.append(call.say(desk.MERGED_FROM, ids=ids))
    if isinstance(memory.standing, Merged):
        parts.append(call.say(desk.MERGED_INTO, id=memory.standing.into))
    if line.valid_from:
        parts.append(call.say(desk.VALID_FROM, day=call.date(line.valid_from)))
    if line.valid_until:
        parts.append(call.say(desk.VALID_UNTIL, day=call.date(line.valid_until)))
    return " · ".join(parts)


def _history_tables(call: Call, memory: Memory) -> Iterator[documents.Block]:
    """Yield the quotes, the corrections and the weight log, as far as there are any."""
    quotes = [passage for passage in memory.passages if passage.verbatim][:QUOTED]
    if quotes:
        columns = (call.say(desk.SINCE), call.say(desk.SPEAKER), call.say(desk.QUOTE))
        rows = tuple((call.date_time(p.at), p.speaker, answers.brief(p.text, 120)) for p in quotes)
        yield documents.Table(("at", "speaker", "text"), columns, rows, name="quotes")
    around = lines_around(memory.source_ids, call.state)
    if around:
        yield documents.Text(call.say(desk.IN_THE_DIARY))
        yield lines_table(call, around, name="around")
    corrected = call.state.corrections.get(memory.id)
    if corrected and corrected.entries:
        columns = (call.say(desk.SINCE), call.say(desk.WAS), call.say(desk.BECAME))
        rows = tuple(
            (call.date_time(e.at), answers.brief(e.before), answers.brief(e.after))
            for e in corrected.entries
        )
        yield documents.Table(("at", "before", "after"), columns, rows, name="corrections")
    if corrected and corrected.reviews:
        yield documents.Table(
            ("at", "review"),
            (call.say(desk.SINCE), call.say(desk.TIMELINE_REVIEWED)),
            tuple((call.date_time(r.at), answers.review_text(call, r)) for r in corrected.reviews),
            name="reviews",
        )
    log = call.state.weight_logs.get(memory.id)
    if log:
        columns = (call.say(desk.SINCE), call.say(desk.WEIGHT), call.say(desk.WHY))
        rows = tuple(
            (call.date_time(e.at), f"{e.old:.4f} → {e.new:.4f}", e.reason)
            for e in log.entries[-LOGGED:]
        )
        yield documents.Table(("at", "weight", "reason"), columns, rows, name="weight_log")


def _next_buttons(call: Call, memory: Memory) -> Iterator[documents.Button]:
    name = f"#{memory.id}"
    if not memory.is_active:
        yield documents.Button(call.say(desk.DO_RESTORE), f"/memory restore {name}")
        return
    if memory.is_past:
        yield documents.Button(call.say(desk.HOLDS_STILL), f"/memory restore {name}")
    pinned = memory.nature.pinned
    verb = "unpin" if pinned else "pin"
    yield documents.Button(
        call.say(desk.DO_UNPIN if pinned else desk.DO_PIN), f"/memory {verb} {name}"
    )
    yield documents.Button(call.say(desk.DO_HIDE), f"/memory forget {name}")
    yield documents.Button(call.say(desk.DO_ERASE), f"/forget {name}")
