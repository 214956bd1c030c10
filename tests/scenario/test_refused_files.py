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


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "command", [("doctor",), ("memory", "list", "--agent", "a"), ("export", "--agent", "a")]
)
def test_a_data_folder_of_somebody_else_is_said_with_what_to_do(
    command: tuple[str, ...],
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As after one run with sudo; tests may run as root, to whom every folder is open."""
    (tmp_path / ".env").write_text(f"LANGUAGE={language}\n")
    data, scandir = tmp_path / "data", os.scandir
    data.mkdir()

    def closed(folder: object) -> object:
        if Path(str(folder)) == data:
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(str(folder))

    monkeypatch.setattr("os.scandir", closed)
    assert main([*command, "--data", str(data)]) == 1

    said = capsys.readouterr().err
    assert f"sudo chown -R {os.geteuid()} {data}" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(("language", "word"), [("zh", "没有权限"), ("en", "Permission denied")])
def test_a_ledger_that_cannot_be_read_is_no_fault_of_a_database_that_is_not_set(
    language: str,
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / ".env").write_text(f"LANGUAGE={language}\n")
    (tmp_path / ".env").chmod(0o600)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ledger.sqlite3").touch()

    def unreadable(path: Path) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("bot.cli.upkeep.inspect_ledger", unreadable)
    assert main(["doctor", "--data", str(tmp_path / "data")]) == 1

    said = capsys.readouterr().out
    assert word in said
    assert "DATABASE_URL" not in said


@pytest.mark.parametrize(
    ("content", "zh", "en"),
    [
        ("nothing", "不是 JSON", "it is not JSON"),
        ('{"format": "something"}', "不是小祥的导出", "not an export"),
        ('{"name": "Mo", "messages": []}', "用 xiaoxiang memory import", "`xiaoxiang bring`"),
        ('\ufeff{"format": "something"}', "不是小祥的导出", "not an export"),
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
