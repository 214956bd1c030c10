"""Steering in the shell beside a running program: real processes, one memory."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from memory.changes import Put
from memory.state import MemoryState
from memory.stores.exports import export_bytes
from tests.builders import a_memory
from tests.fakes import processes
from tests.fakes.clock import NOON
from tests.fakes.processes import StartedProgram, start
from tests.fakes.waiting import HANG_SECONDS


def shell(*words: str, data: Path, code: int = 0) -> str:
    done = processes.run("memory", *words, "--agent", "local", "--data", data)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def told(*words: str, data: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(shell(*words, "--json", data=data))
    return read


@dataclass(frozen=True, slots=True)
class Talk:
    """A program in which somebody talks."""

    program: StartedProgram
    said: IO[str]
    answers: IO[str]

    def say(self, line: str, answer: str = "") -> None:
        """Say a line and wait for a line of answer that holds so much."""
        self.said.write(line + "\n")
        self.said.flush()
        while answer not in (heard := self.answers.readline()):
            assert heard, f"nobody said {answer}"

    def kill(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(HANG_SECONDS)


@contextmanager
def talking(data: Path) -> Iterator[Talk]:
    """Keep a program running in which somebody talks, until the block ends."""
    stdin, said = os.pipe()
    answers, stdout = os.pipe()
    program = start("chat", "--data", data, stdin=stdin, stdout=stdout)
    os.close(stdin)
    os.close(stdout)
    with open(said, "w", encoding="utf-8") as given, open(answers, encoding="utf-8") as heard:  # noqa: PTH123 - pipes
        talk = Talk(program, given, heard)
        try:
            talk.say("记住：我对花生过敏")
            talk.say("记住：我喜欢猫")
            talk.say("你好")  # answered when what was said before is in place
            yield talk
        finally:
            talk.kill()


def code(document: dict[str, Any]) -> str:
    return str(document["buttons"][0]["command"]).split()[-1]


def test_the_shell_steers_through_the_program_that_runs(tmp_path: Path) -> None:
    with talking(tmp_path) as talk:
        assert "📌" in shell("pin", "#1", data=tmp_path)
        assert "📌" in shell("list", data=tmp_path), "looking sees it at once"
        talk.say("/memory pin #1", "#1 已经钉着了")

        preview = told("/forget", "喜欢猫", data=tmp_path)
        talk.say("你好")
        done = told("/forget", "喜欢猫", "--ok", code(preview), data=tmp_path)
        assert "buttons" not in done
        assert "猫" not in shell("list", data=tmp_path)

        refused = shell("pin", "#99", data=tmp_path, code=1)
        assert "#99" in refused

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any("我喜欢猫".encode() in path.read_bytes() for path in files)


def test_a_file_goes_through_to_the_program_that_runs(tmp_path: Path) -> None:
    state, _ = MemoryState().apply([Put(a_memory(1, "我每天喝手冲咖啡"))])
    file = tmp_path / "其他.json"
    file.write_bytes(export_bytes(state, "b", NOON))
    with talking(tmp_path / "data") as talk:
        preview = told("import", str(file), data=tmp_path / "data")
        told("import", str(file), "--ok", code(preview), data=tmp_path / "data")
        talk.say("/memory search 手冲咖啡", "手冲咖啡")
        missing = shell("import", str(tmp_path / "none.json"), data=tmp_path / "data", code=1)

    assert preview["new"] == "1"
    assert "none.json" in missing


def test_after_a_kill_the_shell_does_it_by_itself(tmp_path: Path) -> None:
    with talking(tmp_path) as talk:
        talk.kill()
        assert (tmp_path / "desk.sock").exists(), "the killed program left its socket"

        assert "📌" in shell("pin", "#2", data=tmp_path)


@pytest.mark.parametrize("times", [4])
def test_looking_and_steering_at_once_lose_nothing(tmp_path: Path, times: int) -> None:
    with talking(tmp_path):
        asked = [
            start(
                *("memory", "/remember", f"第{number}件要紧的事"),
                *("--agent", "local", "--data", tmp_path),
            )
            for number in range(times)
        ]
        assert [each.wait(HANG_SECONDS) for each in asked] == [0] * times
        listed = shell("list", "--limit", "50", data=tmp_path)

    assert all(f"第{number}件要紧的事" in listed for number in range(times)), listed
