"""The operator's commands: status, agents, limits, backup and restore.

They look at the whole program instead of one conversation, and only an owner may give them, in
private. What they read is behind :class:`~bot.desk.services.DeskServices`.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from bot.clock_watch import Cause, ClockDoubt
from bot.conversation.delivery import ChannelHealth, FailureReason
from bot.conversation.ledger.ledger import ChannelTraffic
from bot.desk import answers
from bot.desk.command import Call, shut_facts
from bot.desk.documents import Bar, Bars, Block, Cell, Colour, Document, Facts, Table, Term, Text
from bot.desk.services import DeskServices, calls_tables, damage_of_agent, worker_facts
from bot.desk.undo import altered_blocks
from bot.texts import Sentence, desk, shell
from bot.texts import transfer as texts
from memory.agents import agent_ids, folder_of
from memory.changes import Change
from memory.errors import InputRefused
from memory.learning.outcomes import judging, turn_has_failed
from memory.merging.state_import import RollbackPlan, plan_rollback
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.backups import Backup
from memory.stores.disk import Disk
from memory.stores.exports import Export
from memory.stores.file_store import set_aside_files

DAYS: Final = 7

HEALTH_STATES: Final[dict[str, Sentence]] = {
    "starting": desk.HEALTH_STARTING,
    "well": desk.HEALTH_WELL,
    "troubled": desk.HEALTH_TROUBLED,
    "stopped": desk.HEALTH_STOPPED,
}

HEALTH_REASONS: Final[Mapping[FailureReason, Sentence]] = {
    "unreachable": desk.UNREACHABLE,
    "conflict": desk.CONFLICT,
    "rate_limited": desk.RATE_LIMITED,
    "token_refused": desk.TOKEN_REFUSED,
}

CLOCK_CAUSES: Final[Mapping[Cause, Sentence]] = {
    "moved": desk.CLOCK_MOVED,
    "platform": desk.CLOCK_PLATFORM,
    "gap": desk.CLOCK_GAP,
}

# From four fifths of the daily limit on, a bar turns yellow.
NEARLY_SPENT: Final = 0.8


async def status(call: Call) -> Document:
    """Show the channels, what waits and what failed, the model, and what today cost."""
    services = _required_services(call)
    today = call.now.astimezone(call.zone).date()
    spent = await services.tokens_spent(today)
    limit = str(services.daily_limit) if services.daily_limit else call.say(desk.NO_LIMIT)
    channels = await services.channels()
    rows = tuple(_channel_row(call, platform, *known) for platform, known in channels.items())
    columns = (
        desk.CHANNEL,
        desk.RECEIVES,
        desk.LAST_ACTIVITY,
        desk.QUEUE_WAITING,
        desk.QUEUE_FAILED,
        desk.QUEUE_OWED,
    )
    keys = ("platform", "hears", "last_at", "waiting", "failed", "owed")
    facts: tuple[tuple[str, str, Cell], ...] = (
        ("model", call.say(desk.MODEL), services.model or _offline_term(call)),
        ("tokens_today", call.say(desk.TOKENS_TODAY), str(spent)),
        ("tokens_limit", call.say(desk.DAILY_LIMIT), limit),
        *worker_facts(services, call.say),
        *_background_facts(call),
        *shut_facts(call),
        *_judging_facts(call),
        *_clock_facts(call, services),
        *await _backup_facts(call, services),
        *await _damage_facts(call, services),
    )
    blocks: list[Block] = [Text(call.say(desk.STATUS), title=True), Facts(facts)]
    if rows:
        blocks.append(Table(keys, tuple(map(call.say, columns)), rows, name="channels"))
    return Document(tuple(blocks))


async def agents(call: Call) -> Document:
    """List every agent of the data folder: how much it knows, but not what."""
    rows = []
    for agent_id, state in (await _required_services(call).agent_states(call.state.laws)).items():
        law = answers.law_term(call, state.agent_info.settings.law)
        rows.append((agent_id, str(_active_count(state)), law, _last_answer_time(call, state)))
    columns = (desk.AGENT, desk.KNOWS, desk.LAW, desk.LAST_ACTIVITY)
    keys = ("agent", "memories", "law", "last_at")
    title = call.say(desk.AGENTS, count=len(rows))
    table = Table(keys, tuple(map(call.say, columns)), tuple(rows), name="agents")
    return Document((Text(title, title=True), table))


async def limits(call: Call) -> Document:
    """Show what the models cost on each of the last days, in tokens, beside the daily limit."""
    services = _required_services(call)
    today = call.now.astimezone(call.zone).date()
    days = [today - timedelta(days=back) for back in range(DAYS)]
    spent = {day: await services.tokens_spent(day) for day in days}
    # Without a limit the most expensive day is the whole bar, and never nothing.
    whole = services.daily_limit or max(*spent.values(), 1)
    bars = tuple(
        Bar(
            key=day.isoformat(),
            label=day.isoformat(),
            share=min(tokens / whole, 1.0),
            value=str(tokens),
            colour=_usage_colour(tokens, services.daily_limit),
        )
        for day, tokens in spent.items()
    )
    limit = str(services.daily_limit) if services.daily_limit else call.say(desk.NO_LIMIT)
    title = call.say(desk.LIMITS, limit=limit)
    blocks: list[Block] = [Text(title, title=True), Bars(bars, name="days")]
    blocks.extend(calls_tables(services, call.say))
    pace = services.pace
    if pace is not None and pace.cached_tokens is not None and pace.prompt_tokens:
        share = round(100 * pace.cached_tokens / pace.prompt_tokens)
        blocks.append(Text(call.say(desk.CACHED, cached=pace.cached_tokens, share=share)))
    return Document(tuple(blocks))


async def clock(call: Call) -> Document:
    """Say what time it is and whether that is doubted; ``right`` ends a doubt."""
    watch = _required_services(call).clock_watch
    now = call.date_time(call.now)
    doubt = watch.doubt if watch else None
    match call.given.text("verdict"):
        case "right" if watch and doubt:
            watch.trust()
            return answers.one_sentence(call, desk.CLOCK_CONFIRMED, now=now)
        case "wrong" if doubt:
            return answers.one_sentence(call, desk.CLOCK_TO_BE_SET)
        case _:
            lines = (call.say(desk.CLOCK_NOW, now=now), *_clock_lines(call, doubt))
            return Document(tuple(map(Text, lines)))


def _clock_lines(call: Call, doubt: ClockDoubt | None) -> Iterator[str]:
    if doubt is None:
        yield call.say(desk.CLOCK_TRUSTED)
        return
    yield f"{call.say(CLOCK_CAUSES[doubt.cause])}（{call.date_time(doubt.since)}）"
    yield call.say(desk.CLOCK_WAITING, days=timedelta(seconds=doubt.seconds).days)


def _clock_facts(call: Call, services: DeskServices) -> Iterator[tuple[str, str, Cell]]:
    """Yield why the clock is doubted, if it is: /clock says what can be done."""
    doubt = services.clock_watch.doubt if services.clock_watch else None
    if doubt is not None:
        said = f"{call.say(CLOCK_CAUSES[doubt.cause])} → /clock"
        yield "clock", call.say(desk.CLOCK), Term(said, doubt.cause)


def _oldest_last_backup(services: DeskServices, now: datetime) -> datetime | None:
    """Return the oldest of the agents' newest backups; None if an agent has none."""
    newest = [services.backups(each).last(now) for each in agent_ids(services.data, services.disk)]
    dates = [each.at for each in newest if each is not None]
    return min(dates, default=None) if len(dates) == len(newest) else None


