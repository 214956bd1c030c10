"""What a pipe is told whose reader has ended."""

import os
import sys

import pytest

from bot.adapters.console.delivery import PipeScreen


def test_a_reader_that_has_ended_is_noticed_and_fails_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    screen = PipeScreen()
    with os.fdopen(writes, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert not screen.gone
        for _ in range(2):
            screen.write("好")
            screen.end()

    assert screen.gone


def test_a_reader_that_reads_on_gets_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    screen = PipeScreen()
    screen.write("好")
    screen.end()

    assert capsys.readouterr().out == "好\n"
    assert not screen.gone
