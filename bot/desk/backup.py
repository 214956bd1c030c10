"""``/backup`` and ``/restore-backup``: the whole of an agent kept aside, and brought back."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from bot.desk.answers import confirmation_code, one_sentence, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Cell, Document, Table, Term, Text
from bot.desk.look import brief
from bot.desk.premises import DeskServices
from bot.desk.words import kilobytes
from bot.texts import Sentence, desk, desk_steer
from bot.texts import backup as texts
from memory.changes import Change
from memory.errors import InputRefused
from memory.manager.returning import RollbackPlan, plan_rollback
from memory.model import Memory
from memory.state import MemoryState
from memory.stores.backups import Backup
from memory.stores.transfer import Export

SAMPLE: Final = 5
CAUSES: Final[dict[str, Sentence]] = {
    "hand": texts.BY_HAND,
    "restore": texts.BEFORE_RESTORE,
    "import": texts.BEFORE_IMPORT,
}


async def backup(call: Call) -> Document:
    """Keep everything this agent is made of aside; ``all`` does so for every agent."""
    premises = _backup_services(call)
    if call.given.text("which") == "all":
        return await _back_up_every_agent(call, premises)
    state, backups = call.writer.state, premises.backups(call.agent_id)
    await asyncio.to_thread(backups.write, state, call.now, "hand")
    title = call.say(texts.BACKUP_MADE, count=len(state.memories))
    found = await asyncio.to_thread(backups.list_all)
    return Document((Text(title, title=True), *_backup_list(call, found)))


async def restore_backup(call: Call) -> Document:
    """Show the backups; with a number, what going back would change; confirmed, go back."""
    backups = _backup_services(call).backups(call.agent_id)
    found = await asyncio.to_thread(backups.list_all)
    if not call.given.number("number"):
        return Document(tuple(_backup_list(call, found)))
    chosen, number = _chosen_backup(call, found), call.given.number("number")
    try:
        held = await asyncio.to_thread(backups.read, chosen.name)
    except InputRefused as error:
        raise call.refusal(texts.BACKUP_BROKEN, number=number, why=str(error)) from error
    seen = call.writer.state
    plan = await asyncio.to_thread(plan_rollback, seen, held.state)
    if not plan.changes:
        return one_sentence(call, texts.NOTHING_TO_RESTORE)
    code = _restore_code(call, chosen, plan)
    if call.confirmed != code:
        blocks = tuple(_restore_preview(call, held, plan))
        return to_confirm(call, blocks, f"/restore_backup {number}", code)
    keep = partial(backups.write, seen, call.now, "restore", spare=chosen.name)
    await asyncio.to_thread(keep)

    def again(state: MemoryState) -> RollbackPlan:
        return plan if state is seen else plan_rollback(state, held.state)

    def confirmed(state: MemoryState, _: object) -> Sequence[Change]:
        now = again(state)
        return now.changes if _restore_code(call, chosen, now) == code else ()

    if not await call.writer.steer(confirmed):
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    return one_sentence(call, texts.RESTORED, when=call.date_time(held.at))


async def _back_up_every_agent(call: Call, services: DeskServices) -> Document:
    rows: list[tuple[Cell, ...]] = []
    for agent_id, state in (await services.agent_states()).items():
        made = await asyncio.to_thread(services.backups(agent_id).write, state, call.now, "hand")
        rows.append((agent_id, str(len(state.memories)), _size_term(made)))
    columns = (texts.AGENT, texts.KNOWS, texts.SIZE)
    table = Table(
        ("agent", "memories", "bytes"), tuple(map(call.say, columns)), tuple(rows), name="agents"
    )
    return Document((Text(call.say(texts.BACKUPS_MADE, agents=len(rows)), title=True), table))


def _backup_services(call: Call) -> DeskServices:
    if call.services is None:
        raise call.refusal(desk.ONLY_LOOKING)
    return call.services


def _chosen_backup(call: Call, found: Sequence[Backup]) -> Backup:
    number = call.given.number("number")
    if number > len(found):
        raise call.refusal(texts.NO_SUCH_BACKUP, which=number)
    return found[number - 1]


def _backup_list(call: Call, found: Sequence[Backup]) -> Iterator[Block]:
    if not found:
        yield Text(call.say(texts.NO_BACKUP))
        return
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            str(number),
            call.date_time(each.at),
            Term(call.say(CAUSES[each.cause]), each.cause),
            _size_term(each),
        )
        for number, each in enumerate(found, start=1)
    )
    columns = (texts.NUMBER, texts.WHEN, texts.BACKUP_CAUSE, texts.SIZE)
    yield Text(call.say(texts.BACKUP_LIST, count=len(found)))
    keys = ("number", "at", "cause", "bytes")
    yield Table(keys, tuple(map(call.say, columns)), rows, name="backups")
    yield Text(call.say(texts.HOW_TO_RESTORE))


def _restore_preview(call: Call, held: Export, plan: RollbackPlan) -> Iterator[Block]:
    when, age = call.date_time(held.at), _age_text(call, call.now - held.at)
    yield Text(call.say(texts.RESTORE_PREVIEW, when=when, age=age), title=True)
    parts = (
        (texts.RESTORE_BRINGS_BACK, "back"),
        (texts.RESTORE_TAKES_AWAY, "gone"),
        (texts.RESTORE_CHANGES, "other"),
    )
    for sentence, name in parts:
        memories: tuple[Memory, ...] = getattr(plan, name)
        if memories:
            yield Text(call.say(sentence, count=len(memories)))
            rows = tuple((f"#{m.id}", brief(m.words.text, 60)) for m in memories[:SAMPLE])
            columns = (call.say(desk.ID), call.say(desk.TEXT))
            yield Table(("id", "text"), columns, rows, name=name)
    if not (plan.back or plan.gone or plan.altered):
        yield Text(call.say(texts.RESTORE_SAME))
    if plan.withheld:
        yield Text(call.say(texts.RESTORE_WITHHELD, count=plan.withheld))
    yield Text(call.say(texts.BACKUP_FIRST))


def _age_text(call: Call, age: timedelta) -> str:
    minutes = max(int(age.total_seconds() // 60), 1)
    if minutes < 2 * 60:
        return call.say(texts.MINUTES, count=minutes)
    hours = minutes // 60
    if hours < 2 * 24:
        return call.say(texts.HOURS, count=hours)
    return call.say(texts.DAYS, count=hours // 24)


def _size_term(backup: Backup) -> Term:
    return Term(kilobytes(backup.size), str(backup.size))


def _restore_code(call: Call, chosen: Backup, plan: RollbackPlan) -> str:
    ids = [[m.id for m in memories] for memories in (plan.back, plan.gone, plan.altered)]
    return confirmation_code(call.agent_id, chosen.name, repr(ids), str(plan.withheld))
