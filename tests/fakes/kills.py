"""Kill the whole program while people write, and judge what they saw.

The model answers with the marks of the messages it is asked about, so every answer tells which
messages it answers. The program under test is a real process (:mod:`tests.fakes.processes`).
"""

import asyncio
import os
import re
import signal
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

from aiohttp import web

from memory.api import open_memory
from memory.changes import Change, Drop, Put
from memory.reminder import Intention
from memory.state import MemoryState
from tests.fakes.openai_answers import Asked, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.processes import StartedProgram, start
from tests.fakes.waiting import until

MARK = re.compile(r"m-\d+")
LINE = re.compile(r"^(m-\d+)$", re.MULTILINE)
"""A message as the prompt shows it: its words, alone on their line."""

LATENCY = 0.03
"""Seconds a call takes: the window in which a kill meets an answer on its way."""

BELL = "⏰"
"""What every reminder shows that comes at its hour, and no confirmation does."""

SOONEST, LATEST = 1, 3
"""Seconds within which reminders are asked for: in this life of the program, or in the next."""


def marks(asked: Asked) -> str:
    """Answer with the marks of the messages since the last answer, not with what memory quotes."""
    told: list[str] = []
    for message in reversed(asked.messages):
        if message["role"] != "user":
            break
        told = LINE.findall(str(message["content"])) + told
    # A word of its own: what only repeats the partner is no answer, and is not shown.
    return "听到了 " + " ".join(dict.fromkeys(told)) if told else "[SKIP]"


@dataclass
class Verdict:
    """What people saw in the end."""

    sent: int
    kills: int
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    inversions: int = 0
    strays: int = 0
    amid_an_answer: int = 0
    """Kills that met a message which was put there and said nothing yet."""
    amid_ringing: int = 0
    """Kills that met a reminder which was due and not seen yet."""
    moves: int = 0
    """How often an agent went to a worker."""
    same_fence: int = 0
    refused: int = 0
    """Workers that found no server when they began, and were begun anew as a service would."""
    unowned: int = 0
    """Writes for an agent by a worker that did not own it."""
    misordered: int = 0
    """Pairs of messages of a chat that were answered in another order than they were accepted."""

    @property
    def failed(self) -> bool:
        """Whether anything was seen that must never be, on any platform."""
        seen = (self.lost, self.doubled, self.same_fence, self.unowned, self.misordered)
        return any(seen)

    def of_leases(self) -> str:
        """Say what came of the leases of several workers."""
        return (
            f"an agent went to a worker {self.moves} times, {self.same_fence} fences given twice, "
            f"{self.unowned} writes for an agent by a worker that did not own it, "
            f"{self.misordered} pairs answered in another order than they were accepted, "
            f"{self.refused} workers found no server when they began"
        )

    def judge(self, chats: Iterable[list[str]]) -> None:
        """Judge what the bot's messages say in each chat, in their order."""
        count: Counter[str] = Counter()
        for texts in chats:
            found = [mark for text in texts for mark in MARK.findall(text)]
            count.update(found)
            order = [int(mark[2:]) for mark in found]
            self.inversions += sum(b < a for a, b in pairwise(order))
        self.lost = [f"m-{n}" for n in range(1, self.sent + 1) if not count[f"m-{n}"]]
        self.doubled = [mark for mark, times in count.items() if times > 1]


async def kill(program: StartedProgram, number: int = signal.SIGKILL) -> None:
    program.send_signal(number)
    await until(lambda: program.poll() is not None)


_GREETINGS = 24
_LEAST_CHATS = 3
"""So many first words, to people drawn by lot, so that at least so many chats are there."""


def _aged(state: MemoryState, *, now: datetime) -> list[Change]:
    """Let the last word lie days back, and forget what she began with and said."""
    changes: list[Change] = []
    for window in state.windows.values():
        lines = tuple(replace(each, at=now - timedelta(days=3)) for each in window.lines)
        changes.append(Put(replace(window, lines=lines)))
    changes += [Drop(Intention, each.id) for each in state.intentions.values() if each.ended]
    info = state.agent_info
    settings = replace(info.settings, begins="yes", not_begun=("quiet",), quiet_hours="0-0")
    return [*changes, Put(replace(info, settings=settings))]


