"""Two small scenarios beside the year: one memory left alone, and seed 000's own simulation."""

from dataclasses import replace
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from benchmarks.lab.world import BORN
from memory.laws.contract import LawContext
from memory.laws.law import Event, after_event, new_trace, quantities, retention
from memory.model import AgentSettings, Memory, Nature, Origin, Source, Tier, Words

ZONE: Final = ZoneInfo("Asia/Shanghai")
LINKS_AT_FIRST: Final = 1.0
DECAY: Final = 0.97
MEMORIES: Final = 20
SIMULATED_DAYS: Final = 30


def a_fact(settings: AgentSettings) -> Memory:
    """Return a new fact."""
    return Memory(
        id=1,
        words=Words(text="主人喜欢拉面"),
        nature=Nature(tier=Tier.FACT),
        trace=new_trace(BORN, settings),
        origin=Origin(source=Source.BACKGROUND, at=BORN),
    )


def left_alone(days: int, mentions: tuple[int, ...] = ()) -> dict[str, list[tuple[float, float]]]:
    """Return what each law retains of one fact, day by day, mentioned on some days.

    ``network`` knows no days: one cycle a day is assumed, links of strength 1 in all, and a
    mention that brings 0.05 from each of four memories shown beside it.
    """
    curves: dict[str, list[tuple[float, float]]] = {}
    for law in ("tiers", "ebbinghaus", "weights", "network"):
        settings = AgentSettings(law=law)
        memory, connected = a_fact(settings), LINKS_AT_FIRST
        curves[law] = []
        for day in range(days + 1):
            now = BORN + timedelta(days=day)
            if day in mentions:
                memory = after_event(memory, Event.MENTION, now, settings)
                connected += 4 * 0.05
            context = LawContext(now, ZONE, connected)
            curves[law].append((day, retention(memory, context, settings)))
            connected *= DECAY
    return curves


def frequent_against_rare() -> dict[str, list[tuple[float, float]]]:
    """Return the mean strength of seed 000's simulation: 20 memories, 30 days (its §11.4).

    Ten are recalled every other day, ten never after they were made.
    """
    settings = AgentSettings(law="ebbinghaus")
    memories = [replace(a_fact(settings), id=number) for number in range(MEMORIES)]
    lines: dict[str, list[tuple[float, float]]] = {"frequent": [], "rare": []}
    for day in range(SIMULATED_DAYS + 1):
        now = BORN + timedelta(days=day)
        context = LawContext(now, ZONE)
        strengths = [quantities(memory, context, settings).strength for memory in memories]
        half = MEMORIES // 2
        lines["frequent"].append((day, sum(strengths[:half]) / half))
        lines["rare"].append((day, sum(strengths[half:]) / half))
        if day and day % 2 == 0:
            used = [after_event(m, Event.ACCESS, now, settings) for m in memories[:half]]
            memories = used + memories[half:]
    return lines
