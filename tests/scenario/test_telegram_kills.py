"""Killed at any moment, she loses nothing and answers nothing twice.

``make kill-telegram`` and ``make kill-reminders`` kill her often.
"""

from pathlib import Path

import pytest

from tests.fakes.cost import times
from tests.fakes.telegram_kills import TelegramKillRun


@pytest.mark.hunted
async def test_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    kills = times(3, hunting=30)
    verdict = await TelegramKillRun(tmp_path, kills=kills, seed=6).run(each_kill=2)

    assert verdict.sent == 2 * kills
    assert not verdict.lost
    assert not verdict.doubled
    assert verdict.inversions == 0
    assert verdict.strays == 0


async def test_killed_while_reminders_fall_due_each_rings_once(tmp_path: Path) -> None:
    verdict = await TelegramKillRun(tmp_path, kills=2, seed=6).run(each_kill=2, reminders=True)

    assert verdict.sent == 4
    assert not verdict.lost
    assert not verdict.doubled


async def test_killed_while_she_begins_by_herself_she_says_it_once(tmp_path: Path) -> None:
    verdict = await TelegramKillRun(tmp_path, kills=2, seed=6).run_unasked(each_round=2)

    assert verdict.sent >= 3
    assert not verdict.lost
    assert not verdict.doubled
