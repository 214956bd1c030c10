"""Everything about remembering, without a chat platform, HTTP or an environment variable.

The whole public import is what stands in ``__all__``: ``from memory import Message, open_memory``,
and what their signatures, answers and errors are made of (docs/decisions/embedding.md).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memory.api import OpenMemory, Recalled, open_memory
    from memory.errors import (
        InputRefused,
        StoreDamaged,
        StoreError,
        StoreFromFuture,
        StoreLocked,
        StoreUnwritable,
        UnknownMemory,
        XiaoxiangError,
    )
    from memory.lifecycle.night import NightReport
    from memory.model import AgentSettings, Message
    from memory.ports import (
        Clock,
        Embedder,
        Invalid,
        LanguageModel,
        Outcome,
        Refused,
        Replied,
        TooLong,
        Truncated,
        Unavailable,
    )
    from memory.views import MemoryView

__all__ = [
    "AgentSettings",
    "Clock",
    "Embedder",
    "InputRefused",
    "Invalid",
    "LanguageModel",
    "MemoryView",
    "Message",
    "NightReport",
    "OpenMemory",
    "Outcome",
    "Recalled",
    "Refused",
    "Replied",
    "StoreDamaged",
    "StoreError",
    "StoreFromFuture",
    "StoreLocked",
    "StoreUnwritable",
    "TooLong",
    "Truncated",
    "Unavailable",
    "UnknownMemory",
    "XiaoxiangError",
    "open_memory",
]

_MODULES: Final = {
    "api": {"OpenMemory", "Recalled", "open_memory"},
    "lifecycle.night": {"NightReport"},
    "model": {"AgentSettings", "Message"},
    "ports": {"Clock", "Embedder", "Invalid", "LanguageModel", "Outcome", "Refused", "Replied"}
    | {"TooLong", "Truncated", "Unavailable"},
    "views": {"MemoryView"},
}
_HOMES: Final = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    # Resolved when asked for: the shell imports single modules of this package and must start in
    # a third of a second, which it does not when numpy and the stores are loaded with each.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)
