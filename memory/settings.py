"""What one agent's partner may choose; it lives in the agent's own document."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

LawName: TypeAlias = Literal["tiers", "ebbinghaus", "weights", "network"]
Language: TypeAlias = Literal["zh", "en"]
ModeName: TypeAlias = Literal["normal", "review", "debug"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The settings of one agent (DESIGN §5); law parameters are validated by the laws.

    ``user_factor`` is U of seed 001: 0.8 forgets slowly, 1.0, 1.3 forgets fast. ``parameters``
    holds what differs from a law's defaults, as (name, value) pairs under the names of
    ``docs/settings.md``. ``mode`` is how far the desk looks when it searches (seed 001).
    ``notices``: whether the partner is told, in private, what was just learnt.
    """

    law: LawName = "tiers"
    parameters: tuple[tuple[str, float | int | str | bool], ...] = field(default=())
    user_factor: float = 1.0
    time_zone: str = "Asia/Shanghai"
    language: Language = "zh"
    partner: str = "主人"
    retention_floor: float = 0.8
    mode: ModeName = "normal"
    listening: bool = True
    learning: bool = True
    notices: bool = True
    injected_tokens: int = 1200
