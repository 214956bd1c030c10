"""A law is known by its value: its name stands in its own module, and nothing branches on it."""

import ast
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.laws.law import Birth, Event
from memory.laws.registry import LAWS, Laws
from memory.model import AgentSettings, Memory, Tier, Trace
from tests.architecture.sources import nodes
from tests.builders import a_memory
from tests.fakes.clock import NOON

ROOT = Path(__file__).resolve().parents[2]
NAMES = frozenset(law.name for law in LAWS)
ALLOWED = {
    "memory/model.py": "the default of the stored settings, below every law",
    "bot/desk/overview.py": "the name of the bars that count memories by tier",
    "benchmarks/crowd.py": "a crowd under the law that costs most",
    "benchmarks/kill_slices.py": "the law whose slices are to be killed",
}


def named_laws(path: Path) -> Iterator[str]:
    """Yield every literal of a file that is the name of a law and not its own."""
    for node in nodes(path):
        if isinstance(node, ast.Constant) and node.value in NAMES and path.stem != node.value:
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.value!r}"


def test_no_law_is_named_outside_its_module() -> None:
    paths = [p for each in ("bot", "memory", "benchmarks") for p in (ROOT / each).rglob("*.py")]
    found = [
        place
        for path in sorted(paths)
        if str(path.relative_to(ROOT)) not in ALLOWED
        for place in named_laws(path)
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", ALLOWED)
def test_every_exception_is_still_needed(path: str) -> None:
    assert list(named_laws(ROOT / path))


def changed_fields(before: Trace, after: Trace) -> set[str]:
    return {
        each.name
        for each in fields(Trace)
        if getattr(before, each.name) != getattr(after, each.name)
    }


def test_no_two_laws_change_one_number() -> None:
    rules = Laws().rules(AgentSettings())
    later = rules.context(NOON + timedelta(days=20))
    start = a_memory(tier=Tier.FACT)
    memory: Memory = replace(start, trace=replace(start.trace, importance=2.0))
    owners: dict[str, str] = {}
    for law, params in zip(LAWS, rules.parameters, strict=True):
        changed: set[str] = set()
        if law.at_birth is not None:
            born = law.at_birth(memory.trace, Birth(at=NOON, explicit=True), params)
            changed |= changed_fields(memory.trace, born)
        if law.after_event is not None:
            for event in Event:
                after = law.after_event(memory, event, later, params)
                changed |= changed_fields(memory.trace, after)
        for name in changed:
            assert owners.setdefault(name, law.name) == law.name, name

    assert {"importance", "stability_hours", "mentions"} <= owners.keys()