async def _backup_facts(call: Call, services: DeskServices) -> list[tuple[str, str, Cell]]:
    """Return since when every agent has a backup: what came later could be lost with the disk."""
    last = await asyncio.to_thread(_oldest_last_backup, services, call.now)
    return [("backup", call.say(texts.LAST_BACKUP), call.date_time(last) if last else "–")]


def _set_aside(data: Path, disk: Disk) -> dict[str, int]:
    """Return how many files of each agent were set aside and not looked into since."""
    known = agent_ids(data, disk)
    counts = {each: len(set_aside_files(folder_of(data, each), disk)) for each in known}
    return {agent_id: count for agent_id, count in counts.items() if count}


async def _damage_facts(call: Call, services: DeskServices) -> list[tuple[str, str, Cell]]:
    """Return what was found damaged in the data folder; nothing if it is well."""
    found = services.ledger.damage
    set_aside = await asyncio.to_thread(_set_aside, services.data, services.disk)
    lines = [
        call.say(shell.SET_ASIDE, agent=agent_id, count=count)
        for agent_id, count in set_aside.items()
    ]
    for agent_id, damage in found.agents.items():
        lines += damage_of_agent(call.say, agent_id, damage)
    if found.ledger.healed:
        lines.append(call.say(shell.LEDGER_WAS_HEALED, count=found.ledger.healed))
    if found.ledger.changed:
        lines.append(call.say(shell.LEDGER_CHANGED, count=found.ledger.changed))
    if found.unwritable_at:
        lines.append(call.say(shell.WRITE_FAILED, at=call.date_time(found.unwritable_at)))
    return [(f"damage{n}", call.say(shell.DAMAGE), line) for n, line in enumerate(lines, 1)]


