"""Files that cannot be what they are given as, and keys that others may read, are said."""

import os
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.fakes.desk import session_with


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
    assert "given.json 不是文件" in capsys.readouterr().err


@pytest.mark.parametrize(("mode", "status"), [(0o644, 1), (0o640, 1), (0o600, 0)])
def test_keys_that_others_may_read_are_said(
    mode: int, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_text("LANGUAGE=en\n")
    (tmp_path / ".env").chmod(mode)

    assert main(["doctor", "--data", str(tmp_path / "data")]) == status

    assert capsys.readouterr().out.count("chmod 600") == status


@pytest.mark.parametrize(
    ("content", "zh", "en"),
    [
        ("nothing", "不是 JSON", "it is not JSON"),
        ('{"format": "something"}', "不是小祥的导出", "not an export"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_cannot_be_imported_is_said_in_the_language_of_the_settings(
    content: str,
    zh: str,
    en: str,
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / ".env").write_text(f"LANGUAGE={language}\n")
    (tmp_path / "given.json").write_text(content)
    given = [str(tmp_path / "given.json"), "--agent", "a", "--data", str(tmp_path / "data")]

    assert main(["import", *given]) == 1
    assert (zh if language == "zh" else en) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["import", ".", "--agent", "a"], "不是文件"),
        (["memory", "list", "--agent", "a", "--out", "x.pdf"], "以 .svg 或 .png 结尾"),
        (["export", "--agent", "No Such"], "不能做记忆的名字"),
    ],
)
def test_what_the_shell_refuses_is_said_in_chinese(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_text("LANGUAGE=zh\n")

    assert main([*arguments, "--data", str(tmp_path / "data")]) == 1
    assert told in capsys.readouterr().err


async def test_the_mode_of_the_search_is_named_in_chinese() -> None:
    async with session_with() as session:
        assert "搜索模式：普通" in await session.says("/memory mode normal")
