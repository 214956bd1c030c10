"""What takes long to work out for ten thousand memories, kept until it no longer holds.

Of each agent the newest is kept, of few agents, and no words but what the network shows. What is
kept is never what decides: a command is judged by the desk against the state as it is then.
"""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

from bot.desk.command import Call
from bot.page.calendar import DiaryDays
from bot.page.network import NetworkDrawing, same_values, to_the_hour
from bot.tasks import Pace
from memory.laws.contract import HealthColour
from memory.lifecycle.night import health_report, keeps_by_reinforcing
from memory.model import Memory, Tier
from memory.views import MemoryView, view

K = TypeVar("K")
T = TypeVar("T")

MOST_AGENTS: Final = 8
GOOD_FOR: Final = timedelta(minutes=10)
CANDIDATES: Final = 100


@dataclass(frozen=True, slots=True)
class Firmness:
    """How all memories do: how many of each colour, and the weakest, each with what keeps it."""

    counts: Counter[HealthColour]
    weakest: list[tuple[MemoryView, str]]
    total: int


@dataclass(frozen=True, slots=True)
class _Health:
    at: datetime
    settings: object
    erased: int
    counts: Counter[HealthColour]
    weak: tuple[int, ...]


class Kept:
    """Keeps what was worked out; may be asked from several threads."""

    def __init__(self) -> None:
        # One each: who opens the diary does not wait for somebody's network.
        self._days_lock, self._health_lock, self._network_lock = (
            threading.Lock() for _ in range(3)
        )
        self._days: dict[tuple[str, str], DiaryDays] = {}
        self._days_pace = Pace()
        self._health: dict[str, _Health] = {}
        self._networks: dict[str, tuple[tuple[object, ...], bytes]] = {}
        self._drawings: dict[str, NetworkDrawing] = {}

    def days(self, call: Call, pace: Pace) -> DiaryDays:
        """Return the days of an agent's diary as they are now."""
        # Whoever loads them at leisure, ahead of a search, holds somebody up now.
        self._days_pace.hurry()
        with self._days_lock:
            self._days_pace = pace
            key = (call.agent_id, call.settings.time_zone)
            days = _newest(self._days, key, lambda: DiaryDays(call.zone))
            days.follow(call.state, pace)
            return days

    def standing(self, call: Call, pace: Pace) -> Firmness:
        """Return how all memories do. The counts may be ten minutes old, the weakest are not."""
        with self._health_lock:
            health = self._health.get(call.agent_id)
            if health is None or not _still_holds(health, call):
                health = _health_of(call, pace)
                self._health.pop(call.agent_id, None)
                _newest(self._health, call.agent_id, lambda: health)
        memories = call.state.memories
        seen = [
            view(memories[each], call.state, call.now) for each in health.weak if each in memories
        ]
        weak = [each for each in seen if each.fading and _is_shown(memories[each.id])]
        weak.sort(key=lambda each: (each.retention, each.id))
        return Firmness(
            health.counts,
            [(each, _keeping(call, each)) for each in weak[:12]],
            health.counts.total(),
        )

    def network(self, call: Call, pace: Pace) -> bytes:
        """Return the network as the browser draws it."""
        state = call.state
        stamp = (state.memories, state.links, call.settings, to_the_hour(call.now))
        with self._network_lock:
            kept = self._networks.get(call.agent_id)
            if kept is None or not same_values(kept[0], stamp):
                drawing = _newest(self._drawings, call.agent_id, NetworkDrawing)
                kept = (stamp, drawing.json(call, pace))
                self._networks.pop(call.agent_id, None)
                _newest(self._networks, call.agent_id, lambda: kept)
            return kept[1]


def _newest(table: dict[K, T], key: K, make: Callable[[], T]) -> T:
    """Return what is kept under a key, now the newest; the oldest makes room."""
    found = table.pop(key, None) or make()
    table[key] = found
    while len(table) > MOST_AGENTS:
        del table[next(iter(table))]
    return found


def _still_holds(health: _Health, call: Call) -> bool:
    same = (health.settings, health.erased) == (call.settings, len(call.state.tombstones))
    return same and abs(call.now - health.at) < GOOD_FOR


def _health_of(call: Call, pace: Pace) -> _Health:
    report = health_report(call.state, call.now, pace.over)
    shown = [c for c in report.conditions if _is_shown(call.state.memories[c.memory_id])]
    return _Health(
        call.now,
        call.settings,
        len(call.state.tombstones),
        Counter(each.colour for each in shown),
        tuple(each.memory_id for each in shown[:CANDIDATES]),
    )


def _is_shown(memory: Memory) -> bool:
    return memory.is_active and memory.nature.tier is not Tier.ENTITY


def _keeping(call: Call, seen: MemoryView) -> str:
    """Return the command that keeps a memory: a look at it, or a pin where that is not enough."""
    memory = call.state.memories[seen.id]
    verb = "reinforce" if keeps_by_reinforcing(memory, call.state, call.now) else "pin"
    return f"/memory {verb} #{seen.id}"
