"""The error tree of the project, ordered by what the caller can do about an error.

    XiaoxiangError
    ├── InputRefused          a person gave something wrong: say what, and what to do
    │   ├── UnknownMemory     no such memory in this agent
    │   └── UnknownAgent      no such agent in this data folder
    ├── StoreError            the folder of one agent cannot be used as asked
    │   ├── StoreLocked       another process owns it
    │   ├── StoreUnwritable   disk full, read-only, no permission: nothing was changed
    │   │   └── DatabaseAway  the database does not answer, or refuses us
    │   ├── StoreFromFuture   written by a newer program: update the program
    │   └── StoreDamaged      nothing readable is left, not even a former state
    └── Conflict              the change does not fit the state it meets: plan again

A failing model is not an exception here: see the outcomes in ``memory.ports``.
"""


class XiaoxiangError(Exception):
    """Root of everything this project raises on purpose; its text may be shown to an operator."""


class InputRefused(XiaoxiangError):
    """What was given cannot be used; the message names it and says what to do."""


class UnknownMemory(InputRefused):
    """No memory of this agent has that id."""

    def __init__(self, memory_id: int) -> None:
        super().__init__(f"there is no memory #{memory_id}")
        self.memory_id = memory_id


class UnknownAgent(InputRefused):
    """No agent of that name lives in the data folder."""


class StoreError(XiaoxiangError):
    """The folder of an agent cannot be used as asked; no state was changed."""


class StoreLocked(StoreError):
    """Another process owns the folder."""


class StoreUnwritable(StoreError):
    """The disk refused: full, read-only or without permission."""


class DatabaseAway(StoreUnwritable):
    """The database does not answer, or refuses its user; the message says what to do."""


class StoreFromFuture(StoreError):
    """The folder was written by a newer version of the program."""


class StoreDamaged(StoreError):
    """No readable state is left in the folder; nothing in it was changed."""


class Conflict(XiaoxiangError):
    """A change does not fit the state it was applied to; the state is as it was."""
