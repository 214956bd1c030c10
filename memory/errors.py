"""The error tree of the project, ordered by what the caller can do about an error.

    XiaoxiangError
    ├── RefusalError               tells a person what is refused and what to do, in their language
    │   ├── InputRefused      a person gave something wrong
    │   │   ├── UnknownMemory     no such memory in this agent
    │   │   └── UnknownAgent      no such agent in this data folder
    │   └── StoreError        the folder of one agent cannot be used as asked
    │       ├── StoreLocked       another process owns it
    │       ├── StoreUnwritable   disk full, read-only, no permission: nothing was changed
    │       │   └── DatabaseAway  the database does not answer, or refuses us
    │       ├── StoreFromFuture   written by a newer program: update the program
    │       └── StoreDamaged      nothing readable is left, not even a former state
    └── Conflict              the change does not fit the state it meets: plan again

A failing model is not an exception here: see the outcomes in ``memory.ports``.
"""

from memory import refusals
from memory.model import Language
from memory.sentences import FilledSentence, Sayable, Sentence, Value


class XiaoxiangError(Exception):
    """Root of everything this project raises on purpose."""


class RefusalError(XiaoxiangError):
    """Says what is refused and what to do; whoever tells a person chooses the language.

    Its text as an exception is the English one, for the log and for who embeds the memory.
    """

    def __init__(self, said: Sayable, /, **values: Value) -> None:
        self._said = FilledSentence(said, **values) if isinstance(said, Sentence) else said
        super().__init__(self._said.in_language("en"))

    def in_language(self, language: Language) -> str:
        """Return what is refused in the language of whoever reads it."""
        return self._said.in_language(language)


class InputRefused(RefusalError):
    """What was given cannot be used; the message names it and says what to do."""


class UnknownMemory(InputRefused):
    """No memory of this agent has that id."""

    def __init__(self, memory_id: int) -> None:
        super().__init__(refusals.NO_SUCH_MEMORY, id=memory_id)
        self.memory_id = memory_id


class UnknownAgent(InputRefused):
    """No agent of that name lives in the data folder."""


class StoreError(RefusalError):
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
