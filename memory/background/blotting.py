"""Secrets that are in the vault, taken out of everything else that is kept.

Only values long enough to be known again are looked for: blotting out every 42 because it is
somebody's PIN would cost more than it hides.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from memory.background.privacy import REDACTED, secrets_in
from memory.changes import Change, Drop, Put, Undo
from memory.model import Memory
from memory.state import MemoryState
from memory.vault import Vault

SHORTEST_KNOWN: Final = 6
"""The fewest characters by which a secret is known again in other talk."""

_TABLES: Final = (
    "memories", "windows", "turns", "tasks", "former", "corrections", "receipts", "undos",
)  # fmt: skip
"""Where words of people are kept."""


def known_secrets(state: MemoryState, vault: Vault | None) -> tuple[str, ...]:
    """Return the values in the vault of an agent that may not stand anywhere else, longest first.

    None without a key: what is sealed cannot be compared with anything then.
    """
    if vault is None or not vault.can_seal:
        return ()
    sealed = (memory for memory in state.memories.values() if memory.sealed is not None)
    plain = (vault.open(memory) for memory in sealed)
    return longest_first(
        value
        for memory in plain
        if isinstance(memory, Memory)
        for value in (memory.words.text, *secrets_in(memory.words.text))
        if len(value) >= SHORTEST_KNOWN
    )


def longest_first(values: Iterable[str]) -> tuple[str, ...]:
    """Return values in the order in which they can be blotted out one after another."""
    return tuple(sorted(set(values), key=lambda value: (-len(value), value)))


def redacted(text: str, values: Sequence[str]) -> str:
    """Return a text with every one of ``values`` blotted out."""
    for value in values:
        text = text.replace(value, REDACTED)
    return text


def redaction_changes(values: Sequence[str], state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds one of ``values``, with these blotted out.

    A step that would bring one back when it is undone is forgotten.
    """
    for name in _TABLES:
        for record in getattr(state, name).values():
            if not any(value in text for text in _texts_in(record) for value in values):
                continue
            forgotten = isinstance(record, Undo)
            yield Drop(Undo, record.id) if forgotten else Put(_redacted_record(record, values))


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text in a record; of a memory, of which there are many, where texts stand."""
    if isinstance(value, Memory):
        yield from (value.words.text, value.words.phrase, value.origin.quote)
        yield from value.words.keywords
        yield from (passage.text for passage in value.passages)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts_in(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _texts_in(getattr(value, field.name))


def _redacted_record(value: Any, values: Sequence[str]) -> Any:
    if value.__class__ is str:
        return redacted(value, values)
    if isinstance(value, tuple):
        return tuple(_redacted_record(each, values) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(
            value, **{name: _redacted_record(each, values) for name, each in inside.items()}
        )
    return value
