"""``/memory diary``: how much it holds, how long it is kept, and one of its days to read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.desk import answers
from bot.desk.agent_settings import save_settings
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Table, Text
from bot.texts import desk, desk_changes
from memory.changes import DiaryLine
from memory.diary import readable_lines
from memory.lifecycle.effects import SHORTEST_KEPT, kept_since
from memory.text.dates import date_spans

KEEP: Final = frozenset({"keep", "forever", "留着", "保留", "一直留着", "永远"})

OFF: Final = frozenset({"off", "none", "关", "关掉", "不写"})

_MOST_DAYS: Final = 36_500

_LONGEST_SHOWN: Final = 1_000


async def diary(call: Call) -> Document:
    """Show the diary; with a date, that day; with a retention, keep words only so long."""
    given = call.given.text("diary").strip()
    if not given:
        return _overview(call)
    word = given.casefold().removesuffix("天").removesuffix("days").strip()
    if word in KEEP:
        return await _keep(call, None)
    if word in OFF:
        return await _keep(call, 0)
    if word.isdecimal() and 0 < int(word[:6]) <= _MOST_DAYS and len(word) <= len(str(_MOST_DAYS)):
        return await _keep(call, int(word))
    return _day(call, given)


def _overview(call: Call) -> Document:
    lines = call.state.diary
    if not lines:
        return Document((Text(call.say(desk_changes.DIARY_EMPTY)), Text(_kept_text(call))))
    since = call.date(min(line.message.at for line in lines.values()))
    holds = call.say(desk_changes.DIARY_HOLDS, count=len(lines), since=since)
    return Document((Text(holds, title=True), Text(_kept_text(call))))


def _kept_text(call: Call, days: int | None = -1) -> str:
    """Say how long words are kept: as it is, or as it would be."""
    match call.settings.diary_days if days == -1 else days:
        case None:
            return call.say(desk_changes.DIARY_KEEPS)
        case 0:
            return call.say(desk_changes.DIARY_OFF, days=SHORTEST_KEPT.days)
        case kept:
            return call.say(desk_changes.DIARY_KEEPS_DAYS, days=kept)


async def _keep(call: Call, days: int | None) -> Document:
    """Keep words for so long: at once where nothing goes, else once what goes was confirmed."""
    settings = replace(call.settings, diary_days=days)
    before = kept_since(call.now, days)
    going = sorted(
        k for k, line in call.state.diary.items() if before and line.message.at < before
    )
    line = _kept_text(call, days)
    if not going or before is None or settings == call.settings:
        return await save_settings(call, settings, line)
    # Not what goes by the minute: whoever reads the preview for a while confirms the same.
    code = answers.confirmation_code(call.agent_id, "diary", str(days), *going)
    if call.confirmed == code:
        return await save_settings(call, settings, line)
    drops = call.say(desk_changes.DIARY_WOULD_DROP, count=len(going), before=call.date(before))
    blocks: tuple[Block, ...] = (Text(line, title=True), Text(drops))
    word = "off" if days == 0 else str(days)
    return answers.to_confirm(call, blocks, f"/memory diary {word}", code)


def _day(call: Call, given: str) -> Document:
    """Show what was said on the day that a text names."""
    spans = date_spans(given, call.now, call.zone)
    if not spans:
        raise call.refusal(desk_changes.DIARY_NOT_READ, what=given)
    start, end = spans[0].start, spans[0].end
    said = [line for line in readable_lines(call.state) if start <= line.message.at < end]
    day = call.date(start)
    if not said:
        return answers.one_sentence(call, desk_changes.DIARY_NOTHING_ON, day=day)
    shown, further = answers.page_of(call, said, f"/memory diary {day}")
    title = call.say(desk_changes.DIARY_OF, day=day, count=len(said))
    return Document((Text(title, title=True), lines_table(call, shown, name="diary"), *further))


def lines_table(call: Call, lines: Sequence[DiaryLine], *, name: str) -> Table:
    """Return lines of the diary as a table: when, who, what."""
    columns = (call.say(desk.SINCE), call.say(desk.SPEAKER), call.say(desk.TEXT))
    rows = tuple(
        (
            call.date_time(line.message.at),
            line.message.speaker,
            answers.brief(line.message.text or line.message.quoted, _LONGEST_SHOWN),
        )
        for line in lines
    )
    return Table(("at", "speaker", "text"), columns, rows, name=name)
