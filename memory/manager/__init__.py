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
from memory.manager.deeds import FateEffect, ReviewerStatus, previous_text
from memory.manager.happenings import Verdict, after_verdict, plan_events
from memory.manager.health import HealthReport, MemoryCondition, health_report, metrics
from memory.manager.ledgers import weight_log, with_counts
from memory.manager.night import FateCounts, FatePlan, plan_night
from memory.manager.undo import with_undo

__all__ = [
    "FateCounts",
    "FateEffect",
    "FatePlan",
    "HealthReport",
    "MemoryCondition",
    "ReviewerStatus",
    "TooSoon",
    "Verdict",
    "after_verdict",
    "health_report",
    "mark_consolidated",
    "metrics",
    "plan_cleanup",
    "plan_events",
    "plan_hide",
    "plan_night",
    "plan_restore",
    "previous_text",
    "weight_log",
    "with_counts",
    "with_undo",
]
