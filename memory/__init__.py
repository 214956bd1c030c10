"""Everything about remembering, without a chat platform, HTTP or an environment variable.

The whole public import is ``from memory import Message, open_memory``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memory.api import open_memory
    from memory.model import Message

__all__ = ["Message", "open_memory"]

_MODULES: Final = {"Message": "model", "open_memory": "api"}


def __getattr__(name: str) -> object:
    # Resolved when asked for: the shell imports single modules of this package and must start in
    # a third of a second, which it does not when numpy and the stores are loaded with each.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
