"""One memory as the page tells it: levels, life, curves, former words, and why it was found."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.desk.agent_settings import state_with
from bot.desk.answers import confirmation_code, review_text
from bot.desk.command import Call
from bot.desk.initiative import reasons_term
from bot.desk.pictures import retention_over
from bot.texts import Sentence, page
from memory.model import Archived, Deleted, Level, Memory, Merged, Source, Tier
from memory.recall import Hit
from memory.state import MemoryState

DAYS: Final = 180
POINTS: Final = 46
MOST_MENTIONS: Final = 12

WIDTH: Final = 640
HEIGHT: Final = 180
_LEFT: Final = 8
_TOP: Final = 10
_FLOOR: Final = 160


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened to a memory; ``what`` is a word of the page's table."""

    at: datetime
    what: str
    detail: str = ""
    other: int = 0


def timeline_of(call: Call, memory: Memory) -> list[Moment]:
    """Return the life of a memory, oldest first."""
    found = [*_told(memory), *_changed(call, memory), *_ended(memory)]
    return sorted(found, key=lambda each: each.at)


def _told(memory: Memory) -> Iterator[Moment]:
    trace, origin = memory.trace, memory.origin
    born = "told" if origin.source is Source.USER else "learnt"
    if origin.source is Source.IMPORT:
        born = "imported"
    if memory.nature.tier is Tier.EPISODE:
        born = "lived"
    yield Moment(trace.created_at, born, origin.speaker)
    for at in trace.mentions[-MOST_MENTIONS:]:
        if at != trace.created_at:
            yield Moment(at, "mentioned")
    if trace.access_count and trace.accessed_at != trace.created_at:
        yield Moment(trace.accessed_at, "used", f"×{trace.access_count}")
    if trace.reinforce_count and trace.reinforced_at != trace.created_at:
        yield Moment(trace.reinforced_at, "firmer", f"×{trace.reinforce_count}")


def _changed(call: Call, memory: Memory) -> Iterator[Moment]:
    corrected = call.state.corrections.get(memory.id)
    for entry in corrected.entries if corrected else ():
        yield Moment(entry.at, "corrected")
    for past in corrected.reviews if corrected else ():
        yield Moment(past.at, "reviewed", review_text(call, past))
    former = call.state.previous_texts.get(memory.id)
    if former is not None:
        yield Moment(former.at, "faded")
    log = call.state.weight_logs.get(memory.id)
    for change in log.entries[-MOST_MENTIONS:] if log else ():
        yield Moment(change.at, "weighed", f"{change.old:.2f} → {change.new:.2f}")


def _ended(memory: Memory) -> Iterator[Moment]:
    line = memory.lineage
    if memory.trace.negated_at is not None:
        yield Moment(memory.trace.negated_at, "negated")
    if line.valid_until is not None:
        yield Moment(line.valid_until, "no_longer", other=line.replaced_by or 0)
    if line.restored_at is not None:
        yield Moment(line.restored_at, "back")
    if line.revived_at is not None:
        yield Moment(line.revived_at, "back")
    match memory.standing:
        case Archived(at):
            yield Moment(at, "archived")
        case Deleted(at):
            yield Moment(at, "hidden")
        case Merged(at, into):
            yield Moment(at, "merged", other=into)
        case _:
            pass


def levels_of(call: Call, memory: Memory) -> list[tuple[str, str, bool]]:
    """Return what stands at each level: its name, its words, and whether it is the present one.

    What is longer than the present level is gone, and its words are empty.
    """
    words = memory.words
    said = " ".join(p.text for p in memory.passages if p.verbatim)
    texts = {
        Level.FULL: said or words.text,
        Level.SUMMARY: words.text,
        Level.TAG: " · ".join(filter(None, (words.phrase, " ".join(words.keywords)))),
        Level.TRACE: words.phrase or words.text,
    }
    del call
    return [
        (level.name.lower(), text if level <= words.level else "", level is words.level)
        for level, text in sorted(texts.items(), reverse=True)
    ]


def once_said(call: Call, memory: Memory) -> list[tuple[datetime, str, str]]:
    """Return the former versions of a memory's words: when, before, after."""
    corrected = call.state.corrections.get(memory.id)
    return [(each.at, each.before, each.after) for each in corrected.entries] if corrected else []


@dataclass(frozen=True, slots=True)
class LawCurve:
    """How much would be retained under one law: the points of a line, and its ends in percent."""

    name: str
    title: str
    points: str
    now: int
    then: int
    own: bool


def curves_of(call: Call, memory: Memory) -> list[LawCurve]:
    """Return how a memory fades under each law from now on, its own law first."""
    if memory.nature.tier in {Tier.SYSTEM, Tier.ENTITY} or not memory.is_active:
        return []
    days = [call.now + timedelta(days=DAYS * n / (POINTS - 1)) for n in range(POINTS)]
    own = call.settings.law
    found = []
    for law in call.state.laws.each:
        under = state_with(call.state, replace(call.settings, law=law.name))
        left = retention_over(memory, under, days)
        title = law.title.in_language(call.language)
        ends = (round(100 * left[0]), round(100 * left[-1]))
        found.append(LawCurve(law.name, title, line_points(left), *ends, law.name == own))
    return sorted(found, key=lambda each: not each.own)


def line_points(values: Sequence[float]) -> str:
    """Return values from 0 to 1 as the points of a line in the picture of the page."""
    step = (WIDTH - 2 * _LEFT) / max(len(values) - 1, 1)
    return " ".join(
        f"{_LEFT + step * n:.1f},{_FLOOR - min(max(value, 0.0), 1.0) * (_FLOOR - _TOP):.1f}"
        for n, value in enumerate(values)
    )


_BECAUSE: Final[Mapping[str, Sentence]] = {
    "word": page.BECAUSE_WORDS,
    "date": page.BECAUSE_DATE,
    "speaker": page.BECAUSE_SPEAKER,
    "path": page.BECAUSE_PATH,
    "beside": page.BECAUSE_BESIDE,
    "deep": page.BECAUSE_DEEP,
}


def reasons_sentence(call: Call, hit: Hit) -> str:
    """Return why a passage was found, as one sentence; what is not known stands as it is."""
    grouped: dict[str, list[str]] = {}
    for reason in hit.reasons:
        kind, _, what = reason.partition(":")
        grouped.setdefault(kind, []).append(what)
    chinese = call.language == "zh"
    between, joined, stop = ("、", "；", "。") if chinese else (", ", "; ", ".")
    parts = []
    for kind, each in grouped.items():
        known = _BECAUSE.get(kind)
        if known is None:
            parts.append(reasons_term(call, [f"{kind}:{one}" for one in each]).shown)
            continue
        template = known.zh if chinese else known.en
        parts.append(template.format_map({"what": between.join(each)}))
    return f"{joined.join(parts)}{stop}" if parts else ""


def words_mark(memory: Memory) -> str:
    """Return what changes with the words of a memory, and says nothing of them."""
    return confirmation_code(repr((memory.words.text, memory.sealed)))


_EDIT: Final = re.compile(r"/memory edit #([0-9]{1,18})")


def says_other_now(state: MemoryState, form: Mapping[str, str]) -> bool:
    """Whether the memory that a form corrects says something else than when it was shown."""
    seen, edited = form.get("seen"), _EDIT.fullmatch(form.get("line", ""))
    memory = state.memories.get(int(edited[1])) if edited else None
    return seen is not None and memory is not None and seen != words_mark(memory)
