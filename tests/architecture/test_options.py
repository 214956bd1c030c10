"""An option that does nothing is a defect: every parameter of a law is read somewhere."""

import re
from dataclasses import fields
from pathlib import Path

from memory.laws.registry import LAWS

ROOT = Path(__file__).resolve().parents[2]
READERS = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("memory", "bot")
    for path in sorted((ROOT / package).rglob("*.py"))
)


def test_every_parameter_is_read_by_somebody() -> None:
    unread = [
        f"{law.name}.{each.name}"
        for law in LAWS
        for each in fields(law.parameters)
        if not re.search(rf"\.{each.name}\b", READERS)
    ]

    assert not unread, ", ".join(unread)
