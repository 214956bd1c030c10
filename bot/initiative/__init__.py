"""She begins: what is due is said, once; and what is asked of her is confirmed by rule."""

from bot.initiative.due import ChangedReminders, Reminding
from bot.initiative.noted import noted_by_rule
from bot.initiative.opening import OpeningWords

__all__ = ["ChangedReminders", "OpeningWords", "Reminding", "noted_by_rule"]
