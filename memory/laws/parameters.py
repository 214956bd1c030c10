"""How a law declares its parameters, and how those an agent chose are read.

Each parameter keeps the name that its source document gives it.

``docs/settings.md`` is generated from these declarations (``python -m benchmarks.settings_page``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, TypeAlias, cast

ParameterValue: TypeAlias = float | int | str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a parameter may be: a number in [low, high], or one of ``choices``.

    ``name`` is the one the source document uses; ``zh`` and ``en`` say what it means.
    """

    name: str
    zh: str
    en: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[ParameterValue, ...] = ()

    def __str__(self) -> str:
        if self.choices:
            return " | ".join(str(choice).lower() for choice in self.choices)
        return f"{self.low:g} to {self.high:g}" + (", whole" if self.whole else "")

    def admits(self, value: ParameterValue) -> bool:
        """Whether a parameter may be ``value``; a not-a-number never may."""
        if self.choices:
            return value in self.choices
        if isinstance(value, str) or not self.low <= value <= self.high:
            return False
        return not self.whole or value == int(value)


def number_parameter(name: str, default: float, low: float, high: float, zh: str, en: str) -> Any:
    """Declare a parameter that is any number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high))


def whole_parameter(name: str, default: int, low: int, high: int, zh: str, en: str) -> Any:
    """Declare a parameter that is a whole number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high, whole=True))


def choice_parameter(name: str, choices: tuple[ParameterValue, ...], zh: str, en: str) -> Any:
    """Declare a parameter that is one of ``choices``; the first is the default."""
    return _declare_field(choices[0], Bound(name=name, zh=zh, en=en, choices=choices))


def bounds_of(kind: type) -> Iterator[tuple[str, Bound, ParameterValue]]:
    """Yield field name, bound and default of every parameter of a settings class."""
    for each in fields(kind):
        yield each.name, _bound_of(each), cast("ParameterValue", each.default)


def read_parameters(
    kind: type, law: str, given: Mapping[str, ParameterValue]
) -> tuple[dict[str, Any], list[str]]:
    """Return the field values ``given`` under their names for ``law``, and every violation."""
    values: dict[str, Any] = {}
    violations: list[str] = []
    for name, bound, default in bounds_of(kind):
        key = f"{law}.{bound.name}"
        if key not in given:
            continue
        value = given[key]
        if bound.admits(value):
            values[name] = value if bound.choices else type(default)(value)
        else:
            violations.append(f"{key} is {value!r}, it must be {bound}")
    return values, violations


def _declare_field(default: ParameterValue, bound: Bound) -> Any:
    return field(default=default, metadata={"bound": bound})


def _bound_of(each: "Field[Any]") -> Bound:
    return cast("Bound", each.metadata["bound"])


USER_FACTOR: Final = (0.5, 2.0)
"""The range of ``AgentSettings.user_factor``, U of source document 001."""