def _required_services(call: Call) -> DeskServices:
    if call.services is None:
        raise call.refusal(desk.ONLY_LOOKING)
    return call.services


def _background_facts(call: Call) -> tuple[tuple[str, str, Cell], ...]:
    """Return what the background of the caller's agent still has to do."""
    state = call.state
    failed = sum(turn_has_failed(turn) for turn in state.turns.values())
    failed += sum(task.parked for task in state.tasks.values())
    settled = state.agent_info.settled_at
    return (
        ("turns", call.say(desk.WAITING_TURNS), str(len(state.turns))),
        ("tasks", call.say(desk.BACKGROUND_TASKS), str(len(state.tasks))),
        ("parked", call.say(desk.FAILED_WORK), str(failed)),
        ("night", call.say(desk.LAST_NIGHT), call.date_time(settled) if settled else "–"),
    )


def _judging_facts(call: Call) -> Iterator[tuple[str, str, Cell]]:
    """Yield how the model's answers about the last turns fared; nothing if none was asked."""
    fared = judging(call.state)
    if any(fared):
        line = call.say(
            desk.JUDGED, kept=fared.kept, refused=fared.refused, unreadable=fared.unreadable
        )
        yield "judging", call.say(desk.JUDGING), line


def _channel_row(
    call: Call, platform: str, heard: ChannelTraffic | None, health: ChannelHealth | None
) -> tuple[Cell, ...]:
    """Return the row of one platform: its health, its last message, and what it counts."""
    last = call.date_time(datetime.fromisoformat(heard.last_at)) if heard else "–"
    counts = (heard.waiting, heard.failed, heard.owed) if heard else (0, 0, 0)
    return (platform, _health_term(call, health) if health else "–", last, *map(str, counts))


def _health_term(call: Call, health: ChannelHealth) -> Term:
    """Return the health of a platform's connection, since when, and why it is not well."""
    # ``since`` is on the loop's clock, which no change of the system time can move.
    passed = timedelta(seconds=asyncio.get_running_loop().time() - health.since)
    known = HEALTH_REASONS.get(health.reason) if health.reason else None
    why = f"（{call.say(known) if known else health.reason}）" if health.reason else ""
    since = call.say(desk.HEALTH_SINCE, when=call.date_time(call.now - passed))
    plain = f"{health.state} {health.reason or ''}".rstrip()
    return Term(f"{call.say(HEALTH_STATES[health.state])}{why} {since}", plain)


def _offline_term(call: Call) -> Term:
    return Term(call.say(desk.OFFLINE), "offline")


def _active_count(state: MemoryState) -> int:
    return sum(memory.is_active for memory in state.memories.values())


def _last_answer_time(call: Call, state: MemoryState) -> str:
    times = [receipt.at for receipt in state.receipts.values()]
    return call.date_time(max(times)) if times else "–"


def _usage_colour(tokens: int, limit: int) -> Colour:
    if not limit:
        return Colour.PLAIN
    if tokens >= limit:
        return Colour.RED
    return Colour.YELLOW if tokens >= NEARLY_SPENT * limit else Colour.GREEN


SAMPLE: Final = 5

CAUSES: Final[dict[str, Sentence]] = {
    "hand": texts.BY_HAND,
    "restore": texts.BEFORE_RESTORE,
    "import": texts.BEFORE_IMPORT,
    "night": texts.BY_NIGHT,
}


