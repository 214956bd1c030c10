"""What people are called where several may have one name: 安, and for another person 安（2）.

In a group anyone can take another's display name. Who is who is known by the platform's id, which
nobody is shown; so whoever comes second under a name is numbered, in prompts, memories and pages.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final
from unicodedata import normalize

from memory.changes import Change, DiaryLine, Put
from memory.model import Memory
from memory.state import MemoryState

_NUMBERED: Final = re.compile(r"(?P<name>.+)（(?P<number>[1-9][0-9]{0,3})）", re.DOTALL)


class NameIndex:
    """Numbers the people of one name. Call :meth:`note` after changes were applied."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {}

    @classmethod
    def build(cls, state: MemoryState) -> "NameIndex":
        """Return the index of a whole state; may run in a thread."""
        index = cls()
        for _, _, name, person in sorted(_namings_in(state)):
            index._add(name, person)
        return index

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date after changes that were applied."""
        for change in changes:
            match change:
                case Put(DiaryLine() | Memory() as record):
                    for _, _, name, person in _namings(record):
                        self._add(name, person)
                case _:
                    pass

    def assign(self, name: str, person: str) -> str:
        """Return what the person of that id is called: by their name, numbered from 2 on.

        Whoever is new under the name has that number from now on.

        A name that looks numbered already is numbered all the same, so that nobody can take a
        number for their name.
        """
        known = self._numbers.setdefault(_folded(name), {})
        number = known.setdefault(person, max(known.values(), default=0) + 1)
        if number > 1 or _NUMBERED.fullmatch(name.strip()):
            return f"{name}（{number}）"
        return name

    def _add(self, name: str, person: str) -> None:
        found = _NUMBERED.fullmatch(name)
        base, number = (found["name"], int(found["number"])) if found else (name, 0)
        known = self._numbers.setdefault(_folded(base), {})
        if person not in known:
            free = max(known.values(), default=0) + 1
            taken = number in known.values()
            known[person] = number if number and not taken else free


def _folded(name: str) -> str:
    """Return a name as people read it: 管管 with a space behind is the same name."""
    return " ".join(normalize("NFKC", name).casefold().split())


def _namings_in(state: MemoryState) -> Iterator[tuple[datetime, str, str, str]]:
    for record in (*state.diary.values(), *state.memories.values()):
        yield from _namings(record)


def _namings(record: DiaryLine | Memory) -> Iterator[tuple[datetime, str, str, str]]:
    """Yield when, in which message, under which name and by whom something was said."""
    if isinstance(record, DiaryLine):
        said = record.message
        if said.role == "user" and said.speaker_id and said.speaker:
            yield said.at, said.id, said.speaker, said.speaker_id
        return
    # What the diary has let go may still be told in a memory.
    for line in record.passages:
        if line.role == "user" and line.speaker_id and line.speaker:
            yield line.at, "".join(line.source_ids[:1]), line.speaker, line.speaker_id
