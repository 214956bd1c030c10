"""Every single failure of the disk, every moment to be killed, and losses of power.

The oracle is the list of committed states: success reported means durable, failure reported means
the old state, and no moment may leave anything else.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.errors import StoreUnwritable
from memory.stores.disk import Disk
from memory.stores.recovery import read_agent_state
from tests.fakes.cost import share, times
from tests.fakes.disks import FaultyDisk, Killed, PowerlessDisk, When, bad_sector, no_space
from tests.store_owner import COMMITS, HOME, STATES, Owner, calls_of_a_life

CALLS = calls_of_a_life()


def swept(when: When) -> Sequence[int]:
    """Return which calls fail in turn: every ninth of them, and all of them in a hunt."""
    return share(range(1, len(CALLS) + 1), of=9, first=("before", "after").index(when))


def test_the_sweeps_meet_every_call_there_is() -> None:
    calls = {name for name in vars(Disk) if not name.startswith("_")}
    # These are made of the others, or change nothing.
    others = {"lock", "make_folder", "is_folder", "size", "sweep"}

    assert set(CALLS) == calls - others


@pytest.mark.hunted
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_call_that_fails_once_leaves_everything_that_was_acknowledged(when: When) -> None:
    for number in swept(when):
        inner, owner = PowerlessDisk(), Owner()
        fault = (no_space, bad_sector)[number % 2]
        disk = FaultyDisk(number, fault, when=when, inner=inner)
        with suppress(StoreUnwritable):
            owner.open(disk)
            owner.live(COMMITS)

            assert owner.acknowledged >= COMMITS - owner.refusals >= COMMITS - 1, number
        assert read_agent_state(HOME, disk=inner) == STATES[owner.acknowledged], number


@pytest.mark.hunted
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_disk_that_fails_for_good_leaves_what_was_acknowledged_before(when: When) -> None:
    for number in swept(when):
        inner, owner = PowerlessDisk(), Owner()
        disk = FaultyDisk(number, bad_sector, when=when, lasting=True, inner=inner)
        with suppress(StoreUnwritable):
            owner.open(disk)
            owner.live(COMMITS)

        owner.open(inner)
        owner.live(2)
        assert read_agent_state(HOME, disk=inner) == STATES[owner.acknowledged], number


@pytest.mark.hunted
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_at_any_call_loses_nothing_acknowledged(when: When) -> None:
    for number in swept(when):
        inner, owner = PowerlessDisk(), Owner()
        with suppress(Killed):
            owner.open(FaultyDisk(number, when=when, lasting=True, inner=inner))
            owner.live(COMMITS)

        owner.open(inner)
        owner.live(2)
        assert read_agent_state(HOME, disk=inner) == STATES[owner.acknowledged], number


@settings(max_examples=times(25, hunting=400))
@example(losses=[(5, 153)])  # the first one found, when the journal was the first file made
@example(losses=[(8, 0)])  # of the first line ever: the header, and zeros to its full length
@example(losses=[(8, 393)])  # half of its header, and zeros
@example(losses=[(8, 9)])  # cut short
@example(losses=[(8, 5)])  # whole, but never acknowledged
@example(losses=[(8, 12), (8, 20), (11, 21)])  # again and again, beside what was set aside
@example(losses=[(10, 0)])  # "blank" again after it had been renamed
@example(losses=[(12, 12)])  # the second line torn
@given(
    losses=st.lists(
        st.tuples(st.integers(1, len(CALLS)), st.integers(0, 2**32)), min_size=1, max_size=3
    )
)
def test_losses_of_power_at_any_moment_lose_nothing_acknowledged(
    losses: list[tuple[int, int]],
) -> None:
    owner, files = Owner(), dict[Path, bytes]()
    for step, seed in losses:
        disk = PowerlessDisk(files, killed_at=step)
        with suppress(Killed):
            owner.open(disk)
            owner.live(COMMITS)
        files = disk.after_power_loss(Random(seed))

    owner.open(PowerlessDisk(files))
    owner.live(1)
    assert owner.refusals == 0
