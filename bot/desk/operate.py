"""The operator's commands: how the program is doing, which agents there are, what it costs."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from bot.conversation.channel import ChannelHealth
from bot.conversation.ledger.tracing import ChannelTraffic
from bot.desk.command import Call
from bot.desk.documents import Bar, Bars, Block, Cell, Colour, Document, Facts, Table, Term, Text
from bot.desk.premises import DeskServices
from bot.desk.words import LAWS, term
from bot.texts import Sentence, desk, desk_operate
from memory.background.judged import turn_has_failed
from memory.state import MemoryState

DAYS: Final = 7
HEALTH_STATES: Final[dict[str, Sentence]] = {
    "starting": desk_operate.HEALTH_STARTING,
    "well": desk_operate.HEALTH_WELL,
    "troubled": desk_operate.HEALTH_TROUBLED,
    "stopped": desk_operate.HEALTH_STOPPED,
}
HEALTH_REASONS: Final[dict[str, Sentence]] = {
    "Away": desk_operate.UNREACHABLE,
    "Contested": desk_operate.CONFLICT,
    "Flooded": desk_operate.RATE_LIMITED,
    "TokenRefused": desk_operate.TOKEN_REFUSED,
}
NEARLY_SPENT: Final = 0.8


async def status(call: Call) -> Document:
    """Show what comes in, what waits, what failed, the model, and what today cost."""
    premises = _required_services(call)
    today = call.now.astimezone(call.zone).date()
    spent = await premises.tokens_spent(today)
    limit = str(premises.daily_limit) if premises.daily_limit else call.say(desk_operate.NO_LIMIT)
    channels = await premises.channels()
    rows = tuple(_channel_row(call, platform, *known) for platform, known in channels.items())
    columns = (
        desk_operate.CHANNEL,
        desk_operate.RECEIVES,
        desk_operate.LAST_ACTIVITY,
        desk_operate.QUEUE_WAITING,
        desk_operate.QUEUE_FAILED,
    )
    keys = ("platform", "hears", "last_at", "waiting", "failed")
    facts: tuple[tuple[str, str, Cell], ...] = (
        ("model", call.say(desk_operate.MODEL), premises.model or _offline_term(call)),
        ("tokens_today", call.say(desk_operate.TOKENS_TODAY), str(spent)),
        ("tokens_limit", call.say(desk_operate.DAILY_LIMIT), limit),
        *_background_facts(call),
    )
    blocks: list[Block] = [Text(call.say(desk_operate.STATUS), title=True), Facts(facts)]
    if rows:
        blocks.append(Table(keys, tuple(map(call.say, columns)), rows, name="channels"))
    return Document(tuple(blocks))


async def agents(call: Call) -> Document:
    """Show every agent of the data folder; what they know stays theirs."""
    rows = []
    for agent_id, state in (await _required_services(call).agent_states()).items():
        law = term(call.language, LAWS, state.agent_info.settings.law)
        rows.append((agent_id, str(_active_count(state)), law, _last_answer_time(call, state)))
    columns = (desk_operate.AGENT, desk_operate.KNOWS, desk.LAW, desk_operate.LAST_ACTIVITY)
    keys = ("agent", "memories", "law", "last_at")
    title = call.say(desk_operate.AGENTS, count=len(rows))
    table = Table(keys, tuple(map(call.say, columns)), tuple(rows), name="agents")
    return Document((Text(title, title=True), table))


async def limits(call: Call) -> Document:
    """Show what the models cost over the last days, beside the limit."""
    premises = _required_services(call)
    today = call.now.astimezone(call.zone).date()
    days = [today - timedelta(days=back) for back in range(DAYS)]
    spent = {day: await premises.tokens_spent(day) for day in days}
    whole = premises.daily_limit or max(*spent.values(), 1)
    bars = tuple(
        Bar(
            key=day.isoformat(),
            label=day.isoformat(),
            share=min(tokens / whole, 1.0),
            value=str(tokens),
            colour=_usage_colour(tokens, premises.daily_limit),
        )
        for day, tokens in spent.items()
    )
    limit = str(premises.daily_limit) if premises.daily_limit else call.say(desk_operate.NO_LIMIT)
    title = call.say(desk_operate.LIMITS, limit=limit)
    return Document((Text(title, title=True), Bars(bars, name="days")))


def _required_services(call: Call) -> DeskServices:
    if call.services is None:
        raise call.refusal(desk.ONLY_LOOKING)
    return call.services


def _background_facts(call: Call) -> tuple[tuple[str, str, Cell], ...]:
    """Return what the background of the asking agent still has to do."""
    state = call.state
    parked = sum(turn_has_failed(turn) for turn in state.turns.values())
    parked += sum(task.parked for task in state.tasks.values())
    settled = state.agent_info.settled_at
    return (
        ("turns", call.say(desk_operate.WAITING_TURNS), str(len(state.turns))),
        ("tasks", call.say(desk_operate.BACKGROUND_TASKS), str(len(state.tasks))),
        ("parked", call.say(desk_operate.FAILED_WORK), str(parked)),
        ("night", call.say(desk_operate.LAST_NIGHT), call.date_time(settled) if settled else "–"),
    )


def _channel_row(
    call: Call, platform: str, heard: ChannelTraffic | None, health: ChannelHealth | None
) -> tuple[Cell, ...]:
    """Return one platform: how hearing goes, what came last, what waits, what failed."""
    last = call.date_time(datetime.fromisoformat(heard.last_at)) if heard else "–"
    counts = (str(heard.waiting), str(heard.failed)) if heard else ("0", "0")
    return (platform, _health_term(call, health) if health else "–", last, *counts)


def _health_term(call: Call, health: ChannelHealth) -> Term:
    """Return how hearing goes, since when, and why not well."""
    passed = timedelta(seconds=asyncio.get_running_loop().time() - health.since)
    known = HEALTH_REASONS.get(health.reason)
    why = f"（{call.say(known) if known else health.reason}）" if health.reason else ""
    since = call.say(desk_operate.HEALTH_SINCE, when=call.date_time(call.now - passed))
    plain = f"{health.state} {health.reason}".rstrip()
    return Term(f"{call.say(HEALTH_STATES[health.state])}{why} {since}", plain)


def _offline_term(call: Call) -> Term:
    return Term(call.say(desk_operate.OFFLINE), "offline")


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
