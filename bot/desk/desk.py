"""The desk: carries out commands and answers with documents."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.desk.documents import Document, Text
from bot.desk.look import Look
from bot.texts import say, shell
from memory.errors import UnknownMemory
from memory.model import Mode
from memory.ports import Clock
from memory.reader import Reader

LISTED: Final = 20
FOUND: Final = 10


class Command(Protocol):
    """A command as it was given: its Latin name, and the words behind it."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> str: ...


class Order(Protocol):
    """A command, and the agent it is about."""

    @property
    def command(self) -> Command: ...

    @property
    def agent_id(self) -> str: ...


class Desk:
    """Carry out the commands of DESIGN §10 that exist so far: those that look."""

    names: Final = ("memory", "help")

    def __init__(self, agents: Callable[[str], Awaitable[Reader]], clock: Clock) -> None:
        self._agents = agents
        self._clock = clock

    async def obey(self, order: Order) -> Document:
        """Carry out one command and return what to answer."""
        agent = await self._agents(order.agent_id)
        language = agent.settings.language
        if order.command.name == "help":
            return Document((Text(say(language, shell.HELP)),))
        look = Look(agent.state, self._clock.now())
        verb, _, rest = order.command.words.strip().partition(" ")
        answer = _looked(look, verb or "list", rest.strip())
        return answer or Document((Text(say(language, shell.USAGE)),))


def _looked(look: Look, verb: str, rest: str) -> Document | None:
    """Return the answer of a look, or None if it was not understood."""
    if verb in {"list", "列表"}:
        return look.every(tier=None, mode=Mode.REVIEW, limit=LISTED)
    if verb in {"search", "搜索"} and rest:
        return look.search(rest, mode=Mode.NORMAL, limit=FOUND)
    number = rest.removeprefix("#")
    if verb in {"show", "看"} and number.isascii() and number.isdigit():
        try:
            return look.one(int(number))
        except UnknownMemory:
            return look.nothing(rest)
    return None
