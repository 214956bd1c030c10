"""The desk in the shell, in real processes: looking, steering, undoing and erasing."""

import json
import signal
import subprocess
import time
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from memory.agents import folder_of
from memory.stores.disk import FolderLock
from tests.fakes import processes
from tests.fakes.processes import start
from tests.fakes.waiting import HANG_SECONDS


def run(
    *words: object, data: Path, said: str = "", whole: bool = False
) -> "subprocess.CompletedProcess[str]":
    return processes.run(*words, "--data", data, said=said, whole=whole)


def desk(*words: str, data: Path) -> dict[str, Any]:
    """Give a command in the shell and return what a program reads."""
    done = run("memory", *words, "--agent", "local", "--json", data=data)
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which two things are known; each test takes a copy."""
    data = tmp_path_factory.mktemp("told")
    run("chat", data=data, said="记住：我对琥珀花生过敏\n记住：我喜欢猫\n")
    return data


@pytest.fixture
def data(tmp_path: Path, told: Path) -> Path:
    copytree(told, tmp_path, dirs_exist_ok=True)
    return tmp_path


def pressed(document: dict[str, Any]) -> str:
    """Return the code of the button that confirms."""
    (button,) = document["buttons"]
    return str(button["command"]).split()[-1]


def test_what_is_steered_in_the_shell_is_seen_in_the_chat_and_can_be_undone(data: Path) -> None:
    desk("pin", "#1", data=data)
    desk("edit", "#2", "我喜欢猫", "和狗", data=data)
    seen = run("chat", data=data, said="/memory list\n").stdout
    preview = desk("/undo", data=data)
    desk("/undo", "--ok", pressed(preview), data=data)

    assert "📌" in seen
    assert "我喜欢猫 和狗" in seen
    assert desk("show", "#2", data=data)["title"] == "#2 我喜欢猫"


def test_erasing_in_the_shell_takes_a_preview_and_its_code(data: Path) -> None:
    preview = desk("/forget", "琥珀花生", data=data)
    assert "没有撤销" in str(preview["text"])
    wrong = desk("/forget", "琥珀花生", "--ok", "00000000", data=data)
    assert pressed(wrong) == pressed(preview)
    desk("/forget", "琥珀花生", "--ok", pressed(preview), data=data)

    left = [p for p in data.rglob("*") if p.is_file() and "琥珀".encode() in p.read_bytes()]
    assert left == []
    assert [row["text"] for row in desk("list", data=data)["rows"]] == ["我喜欢猫"]


def test_looking_works_beside_a_running_program_and_steering_says_why_not(data: Path) -> None:
    lock = FolderLock.take(folder_of(data, "local"))
    looked = run("memory", "list", "--agent", "local", data=data)
    steered = run("memory", "pin", "#1", "--agent", "local", data=data)
    lock.release()

    assert looked.returncode == 0
    assert "花生" in looked.stdout
    assert steered.returncode == 1
    assert "Traceback" not in steered.stderr


@pytest.mark.parametrize("picture", ["graph", "curve"])
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_pictures_are_written_to_files(data: Path, picture: str, ending: str) -> None:
    out = data / f"picture.{ending}"
    done = run("memory", picture, "#1", "--agent", "local", "--out", out, data=data)

    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(b"<svg" if ending == "svg" else b"\x89PNG")


def test_an_export_brought_into_another_data_folder_is_the_same(
    data: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    run("export", "--agent", "local", "--out", data, data=data, whole=True)
    preview = run("import", data / "local.json", "--agent", "local", data=there)
    taken = run("import", data / "local.json", "--agent", "local", "--yes", data=there)

    assert "--yes" in preview.stdout
    assert taken.returncode == 0
    assert desk("list", data=there) == desk("list", data=data)
    assert (data / "local.json").stat().st_mode & 0o777 == 0o600


def erased_within(copy: Path, code: str, seconds: float) -> float:
    """Erase in a process that is killed after so many seconds; return how long it lived."""
    words = ("memory", "/forget", "琥珀花生", "--ok", code, "--agent", "local")
    began = time.monotonic()
    process = start(*words, "--data", copy)
    try:
        process.wait(seconds)
    except TimeoutError:
        process.send_signal(signal.SIGKILL)
        process.wait(HANG_SECONDS)
    return time.monotonic() - began


def test_an_erasure_that_was_killed_is_whole_after_the_next_start(data: Path) -> None:
    code = pressed(desk("/forget", "琥珀花生", data=data))
    whole = data.parent / "whole"
    copytree(data, whole)
    took = erased_within(whole, code, HANG_SECONDS)
    for share in (0.55, 0.7, 0.8, 0.9):
        copy = data.parent / f"copy{share}"
        copytree(data, copy)
        erased_within(copy, code, took * share)
        run("chat", data=copy, said="\n")
        texts = [row["text"] for row in desk("list", data=copy)["rows"]]
        files = [p for p in copy.rglob("*") if p.is_file() and "琥珀".encode() in p.read_bytes()]

        assert "我喜欢猫" in texts
        assert "我对琥珀花生过敏" in texts or files == []
