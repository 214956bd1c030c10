"""Disks that fail: one call at a time, for good, by a kill, or by a loss of power."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias, TypeVar

from memory.stores.disk import Disk

T = TypeVar("T")
When: TypeAlias = Literal["before", "after"]


class Killed(BaseException):
    """The process is gone: nothing catches this and nothing runs after it."""


class HastyDisk(Disk):
    """The real disk without its syncs, which only a loss of power would tell apart."""

    def sync(self, descriptor: int) -> None:
        pass

    def sync_folder(self, folder: Path) -> None:
        pass


class FaultyDisk(Disk):
    """A disk whose call number ``fail_at`` (from 1) raises ``fault()``.

    ``when`` says whether the call had its effect all the same; a write that fails before leaves
    half of its bytes. With ``lasting`` every call after it fails too, before its effect.
    """

    def __init__(
        self,
        fail_at: int = 0,
        fault: Callable[[], BaseException] = Killed,
        *,
        when: When = "before",
        lasting: bool = False,
        inner: Disk | None = None,
    ) -> None:
        self.calls: list[str] = []
        self.fail_at = fail_at
        self.fault = fault
        self.when = when
        self.lasting = lasting
        self.inner = inner or HastyDisk()

    def _call(self, name: str, work: Callable[[], T]) -> T:
        """Count a call and do its work, or raise before or after that."""
        self.calls.append(name)
        number = len(self.calls)
        hit = number == self.fail_at
        if (hit and self.when == "before") or (self.lasting and number > self.fail_at > 0):
            raise self.fault()
        result = work()
        if hit:
            raise self.fault()
        return result

    def open(self, path: Path, *, empty: bool = False) -> int:
        return self._call("open", lambda: self.inner.open(path, empty=empty))

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        if len(self.calls) + 1 == self.fail_at and self.when == "before":
            self.inner.write(descriptor, data[: len(data) // 2])
        return self._call("write", lambda: self.inner.write(descriptor, data))

    def sync(self, descriptor: int) -> None:
        self._call("sync", lambda: self.inner.sync(descriptor))

    def truncate(self, descriptor: int, length: int) -> None:
        self._call("truncate", lambda: self.inner.truncate(descriptor, length))

    def close(self, descriptor: int) -> None:
        self.inner.close(descriptor)
        self._call("close", lambda: None)

    def replace(self, source: Path, target: Path) -> None:
        self._call("replace", lambda: self.inner.replace(source, target))

    def remove(self, path: Path) -> None:
        self._call("remove", lambda: self.inner.remove(path))

    def sync_folder(self, folder: Path) -> None:
        self._call("sync_folder", lambda: self.inner.sync_folder(folder))

    def read(self, path: Path) -> bytes | None:
        return self._call("read", lambda: self.inner.read(path))

    def map(self, path: Path) -> memoryview:
        return self._call("map", lambda: self.inner.map(path))

    def names(self, folder: Path) -> frozenset[str]:
        return self._call("names", lambda: self.inner.names(folder))


class ShortDisk(Disk):
    """The real disk, but no write takes more than a few bytes."""

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        return super().write(descriptor, data[:7])


@dataclass(eq=False)
class _File:
    """The bytes of a file as programs see them, and how the disk came to what it has of them."""

    seen: bytearray = field(default_factory=bytearray)
    kept: bytes = b""
    unsynced: list[bytes | int] = field(default_factory=list)

    def after_power_loss(self, chance: Random) -> bytes:
        """Return what is left: some of what was not synced, the last of it torn or zeroed."""
        left = bytearray(self.kept)
        survivors = chance.randint(0, len(self.unsynced))
        for number, step in enumerate(self.unsynced[:survivors], start=1):
            if isinstance(step, int):
                del left[step:]
                continue
            torn = number == survivors and chance.random() < 0.7
            whole = chance.randint(0, len(step)) if torn else len(step)
            zeros = chance.choice([0, len(step) - whole]) if torn else 0
            left += step[:whole] + bytes(zeros)
        return bytes(left)


class PowerlessDisk(Disk):
    """A disk in memory that keeps only what was synced, and of the rest whatever chance keeps.

    Content is kept by ``sync``, names by ``sync_folder``; a loss of power takes each change of
    names that was not synced or leaves it, in any combination. ``steps`` counts the calls that
    change something; number ``killed_at`` is the last thing the process does.
    """

    def __init__(self, files: dict[Path, bytes] | None = None, killed_at: int = 0) -> None:
        kept = {path: _File(bytearray(data), data) for path, data in (files or {}).items()}
        self._names = dict(kept)
        self._kept_names = dict(kept)
        self._unsynced_names: list[dict[Path, _File | None]] = []
        self._open: list[_File] = []
        self.steps = 0
        self.killed_at = killed_at

    def after_power_loss(self, chance: Random) -> dict[Path, bytes]:
        """Return the files one may find when the power is back."""
        names: dict[Path, _File | None] = dict(self._kept_names)
        for change in self._unsynced_names:
            if chance.random() < 0.5:
                names.update(change)
        return {path: file.after_power_loss(chance) for path, file in names.items() if file}

    def _step(self) -> None:
        if self.killed_at and self.steps >= self.killed_at:
            raise Killed
        self.steps += 1

    def _rename(self, change: dict[Path, _File | None]) -> None:
        self._unsynced_names.append(change)
        for path, file in change.items():
            if file is None:
                self._names.pop(path, None)
            else:
                self._names[path] = file

    def open(self, path: Path, *, empty: bool = False) -> int:
        self._step()
        if path not in self._names:
            self._rename({path: _File()})
        file = self._names[path]
        if empty and file.seen:
            file.unsynced.append(0)
            file.seen.clear()
        self._open.append(file)
        return len(self._open) - 1

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        self._step()
        file = self._open[descriptor]
        file.seen += data
        file.unsynced.append(bytes(data))
        return len(data)

    def sync(self, descriptor: int) -> None:
        self._step()
        file = self._open[descriptor]
        file.kept = bytes(file.seen)
        file.unsynced.clear()

    def truncate(self, descriptor: int, length: int) -> None:
        self._step()
        file = self._open[descriptor]
        del file.seen[length:]
        file.unsynced.append(length)

    def close(self, descriptor: int) -> None:
        self._step()

    def replace(self, source: Path, target: Path) -> None:
        self._step()
        self._rename({source: None, target: self._names[source]})

    def remove(self, path: Path) -> None:
        self._step()
        self._rename({path: None})

    def sync_folder(self, folder: Path) -> None:
        self._step()
        self._kept_names = dict(self._names)
        self._unsynced_names.clear()

    def read(self, path: Path) -> bytes | None:
        return bytes(self._names[path].seen) if path in self._names else None

    def map(self, path: Path) -> memoryview:
        return memoryview(self.read(path) or b"")

    def names(self, folder: Path) -> frozenset[str]:
        return frozenset(path.name for path in self._names)


def no_space() -> OSError:
    return OSError(28, os.strerror(28))


def bad_sector() -> OSError:
    return OSError(5, os.strerror(5))
