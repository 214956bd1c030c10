"""An option that does nothing is a defect: every parameter of a law is read somewhere."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from memory.laws.parameters import LAWS

ROOT = Path(__file__).resolve().parents[2]
READERS = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("memory", "bot")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.name != "parameters.py"
)


@pytest.mark.parametrize(
    "name", [f"{law}.{each.name}" for law, kind in LAWS.items() for each in fields(kind)]
)
def test_a_parameter_is_read_by_somebody(name: str) -> None:
    assert re.search(rf"\.{name.partition('.')[2]}\b", READERS)
