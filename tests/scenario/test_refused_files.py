"""Files that cannot be what they are given as, and keys that others may read, are said."""

import os
from pathlib import Path

import pytest

from bot.__main__ import main


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", ["import", "replay"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_is_refused_without_waiting(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = tmp_path / "given.json"
    match kind:
        case "pipe":
            os.mkfifo(given)
        case "device":
            given.symlink_to("/dev/zero")
        case _:
            given.mkdir()

    assert main([command, str(given), "--agent", "a", "--data", str(tmp_path / "data")]) == 1
    assert "不是文件" in capsys.readouterr().err


@pytest.mark.parametrize(("mode", "status"), [(0o644, 1), (0o640, 1), (0o600, 0)])
def test_keys_that_others_may_read_are_said(
    mode: int, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_text("LANGUAGE=en\n")
    (tmp_path / ".env").chmod(mode)

    assert main(["doctor", "--data", str(tmp_path / "data")]) == status

    assert capsys.readouterr().out.count("chmod 600") == status
