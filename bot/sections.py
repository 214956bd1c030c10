"""A section of the settings: one class, whose fields are named like their keys.

The text of a key becomes the type of its field by msgspec, which also holds numbers to their
range. Making a section by hand converts nothing; :meth:`Section.read` does.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bot.texts import refusals
from memory.errors import InputRefused
from memory.sentences import FilledSentence, Listed, Sayable

Checks: TypeAlias = Mapping[str, Callable[[Any], Any]]

_YES: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
_NO: Final = frozenset({"0", "false", "f", "no", "n", "off"})


@dataclass(frozen=True, slots=True)
class SecretStr:
    """A text that no log and no error shows by accident."""

    _text: str = field(default="", repr=False)

    def get_secret_value(self) -> str:
        """Return the text itself."""
        return self._text


class WrongSettings(InputRefused):
    """What is wrong with a section: each fault, beginning with its key if it has one.

    Never what was given: a wrong value may be a secret in the wrong place.
    """

    def __init__(self, faults: list[Sayable]) -> None:
        super().__init__(Listed(faults))
        self.faults: Final = faults


def fault(key: str, why: Sayable) -> FilledSentence:
    """Return what is wrong with one setting."""
    return FilledSentence(refusals.FAULT, key=key, why=why)


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set in one place of the program.

    A subclass raises InputRefused in ``__post_init__`` for values that do not go together.
    """

    checks: ClassVar[Checks] = {}
    """What a field must be besides of its type: each returns the value to use, or raises
    :class:`InputRefused`."""

    needs: ClassVar[Mapping[str, str]] = {}
    """Fields that do nothing while another one, which stands behind each, is not set."""

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """Return a section of values by field, texts or already of their type.

        What the section has no field for is ignored, and what is set to nothing is not set.
        Raises :class:`WrongSettings`.
        """
        hints = get_type_hints(cls, include_extras=True)
        found, faults = dict[str, Any](), list[Sayable]()
        said = {name for name, value in given.items() if value != ""}
        for name in sorted(said & {*fields_of(cls)}):
            try:
                value = _converted(given[name], hints[name])
                found[name] = cls.checks.get(name, _as_it_is)(value)
            except InputRefused as error:
                faults.append(fault(name.upper(), error))
        if faults:
            raise WrongSettings(faults)
        try:
            return cls(**found)
        except InputRefused as error:
            raise WrongSettings([error]) from error


def idle_keys(section: Section) -> Iterator[tuple[str, str]]:
    """Yield the keys that are set but do nothing, each with the key that is missing."""
    for key, other in section.needs.items():
        if _is_set(section, key) and not _is_set(section, other):
            yield key.upper(), other.upper()


def _is_set(section: Section, name: str) -> bool:
    value = getattr(section, name)
    return bool(value.get_secret_value() if isinstance(value, SecretStr) else value)


def fields_of(section: type[Section]) -> tuple[str, ...]:
    """Return the names of what may be set in a section; in capitals they are the keys."""
    return tuple(name for name in section.__struct_fields__ if not name.startswith("_"))


def checked_bind_address(given: str) -> str:
    """Return ``given`` if it is an address to listen at; raises :class:`InputRefused`."""
    host, _, port = given.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and int(port) < _PORTS):
        raise InputRefused(refusals.BIND_ADDRESS)
    return given


_PORTS: Final = 65_536


def checked_command(given: str) -> str:
    """Return ``given`` if it can be read as a command; raises :class:`InputRefused`."""
    try:
        shlex.split(given)
    except ValueError as error:
        raise InputRefused(refusals.OPEN_QUOTATION) from error
    return given


def check_copies(copies: Path | None, backups: Path) -> None:
    """Raise :class:`InputRefused` for copies of backups in the folder of the backups.

    A night takes away there what is no copy of a night: those made by hand would go.
    """
    if copies is not None and copies.resolve().is_relative_to(backups.resolve()):
        raise InputRefused(refusals.COPIES_INSIDE, folder=copies, data=backups)


def check_exports(exports: Path, data: Path) -> None:
    """Raise :class:`InputRefused` for exports among her own files, where no erasing finds them."""
    if exports.resolve().is_relative_to(data.resolve()):
        raise InputRefused(refusals.EXPORTS_INSIDE, folder=exports, data=data)


