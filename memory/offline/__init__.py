"""The rule-based language model: what 小祥 runs on without a key, an account or a network.

It is one more implementation of :class:`memory.ports.LanguageModel`, so nothing outside knows
whether rules or a network answered. It also judges when a configured model stays silent.
"""

from memory.offline.model import OfflineModel

__all__ = ["OfflineModel"]
