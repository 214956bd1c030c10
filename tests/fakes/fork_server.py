"""Forks programs from one process that has imported what they need.

``tests.fakes.processes`` starts it and talks with it. A request is its length, the descriptors of
a connection and of the program's three streams, and then the program as JSON. Over the connection
comes first the program's process id and then, once it has ended, its status.

All workers of a run share one: what it imports takes seconds of processor time.
"""

import atexit
import gc
import json
import os
import random
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

LENGTH: Final = 4
"""Bytes of each number that is sent."""

STREAMS: Final = 3


def packed(number: int) -> bytes:
    return number.to_bytes(LENGTH, "big", signed=True)


def unpacked(sent: bytes) -> int:
    return int.from_bytes(sent, "big", signed=True)


class ForkServer:
    """Serves whoever connects to ``door``, until the other end of ``owner`` is closed."""

    def __init__(self, owner: socket.socket, door: socket.socket) -> None:
        self._owner = owner
        self._door = door
        self._selector = selectors.DefaultSelector()
        self._wake, self._woken = socket.socketpair()
        self._running: dict[int, tuple[socket.socket, socket.socket]] = {}
        """Of each program the connection, and over what it was asked for."""

    def serve(self) -> None:
        self._wake.setblocking(False)
        signal.set_wakeup_fd(self._wake.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for each in (self._owner, self._door, self._woken):
            self._selector.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                match key.fileobj:
                    case self._owner:
                        self._kill()
                        return
                    case self._woken:
                        self._woken.recv(1024)
                        self._tell_who_ended()
                    case self._door:
                        self._selector.register(self._door.accept()[0], selectors.EVENT_READ)
                    case socket.socket() as control:
                        self._take_request(control)
                    case _:
                        raise AssertionError(key)

    def _take_request(self, control: socket.socket) -> None:
        length, fds, _, _ = socket.recv_fds(control, LENGTH, 1 + STREAMS)
        if not length:
            self._kill(control)
            self._selector.unregister(control)
            control.close()
            return
        request = b""
        while len(request) < unpacked(length):
            request += control.recv(unpacked(length) - len(request))
        self._fork(json.loads(request), control, fds)

    def _fork(self, request: dict[str, Any], control: socket.socket, fds: list[int]) -> None:
        for module in request["imported"]:
            import_module(module)
        # What is here now stays: no program has to look at it, and so to copy it, for garbage.
        gc.collect()
        gc.freeze()
        connection = socket.socket(fileno=fds.pop(0))
        pid = os.fork()
        if pid == 0:
            connection.close()
            self._let_go()
            _be(request, fds)
        for fd in fds:
            os.close(fd)
        self._running[pid] = connection, control
        connection.sendall(packed(pid))

    def _let_go(self) -> None:
        """Close, in a program, what is the server's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for key in tuple(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()
        for each in (self._wake, *(connection for connection, _ in self._running.values())):
            each.close()

    def _tell_who_ended(self) -> None:
        for pid in tuple(self._running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                connection, _ = self._running.pop(pid)
                with connection, suppress(BrokenPipeError):  # who asked may have gone
                    connection.sendall(packed(os.waitstatus_to_exitcode(status)))

    def _kill(self, control: socket.socket | None = None) -> None:
        """Kill what was asked for over one connection, or over any."""
        for pid, (_, asked_over) in self._running.items():
            if control in {None, asked_over}:
                os.kill(pid, signal.SIGKILL)
        if control is None:
            for pid in self._running:
                os.waitpid(pid, 0)


def _be(request: dict[str, Any], fds: Sequence[int]) -> NoReturn:
    """Be the program, as ``python -m`` would run it."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    random.seed()
    module, *words = request["command"]
    sys.argv = [module, *words]
    status: Any = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code or 0
    # All that an interpreter does at its end except taking itself apart, which takes long.
    threading._shutdown()  # type: ignore[attr-defined] # not in the stubs
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    ForkServer(*(socket.socket(fileno=int(each)) for each in sys.argv[1:])).serve()
