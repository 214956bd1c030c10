"""The commands about a whole memory: law, mode, learning, notices, cleanup, links, reset.

A law and a cleanup are previewed with what the coming night would do; the rest takes effect at
once, and every step can be undone.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, cast

from bot.desk import answers
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Text
from bot.texts import Sentence, desk_changes
from memory.changes import Change, Links, Put
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
from memory.state import MemoryState
from memory.views import assessment

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
    under = _state_with(call.state, settings)
    night = await asyncio.to_thread(plan_fates, under, call.now)
    code = _night_code(call, given, night)
    if call.confirmed == code:
        changed = call.say(desk_changes.LAW_CHANGED, law=answers.law_title(call, given))
        return await save_settings(call, settings, changed)
    counts = [await asyncio.to_thread(_fading_count, call, each) for each in (call.state, under)]
    title = call.say(desk_changes.LAW_PREVIEW, law=answers.law_title(call, given))
    fades = call.say(desk_changes.LAW_FADING, now=counts[0], then=counts[1])
    blocks = (Text(title, title=True), *_night_preview(call, night), Text(fades))
    return answers.to_confirm(call, blocks, f"/memory law {given}", code)


async def choose_mode(call: Call) -> Document:
    """Choose which memories a search of the desk looks at."""
    wanted = cast("ModeName", call.given.text("mode") or call.settings.mode)
    line = call.say(desk_changes.MODE_IS, mode=wanted)
    return await save_settings(call, replace(call.settings, mode=wanted), line)


async def pause(call: Call) -> Document:
    """Stop learning until ``/memory resume``."""
    settings = replace(call.settings, learning=False)
    return await save_settings(call, settings, call.say(desk_changes.PAUSED))


async def resume(call: Call) -> Document:
    """Learn again."""
    settings = replace(call.settings, learning=True)
    return await save_settings(call, settings, call.say(desk_changes.RESUMED))


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
        *_night_preview(call, plan),
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


def _state_with(state: MemoryState, settings: AgentSettings) -> MemoryState:
    after, _ = state.apply([Put(replace(state.agent_info, settings=settings))])
    return after


def _fading_count(call: Call, state: MemoryState) -> int:
    return sum(
        memory.is_active and assessment(memory, state, call.now).is_fading
        for memory in state.memories.values()
    )


def _night_preview(call: Call, night: FatePlan) -> Iterator[Block]:
    """Yield what a night would do: how many memories of each kind, and the first few."""
    asked = _asked_about(call, night)
    if not night.effects and not asked:
        yield Text(call.say(desk_changes.WOULD_DO_NOTHING))
        return
    for kind, sentence in NIGHT_SENTENCES.items():
        touched = [effect.before for effect in night.effects if effect.kind == kind]
        if touched:
            yield Text(call.say(sentence, count=len(touched)))
            yield answers.preview_table(call, touched[:SAMPLE], name=kind)
    if asked:
        yield Text(call.say(desk_changes.WOULD_REVIEW, count=len(asked)))
        yield answers.preview_table(call, asked[:SAMPLE], name="reviewed")


def _asked_about(call: Call, night: FatePlan) -> list[Memory]:
    """Return the memories for which a night newly asks whether they stay."""
    new = (each.memory_id for each in night.reviews if each.memory_id not in call.state.reviews)
    return [call.state.memories[each] for each in new if each in call.state.memories]


def _night_code(call: Call, what: str, night: FatePlan) -> str:
    effects: list[tuple[int, str]] = sorted((e.before.id, e.kind) for e in night.effects)
    effects += sorted((memory.id, "reviewed") for memory in _asked_about(call, night))
    return answers.confirmation_code(call.agent_id, what, repr(effects))
