"""The commands about a whole memory: law, mode, learning, notices, cleanup, links, reset, diary.

A law and a cleanup are previewed with what the coming night would do; the rest takes effect at
once, and every step can be undone. ``/memory diary`` says how much the diary holds and how long it
is kept, and shows one of its days.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, cast

from bot.conversation.ledger.erasure import ErasureRequest
from bot.desk import answers, parser
from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Document, Facts, Table, Text
from bot.texts import Sentence, desk, desk_changes, dialogue, transfer
from memory.changes import Change, DiaryLine, Drop, Links, Put
from memory.diary import readable_lines, said_in_pause
from memory.lifecycle.effects import (
    SHORTEST_KEPT,
    kept_since,
    without_words_before,
    words_before,
)
from memory.lifecycle.night import FatePlan, plan_fates
from memory.lifecycle.partner_steps import (
    TooSoon,
    plan_cleanup,
    plan_rebuild,
    plan_reset,
    plan_settings,
)
from memory.lifecycle.undo import LARGEST_STEP
from memory.model import AgentSettings, Memory, ModeName
from memory.privacy.sealing import SHORTEST_TEXT
from memory.recall.in_mind import assessment
from memory.state import MemoryState
from memory.text.dates import date_spans

SAMPLE: Final = 5

NIGHT_SENTENCES: Final[dict[str, Sentence]] = {
    "compressed": desk_changes.WOULD_COMPRESS,
    "archived": desk_changes.WOULD_ARCHIVE,
    "deleted": desk_changes.WOULD_DELETE,
}


async def choose_law(call: Call) -> Document:
    """Show the law; with a name, show what another would change, and choose it once confirmed."""
    given = call.given.text("law")
    if given in {"", call.settings.law}:
        return Document((Text(call.say(desk_changes.LAW_IS)), _law_list(call)))
    settings = replace(call.settings, law=given)
    under = state_with(call.state, settings)
    night = await asyncio.to_thread(plan_fates, under, call.now)
    code = _night_code(call, given, night)
    if call.confirmed == code:
        changed = call.say(desk_changes.LAW_CHANGED, law=answers.law_title(call, given))
        return await save_settings(call, settings, changed)
    counts = [await asyncio.to_thread(_fading_count, call, each) for each in (call.state, under)]
    title = call.say(desk_changes.LAW_PREVIEW, law=answers.law_title(call, given))
    fades = call.say(desk_changes.LAW_FADING, now=counts[0], then=counts[1])
    blocks = (Text(title, title=True), *night_preview(call, night), Text(fades))
    return answers.to_confirm(call, blocks, f"/memory law {given}", code)


async def choose_mode(call: Call) -> Document:
    """Choose which memories a search of the desk looks at."""
    wanted = cast("ModeName", call.given.text("mode") or call.settings.mode)
    chinese = parser.MODE.choices[wanted][0]
    shown = chinese if call.language == "zh" else wanted
    line = call.say(desk_changes.MODE_IS, mode=shown)
    return await save_settings(call, replace(call.settings, mode=wanted), line)


async def pause(call: Call) -> Document:
    """Stop learning until ``/memory resume``."""
    settings = replace(call.settings, learning=False)
    return await save_settings(call, settings, call.say(desk_changes.PAUSED))


def kept_nothing(call: Call) -> Document:
    """Return that nothing is kept while learning is paused, and the button that ends that."""
    told = Text(call.say(dialogue.NOT_WHILE_PAUSED))
    return Document((told, Buttons((Button(call.say(desk.DO_RESUME), "/memory resume"),))))


async def resume(call: Call) -> Document:
    """Learn again; what was said in the pause is gone from the talk, and from what is outside."""
    unkept = {m.text for m in said_in_pause(call.state) if len(m.text) >= SHORTEST_TEXT}
    settings = replace(call.settings, learning=True)
    answer = await save_settings(call, settings, call.say(desk_changes.RESUMED))
    if call.services is not None and unkept:
        sought = ErasureRequest(
            agent_id=call.agent_id, matches=unkept.__contains__, before=call.caller.message
        )
        # The ledger's free pages and the terminal's history; no backup ever held it.
        await call.services.erase_outside(sought, lambda _: None)
    return answer


async def switch_notices(call: Call) -> Document:
    """Switch the notices of what was learnt on or off; without a word, say which it is."""
    wanted = call.given.text("switch") or ("on" if call.settings.notices else "off")
    settings = replace(call.settings, notices=wanted == "on")
    line = call.say(desk_changes.NOTICES_ON if settings.notices else desk_changes.NOTICES_OFF)
    return await save_settings(call, settings, line)


async def reset(call: Call) -> Document:
    """Start the conversation over; what is remembered stays."""
    if not call.conversation:
        raise call.refusal(desk_changes.ONLY_IN_CHAT)
    here, now = call.conversation, call.now
    window = call.state.windows.get(here)
    if not await call.writer.steer(lambda state, _: plan_reset(state, here, now)):
        return answers.one_sentence(call, desk_changes.NOTHING_TO_RESET)
    count = len(window.lines) if window else 0
    return answers.with_undo_button(call, call.say(desk_changes.RESET, count=count))


async def cleanup(call: Call) -> Document:
    """Show what the law would do tonight, and do it now once confirmed."""
    dry = call.given.flag("dry-run")
    plan = await asyncio.to_thread(plan_cleanup, call.state, call.now, dry_run=dry)
    if isinstance(plan, TooSoon):
        return answers.one_sentence(call, desk_changes.TOO_SOON, when=call.date_time(plan.next_at))
    code = _night_code(call, "cleanup", plan)
    asked = len(_asked_about(call, plan))
    if not plan.effects and not asked:
        return answers.one_sentence(call, desk_changes.NOTHING_TO_CLEAN)
    if call.confirmed == code:
        await answers.apply_as_shown(call, lambda state, _: _cleanup_changes(state, call, code))
        counts = plan.counts
        line = call.say(
            desk_changes.CLEANED,
            compressed=counts.compressed,
            archived=counts.archived,
            deleted=counts.deleted,
        )
        large = len(plan.changes) > LARGEST_STEP
        more = [Text(call.say(desk_changes.TOO_LARGE))] * large
        more += [Text(call.say(desk_changes.THOUGHT_OVER, count=asked))] * bool(asked)
        return answers.with_undo_button(call, line, *more)
    blocks: tuple[Block, ...] = (
        Text(call.say(desk_changes.CLEANUP_PREVIEW), title=True),
        *night_preview(call, plan),
    )
    if dry:
        return Document(blocks)
    return answers.to_confirm(call, blocks, "/memory cleanup", code)


async def rebuild(call: Call) -> Document:
    """Derive the links between memories anew, where any are missing or became weaker."""
    seen = call.writer.state
    # In a thread: every memory is compared with those it shares a word, a turn or a day with.
    planned = await asyncio.to_thread(plan_rebuild, seen, call.now)
    changes = await call.writer.steer(
        lambda state, _: planned if state is seen else plan_rebuild(state, call.now)
    )
    count = sum(isinstance(c, Put) and isinstance(c.record, Links) for c in changes)
    if not count:
        return answers.one_sentence(call, desk_changes.NOTHING_TO_REBUILD)
    large = count > LARGEST_STEP
    return answers.with_undo_button(
        call,
        call.say(desk_changes.REBUILT, count=count),
        *([Text(call.say(desk_changes.TOO_LARGE_REBUILD))] * large),
    )


async def save_settings(call: Call, settings: AgentSettings, line: str) -> Document:
    """Live by other settings from now on, and say ``line``."""
    if settings == call.settings:
        return Document((Text(line),))
    await call.writer.steer(lambda state, _: plan_settings(state, settings, call.now, "settings"))
    return answers.with_undo_button(call, line)


def _cleanup_changes(state: MemoryState, call: Call, code: str) -> tuple[Change, ...]:
    """Return the changes of the cleanup, if it is still exactly what was shown."""
    plan = plan_cleanup(state, call.now)
    if isinstance(plan, TooSoon) or _night_code(call, "cleanup", plan) != code:
        return ()
    return plan.changes


def _law_list(call: Call) -> Facts:
    return Facts(
        tuple(
            (name, "→" if name == call.settings.law else "·", answers.law_term(call, name))
            for name in call.state.laws.names
        )
    )


def state_with(state: MemoryState, settings: AgentSettings) -> MemoryState:
    """Return the state as it would be under other settings."""
    after, _ = state.apply([Put(replace(state.agent_info, settings=settings))])
    return after


def _fading_count(call: Call, state: MemoryState) -> int:
    return sum(
        memory.is_active and assessment(memory, state, call.now).is_fading
        for memory in state.memories.values()
    )


def night_preview(call: Call, night: FatePlan) -> Iterator[Block]:
    """Yield what a night would do: how many memories of each kind, and the first few."""
    asked = _asked_about(call, night)
    if not night.effects and not asked:
        yield Text(call.say(desk_changes.WOULD_DO_NOTHING))
        return
    for kind, sentence in NIGHT_SENTENCES.items():
        touched = [effect.before for effect in night.effects if effect.kind == kind]
        if touched:
            yield Text(call.say(sentence, count=len(touched)))
        table = partial(answers.preview_table, call, name=kind)
        yield from answers.first_of(call, touched, table, SAMPLE)
    if asked:
        yield Text(call.say(desk_changes.WOULD_REVIEW, count=len(asked)))
    table = partial(answers.preview_table, call, name="reviewed")
    yield from answers.first_of(call, asked, table, SAMPLE)


def _asked_about(call: Call, night: FatePlan) -> list[Memory]:
    """Return the memories for which a night newly asks whether they stay."""
    new = (each.memory_id for each in night.reviews if each.memory_id not in call.state.reviews)
    return [call.state.memories[each] for each in new if each in call.state.memories]


def _night_code(call: Call, what: str, night: FatePlan) -> str:
    effects: list[tuple[int, str]] = sorted((e.before.id, e.kind) for e in night.effects)
    effects += sorted((memory.id, "reviewed") for memory in _asked_about(call, night))
    return answers.confirmation_code(call.agent_id, what, repr(effects))


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
        return Document((Text(call.say(transfer.DIARY_EMPTY)), Text(diary_kept_text(call))))
    since = call.date(min(line.message.at for line in lines.values()))
    holds = call.say(transfer.DIARY_HOLDS, count=len(lines), since=since)
    return Document((Text(holds, title=True), Text(diary_kept_text(call))))


def diary_kept_text(call: Call, days: int | None = -1) -> str:
    """Say how long words are kept: as it is, or as it would be."""
    match call.settings.diary_days if days == -1 else days:
        case None:
            return call.say(transfer.DIARY_KEEPS)
        case 0:
            return call.say(transfer.DIARY_OFF, days=SHORTEST_KEPT.days)
        case kept:
            return call.say(transfer.DIARY_KEEPS_DAYS, days=kept)


async def _keep(call: Call, days: int | None) -> Document:
    """Keep words for so long: at once where nothing goes, else once what goes was confirmed."""
    settings = replace(call.settings, diary_days=days)
    line, before = diary_kept_text(call, days), kept_since(call.now, days)
    going = await _going(call, before) if before and settings != call.settings else None
    if going is None or before is None:
        return await save_settings(call, settings, line)
    lines, quoting, backups = going
    # Not what goes by the minute: whoever reads the preview for a while confirms the same.
    told = (*lines, *map(str, quoting), str(backups))
    code = answers.confirmation_code(call.agent_id, "diary", str(days), *told)
    if call.confirmed == code:
        kept_elsewhere = f"{line}\n{call.say(transfer.COPIES_ELSEWHERE)}"
        return await save_settings(call, settings, kept_elsewhere)
    counts = {
        transfer.DIARY_WOULD_DROP: len(lines),
        transfer.DIARY_WOULD_CUT: len(quoting),
        transfer.DIARY_IN_BACKUPS: backups,
    }
    blocks: list[Block] = [Text(line, title=True)]
    for sentence, count in counts.items():
        if count:
            blocks.append(Text(call.say(sentence, count=count, before=call.date(before))))
    blocks.append(Text(call.say(transfer.COPIES_ELSEWHERE)))
    word = "off" if days == 0 else str(days)
    return answers.to_confirm(call, tuple(blocks), f"/memory diary {word}", code)


async def _going(
    call: Call, before: datetime
) -> tuple[tuple[str, ...], tuple[int, ...], int] | None:
    """Return the lines that go, the memories that lose quotes, and how many backups lose words.

    None if nothing goes.
    """
    changes = await asyncio.to_thread(lambda: tuple(words_before(call.state, before)))
    lines = sorted(str(c.key) for c in changes if isinstance(c, Drop) and c.table is DiaryLine)
    quoting = {c.record.key for c in changes if isinstance(c, Put)}
    backups = 0
    if call.services is not None:
        clean = call.services.backups(call.agent_id).clean
        cleaned = partial(without_words_before, before=before)
        backups = await asyncio.to_thread(
            partial(clean, cleaned, carry_out=False, unread_before=before)
        )
    found = (tuple(lines), tuple(sorted(int(each) for each in quoting)), backups)
    return found if any(found) else None


def _day(call: Call, given: str) -> Document:
    """Show what was said on the day that a text names."""
    spans = date_spans(given, call.now, call.zone)
    if not spans:
        raise call.refusal(transfer.DIARY_NOT_READ, what=given)
    start, end = spans[0].start, spans[0].end
    said = [line for line in readable_lines(call.state) if start <= line.message.at < end]
    day = call.date(start)
    if not said:
        return answers.one_sentence(call, transfer.DIARY_NOTHING_ON, day=day)
    shown, further = answers.page_of(call, said, f"/memory diary {day}")
    title = call.say(transfer.DIARY_OF, day=day, count=len(said))
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
