"""What the shell cannot read is said in the operator's language."""

from pathlib import Path

import pytest

from bot.__main__ import main

CASES = [
    ([], "xiaoxiang: 还缺 COMMAND", "xiaoxiang: the following arguments are required: COMMAND"),
    (
        ["replay"],
        "xiaoxiang replay: 还缺 file, --agent",
        "xiaoxiang replay: the following arguments are required: file, --agent",
    ),
    (
        ["bring", "f", "--agent", "a", "--dates", "xyz"],
        "xiaoxiang bring: --dates 里没有 'xyz'，可以是 ",
        "xiaoxiang bring: argument --dates: invalid choice: 'xyz' (choose from ",
    ),
    (
        ["nonsense"],
        "xiaoxiang: COMMAND 里没有 'nonsense'，可以是 ",
        "xiaoxiang: argument COMMAND: invalid choice: 'nonsense' (choose from ",
    ),
    (
        ["chat", "--wrong"],
        "xiaoxiang: 不认识 --wrong",
        "xiaoxiang: unrecognized arguments: --wrong",
    ),
    (
        ["run", "--data"],
        "xiaoxiang run: --data 后面要跟一个值",
        "xiaoxiang run: argument --data: expected one argument",
    ),
    (
        ["chat", "--offline=yes"],
        "xiaoxiang chat: --offline 后面不跟值：'yes'",
        "xiaoxiang chat: argument --offline: ignored explicit argument 'yes'",
    ),
    (
        ["chat", "--a"],
        "xiaoxiang chat: --a 可能是 --agent, --at 里的哪一个，请写全",
        "xiaoxiang chat: ambiguous option: --a could match --agent, --at",
    ),
    (
        ["chat", "--at", "soon"],
        "xiaoxiang chat: --at：'soon' 不是时间，要写成 2023-05-07T20:00+08:00 这样",
        "xiaoxiang chat: argument --at: 'soon': a time like 2023-05-07T20:00+08:00",
    ),
    (
        ["chat", "--at", "2023-05-07T20:00"],
        "xiaoxiang chat: --at：'2023-05-07T20:00' 没有时区，后面加上，比如 +08:00",
        "xiaoxiang chat: argument --at: '2023-05-07T20:00' has no zone; add one, like +08:00",
    ),
    (
        ["memory", "list"],
        "xiaoxiang memory: 还缺 --agent",
        "xiaoxiang memory: the following arguments are required: --agent",
    ),
    (
        ["memory", "nonsense", "--agent", "a"],
        "xiaoxiang memory: 没有 'nonsense' 这个命令，看 xiaoxiang memory --help",
        "xiaoxiang memory: no command 'nonsense'; see xiaoxiang memory --help",
    ),
]


SAID = [
    (language, given, chinese if language == "zh" else english)
    for given, chinese, english in CASES
    for language in ("zh", "en")
]


@pytest.mark.parametrize(("language", "given", "expected"), SAID)
def test_what_cannot_be_read_is_said_in_the_operators_language(
    language: str,
    given: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XIAOXIANG_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", language)
    with pytest.raises(SystemExit) as ended:
        main(given)
    said = capsys.readouterr().err

    assert ended.value.code == 2
    assert said.startswith("用法 · usage: xiaoxiang")
    assert said.splitlines()[-1].startswith(expected), said


def test_help_is_headed_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    shown = capsys.readouterr().out

    assert shown.startswith("用法 · usage: xiaoxiang replay")
    assert "\n参数 · arguments:\n" in shown
    assert "\n选项 · options:\n" in shown
