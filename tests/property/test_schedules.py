"""A thousand lives: nights missed, doubled and late, both clock changes, a clock set back.

Beside each life runs a closed form that knows no nights: a day is counted by walking the wall
clock, a number by its formula from the dates. Both must be equal to the last bit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import exp, floor
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from memory.changes import AgentInfo, Change, Put
from memory.laws.contract import LawContext
from memory.laws.law import Event
from memory.lifecycle.consequences import GivenVerdict, after_verdicts
from memory.lifecycle.night import plan_night
from memory.model import (
    ACTIVE,
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Lineage,
    Memory,
    Tier,
)
from memory.state import MemoryState
from tests.builders import a_memory
from tests.fakes.cost import times
from tests.fakes.laws import after_event, quantities

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe")
DAY = timedelta(days=1)
EVENTS = (Event.BOOST, Event.MENTION, Event.MANUAL, Event.ACCESS, Event.SUCCESS, Event.FAILURE)
GAINS = {Event.BOOST: 0.3, Event.MENTION: 0.1, Event.MANUAL: 0.3}
UPDATES = {Event.MENTION, Event.MANUAL}
WEAKENING = {Event.FAILURE}
FACTORS = {
    Event.BOOST: 2.0,
    Event.MENTION: 2.0,
    Event.MANUAL: 1.5,
    Event.ACCESS: 1.2,
    Event.SUCCESS: 2.0,
    Event.FAILURE: 0.8,
}


class Happening(NamedTuple):
    """One thing on an agent's timeline: a night (``event`` None), or something to a memory."""

    at: datetime
    memory_id: int = 0
    event: Event | None = None


def a_timeline(rng: Random, zone: ZoneInfo) -> Iterator[Happening]:
    """Yield about two months around a clock change, as this machine's clock told them."""
    change = rng.choice(
        (datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC))
    )
    night = (
        (change - timedelta(days=rng.randint(5, 40))).astimezone(zone).replace(hour=4, minute=0)
    )
    end = night + timedelta(days=rng.randint(20, 80))
    wrong = timedelta(0)
    while night < end:
        night += rng.choice((1, 1, 1, 1, 2, 9, 25)) * DAY  # down for days
        wrong = rng.choice((wrong, wrong, timedelta(0), timedelta(hours=-rng.randint(1, 60))))
        now = night.astimezone(UTC) + wrong
        for _ in range(rng.choice((0, 0, 1, 2))):
            earlier = now - timedelta(seconds=rng.randrange(1, 80_000))
            yield Happening(earlier, rng.choice((1, 2)), rng.choice(EVENTS))
        for _ in range(rng.choice((1, 1, 2))):
            yield Happening(now)


def wall_days(since: datetime, now: datetime, zone: ZoneInfo) -> int:
    """Count days one by one, from the hour on the wall to the same hour on the wall."""
    days = 0
    wall = since.astimezone(zone).replace(tzinfo=None, fold=0)
    while (wall + (days + 1) * DAY).replace(tzinfo=zone).astimezone(UTC) <= now:
        days += 1
    return days


class ClosedForm:
    """What a memory's numbers are, from its events alone."""

    def __init__(self, born: datetime, zone: ZoneInfo, *, fact: bool) -> None:
        self.zone = zone
        self.fact = fact
        self.born = self.accessed = self.reinforced = self.anchored = born
        self.anchor = 1.0
        self.stability = 24.0
        self.count = 0

    def importance(self, now: datetime) -> float:
        if self.fact and self.anchor >= 3.0:
            return self.anchor
        start = self.accessed if self.fact else self.born
        settled = max(wall_days(start, self.anchored, self.zone) - 7, 0)
        days = max(wall_days(start, now, self.zone) - 7 - settled, 0)
        return self.anchor * (0.95 if self.fact else 0.8) ** days

    def strength(self, now: datetime) -> int:
        hours = max((now - self.reinforced) / timedelta(hours=1), 0.0)
        rate = 0.8 if self.count >= 5 else 1.0
        return floor(exp(-hours * rate / self.stability) * 100 + 0.5)

    def happen(self, event: Event, now: datetime) -> None:
        if event in GAINS:
            settled = self.importance(now)
            if self.fact and event in UPDATES:
                settled = max(settled, 1.0)
            gained = GAINS[event] if self.fact or event is Event.BOOST else 0.0
            self.anchor = round(settled + gained, 6)
            self.accessed = self.anchored = now
        self.stability = min(self.stability * FACTORS[event], 8760.0)
        if event not in WEAKENING:
            self.reinforced = now
            self.count += 1

    def ends(self, law: str, now: datetime) -> bool:
        if law == "ebbinghaus":
            return self.strength(now) < 5
        if self.fact:
            return self.importance(now) < 0.3
        return wall_days(self.born, now, self.zone) >= 14


