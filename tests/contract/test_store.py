"""What every store promises, whatever it keeps its state in."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx

from memory.changes import Drop, Put, RememberedId
from memory.errors import StoreError, StoreLocked
from memory.model import Memory
from memory.ports import MemoryStore
from memory.state import MemoryState
from memory.stores.disk import REAL_DISK
from memory.stores.file_store import FileStore
from memory.stores.shapes import BadDocument
from tests.builders import a_memory
from tests.fakes.in_memory_store import InMemoryStore
from tests.store_work import commit, life

Reopen = Callable[[], FileStore | InMemoryStore]
"""Return the store of one agent; again, as after a restart."""


@pytest.fixture(params=["file", "server", "memory"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Reopen:
    if request.param != "memory":
        disk = REAL_DISK
        if request.param == "server":
            disk = request.getfixturevalue("open_disk")(tmp_path)
        folder = tmp_path / "agents" / "a"
        return lambda: FileStore(folder, disk=disk, fold_every=5, page_lines=2)
    in_memory = InMemoryStore()
    return lambda: in_memory


async def live(store: MemoryStore, state: MemoryState, first: int, last: int) -> MemoryState:
    """Make the commits ``first`` to ``last`` and return the state after them."""
    for number in range(first, last + 1):
        changes, state = commit(number, state)
        await store.append(changes, state)
    return state


async def test_a_new_store_holds_nothing(reopen: Reopen) -> None:
    store = reopen()

    assert await store.load() == MemoryState()

    await store.close()


async def test_what_was_committed_is_there_after_a_restart(reopen: Reopen) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 23)
    await store.close()

    again = reopen()
    loaded = await again.load()
    await again.close()

    assert loaded == state == life(23)[-1]


async def test_a_snapshot_is_named_only_while_it_holds_just_what_is_there(reopen: Reopen) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 7)
    before = await store.snapshot()
    await store.fold()
    name = await store.snapshot()
    await store.close()

    again = reopen()
    loaded = await again.load()
    assert loaded == state
    assert loaded.read_from == name == await again.snapshot()
    state = await live(again, loaded, 8, 8)
    assert await again.snapshot() == "" == before
    assert state.read_from == ""
    await again.fold()
    assert bool(await again.snapshot()) is bool(name)
    assert not name or await again.snapshot() != name
    await again.close()


async def test_what_was_committed_is_there_when_it_is_loaded_again(reopen: Reopen) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 7)

    assert await store.load() == state

    state = await live(store, state, 8, 12)
    assert await store.load() == state
    await store.close()


async def test_a_store_goes_on_where_it_stopped(reopen: Reopen) -> None:
    state = MemoryState()
    for first in (1, 4, 11):
        store = reopen()
        assert await store.load() == state
        state = await live(store, state, first, {1: 3, 4: 10, 11: 30}[first])
        await store.close()

    store = reopen()
    assert await store.load() == life(30)[-1]
    await store.close()


async def test_folding_changes_nothing_that_can_be_seen(reopen: Reopen) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 3)
    await store.fold()
    await store.fold()
    state = await live(store, state, 4, 4)
    await store.fold()

    assert await store.load() == state

    await store.close()


async def test_scrubbing_changes_nothing_that_can_be_seen(reopen: Reopen) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 9)
    await store.scrub()

    assert await store.load() == state

    await store.close()


async def test_the_high_water_mark_of_ids_survives_the_memory_that_set_it(reopen: Reopen) -> None:
    store = reopen()
    state, _ = (await store.load()).apply([Put(a_memory(41))])
    await store.append([Put(a_memory(41))], state)
    state, _ = state.apply([Drop(Memory, 41)])
    await store.append([Drop(Memory, 41)], state)
    assert (await store.load()).next_id == 42
    await store.fold()
    await store.close()

    again = reopen()
    assert (await again.load()).next_id == 42
    await again.close()


async def test_an_id_that_was_given_out_and_never_used_is_not_given_out_again(
    reopen: Reopen,
) -> None:
    store = reopen()
    state = replace(await store.load(), next_id=17)
    await store.append([], state)
    await store.close()

    again = reopen()
    assert (await again.load()).next_id == 17
    await again.close()


async def test_a_value_no_document_can_hold_is_refused_and_leaves_no_trace(reopen: Reopen) -> None:
    store = reopen()
    before = await live(store, await store.load(), 1, 2)
    memory = a_memory(3)
    nan = replace(memory, trace=replace(memory.trace, importance=math.nan))
    half = a_memory(3, "坏\ud83d")
    for bad in (nan, half):
        after, _ = before.apply([Put(bad)])
        with pytest.raises(BadDocument):
            await store.append([Put(bad)], after)

    assert await store.load() == before

    await store.close()


async def test_a_store_that_is_not_open_says_so(reopen: Reopen) -> None:
    store = reopen()

    with pytest.raises(StoreError, match="load it first"):
        await store.append([], MemoryState())

    await store.load()
    await store.close()
    for refused in (store.append([], MemoryState()), store.fold(), store.scrub()):
        with pytest.raises(StoreError, match="load it first"):
            await refused


async def test_closing_twice_is_no_error(reopen: Reopen) -> None:
    store = reopen()
    await store.close()
    await store.load()
    await store.close()
    await store.close()


async def test_commits_made_at_once_land_in_the_order_they_were_made(reopen: Reopen) -> None:
    store = reopen()
    state = await store.load()
    waiting = []
    for number in range(1, 40):
        changes, state = commit(number, state)
        waiting.append(store.append(changes, state))
    await asyncio.gather(*waiting)
    await store.close()

    again = reopen()
    assert await again.load() == state == life(39)[-1]
    await again.close()


async def test_an_append_whose_caller_is_cancelled_is_finished_before_the_next(
    reopen: Reopen,
) -> None:
    store = reopen()
    state = await live(store, await store.load(), 1, 3)
    changes, state = commit(4, state)
    one = asyncio.ensure_future(store.append(changes, state))
    await asyncio.sleep(0)
    one.cancel()
    state = await live(store, state, 5, 6)
    with pytest.raises(asyncio.CancelledError):
        await one
    await store.close()

    again = reopen()
    assert await again.load() == state == life(6)[-1]
    await again.close()


async def test_the_event_loop_is_never_blocked(reopen: Reopen) -> None:
    store = reopen()
    with blockbuster_ctx(scanned_modules=["memory"]):
        state = await live(store, await store.load(), 1, 20)
        await store.fold()
        await store.scrub()
        assert await store.load() == state
        await store.close()


async def test_a_large_commit_is_one_commit(reopen: Reopen) -> None:
    store = reopen()
    changes = [Put(RememberedId(message_id=f"m{number}")) for number in range(3_000)]
    state, _ = (await store.load()).apply(changes)
    await store.append(changes, state)
    await store.close()

    again = reopen()
    assert await again.load() == state
    await again.close()


async def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    first, second = FileStore(tmp_path / "a"), FileStore(tmp_path / "a")
    await first.load()

    with pytest.raises(StoreLocked, match="stop the running"):
        await second.load()

    await first.close()
    await second.load()
    await second.close()
