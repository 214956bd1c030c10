"""An option that does nothing is a defect: every parameter of a law is read somewhere."""

import re
from dataclasses import fields
from pathlib import Path

from memory.laws.parameters import LAWS

ROOT = Path(__file__).resolve().parents[2]
READERS = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("memory", "bot")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.name != "parameters.py"
)


def test_every_parameter_is_read_by_somebody() -> None:
    unread = [
        f"{law}.{each.name}"
        for law, kind in LAWS.items()
        for each in fields(kind)
        if not re.search(rf"\.{each.name}\b", READERS)
    ]

    assert not unread, ", ".join(unread)
