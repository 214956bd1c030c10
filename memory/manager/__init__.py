"""The life of memories: nights, reviews, cleanup, restoring, health. Plans only; nothing is done.

What a caller needs is named here; every function is pure and returns changes or a plan of them.
"""

from memory.manager.by_hand import (
    TooSoon,
    mark_consolidated,
    plan_cleanup,
    plan_hide,
    plan_restore,
)
from memory.manager.deeds import Deed, Reviewer, kept_text
from memory.manager.happenings import Verdict, after_verdict, plan_events
from memory.manager.health import Condition, Health, health, metrics
from memory.manager.ledgers import counted, weight_log
from memory.manager.night import Counts, Night, plan_night
from memory.manager.undo import undoable

__all__ = [
    "Condition",
    "Counts",
    "Deed",
    "Health",
    "Night",
    "Reviewer",
    "TooSoon",
    "Verdict",
    "after_verdict",
    "counted",
    "health",
    "kept_text",
    "mark_consolidated",
    "metrics",
    "plan_cleanup",
    "plan_events",
    "plan_hide",
    "plan_night",
    "plan_restore",
    "undoable",
    "weight_log",
]
