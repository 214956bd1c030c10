"""The file of settings, ``.env``: read key by key, and written without losing a line of it.

Also whether what is set can be used: the places it names, and the addresses.
"""

import re
import shlex
import shutil
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.adapters import PLATFORMS
from bot.adapters.platform import Finding, Platform
from bot.conversation.messages import persona_of
from bot.sections import Section, fields_of
from bot.settings import EXAMPLE_FILE, Settings, home, open_env_file
from bot.texts import refusals, say, shell
from bot.texts import setup as texts
from bot.web import host_and_port, is_loopback, page_address
from memory.errors import InputRefused
from memory.refusals import said_by_system
from memory.stores.disk import REAL_DISK, disk_errors, replace_file

_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:@,+=-]*", re.ASCII)
"""A value that means itself without quotes."""

_MODE: Final = 0o600


def env_findings(settings: Settings, platforms: Collection[Platform]) -> Iterator[Finding]:
    """Check that nobody else can read the keys, and that each line sets one of them."""
    language, path = settings.language, home().env_file
    file = open_env_file()
    if file:
        yield Finding(good=False, text=say(language, shell.ENV_OPEN, file=file))
    for line in odd_lines(path):
        text = say(language, texts.ODD_LINE, file=path.name, line=line)
        yield Finding(good=False, text=text)
    for key, meant in misspelt_keys(path, known_keys(platforms)):
        sentence = texts.MISSPELT_KEY if meant else texts.UNKNOWN_KEY
        values = {"file": path.name, "key": key} | ({"meant": meant} if meant else {})
        yield Finding(good=False, text=say(language, sentence, **values))


def setting_findings(
    settings: Settings, platforms: Collection[Platform] = PLATFORMS
) -> Iterator[Finding]:
    """Yield what a start, a command or a night would refuse of what is set; else nothing."""
    language = settings.language
    for key in ("exports_dir", "backup_copy_dir"):
        yield from folder_findings(settings, key)
    try:
        persona_of(settings.persona_file)
        check_own_addresses(settings, platforms)
    except InputRefused as error:
        yield Finding(good=False, text=error.in_language(language))
    if settings.web_address and not settings.web_bind:
        yield Finding(good=False, text=say(language, texts.ADDRESS_ALONE))
    command = settings.backup_command
    if command and not shutil.which(shlex.split(command)[0]):
        yield Finding(good=False, text=say(language, texts.NO_COMMAND, command=command))
    if settings.llm_api_key.get_secret_value() and not settings.has_model:
        yield Finding(good=False, text=say(language, texts.KEY_ALONE))


def folder_findings(settings: Settings, key: str) -> Iterator[Finding]:
    """Say what is odd about a setting that names a folder: that nothing can be written there."""
    folder: Path | None = getattr(settings, key)
    if folder is None:
        return
    place = folder.absolute()
    nearest = next(each for each in (place, *place.parents) if each.exists())
    name, path, language = key.upper(), str(place), settings.language
    try:
        with TemporaryDirectory(prefix=".xiaoxiang-", dir=nearest) as tried:
            Path(tried, "file").write_bytes(bytes(_ROOM))
    except OSError as error:
        known = texts.DISK_TROUBLE.get(error.errno or 0)
        why = say(language, known) if known else error.strerror or str(error)
        text = say(language, texts.FOLDER_UNUSABLE, key=name, folder=path, why=why)
        yield Finding(good=False, text=text)
        return
    if key == "backup_copy_dir" and nearest != place:
        # Made in the night it would be on whatever disk is there, if the one meant is away.
        text = say(language, texts.FOLDER_NOT_YET, key=name, folder=path, place=str(nearest))
        yield Finding(good=True, text=text)


_ROOM: Final = 1 << 20
"""Bytes that must fit: the ledger and its log begin with less."""


def check_own_addresses(settings: Settings, platforms: Collection[Platform]) -> None:
    """Raise :class:`InputRefused` for an address of health or the page that is none, or not free.

    What a proxy passes on from the internet is not to reach the numbers; and what is for browsers
    and what is for platforms are apart.
    """
    taken = {
        settings.section(each.settings).listens_at().partition("/")[0]: each.settings.bind_key
        for each in platforms
    }
    for key, bind in (("HEALTH_BIND", settings.health_bind), ("WEB_BIND", settings.web_bind)):
        if not bind:
            continue
        for other in filter(None, taken):
            if _meet(bind, other):
                raise InputRefused(refusals.SAME_ADDRESS, one=key, other=taken[other])
        taken[bind] = key
    if settings.web_bind:
        page_address(settings.web_bind, settings.web_address)


def _meet(one: str, other: str) -> bool:
    """Whether two addresses cannot be listened at side by side."""
    (host, port), (other_host, other_port) = host_and_port(one), host_and_port(other)
    same = host == other_host or (is_loopback(host) and is_loopback(other_host))
    return port == other_port != 0 and (same or any(map(_is_everywhere, (host, other_host))))


def _is_everywhere(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


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
        raise InputRefused(refusals.UNREADABLE, file=file, why=said_by_system(error)) from error
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


def odd_lines(file: Path) -> Iterator[int]:
    """Yield the number of each line of a file that sets nothing, though it is no comment."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    for each in parse_stream(StringIO(text)):
        if each.error or (each.key is not None and each.value is None):
            # What stands before it of empty lines and comments belongs to it.
            blank = each.original.string[: -len(each.original.string.lstrip())].count("\n")
            yield each.original.line + blank


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
            raise InputRefused(refusals.CONTROL_CHARACTERS, key=key)
        text = _with_key(text, key, value)
    now = _values_of(text)
    for key, value in values.items():
        if now.get(key, "") != value:
            raise InputRefused(refusals.NO_ONE_LINE, key=key, file=file)
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