def born_at(memory_id: int, tier: Tier, at: datetime) -> Memory:
    memory = a_memory(memory_id, tier=tier, at=at)
    return replace(memory, lineage=Lineage(consolidated_at=at))


def let_go_below_three_tenths(state: MemoryState, at: datetime) -> Sequence[Change]:
    """Return the verdicts of a reviewer who waits as long as a fact is worth three tenths."""
    context = LawContext(at, state.rules.zone)
    faint = [
        (review, GivenVerdict("delete"))
        for review in state.reviews.values()
        if state.rules.judge(state.memory(review.memory_id), context).amount < 0.3
    ]
    return after_verdicts(state, faint, at)


@pytest.mark.hunted
@pytest.mark.parametrize("law", ["tiers", "ebbinghaus"])
def test_many_lives_equal_the_closed_form(law: str) -> None:
    for seed in range(times(80, hunting=5_000)):
        rng = Random(seed)
        zone = ZoneInfo(rng.choice(ZONES))
        settings = AgentSettings(law=law, time_zone=zone.key)
        timeline = list(a_timeline(rng, zone))
        born = min(each.at for each in timeline) - timedelta(hours=rng.uniform(0, 200))
        forms = {1: ClosedForm(born, zone, fact=True), 2: ClosedForm(born, zone, fact=False)}
        tiers = {1: Tier.FACT, 2: Tier.EPISODE}
        puts = [Put(born_at(key, tier, born)) for key, tier in tiers.items()]
        state, _ = MemoryState().apply([Put(AgentInfo(settings=settings)), *puts])
        ended: dict[int, datetime] = {}
        last_night = born

        for at, memory_id, event in timeline:
            if event is None:
                last_night = max(last_night, at)
                state, _ = state.apply(plan_night(state, at).changes)
                state, _ = state.apply(let_go_below_three_tenths(state, at))
                for key, form in forms.items():
                    if key not in ended and form.ends(law, at):
                        ended[key] = at
            elif memory_id in state.memories and memory_id not in ended:
                before = state.memory(memory_id)
                state, _ = state.apply([Put(after_event(before, event, at, settings))])
                forms[memory_id].happen(event, at)
            check(state, forms, ended, LawContext(at, zone), f"{law} {seed}")
        for key, at in ended.items():
            assert (key in state.memories) is (last_night - at < timedelta(days=30)), seed


def check(
    state: MemoryState,
    forms: dict[int, ClosedForm],
    ended: dict[int, datetime],
    seen: LawContext,
    life: str,
) -> None:
    for key, form in forms.items():
        if key not in state.memories:
            assert key in ended, life
            continue
        memory = state.memory(key)
        amounts = quantities(memory, seen, state.agent_info.settings)
        assert amounts.importance == form.importance(seen.now), life
        assert amounts.strength == form.strength(seen.now), life
        if key in ended:
            assert memory.standing == Deleted(ended[key], DeletionPolicy.AUTO_CLEANUP), life
        elif state.agent_info.settings.law == "tiers":
            assert memory.standing == ACTIVE, life
        else:
            assert memory.standing == ACTIVE or isinstance(memory.standing, Archived), life
