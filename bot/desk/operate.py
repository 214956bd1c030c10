"""The operator's commands: how the program is doing, which agents there are, what it costs."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from bot.conversation.channel import Health
from bot.conversation.ledger.tracing import ChannelState
from bot.desk.command import Call
from bot.desk.documents import Bar, Bars, Block, Cell, Colour, Document, Facts, Table, Term, Text
from bot.desk.premises import Premises
from bot.desk.words import LAWS, term
from bot.texts import Sentence, desk, desk_operate
from memory.background.judged import turn_is_parked
from memory.state import MemoryState

DAYS: Final = 7
STATES: Final[dict[str, Sentence]] = {
    "starting": desk_operate.STARTING,
    "well": desk_operate.WELL,
    "troubled": desk_operate.TROUBLED,
    "stopped": desk_operate.STOPPED,
}
REASONS: Final[dict[str, Sentence]] = {
    "Away": desk_operate.AWAY,
    "Contested": desk_operate.CONTESTED,
    "Flooded": desk_operate.FLOODED,
    "TokenRefused": desk_operate.TOKEN_REFUSED,
}
NEARLY: Final = 0.8


async def status(call: Call) -> Document:
    """Show what comes in, what waits, what failed, the model, and what today cost."""
    premises = _premises(call)
    today = call.now.astimezone(call.zone).date()
    spent = await premises.spent(today)
    limit = str(premises.daily_limit) if premises.daily_limit else call.say(desk_operate.NO_LIMIT)
    channels = await premises.channels()
    rows = tuple(_channel(call, platform, *known) for platform, known in channels.items())
    columns = (
        desk_operate.CHANNEL,
        desk_operate.HEARS,
        desk_operate.LAST,
        desk_operate.WAITING,
        desk_operate.FAILED,
    )
    keys = ("platform", "hears", "last_at", "waiting", "failed")
    facts: tuple[tuple[str, str, Cell], ...] = (
        ("model", call.say(desk_operate.MODEL), premises.model or _offline(call)),
        ("tokens_today", call.say(desk_operate.TOKENS), str(spent)),
        ("tokens_limit", call.say(desk_operate.LIMIT), limit),
        *_background(call),
    )
    blocks: list[Block] = [Text(call.say(desk_operate.STATUS), title=True), Facts(facts)]
    if rows:
        blocks.append(Table(keys, tuple(map(call.say, columns)), rows, name="channels"))
    return Document(tuple(blocks))


async def agents(call: Call) -> Document:
    """Show every agent of the data folder; what they know stays theirs."""
    rows = []
    for agent_id, state in (await _premises(call).agents()).items():
        law = term(call.language, LAWS, state.household.settings.law)
        rows.append((agent_id, str(_known(state)), law, _last(call, state)))
    columns = (desk_operate.AGENT, desk_operate.KNOWS, desk.LAW, desk_operate.LAST)
    keys = ("agent", "memories", "law", "last_at")
    title = call.say(desk_operate.AGENTS, count=len(rows))
    table = Table(keys, tuple(map(call.say, columns)), tuple(rows), name="agents")
    return Document((Text(title, title=True), table))


async def limits(call: Call) -> Document:
    """Show what the models cost over the last days, beside the limit."""
    premises = _premises(call)
    today = call.now.astimezone(call.zone).date()
    days = [today - timedelta(days=back) for back in range(DAYS)]
    spent = {day: await premises.spent(day) for day in days}
    whole = premises.daily_limit or max(*spent.values(), 1)
    bars = tuple(
        Bar(
            key=day.isoformat(),
            label=day.isoformat(),
            share=min(tokens / whole, 1.0),
            value=str(tokens),
            colour=_colour(tokens, premises.daily_limit),
        )
        for day, tokens in spent.items()
    )
    limit = str(premises.daily_limit) if premises.daily_limit else call.say(desk_operate.NO_LIMIT)
    title = call.say(desk_operate.LIMITS, limit=limit)
    return Document((Text(title, title=True), Bars(bars, name="days")))


def _premises(call: Call) -> Premises:
    if call.premises is None:
        raise call.refusal(desk.ONLY_LOOKING)
    return call.premises


def _background(call: Call) -> tuple[tuple[str, str, Cell], ...]:
    """Return what the background of the asking agent still has to do."""
    state = call.state
    parked = sum(turn_is_parked(turn) for turn in state.turns.values())
    parked += sum(task.parked for task in state.tasks.values())
    settled = state.household.settled_at
    return (
        ("turns", call.say(desk_operate.TURNS), str(len(state.turns))),
        ("tasks", call.say(desk_operate.TASKS), str(len(state.tasks))),
        ("parked", call.say(desk_operate.PARKED), str(parked)),
        ("night", call.say(desk_operate.NIGHT), call.day(settled) if settled else "–"),
    )


def _channel(
    call: Call, platform: str, heard: ChannelState | None, health: Health | None
) -> tuple[Cell, ...]:
    """Return one platform: how hearing goes, what came last, what waits, what failed."""
    last = call.day(datetime.fromisoformat(heard.last_at)) if heard else "–"
    counts = (str(heard.waiting), str(heard.failed)) if heard else ("0", "0")
    return (platform, _hearing(call, health) if health else "–", last, *counts)


def _hearing(call: Call, health: Health) -> Term:
    """Return how hearing goes, since when, and why not well."""
    passed = timedelta(seconds=asyncio.get_running_loop().time() - health.since)
    known = REASONS.get(health.reason)
    why = f"（{call.say(known) if known else health.reason}）" if health.reason else ""
    since = call.say(desk_operate.SINCE, when=call.day(call.now - passed))
    plain = f"{health.state} {health.reason}".rstrip()
    return Term(f"{call.say(STATES[health.state])}{why} {since}", plain)


def _offline(call: Call) -> Term:
    return Term(call.say(desk_operate.OFFLINE), "offline")


def _known(state: MemoryState) -> int:
    return sum(memory.is_active for memory in state.memories.values())


def _last(call: Call, state: MemoryState) -> str:
    times = [receipt.at for receipt in state.receipts.values()]
    return call.day(max(times)) if times else "–"


def _colour(tokens: int, limit: int) -> Colour:
    if not limit:
        return Colour.PLAIN
    if tokens >= limit:
        return Colour.RED
    return Colour.YELLOW if tokens >= NEARLY * limit else Colour.GREEN
