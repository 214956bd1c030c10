"""Everything about remembering, without a chat platform, HTTP or an environment variable.

The whole public import is ``from memory import Message, open_memory``. It is resolved when asked
for, so that importing one module of this package does not load all the others.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.api import open_memory
    from memory.model import Message

__all__ = ["Message", "open_memory"]


def __getattr__(name: str) -> object:
    if name == "open_memory":
        from memory.api import open_memory  # noqa: PLC0415 - see the docstring

        return open_memory
    if name == "Message":
        from memory.model import Message  # noqa: PLC0415 - see the docstring

        return Message
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
