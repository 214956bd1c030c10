"""Two small scenarios beside the year: one memory left alone, and a simulation of a document.

The simulation is that of source document 000, section 11.4.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from benchmarks.lab.world import BORN
from memory.judgement.new_facts import birth_of
from memory.laws import ebbinghaus
from memory.laws.law import Event, Law
from memory.laws.registry import LAWS, Laws, Rules
from memory.model import AgentSettings, Memory, Nature, Origin, Source, Tier, Words

LINKS_AT_FIRST: Final = 1.0
DECAY: Final = 0.97
MEMORIES: Final = 20
SIMULATED_DAYS: Final = 30


def a_fact(rules: Rules) -> Memory:
    """Return a new fact, born as its words say."""
    text = "主人喜欢拉面"
    return Memory(
        id=1,
        words=Words(text=text),
        nature=Nature(tier=Tier.FACT),
        trace=rules.new_trace(birth_of((text,), BORN, rules.settings)),
        origin=Origin(source=Source.BACKGROUND, at=BORN),
    )


def left_alone(
    days: int, mentions: tuple[int, ...] = (), laws: Sequence[Law[Any]] = LAWS
) -> dict[str, list[tuple[float, float]]]:
    """Return what each law retains of one fact, day by day, mentioned on some days.

    ``network`` knows no days: one cycle a day is assumed, links of strength 1 in all, and a
    mention that brings 0.05 from each of four memories shown beside it.
    """
    curves: dict[str, list[tuple[float, float]]] = {}
    for law in laws:
        rules = Laws(tuple(laws)).rules(AgentSettings(law=law.name))
        memory, connected = a_fact(rules), LINKS_AT_FIRST
        curves[law.name] = []
        for day in range(days + 1):
            now = BORN + timedelta(days=day)
            if day in mentions:
                memory = rules.after_event(memory, Event.MENTION, now)
                connected += 4 * 0.05
            found = rules.judge(memory, rules.context(now, connected))
            curves[law.name].append((day, found.retention))
            connected *= DECAY
    return curves


def frequent_against_rare() -> dict[str, list[tuple[float, float]]]:
    """Return the mean strength of 20 memories over 30 days (source document 000 §11.4).

    Ten are recalled every other day, ten never after they were made.
    """
    rules = Laws().rules(AgentSettings(law=ebbinghaus.LAW.name))
    memories = [replace(a_fact(rules), id=number) for number in range(MEMORIES)]
    lines: dict[str, list[tuple[float, float]]] = {"frequent": [], "rare": []}
    for day in range(SIMULATED_DAYS + 1):
        now = BORN + timedelta(days=day)
        context = rules.context(now)
        strengths = [rules.judge(memory, context).amount for memory in memories]
        half = MEMORIES // 2
        lines["frequent"].append((day, sum(strengths[:half]) / half))
        lines["rare"].append((day, sum(strengths[half:]) / half))
        if day and day % 2 == 0:
            used = [rules.after_event(m, Event.ACCESS, now) for m in memories[:half]]
            memories = used + memories[half:]
    return lines
