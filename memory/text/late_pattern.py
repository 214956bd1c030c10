"""Regular expressions that wait until they are needed."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class LatePattern:
    """A regular expression that is compiled when it is first asked.

    The rules are nine hundred of them, and the first answer after a start needs a fifth: compiling
    all took a third of the time until it came. Once it was asked, a method costs what it costs of
    an :class:`re.Pattern`. Raises :class:`re.error` when it is first asked, not when it is made.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.search`."""
        return self._compiled.search

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.match`."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.fullmatch`."""
        return self._compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[..., Iterator[re.Match[str]]]:
        """As :meth:`re.Pattern.finditer`."""
        return self._compiled.finditer

    @cached_property
    def findall(self) -> Callable[..., list[Any]]:
        """As :meth:`re.Pattern.findall`."""
        return self._compiled.findall

    @cached_property
    def sub(self) -> Callable[..., str]:
        """As :meth:`re.Pattern.sub`."""
        return self._compiled.sub

    @cached_property
    def split(self) -> Callable[..., list[str]]:
        """As :meth:`re.Pattern.split`."""
        return self._compiled.split