def _planted(state: MemoryState, *, number: int, at: datetime, now: datetime) -> list[Change]:
    one = Intention(
        id=number,
        kind="promise",
        about="promise",
        text=f"我答应今天交 m-{number}",
        at=at,
        until=now + timedelta(days=1),
        told_at=now - timedelta(days=1),
        made_at=now,
    )
    return [Put(one)]


RESTARTED_EVERY = 10
"""Kills from one restart of the server to the next."""


class KillRun(ABC):
    """Send messages and kill, so often; then let the program finish and look at the screens.

    A platform's own run says in which environment its program runs, how long it lives and what
    people see. ``whole`` programs are started from nothing.
    """

    def __init__(self, data: Path, *, kills: int, seed: int, whole: bool = False) -> None:
        self.data = data
        self.chance = Random(seed)
        self.sent = 0
        self.environment: dict[str, str] = {}
        # Where it keeps everything, if not in files, and how the server there is restarted.
        self.database = ""
        self.restart = ""
        # How many programs talk at once from the database; one of them is killed each time.
        self.workers = 1
        self._whole = whole
        self._lives = 0
        self._refused = 0
        self._kills = kills
        self._amid = 0
        self._amid_ringing = 0
        self._reminders = False
        self._due: dict[str, float] = {}

    async def run(self, *, each_kill: int = 3, reminders: bool = False) -> Verdict:
        """Return the verdict after so many kills, with ``each_kill`` messages to each.

        With ``reminders`` every message asks for one, and what counts is that it rings.
        """
        self._reminders = reminders
        if self.workers > 1:
            return await self._run_many(each_kill)
        async with self.platform(), OpenAIServer() as model:
            model.always(self.behaviour)
            self.prepare(model)
            strays = 0
            for number in range(self._kills):
                program = self.start_program()
                for _ in range(each_kill):
                    self.sent += 1
                    self.send(self._worded(f"m-{self.sent}"))
                if self.restart and number % RESTARTED_EVERY == 0:
                    await self._restart_server()
                await self.live(program)
                await kill(program)
                self._amid_ringing += self._is_ringing()
                self._amid += self.count_unfinished() > strays
                strays = self.count_unfinished()
            program = self.start_program()
            await self._wait_for_the_rest()
            await kill(program, signal.SIGTERM)
        verdict = Verdict(
            self.sent,
            self._kills,
            strays=self.count_unfinished(),
            amid_an_answer=self._amid,
            amid_ringing=self._amid_ringing,
        )
        verdict.judge(self._told())
        return verdict

    async def _run_many(self, each_kill: int) -> Verdict:
        """Kill one of several workers at a time, each with a folder of its own; as :meth:`run`."""
        await self._prepare_database()
        async with self.platform(), OpenAIServer() as model:
            model.always(self.behaviour)
            self.prepare(model)
            programs = [self.start_program(place) for place in range(self.workers)]
            strays = 0
            for number in range(self._kills):
                for _ in range(each_kill):
                    self.sent += 1
                    self.send(self._worded(f"m-{self.sent}"))
                if self.restart and number % RESTARTED_EVERY == 0:
                    await self._restart_server()
                chosen = self.chance.randrange(self.workers)
                await self._outlive(programs, chosen)
                await kill(programs[chosen])
                self._amid += self.count_unfinished() > strays
                strays = self.count_unfinished()
                programs[chosen] = self.start_program(chosen)
            await self._wait_for_the_rest()
            for program in programs:
                await kill(program, signal.SIGTERM)
        verdict = Verdict(
            self.sent, self._kills, strays=self.count_unfinished(), amid_an_answer=self._amid
        )
        # Only here: the library for a database is not everywhere.
        from tests.fakes import fences  # noqa: PLC0415

        verdict.moves, verdict.same_fence = fences.count_moves(self.database)
        verdict.refused = self._refused
        verdict.unowned = len(fences.strays(self.database))
        marks = ([MARK.findall(text) for text in texts] for texts in self._told())
        verdict.misordered = len(fences.misordered(self.database, marks))
        verdict.judge(self._told())
        return verdict

    async def _outlive(self, programs: list[StartedProgram], chosen: int) -> None:
        """Return when one is to be killed; begin anew what found no server when it began."""
        while True:
            for place, program in enumerate(programs):
                if program.poll() is not None:
                    self._refused += 1
                    programs[place] = self.start_program(place)
            try:
                await self.live(programs[chosen])
            except AssertionError:
                continue
            return

    async def _prepare_database(self) -> None:
        """Make the tables, and have the database watch who writes for whom."""
        from bot.conversation.ledger.server_database import ServerDatabase  # noqa: PLC0415
        from memory.stores.server import Server  # noqa: PLC0415
        from memory.stores.table_disk import FileRows  # noqa: PLC0415
        from tests.fakes import fences  # noqa: PLC0415

        self.database = fences.fresh_schema(self.database, f"kills_{os.getpid()}")
        server = Server(self.database)
        FileRows(server)
        ledger = ServerDatabase(server)
        await ledger.open()
        await ledger.close()
        server.close()
        fences.watch(self.database)

    async def _restart_server(self) -> None:
        """Restart the database's server while a program may be at any step."""
        await asyncio.sleep(self.chance.random() * 2)
        restarting = await asyncio.create_subprocess_shell(self.restart)
        assert await restarting.wait() == 0

    async def run_unasked(self, *, each_round: int = 5) -> Verdict:
        """Kill while she begins by herself, in every chat once a round; return the verdict.

        What she means to say is laid into her memory between two programs, as are hours without
        a word: then nothing but the kills decides when it is said. After ``each_kill`` of them a
        program may live on until everything was said.
        """
        async with self.platform(), OpenAIServer() as model:
            model.always(self.behaviour)
            self.prepare(model)
            await self._greet()
            strays = self.count_unfinished()
            for number in range(self._kills):
                if number % each_round == 0:
                    await self._say_the_rest()
                    await self._plant()
                program = self.start_program()
                # About when it is due: before, amid saying it, or just after.
                await asyncio.sleep(self.chance.uniform(SOONEST, LATEST + 1))
                await kill(program)
                self._amid_ringing += self._is_ringing()
            await self._say_the_rest()
            # Those that were begun and not noted would come once more, if they came twice.
            # The killed program lives by the machine's clock, and so must what is laid down.
            await self._age(datetime.now(UTC))
            await self._say_the_rest(for_seconds=LATEST)
        verdict = Verdict(
            self.sent,
            self._kills,
            strays=self.count_unfinished() - strays,
            amid_ringing=self._amid_ringing,
        )
        verdict.judge(self._told())
        return verdict

    async def _greet(self) -> None:
        """Let everybody write once, so that there is somewhere to begin."""
        program = self.start_program()
        for number in range(_GREETINGS):
            self.send(f"你好呀，第 {number} 次")
        # Bursts are answered as one: every chat that was written to has a word, however few.
        await until(lambda: sum(map(bool, self.chats())) >= _LEAST_CHATS)
        # And until nothing grows any more: what is owed from here on is only what she begins.
        seen: list[list[str]] = []
        while (shown := [[*texts] for texts in self.chats()]) != seen:
            seen = shown
            await asyncio.sleep(3.0)
        await kill(program, signal.SIGTERM)

    async def _say_the_rest(self, *, for_seconds: float = 0.0) -> None:
        """Let a program live until all that was laid down was said."""
        program = self.start_program()
        with suppress(TimeoutError):
            await until(lambda: self._count_answered() >= self.sent)
        await asyncio.sleep(for_seconds)
        await kill(program, signal.SIGTERM)

    async def _plant(self) -> None:
        """Lay down one thing for each agent to bring up in a moment, by the machine's clock."""
        now = datetime.now(UTC)
        for agent in await self._age(now):
            self.sent += 1
            at = now + timedelta(seconds=self.chance.uniform(SOONEST, LATEST))
            self._due[f"m-{self.sent}"] = at.timestamp()
            await self._steer(agent, partial(_planted, number=self.sent, at=at, now=now))

    async def _age(self, now: datetime) -> list[str]:
        """Let hours have passed in every agent since the last word; return the agents."""
        agents = sorted(each.name for each in (self.data / "agents").iterdir())
        for agent in agents:
            await self._steer(agent, partial(_aged, now=now))
        return agents

    async def _steer(self, agent: str, plan: Callable[[MemoryState], list[Change]]) -> None:
        async with open_memory(self.data, agent=agent) as memory:
            await memory._agent.steer(lambda state, _: plan(state))

    def _worded(self, mark: str) -> str:
        """Return what somebody writes: a mark alone, or to be reminded of it in a moment."""
        if not self._reminders:
            return mark
        wait = self.chance.randint(SOONEST, LATEST)
        self._due[mark] = time.time() + wait
        return f"{wait}秒后提醒我看 {mark}"

    def _told(self) -> list[list[str]]:
        """Return what counts of what was said, chat by chat: all of it, or what rang."""
        return [
            [text for text in texts if BELL in text or not self._reminders]
            for texts in self.chats()
        ]

    async def _wait_for_the_rest(self) -> None:
        """Wait until everything is answered, or until for long nothing more was."""

        while not self._is_done():
            # A busy machine takes its time over hundreds that waited: that is no loss.
            try:
                await until(partial(self._has_come_on, self._count_answered()))
            except TimeoutError:
                return
        await asyncio.sleep(0.5)

    def _is_done(self) -> bool:
        return self._count_answered() >= self.sent and not self.is_busy()

    def _has_come_on(self, answered: int) -> bool:
        """Whether more is answered than that, or everything."""
        return self._count_answered() > answered or self._is_done()

    def _count_answered(self) -> int:
        return len(self._marks_told())

    def _marks_told(self) -> set[str]:
        return {mark for texts in self._told() for text in texts for mark in MARK.findall(text)}

    def _is_ringing(self) -> bool:
        """Whether a reminder is due and not seen yet."""
        due = {mark for mark, at in self._due.items() if at <= time.time()}
        return bool(due - self._marks_told())

    async def behaviour(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        """Be the model."""
        return await say(marks(asked))(request, asked)

    def is_busy(self) -> bool:
        """Whether something is still being written that says its marks already."""
        return False

    @abstractmethod
    def platform(self) -> AbstractAsyncContextManager[object]:
        """Return the platform's server."""

    @abstractmethod
    def prepare(self, model: OpenAIServer) -> None:
        """Make the environment of the program, with the platform and the model listening."""

    def start_program(self, place: int = 0) -> StartedProgram:
        """Start the program, as the worker of a place among several."""
        database = {"DATABASE_URL": self.database} if self.database else {}
        database |= self.environment_of(place)
        if self.workers > 1:
            # Machines of their own: nothing but the database is shared.
            self._lives += 1
            database["DATA_DIR"] = str(self.data / f"life-{self._lives}")
        return start("run", env=self.environment | database, whole=self._whole)

    def environment_of(self, place: int) -> dict[str, str]:
        """Return what is set for the worker of a place only."""
        del place
        return {}

    @abstractmethod
    def send(self, text: str) -> None:
        """Let one of the people write something."""

    @abstractmethod
    async def live(self, program: StartedProgram) -> None:
        """Return at the moment the program is to be killed."""

    @abstractmethod
    def chats(self) -> Iterable[list[str]]:
        """Return what the program's messages say, chat by chat."""

    @abstractmethod
    def count_unfinished(self) -> int:
        """Return how many messages say nothing yet."""
