"""What the page keeps: after whatever happened it shows what it would if it had kept nothing."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TypeAlias

import orjson

from bot.desk.command import Call, ParsedArguments
from bot.desk.desk import permitted_commands, visible_state
from bot.identity import AccessLevel
from bot.page.calendar import DiaryDays
from bot.page.kept import Kept, NetworkDrawing
from bot.tasks import Pace
from memory.changes import Change, DiaryLine, Drop, Links, Put
from memory.laws.law import Event
from memory.lifecycle.partner_steps import plan_settings
from memory.model import Archived, Deleted, DeletionPolicy, Link, LinkType, Memory, Message
from memory.state import MemoryState
from tests.fakes.clock import NOON
from tests.fakes.page_world import PageWorld, page_world

LAWS = ("tiers", "network", "disuse", "ebbinghaus", "weights")
Lines: TypeAlias = dict[date, list[str]]


async def call_of(world: PageWorld) -> Call:
    return Call(
        agent_id="local",
        state=visible_state(await world.state(), private=True),
        now=world.clock.now(),
        given=ParsedArguments(),
        specs=permitted_commands(AccessLevel.OWNER, private=True),
        services=world.program.services,
        unsealed=frozenset(),
    )


def happening(chance: Random, number: int, state: MemoryState, call: Call) -> list[Change]:
    """Return one thing that may happen between two looks."""
    memory = chance.choice([each for each in state.memories.values() if each.id > 8])
    line = chance.choice(list(state.diary.values()))
    other = chance.choice([each for each in state.memories if each != memory.id])
    link = Link(target=other, strength=round(chance.random(), 2), type=LinkType.CO_TURN)
    hidden = Deleted(call.now, DeletionPolicy.USER_DELETE)
    said = Message(id=f"n{number}", at=call.now, speaker="主人", role="user", text="新的")
    new = Put(DiaryLine(message=said, conversation="c", number=90_000 + number))
    settings = replace(call.settings, law=LAWS[number // 9 % len(LAWS)])
    happenings: tuple[list[Change], ...] = (
        [Put(Links(source=memory.id, links=(link,)))],
        [Put(state.rules.after_event(memory, Event.ACCESS, call.now))],
        [Put(replace(memory, standing=hidden))],
        [Put(replace(memory, standing=Archived(call.now)))],
        [new],
        [Drop(DiaryLine, line.key)],
        # As many go as come: the sizes alone say nothing.
        [Drop(DiaryLine, line.key), new],
        [Drop(Memory, memory.id), Drop(Links, memory.id)],
        list(plan_settings(state, settings, call.now, "law")),
    )
    return happenings[number % len(happenings)]


async def carry_out(world: PageWorld, changes: list[Change]) -> None:
    agent = await world.program.agents.get("local")
    await agent.steer(lambda _state, _index: changes)


def lines_in(days: DiaryDays, state: MemoryState) -> Lines:
    return {day: [each.key for each in days.lines(day, state)] for day in sorted(days.counts)}


async def test_what_is_kept_is_never_stale(tmp_path: Path) -> None:
    kept, chance = Kept(), Random(22)
    async with page_world(tmp_path, count=60, lines=120):
        pass
    # Opened anew, so that what is on the disk is told apart from what came since.
    async with page_world(tmp_path, count=0, lines=0) as world:
        for number in range(90):
            call = await call_of(world)
            changes = happening(chance, number, call.state, call)
            await carry_out(world, changes)
            world.clock.tick(seconds=timedelta(hours=number % 4).total_seconds())
            call = await call_of(world)
            anew = DiaryDays(call.zone)
            anew.follow(call.state, Pace())

            drawn = orjson.loads(kept.network(call, Pace()))
            days = kept.days(call, Pace())

            assert drawn == orjson.loads(NetworkDrawing().json(call, Pace())), number
            assert days.counts == anew.counts, number
            assert lines_in(days, call.state) == lines_in(anew, call.state), number
            assert days.newest == anew.newest
    assert world.clock.now() > NOON + timedelta(days=5)
