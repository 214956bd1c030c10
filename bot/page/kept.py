"""What takes long to work out for ten thousand memories, kept until it no longer holds.

It is the days of the diary, how all memories do, and the network as the browser draws it. Of each
agent the newest is kept, of few agents, and no words but what the network shows. What is kept is
never what decides: a command is judged by the desk against the state as it is then.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nlargest
from typing import Final, TypeAlias, TypeVar

import orjson

from bot.desk.answers import brief
from bot.desk.command import Call
from bot.page.calendar import DiaryDays
from bot.tasks import Pace
from memory.changes import Links
from memory.laws.contract import HealthColour
from memory.laws.disuse import salience_of
from memory.laws.registry import stays
from memory.lifecycle.night import health_report, keeps_by_reinforcing
from memory.model import Archived, Deleted, Memory, Merged, Tier
from memory.recall.in_mind import assessment
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


MOST_NODES: Final = 2_000
MOST_LINKS: Final = 5_000
LINKS_EACH: Final = 4
LABEL: Final = 18

TIERS: Final = tuple(Tier)
"""A node names its tier by its place here."""

Row: TypeAlias = tuple[int, str, int, int, int, int]

_DAY: Final = 86_400

_MUCH_LINKED: Final = 4_000
"""Thousandths of links that say as much for a memory as the highest salience."""


@dataclass(eq=False)
class NetworkDrawing:
    """Draws the network of one agent again and again; what did not change is not judged anew.

    What still exists is shown, archived too, each from the day it was learnt to the day it was put
    away or replaced, so that a slider can go back to what she knew then. Only what a memory says
    today is sent: words that were corrected or faded do not come back.

    A memory and its links are immutable, so what was worked out of one holds while it is the same
    object. Not for two threads at once.
    """

    _counted: dict[int, Links] = field(default_factory=dict)
    _degrees: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    _saliences: dict[int, tuple[Memory, float]] = field(default_factory=dict)
    _judged: tuple[object, ...] = ()
    _rows: dict[int, tuple[Memory, Row]] = field(default_factory=dict)

    def json(self, call: Call, pace: Pace) -> bytes:
        """Return nodes and links as the browser reads them.

        A node is ``[id, label, tier, salience %, retention %, from, to]``, the last two in days;
        ``to`` is 0 while it lasts. Of more than 2,000 memories those are sent that are likely to
        be needed or hold much together; a link is the places of two nodes and a strength in
        percent.
        """
        state = call.state
        there = [
            m for m in state.memories.values() if not isinstance(m.standing, Deleted | Merged)
        ]
        self._count_links({memory.id for memory in there}, state.links, pace)
        self._saliences = {memory.id: self._salience(memory) for memory in pace.over(there)}
        ranked = [(self._weight(memory.id), memory.id) for memory in pace.over(there)]
        chosen = [state.memories[number] for _, number in nlargest(MOST_NODES, ranked)]
        places = {memory.id: place for place, memory in enumerate(chosen)}
        body = {
            "tier_names": [each.value for each in TIERS],
            "whole": len(there),
            "today": _day(call.now),
            "nodes": self._nodes(call, chosen, pace),
            "links": _links(call, pace.over(chosen), places),
        }
        return orjson.dumps(body)

    def _count_links(self, there: set[int], links: Mapping[int, Links], pace: Pace) -> None:
        """Follow how much each memory is linked, in thousandths, so that no sum drifts."""
        held = pace.over(links.items())
        present = {source: each for source, each in held if source in there}
        counted, self._counted = self._counted, present
        for source, each in counted.items():
            if present.get(source) is not each:
                self._add_degrees(each, -1)
        for source, each in pace.over(present.items()):
            if counted.get(source) is not each:
                self._add_degrees(each, 1)

    def _add_degrees(self, links: Links, sign: int) -> None:
        for link in links.links:
            strength = sign * round(1_000 * link.strength)
            self._degrees[links.source] += strength
            self._degrees[link.target] += strength

    def _salience(self, memory: Memory) -> tuple[Memory, float]:
        kept = self._saliences.get(memory.id)
        return kept if kept and kept[0] is memory else (memory, salience_of(memory))

    def _weight(self, memory_id: int) -> float:
        """Return how much a memory belongs on the picture: likely to be needed, or much linked."""
        linked = min(self._degrees.get(memory_id, 0), _MUCH_LINKED)
        return self._saliences[memory_id][1] + linked / _MUCH_LINKED

    def _nodes(self, call: Call, chosen: list[Memory], pace: Pace) -> list[list[int | str]]:
        state, now = call.state, call.now
        # Where a law reads links, what is left of a memory may change without it.
        linked = state.links if state.rules.law.reads_links else None
        judged = (call.settings, linked, to_the_hour(now))
        former = self._rows if same_values(self._judged, judged) else {}
        rows: dict[int, tuple[Memory, Row]] = {}
        for memory in pace.over(chosen):
            kept = former.get(memory.id)
            if kept is None or kept[0] is not memory:
                kept = (memory, _row(call, memory))
            rows[memory.id] = kept
        self._rows, self._judged = rows, judged
        return [[*rows[memory.id][1], _last_day(call, memory)] for memory in chosen]


def to_the_hour(at: datetime) -> datetime:
    """Return the hour in which something is; what fades does not show within one."""
    return at.replace(minute=0, second=0, microsecond=0)


def same_values(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two stamps are of one state; tables are the same only as one object."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(a is b or (not isinstance(a, Mapping) and a == b) for a, b in pairs)


def _row(call: Call, memory: Memory) -> Row:
    """Return what is drawn of a memory, but for the day it ends."""
    words = memory.words
    label = "" if memory.sealed is not None else words.phrase or words.text
    found = assessment(memory, call.state, call.now)
    return (
        memory.id,
        brief(label, LABEL),
        TIERS.index(memory.nature.tier),
        round(100 * salience_of(memory)),
        100 if stays(memory, call.state.rules) else round(100 * found.retention),
        _day(memory.trace.created_at),
    )


def _last_day(call: Call, memory: Memory) -> int:
    """Return the day until which it was known and held, 0 while it does."""
    line, ends = memory.lineage, []
    if isinstance(memory.standing, Archived):
        ends.append(memory.standing.at)
    if line.valid_until is not None:
        ends.append(line.valid_until)
    if memory.trace.negated_at is not None:
        ends.append(memory.trace.negated_at)
    # Not by a number that no memory has: of a table on disk that is the dearest to ask for.
    ended_by = line.replaced_by if memory.is_past else None
    newer = call.state.memories.get(ended_by) if ended_by else None
    if newer is not None:
        ends.append(newer.trace.created_at)
    return max(_day(min(ends)), 1) if ends else 0


def _day(at: datetime) -> int:
    return int(at.timestamp() // _DAY)


def _links(call: Call, chosen: Iterable[Memory], places: dict[int, int]) -> list[list[int]]:
    found: dict[tuple[int, int], int] = {}
    for memory in chosen:
        kept = 0
        for link in call.state.links_of(memory.id):
            place = places.get(link.target)
            if place is None or kept == LINKS_EACH:
                continue
            kept += 1
            pair = (places[memory.id], place)
            ends = (min(pair), max(pair))
            found[ends] = max(found.get(ends, 0), round(100 * link.strength))
    strongest = nlargest(MOST_LINKS, found.items(), key=lambda each: (each[1], each[0]))
    return [[a, b, strength] for (a, b), strength in strongest]
