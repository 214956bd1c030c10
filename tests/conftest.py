"""What every test stands on: hypothesis profiles and a loop that no slow machine hurries."""

import asyncio
import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests.fakes.certificates import read_once
from tests.fakes.compiled import compile_once
from tests.fakes.cost import STRICT
from tests.fakes.postgres import database_url, open_disk, open_ledger, open_server, schemas, url
from tests.fakes.processes import end_the_server, share_the_server
from tests.fakes.reports import send_what_says_something
from tests.fakes.waiting import IDLENESS, IdleLoop

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

__all__ = ["database_url", "open_disk", "open_ledger", "open_server", "schemas", "url"]

settings.register_profile(
    "suite",
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "hunt",
    max_examples=5_000,
    deadline=None,
    derandomize=False,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - where Linux keeps files in memory
_ROOM_NEEDED = 2 * 1024**3


def pytest_configure(config: pytest.Config) -> None:
    """Keep what tests write in memory where there is room: they wait for disks half their time.

    What a disk may lose is played by a disk of our own (tests.fakes), not by the machine's.
    """
    if _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free >= _ROOM_NEEDED:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))
    if _starts_workers(config):
        compile_once(config)
        share_the_server()
    elif hasattr(config, "workerinput"):
        send_what_says_something(config)


def pytest_unconfigure() -> None:
    end_the_server()


def _starts_workers(config: pytest.Config) -> bool:
    """Return whether this is the process of xdist that runs no test itself."""
    return config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start a worker more than there are processors, for one whose test waits.

    Each collects every test and warms its own programs up: some 25 seconds of processor time.
    """
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "Scheduling | None":
    """Let a worker that is done take over half of what waits at another.

    By xdist's own way the first has eight in a hundred tests, the longest, and nobody helps it:
    it was at work for half a minute after the others.
    """
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling  # noqa: PLC0415 - not in every run

    return WorkStealingScheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests where there are some: to read all docstrings takes seconds a worker."""
    found = yield
    return [
        each
        for each in found
        if not isinstance(each, DoctestModule) or b">>>" in file_path.read_bytes()
    ]


_LONGEST = frozenset(
    {"test_telegram_kills", "test_lark_kills", "test_attacks", "test_postgres"}
    | {"test_stopping", "test_erase_proof", "test_wheel", "test_long_texts"}
)
"""The files whose tests take longest, most of it waiting for programs that end or are killed."""

_SOURCES = "architecture"
"""The folder whose tests share the sources they read, which take seconds to parse."""

_ALSO_SOURCES = frozenset({"test_texts"})
"""The files elsewhere whose tests read the same."""

_WHOLE_SDK = frozenset(
    {"test_lark_sdk", "test_lark_platform", "test_lark_rules", "test_lark_frames"}
    | {"test_lark_signing", "test_lark_api"}
)
"""The files whose tests import all of Lark's library, which takes seconds, once a worker."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector look at nothing that is collected: modules and tests stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what shares what it read, before the worker that has it can be helped with it.

    After it comes what takes longest: at the end the other workers would wait for it.
    """
    items.sort(
        key=lambda item: (
            item.path.stem not in _WHOLE_SDK,
            item.path.parent.name != _SOURCES and item.path.stem not in _ALSO_SOURCES,
            item.path.stem not in _LONGEST,
        )
    )


@pytest.fixture(scope="session", autouse=True)
def every_loop_counts_idle_time() -> Iterator[None]:
    """Let every test run in a loop of this kind, and whatever starts one in another thread.

    Not by pytest-asyncio's `pytest_asyncio_loop_factories`: what a module shares would be built
    anew for each of its tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.events, "new_event_loop", IdleLoop)
        yield


@pytest.fixture
def quick_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let idle seconds pass ten times as fast, where all that may happen happens in this process.

    While there is something to do, also in a thread, time passes as slowly as ever.
    """
    if not STRICT:
        monkeypatch.setattr(IDLENESS, "pace", 10.0)


@pytest.fixture(scope="session", autouse=True)
def certificates_are_read_once() -> Iterator[None]:
    """Save what clients cost, where nobody asks what they cost."""
    with pytest.MonkeyPatch.context() as patch:
        if not STRICT:
            read_once(patch)
        yield