def checked_model_address(given: str) -> str:
    """Return ``given`` if a model's server may be there; raises :class:`InputRefused`."""
    try:
        parts = urlsplit(given)
        usable = bool(parts.hostname) and parts.port != 0 and parts.scheme in {"http", "https"}
    except ValueError:
        usable = False
    if not usable or not given.isprintable() or " " in given:
        raise InputRefused(refusals.MODEL_ADDRESS, url=repr(given))
    return given


_RESERVED: Final = frozenset({"model", "messages", "stream"})

_LONGEST_EXTRA: Final = 4_000


def checked_extra_body(text: str) -> dict[str, object]:
    """Return the fields of ``LLM_EXTRA_BODY``; raises :class:`InputRefused`.

    >>> checked_extra_body('{"top_p": 0.8}')
    {'top_p': 0.8}
    """
    if not text.strip():
        return {}
    if len(text) > _LONGEST_EXTRA:
        raise InputRefused(refusals.TOO_LONG, most=_LONGEST_EXTRA)
    try:
        fields: dict[str, object] = {**json.loads(text)}
    except (ValueError, TypeError, RecursionError) as error:
        raise InputRefused(refusals.JSON_OBJECT) from error
    if wrong := sorted(_RESERVED & fields.keys()):
        raise InputRefused(refusals.SET_BY_PROGRAM, names=", ".join(wrong))
    return fields


def checked_extra_body_text(given: str) -> str:
    """Return ``given`` if it holds such fields; raises as :func:`checked_extra_body`."""
    checked_extra_body(given)
    return given


def checked_time_zone(given: str) -> str:
    """Return ``given`` if it names a time zone; raises :class:`InputRefused`."""
    try:
        ZoneInfo(given)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise InputRefused(refusals.TIME_ZONE, given=repr(given)) from error
    return given


_LOCALE: Final = re.compile(
    r"(zh|en|[a-z]{2,3}|C|POSIX)(?:_[A-Z]{2})?(?:\.[\w-]{1,20})?(?:@\w{1,20})?"
)


def language_of_locales(given: object) -> str | None:
    """Return what a desktop's list of locales wishes for: "zh", "en" or "" if neither.

    None for what is no such list, so also for a language of hers itself.

    >>> [language_of_locales(each) for each in ("de_DE:en", "zh_CN.UTF-8", "zh")]
    ['en', 'zh', None]
    """
    if not isinstance(given, str) or given in {"zh", "en"}:
        return None
    named = [_LOCALE.fullmatch(each) for each in given.split(":") if each]
    if not all(named):
        return None
    return next((each[1] for each in named if each and each[1] in {"zh", "en"}), "")


def _as_it_is(value: object) -> object:
    return value


def _converted(given: object, hint: Any) -> object:
    """Return a value as a field has it; raises :class:`InputRefused`, saying what fits."""
    if get_origin(hint) is Literal and given not in get_args(hint):
        choices = ", ".join(repr(each) for each in get_args(hint) if each)
        raise InputRefused(refusals.ONE_OF, choices=choices)
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        return _number(given, hint)
    if not isinstance(given, str) or hint is str:
        return given
    if hint is SecretStr:
        return SecretStr(given)
    if hint is bool:
        return _yes_or_no(given)
    if hint in {Path, Path | None}:
        return Path(given).expanduser() if given.strip() or hint is Path else None
    return _number(given.strip(), hint)


def _number(given: str | float, hint: Any) -> object:
    try:
        return msgspec.convert(given, hint, strict=False)
    except msgspec.ValidationError:
        raise InputRefused(_what_fits(hint)) from None


def _yes_or_no(given: str) -> bool:
    word = given.strip().lower()
    if word not in _YES | _NO:
        raise InputRefused(refusals.YES_OR_NO)
    return word in _YES


def _what_fits(hint: Any) -> FilledSentence:
    """Say which numbers a field takes: its type, or that of what may stand there beside None."""
    number = next((each for each in get_args(hint) if get_origin(each) is Annotated), hint)
    kind, bounds = get_args(number)
    if bounds.le is None:
        return FilledSentence(
            refusals.WHOLE_NUMBER if kind is int else refusals.NUMBER, least=bounds.ge
        )
    number_to = refusals.WHOLE_NUMBER_TO if kind is int else refusals.NUMBER_TO
    return FilledSentence(number_to, least=bounds.ge, most=bounds.le)
