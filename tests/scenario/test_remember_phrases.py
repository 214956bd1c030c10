"""Every way of asking for something to be kept is understood, and nothing else is."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory.learning.remember_requests import explicit_requests, plan_explicit_memories
from tests.builders import a_message
from tests.fakes.judging import a_state
from tests.sets import load_set, load_sets

SHANGHAI = ZoneInfo("Asia/Shanghai")


def kept_of(item: dict[str, Any]) -> str:
    at = datetime.fromisoformat(item["at"])
    at = at if at.tzinfo else at.replace(tzinfo=SHANGHAI)
    said = a_message("1", item["message"], at=at, speaker="主人")
    state = a_state()
    judged = plan_explicit_memories(explicit_requests([said]), state, at)
    after, _ = state.apply(judged.changes)
    return " | ".join(each.words.text for each in after.memories.values() if each.is_fact).lower()


def holds(text: str, wanted: str | list[str]) -> bool:
    ways = [wanted] if isinstance(wanted, str) else wanted
    return any(way.lower() in text for way in ways)


def test_what_is_asked_for_is_kept_with_its_date() -> None:
    asked = [item for item in load_set("truth/phrases") if item["asks"]]
    missed = [
        (item["message"], kept)
        for item in asked
        if not all(holds(kept := kept_of(item), each) for each in item["holds"])
    ]
    assert len(missed) <= 0.05 * len(asked), missed


def test_what_only_speaks_of_remembering_is_not_kept() -> None:
    others = [item for item in load_sets("phrases") if not item["asks"]]
    kept = [item["message"] for item in others if kept_of(item)]
    assert len(kept) <= 1, kept
