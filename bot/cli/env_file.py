"""The file of settings, ``.env``: read key by key, and written without losing a line of it."""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Final

from dotenv import dotenv_values

from bot.adapters import PLATFORMS
from bot.adapters.platform import Platform
from bot.sections import Section, fields_of
from bot.settings import EXAMPLE_FILE, Settings
from memory.errors import InputRefused
from memory.stores.disk import REAL_DISK, disk_errors, replace_file

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:@,+=-]*", re.ASCII)
"""A value that means itself without quotes."""

_MODE: Final = 0o600


def known_keys(platforms: Collection[Platform] = PLATFORMS) -> frozenset[str]:
    """Return the name of every setting, as it is written in the file."""
    sections: list[type[Section]] = [Settings, *(each.settings for each in platforms)]
    return frozenset(name.upper() for section in sections for name in fields_of(section))


def read_env(file: Path) -> dict[str, str]:
    """Return what a file sets, by key in capitals; nothing if there is no file.

    Raises :class:`InputRefused` for one that cannot be read.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputRefused(f"cannot read {file}: {why}") from error
    return _values_of(text)


def _values_of(text: str) -> dict[str, str]:
    found = dotenv_values(stream=StringIO(text), interpolate=False)
    return {key.upper(): value for key, value in found.items() if value is not None}


def misspelt_keys(file: Path, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each key of the file that is no setting, and the setting that may be meant, or ""."""
    for key in read_env(file):
        if key not in known:
            near = get_close_matches(key, sorted(known), n=1, cutoff=0.75)
            yield key, near[0] if near else ""


def write_env(file: Path, values: Mapping[str, str]) -> None:
    """Set these keys in the file, all or nothing, mode 0600; an empty value takes a key away.

    Everything else stays as it is, comments too. A new file begins as ``.env.example``, where
    each key stands below what it means. Raises :class:`InputRefused` for a value that no line
    can hold and for a file that cannot be read, :class:`StoreUnwritable` if it cannot be written.
    """
    read_env(file)  # what cannot be read is not written over
    text = file.read_text(encoding="utf-8") if file.exists() else _example()
    for key, value in values.items():
        if not value.isprintable():
            raise InputRefused(f"{key}: a setting is one line without control characters")
        text = _with_key(text, key, value)
    now = _values_of(text)
    for key, value in values.items():
        if now.get(key, "") != value:
            raise InputRefused(f"{key}: this value cannot be written on one line of {file}")
    with disk_errors(file):
        REAL_DISK.make_folder(file.absolute().parent)
        replace_file(REAL_DISK, file.absolute(), text.encode())
        file.chmod(_MODE)


def _example() -> str:
    return EXAMPLE_FILE.read_text(encoding="utf-8") if EXAMPLE_FILE.is_file() else ""


def _with_key(text: str, key: str, value: str) -> str:
    """Return the text with a key set where it stood, else below its comment, else at the end."""
    set_here = re.compile(
        rf"^[ \t]*(?:export[ \t]+)?{key}[ \t]*=.*$", re.MULTILINE | re.IGNORECASE
    )
    explained = re.compile(rf"^#{key}=.*$", re.MULTILINE)
    line = f"{key}={_quoted(value)}" if value else f"#{key}="
    places: list[re.Match[str]] = [*set_here.finditer(text)] or [*explained.finditer(text)][:1]
    if not places:
        ended = text if not text or text.endswith("\n") else text + "\n"
        return f"{ended}{line}\n" if value else text
    *former, last = places
    text = text[: last.start()] + line + text[last.end() :]
    # The last of several lines is the one that holds; the others would only mislead.
    for place in reversed(former):
        text = text[: place.start()] + text[place.end() + 1 :]
    return text


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
