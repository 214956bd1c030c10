"""The network as the browser draws it: few numbers for each node and each link, as JSON.

What still exists is shown, archived too, each from the day it was learnt to the day it was put
away or replaced, so that a slider can go back to what she knew then. Only what a memory says
today is sent: words that were corrected or faded do not come back.
"""

from collections import defaultdict
from datetime import datetime
from heapq import nlargest
from typing import Final

import orjson

from bot.desk.answers import brief
from bot.desk.command import Call
from memory.laws.disuse import salience_of
from memory.model import Archived, Deleted, Memory, Merged, Tier
from memory.views import assessment

MOST_NODES: Final = 2_000
MOST_LINKS: Final = 5_000
LINKS_EACH: Final = 4
LABEL: Final = 18

TIERS: Final = tuple(Tier)
"""A node names its tier by its place here."""

_DAY: Final = 86_400


def network_json(call: Call) -> bytes:
    """Return nodes and links: ``[id, label, tier, salience %, retention %, from, to]``, in days.

    ``to`` is 0 while it lasts. Of more than 2,000 memories those are sent that are likely to be
    needed or hold much together; links are places of two nodes and a strength in percent.
    """
    state = call.state
    there = [m for m in state.memories.values() if not isinstance(m.standing, Deleted | Merged)]
    degrees: dict[int, float] = defaultdict(float)
    for each in there:
        for link in state.links_of(each.id):
            degrees[each.id] += link.strength
            degrees[link.target] += link.strength
    chosen = nlargest(
        MOST_NODES, there, key=lambda m: (salience_of(m) + min(degrees[m.id], 4.0) / 4.0, m.id)
    )
    places = {memory.id: place for place, memory in enumerate(chosen)}
    body = {
        "tier_names": [each.value for each in TIERS],
        "whole": len(there),
        "today": _day(call.now),
        "nodes": [_node(call, each) for each in chosen],
        "links": _links(call, chosen, places),
    }
    return orjson.dumps(body)


def _node(call: Call, memory: Memory) -> list[int | str]:
    words = memory.words
    label = "" if memory.sealed is not None else words.phrase or words.text
    return [
        memory.id,
        brief(label, LABEL),
        TIERS.index(memory.nature.tier),
        round(100 * salience_of(memory)),
        round(100 * assessment(memory, call.state, call.now).retention),
        _day(memory.trace.created_at),
        _last_day(call, memory),
    ]


def _last_day(call: Call, memory: Memory) -> int:
    """Return the day until which it was known and held, 0 while it does."""
    line, ends = memory.lineage, []
    if isinstance(memory.standing, Archived):
        ends.append(memory.standing.at)
    if line.valid_until is not None:
        ends.append(line.valid_until)
    if memory.trace.negated_at is not None:
        ends.append(memory.trace.negated_at)
    newer = call.state.memories.get(line.replaced_by or 0)
    if newer is not None:
        ends.append(newer.trace.created_at)
    return max(_day(min(ends)), 1) if ends else 0


def _day(at: datetime) -> int:
    return int(at.timestamp() // _DAY)


def _links(call: Call, chosen: list[Memory], places: dict[int, int]) -> list[list[int]]:
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
