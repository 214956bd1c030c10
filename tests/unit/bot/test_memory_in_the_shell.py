"""``xiaoxiang memory``: the shell understands every word that a chat understands."""

from pathlib import Path

import pytest

from bot.cli.memory import LOOKS_AT_DIARY, parse_memory_command, split_options
from bot.desk.command import Spec
from bot.desk.parser import shell_command
from bot.desk.registry import SPECS

NAMED = [
    pytest.param(spec, name, id=f"{spec.path} as {name}")
    for spec in SPECS
    for name in sorted(spec.names)
    if spec.path != "memory"
]


def words_for(spec: Spec) -> list[str]:
    """Return the least that a command must be given."""
    least = {"memory": "#1", "memories": "#1", "words": "花生", "number": "1", "file": "x.json"}
    return [
        next(iter(each.choices)) if each.kind == "choice" else least[each.kind]
        for each in spec.arguments
        if each.required
    ]


@pytest.mark.parametrize(("spec", "name"), NAMED)
def test_every_command_is_known_by_each_of_its_names(spec: Spec, name: str) -> None:
    written = name if spec.parent else f"/{name}"

    given = parse_memory_command([written, *words_for(spec), "--agent", "a"])

    assert given.spec.path == spec.path


def test_chinese_values_and_bare_options_are_read_as_in_a_chat() -> None:
    given = parse_memory_command(["列表", "核心", "第2页", "--agent", "a", "--json"])

    assert given.spec.path == "memory list"
    assert given.words.words == "列表 核心 第2页 --limit 50"
    assert given.options.json


def test_own_limit_is_kept_and_no_word_at_all_is_the_overview() -> None:
    listed = parse_memory_command(["list", "--limit", "3", "--agent=a"])
    overview = parse_memory_command(["--agent", "a", "--data", "x"])

    assert listed.words.words == "list --limit 3"
    assert (overview.spec.path, overview.options.data) == ("memory", Path("x"))
    assert parse_memory_command(["记忆", "--agent", "a"]).spec.path == "memory"


def test_forgetting_hides_and_the_command_of_that_name_erases() -> None:
    assert parse_memory_command(["forget", "1", "--agent", "a"]).spec.path == "memory forget"
    assert parse_memory_command(["/forget", "1", "--agent", "a"]).spec.path == "forget"
    assert parse_memory_command(["/忘掉", "1", "--agent", "a"]).spec.path == "forget"


@pytest.mark.parametrize("code", ["1a2b3c4d", "ok-1a2b3c4d"])
def test_a_code_stands_behind_the_words(code: str) -> None:
    given = parse_memory_command(["/forget", "花生", "--ok", code, "--agent", "a"])

    assert given.words.words == "花生 ok-1a2b3c4d"


def test_behind_two_hyphens_all_are_words() -> None:
    assert split_options(["search", "--agent", "a", "--", "--json"]) == (
        ["--agent", "a"],
        ["search", "--json"],
    )
    assert shell_command(["/usr"]).name == "usr"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["list"], "--agent"),
        (["show", "x", "--agent", "a"], "x"),
        (["dance", "--agent", "a"], "dance"),
        (["list", "--agent"], "--agent"),
        (["show", "1", "--agent", "a", "--at", "noon"], "noon"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_memory_command(arguments)

    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_the_help_lists_every_command_and_explains_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parse_memory_command(["--help"])
    every = capsys.readouterr().out
    with pytest.raises(SystemExit):
        parse_memory_command(["列表", "--help"])
    one = capsys.readouterr().out

    assert all(spec.help.zh in every and spec.help.en in every for spec in SPECS[1:])
    assert "core" in one
    assert "/memory list" in one


@pytest.mark.parametrize(
    ("words", "looks"),
    [("diary 2026-06-18", True), ("日记", True), ("diary 90", False), ("diary off", False)],
)
def test_only_to_see_a_day_of_the_diary_is_to_look(words: str, *, looks: bool) -> None:
    assert bool(LOOKS_AT_DIARY.fullmatch(words)) == looks


@pytest.mark.parametrize(
    ("words", "looks"),
    [
        (["settings"], True),
        (["law"], True),
        (["规律"], True),
        (["mode"], True),
        (["diary"], True),
        (["notice"], True),
        (["/reminders"], True),
        (["/提醒"], True),
        (["list", "core"], True),
        (["law", "network"], False),
        (["mode", "debug"], False),
        (["diary", "90"], False),
        (["/reminders", "end", "2"], False),
        (["pause"], False),
        (["cleanup"], False),
    ],
)
def test_what_is_only_shown_needs_no_memory_of_its_own(words: list[str], *, looks: bool) -> None:
    assert parse_memory_command(["--agent", "a", *words]).only_looks == looks