async def backup(call: Call) -> Document:
    """Write a backup of this agent; ``all`` writes one of every agent."""
    services = _required_services(call)
    if call.given.text("which") == "all":
        return await _back_up_every_agent(call, services)
    state, backups = call.writer.state, services.backups(call.agent_id)
    await asyncio.to_thread(backups.write, state, call.now, "hand")
    title = call.say(texts.BACKUP_MADE, count=len(state.memories))
    found = await asyncio.to_thread(backups.list_all, call.now)
    return Document((Text(title, title=True), *_backup_list(call, found)))


async def restore_backup(call: Call) -> Document:
    """List the backups; with a number, show what going back changes, and do it once confirmed."""
    backups = _required_services(call).backups(call.agent_id)
    found = await asyncio.to_thread(backups.list_all, call.now)
    if not call.given.number("number"):
        return Document(tuple(_backup_list(call, found)))
    chosen, number = _chosen_backup(call, found), call.given.number("number")
    try:
        held = await asyncio.to_thread(backups.read, chosen.name)
    except InputRefused as error:
        raise call.refusal(texts.BACKUP_BROKEN, number=number, why=error) from error
    seen = call.writer.state
    plan = await asyncio.to_thread(plan_rollback, seen, held.state, call.now)
    if not plan.changes:
        return answers.one_sentence(call, texts.NOTHING_TO_RESTORE)
    code = _restore_code(call, chosen, plan)
    if call.confirmed != code:
        blocks = tuple(_restore_preview(call, held, plan))
        return answers.to_confirm(call, blocks, f"/restore_backup {number}", code)
    # The present state is backed up first, as the way back. ``spare`` keeps the backup that is
    # being restored from making room for it.
    keep = partial(backups.write, seen, call.now, "restore", spare=chosen.name)
    await asyncio.to_thread(keep)

    def confirmed(state: MemoryState, _: NetworkIndex) -> Sequence[Change]:
        now = plan if state is seen else plan_rollback(state, held.state, call.now)
        return now.changes if _restore_code(call, chosen, now) == code else ()

    await answers.apply_as_shown(call, confirmed)
    return answers.one_sentence(call, texts.RESTORED, when=call.date_time(held.at))


async def _back_up_every_agent(call: Call, services: DeskServices) -> Document:
    rows: list[tuple[Cell, ...]] = []
    for agent_id, state in (await services.agent_states(call.state.laws)).items():
        made = await asyncio.to_thread(services.backups(agent_id).write, state, call.now, "hand")
        rows.append((agent_id, str(len(state.memories)), _size_term(made)))
    columns = (texts.AGENT, texts.KNOWS, texts.SIZE)
    table = Table(
        ("agent", "memories", "bytes"), tuple(map(call.say, columns)), tuple(rows), name="agents"
    )
    return Document((Text(call.say(texts.BACKUPS_MADE, agents=len(rows)), title=True), table))


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
    when, age = call.date_time(held.at), answers.age_text(call, call.now - held.at)
    yield Text(call.say(texts.RESTORE_PREVIEW, when=when, age=age), title=True)
    parts = (
        (texts.RESTORE_BRINGS_BACK, "back", plan.back),
        (texts.RESTORE_TAKES_AWAY, "gone", plan.gone),
    )
    for sentence, name, memories in parts:
        if memories:
            yield Text(call.say(sentence, count=len(memories)))
        table = partial(answers.preview_table, call, name=name)
        yield from answers.first_of(call, memories, table, SAMPLE)
    yield from altered_blocks(call, plan.altered)
    if not (plan.back or plan.gone or plan.altered):
        yield Text(call.say(texts.RESTORE_SAME))
    lost = ((texts.RESTORE_WITHHELD, plan.withheld), (texts.RESTORE_TOO_OLD, plan.too_old))
    yield from (Text(call.say(sentence, count=count)) for sentence, count in lost if count)
    yield Text(call.say(texts.BACKUP_FIRST))


def _size_term(backup: Backup) -> Term:
    return Term(answers.kilobytes(backup.size), str(backup.size))


def _restore_code(call: Call, chosen: Backup, plan: RollbackPlan) -> str:
    ids = [[m.id for m in memories] for memories in (plan.back, plan.gone, plan.altered)]
    return answers.confirmation_code(call.agent_id, chosen.name, repr(ids), str(plan.withheld))
