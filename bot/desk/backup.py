"""``/backup`` and ``/restore-backup``: the whole of an agent kept aside, and brought back."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from bot.desk.answers import code_of, said, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Cell, Document, Table, Term, Text
from bot.desk.look import brief
from bot.desk.premises import Premises
from bot.desk.words import kilobytes
from bot.texts import Sentence, desk, desk_steer
from bot.texts import backup as texts
from memory.changes import Change
from memory.errors import InputRefused
from memory.manager.returning import Return, plan_return
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
    premises = _premises(call)
    if call.given.text("which") == "all":
        return await _every(call, premises)
    state, backups = call.writer.state, premises.backups(call.agent_id)
    await asyncio.to_thread(backups.write, state, call.now, "hand")
    title = call.say(texts.MADE, count=len(state.memories))
    found = await asyncio.to_thread(backups.listed)
    return Document((Text(title, title=True), *_list(call, found)))


async def restore_backup(call: Call) -> Document:
    """Show the backups; with a number, what going back would change; confirmed, go back."""
    backups = _premises(call).backups(call.agent_id)
    found = await asyncio.to_thread(backups.listed)
    if not call.given.number("number"):
        return Document(tuple(_list(call, found)))
    chosen, number = _chosen(call, found), call.given.number("number")
    try:
        held = await asyncio.to_thread(backups.read, chosen.name)
    except InputRefused as error:
        raise call.refusal(texts.BROKEN, number=number, why=str(error)) from error
    seen = call.writer.state
    plan = await asyncio.to_thread(plan_return, seen, held.state)
    if not plan.changes:
        return said(call, texts.NOTHING)
    code = _code(call, chosen, plan)
    if call.confirmed != code:
        blocks = tuple(_preview(call, held, plan))
        return to_confirm(call, blocks, f"/restore_backup {number}", code)
    keep = partial(backups.write, seen, call.now, "restore", spare=chosen.name)
    await asyncio.to_thread(keep)

    def again(state: MemoryState) -> Return:
        return plan if state is seen else plan_return(state, held.state)

    def confirmed(state: MemoryState, _: object) -> Sequence[Change]:
        now = again(state)
        return now.changes if _code(call, chosen, now) == code else ()

    if not await call.writer.steer(confirmed):
        raise call.refusal(desk_steer.PREVIEW_CHANGED)
    return said(call, texts.DONE, when=call.day(held.at))


async def _every(call: Call, premises: Premises) -> Document:
    rows: list[tuple[Cell, ...]] = []
    for agent_id, state in (await premises.agents()).items():
        made = await asyncio.to_thread(premises.backups(agent_id).write, state, call.now, "hand")
        rows.append((agent_id, str(len(state.memories)), _size(made)))
    columns = (texts.AGENT, texts.KNOWS, texts.SIZE)
    table = Table(
        ("agent", "memories", "bytes"), tuple(map(call.say, columns)), tuple(rows), name="agents"
    )
    return Document((Text(call.say(texts.MADE_ALL, agents=len(rows)), title=True), table))


def _premises(call: Call) -> Premises:
    if call.premises is None:
        raise call.refusal(desk.ONLY_LOOKING)
    return call.premises


def _chosen(call: Call, found: Sequence[Backup]) -> Backup:
    number = call.given.number("number")
    if number > len(found):
        raise call.refusal(texts.NO_SUCH, which=number)
    return found[number - 1]


def _list(call: Call, found: Sequence[Backup]) -> Iterator[Block]:
    if not found:
        yield Text(call.say(texts.NONE))
        return
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            str(number),
            call.day(each.at),
            Term(call.say(CAUSES[each.cause]), each.cause),
            _size(each),
        )
        for number, each in enumerate(found, start=1)
    )
    columns = (texts.NUMBER, texts.WHEN, texts.WHY, texts.SIZE)
    yield Text(call.say(texts.LIST, count=len(found)))
    keys = ("number", "at", "cause", "bytes")
    yield Table(keys, tuple(map(call.say, columns)), rows, name="backups")
    yield Text(call.say(texts.HOW))


def _preview(call: Call, held: Export, plan: Return) -> Iterator[Block]:
    when, age = call.day(held.at), _age(call, call.now - held.at)
    yield Text(call.say(texts.PREVIEW, when=when, age=age), title=True)
    parts = ((texts.BACK, "back"), (texts.GONE, "gone"), (texts.OTHER, "other"))
    for sentence, name in parts:
        memories: tuple[Memory, ...] = getattr(plan, name)
        if memories:
            yield Text(call.say(sentence, count=len(memories)))
            rows = tuple((f"#{m.id}", brief(m.words.text, 60)) for m in memories[:SAMPLE])
            columns = (call.say(desk.ID), call.say(desk.TEXT))
            yield Table(("id", "text"), columns, rows, name=name)
    if not (plan.back or plan.gone or plan.other):
        yield Text(call.say(texts.SAME))
    if plan.withheld:
        yield Text(call.say(texts.WITHHELD, count=plan.withheld))
    yield Text(call.say(texts.SAFE))


def _age(call: Call, age: timedelta) -> str:
    minutes = max(int(age.total_seconds() // 60), 1)
    if minutes < 2 * 60:
        return call.say(texts.MINUTES, count=minutes)
    hours = minutes // 60
    if hours < 2 * 24:
        return call.say(texts.HOURS, count=hours)
    return call.say(texts.DAYS, count=hours // 24)


def _size(backup: Backup) -> Term:
    return Term(kilobytes(backup.size), str(backup.size))


def _code(call: Call, chosen: Backup, plan: Return) -> str:
    ids = [[m.id for m in memories] for memories in (plan.back, plan.gone, plan.other)]
    return code_of(call.agent_id, chosen.name, repr(ids), str(plan.withheld))
