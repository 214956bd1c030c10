"""The rule-based language model: what 小祥 runs on without a key, an account or a network."""

from memory.offline.model import OfflineModel

__all__ = ["OfflineModel"]
