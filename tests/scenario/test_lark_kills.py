"""Killed at any moment, she loses nothing that came from Lark and answers nothing twice.

``make kill-lark`` and ``make kill-reminders`` kill her often.
"""

from pathlib import Path

from tests.fakes.lark_kills import LarkKillRun


async def test_three_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    verdict = await LarkKillRun(tmp_path, kills=3, seed=7).run(each_kill=2)

    assert verdict.sent == 6
    assert not verdict.lost
    assert not verdict.doubled
    assert verdict.strays <= verdict.kills


async def test_killed_while_reminders_fall_due_each_rings_once(tmp_path: Path) -> None:
    verdict = await LarkKillRun(tmp_path, kills=2, seed=7).run(each_kill=2, reminders=True)

    assert verdict.sent == 4
    assert not verdict.lost
    assert not verdict.doubled


async def test_killed_while_she_begins_by_herself_she_says_it_once(tmp_path: Path) -> None:
    verdict = await LarkKillRun(tmp_path, kills=2, seed=7).run_unasked(each_round=2)

    assert verdict.sent >= 3
    assert not verdict.lost
    assert not verdict.doubled
