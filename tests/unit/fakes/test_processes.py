"""A forked program is what a program started from nothing is, as far as anybody can see."""

import os
import signal
from pathlib import Path

import pytest

from tests.fakes.processes import run, start
from tests.fakes.waiting import HANG_SECONDS


@pytest.mark.parametrize(
    "words",
    [("--help",), ("fly",), ("doctor", "--data", "{data}")],
    ids=["said", "not read", "done"],
)
def test_it_says_and_returns_the_same(tmp_path: Path, words: tuple[str, ...]) -> None:
    given = [each.format(data=tmp_path) for each in words]
    env = {"LANGUAGE": "en"}

    forked, whole = run(*given, env=env), run(*given, env=env, whole=True)

    assert (forked.returncode, forked.stdout, forked.stderr) == (
        whole.returncode,
        whole.stdout,
        whole.stderr,
    )


def test_it_knows_nothing_of_the_environment_of_others(tmp_path: Path) -> None:
    broken = run("doctor", "--data", tmp_path, env={"TIMEZONE": "Mars"})
    well = run("doctor", "--data", tmp_path)

    assert (broken.returncode, well.returncode) == (1, 0)


def test_it_can_be_killed_and_what_it_held_is_closed(tmp_path: Path) -> None:
    stdin, said = os.pipe()
    heard, stdout = os.pipe()
    program = start("chat", "--data", tmp_path, stdin=stdin, stdout=stdout)
    os.close(stdin)
    os.close(stdout)
    assert program.poll() is None
    program.send_signal(signal.SIGKILL)

    assert program.wait(HANG_SECONDS) == -signal.SIGKILL
    assert os.read(heard, 1) == b""
    os.close(said)
    os.close(heard)


def test_a_fault_of_its_own_ends_it_alone(tmp_path: Path) -> None:
    assert start(module="tests.fakes.no_such_module").wait(HANG_SECONDS) == 1
    assert run("doctor", "--data", tmp_path).returncode == 0
