"""Programs as people start them: processes with arguments, an environment, streams and an end.

To start one from nothing costs seconds of processor time, nearly all of it for imports. So most
are forked by a server that has imported everything (:mod:`tests.fakes.fork_server`): the same
module is run with the same command line in a process of its own, which can be signalled and
killed. What is said of the start itself is said of a ``whole`` one, from nothing.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, Final, Protocol

from tests.fakes.cost import STRICT
from tests.fakes.fork_server import LENGTH, packed, unpacked
from tests.fakes.waiting import HANG_SECONDS, until

ROOT: Final = Path(__file__).resolve().parents[2]
CLEAN: Final[Mapping[str, str]] = {
    "PATH": os.environ["PATH"],
    "PYTHONUTF8": "1",
    "TZ": "Asia/Shanghai",  # no test may depend on where the machine is
}
"""The environment of a program of which nothing else is said."""

DOOR: Final = "TESTS_FORK_SERVER"
"""Where the workers of a run find the server that they share."""

LONGEST_STOP: Final = 8.0 if STRICT else 20.0
"""Seconds, in which a test's loop had nothing to do, within which a program is at its end."""


class StartedProgram(Protocol):
    """A running program, as :class:`subprocess.Popen` shows it."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, sig: int) -> None: ...


class ForkedProgram:
    """A program that the server forked."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._status: int | None = None
        self.pid = self._received()

    def poll(self) -> int | None:
        with suppress(BlockingIOError):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        if self._status is None:
            self._connection.settimeout(timeout)
            self._status = self._received()
            self._connection.close()
        return self._status

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, sig)

    def _received(self) -> int:
        sent = self._connection.recv(LENGTH)
        assert sent, "the server of programs ended"
        return unpacked(sent)


class _Server:
    """The server, and its owner: when that ends, so does the server."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="programs-", ignore_cleanup_errors=True)
        self.door = str(Path(self._folder.name) / "door")
        self._owner, theirs = socket.socketpair()
        with theirs, socket.socket(socket.AF_UNIX) as door:
            door.bind(self.door)
            door.listen()
            given = (theirs.fileno(), door.fileno())
            self._server = subprocess.Popen(
                [sys.executable, "-m", "tests.fakes.fork_server", *map(str, given)],
                stdin=subprocess.DEVNULL,
                pass_fds=given,
                cwd=ROOT,
                env=dict(CLEAN),
            )

    def end(self) -> None:
        self._owner.close()
        self._server.wait(HANG_SECONDS)
        self._folder.cleanup()


class _Forking:
    """A connection with the server."""

    def __init__(self, door: str) -> None:
        self._control = socket.socket(socket.AF_UNIX)
        self._control.connect(door)

    def fork(self, command: list[str], env: Mapping[str, str], fds: list[int]) -> ForkedProgram:
        imported = ["tests.fakes.preload"]
        if "LARK_APP_ID" in env:
            imported.append("tests.fakes.lark_preload")
        request = {"command": command, "environment": dict(env), "imported": imported}
        body = json.dumps(request).encode()
        connection, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [packed(len(body))], [theirs.fileno(), *fds])
            self._control.sendall(body)
        return ForkedProgram(connection)

    def end(self) -> None:
        self._control.close()


@cache
def _server() -> _Server:
    return _Server()


@cache
def _forking() -> _Forking:
    return _Forking(os.environ.get(DOOR) or _server().door)


def share_the_server() -> None:
    """Start a server for all the processes that this one starts. It imports when it is asked."""
    os.environ[DOOR] = _server().door


def end_the_server() -> None:
    """End what this process has of the server; programs that still run are killed."""
    if _forking.cache_info().currsize:
        _forking().end()
        _forking.cache_clear()
    if _server.cache_info().currsize:
        _server().end()
        _server.cache_clear()


def start(
    *words: object,
    env: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    module: str = "bot",
    whole: bool = False,
) -> StartedProgram:
    """Start ``python -m module words``, with ``env`` added to a clean environment."""
    command = [module, *map(str, words)]
    environment = {**CLEAN, **(env or {})}
    if whole:
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            env=environment,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )
    with Path(os.devnull).open("r+b") as nothing:
        fds = [
            nothing.fileno() if fd == subprocess.DEVNULL else fd for fd in (stdin, stdout, stderr)
        ]
        return _forking().fork(command, environment, fds)


def run(
    *words: object, said: str = "", env: Mapping[str, str] | None = None, whole: bool = False
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end with ``said`` in a pipe; return what came of it."""
    with TemporaryFile() as out, TemporaryFile() as err:
        with piped(said) as stdin:
            program = start(
                *words, env=env, stdin=stdin, stdout=out.fileno(), stderr=err.fileno(), whole=whole
            )
        status = program.wait(HANG_SECONDS)
        return subprocess.CompletedProcess([*map(str, words)], status, _text(out), _text(err))


@contextmanager
def piped(said: str) -> Iterator[int]:
    """Return the reading end of a pipe in which all of ``said`` stands."""
    reading, writing = os.pipe()
    try:
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            pipe.write(said)
        yield reading
    finally:
        os.close(reading)


@dataclass(frozen=True, slots=True)
class RunningProgram:
    """A program that runs beside a test, and what it printed."""

    program: StartedProgram
    stdout: IO[Any]
    stderr: IO[Any]

    @property
    def returncode(self) -> int | None:
        return self.program.poll()

    @property
    def out(self) -> str:
        return _text(self.stdout)

    @property
    def err(self) -> str:
        return _text(self.stderr)

    async def ended(self) -> tuple[str, str]:
        """Wait for its end, and return all that it printed."""
        await until(lambda: self.program.poll() is not None)
        return self.out, self.err

    async def stopped(self) -> tuple[str, str]:
        """Tell it to stop and wait for its end, which comes soon; return what it printed."""
        self.program.send_signal(signal.SIGTERM)
        async with asyncio.timeout(LONGEST_STOP):
            return await self.ended()

    async def killed(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        await self.ended()


@asynccontextmanager
async def running_program(
    *words: object, env: Mapping[str, str] | None = None, module: str = "bot", whole: bool = False
) -> AsyncIterator[RunningProgram]:
    """Run a program beside a test, and kill it at the end if it still runs."""
    with TemporaryFile() as out, TemporaryFile() as err:
        program = start(
            *words, env=env, stdout=out.fileno(), stderr=err.fileno(), module=module, whole=whole
        )
        running = RunningProgram(program, out, err)
        try:
            yield running
        finally:
            await running.killed()


def _text(file: IO[Any]) -> str:
    """Return what a program wrote into a file, whose place the program shares."""
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), size, 0).decode()
