"""The declarations of the commands, who may give them, and how they are read."""

import re

import pytest

from bot.conversation.messages import ParsedCommand, read_command
from bot.desk.command import Policy, Spec, permits
from bot.desk.desk import Desk, menu, permitted_commands, resolved
from bot.desk.parser import ResolvedCommand, parse_arguments, shell_command
from bot.desk.registry import SPECS
from bot.identity import AccessLevel
from memory.errors import InputRefused
from memory.model import Language

EVERYONE = tuple(AccessLevel)
PEOPLE = {AccessLevel.OWNER, AccessLevel.ADMIN, AccessLevel.ALLOWED}
MATRIX = {
    # docs/decisions/walls.md: policy → who may, in private and in a group
    Policy.LOOK: (PEOPLE, PEOPLE),
    Policy.STEER: (PEOPLE, {AccessLevel.OWNER, AccessLevel.ADMIN}),
    Policy.ERASE: (PEOPLE, PEOPLE),
    Policy.BIND: (PEOPLE, set()),
    Policy.ANSWER: (PEOPLE, PEOPLE),
    Policy.OPERATE: ({AccessLevel.OWNER}, set()),
}


def spec(path: str) -> Spec:
    return next(each for each in SPECS if each.path == path)


def name(each: Spec) -> str:
    return each.path


@pytest.mark.parametrize("each", SPECS, ids=name)
def test_every_command_is_declared_whole(each: Spec) -> None:
    assert each.policy in Policy
    assert each.chinese
    assert each.help.zh
    assert each.help.en
    assert each.path.replace(" ", "_").replace("_", "").isalpha()
    words = [argument.kind == "words" for argument in each.arguments]
    assert not any(words[:-1]), "free words end a command"


def test_no_two_commands_share_a_name() -> None:
    for parent in ("", "memory"):
        names = [n for s in SPECS if s.parent == parent for n in (s.name, *s.chinese, *s.also)]

        assert len(names) == len(set(names))


@pytest.mark.parametrize("each", [s for s in SPECS if not s.parent], ids=name)
def test_every_command_of_its_own_is_read_by_its_chinese_name(each: Spec) -> None:
    for chinese in each.chinese:
        command = read_command(f"/{chinese}")

        assert command is not None
        assert command.name == each.name


@pytest.mark.parametrize("standing", EVERYONE, ids=str)
@pytest.mark.parametrize("private", [True, False])
def test_who_may_give_a_command_and_where(standing: AccessLevel, *, private: bool) -> None:
    place = 0 if private else 1
    allowed = [each for each in SPECS if standing in MATRIX[each.policy][place]]
    offered = permitted_commands(standing, private=private)

    assert [s for s in SPECS if permits(s.policy, standing, private=private)] == allowed
    assert [s for s in SPECS if s in offered] == allowed


def test_the_desk_knows_its_commands_by_every_name_a_message_may_give_them() -> None:
    assert {s.name for s in SPECS if not s.parent} <= Desk.names
    assert {"edit", "list", "列表", "delete", "改"} <= Desk.names


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("standing", EVERYONE, ids=str)
@pytest.mark.parametrize("private", [True, False])
def test_a_menu_offers_what_may_be_given_there_as_a_platform_takes_it(
    language: Language, standing: AccessLevel, *, private: bool
) -> None:
    offered = menu(standing, language, private=private)

    allowed = permitted_commands(standing, private=private)
    assert {name for name, _ in offered} == {each.name for each in allowed if not each.parent}
    assert all(re.fullmatch("[a-z0-9_]{1,32}", name) for name, _ in offered)
    assert all(3 <= len(line) <= 256 for _, line in offered)


@pytest.mark.parametrize(
    ("line", "path", "rest"),
    [
        ("/edit 1 我住在上海", "memory edit", "1 我住在上海"),
        ("/列表 核心", "memory list", "核心"),
        ("/delete 2", "memory forget", "2"),
        ("/forget 2", "forget", "2"),
        ("/memory delete 2", "memory forget", "2"),
        ("/记忆 改#3我住在上海", "memory edit", "#3我住在上海"),
    ],
)
def test_a_verb_may_stand_for_itself_unless_a_command_has_its_name(
    line: str, path: str, rest: str
) -> None:
    command = read_command(line)

    assert command is not None
    assert command.name in Desk.names
    found = resolved(command)
    assert found.spec is not None
    assert (found.spec.path, found.words) == (path, rest)


@pytest.mark.parametrize(
    ("words", "path", "rest"),
    [
        ("", "memory", ""),
        ("list core", "memory list", "core"),
        ("LIST", "memory list", ""),
        ("列表 核心", "memory list", "核心"),
        ("列表核心", "memory list", "核心"),
        ("看#3", "memory show", "#3"),
        ("搜索：花生", "memory search", "花生"),
    ],
)
def test_a_verb_is_found_in_either_language(words: str, path: str, rest: str) -> None:
    found = resolved(ParsedCommand("memory", words))

    assert found.spec is spec(path)
    assert found.words == rest


def test_an_unknown_verb_is_no_command() -> None:
    unknown_verb = ParsedCommand("memory", "唱歌 一首")

    assert resolved(unknown_verb) == ResolvedCommand("memory", None, "唱歌 一首")
    assert resolved(ParsedCommand("sing")) == ResolvedCommand("sing", None, "")


@pytest.mark.parametrize(
    ("arguments", "path", "rest"),
    [
        ([], "memory", ""),
        (["list", "core"], "memory list", "core"),
        (["列表", "核心", "2"], "memory list", "核心 2"),
        (["删掉", "#3"], "memory forget", "#3"),
        (["forget", "#3"], "memory forget", "#3"),
        (["/forget", "#3"], "forget", "#3"),
        (["/忘掉", "#3"], "forget", "#3"),
        (["／忘掉", "#3"], "forget", "#3"),
        (["/restore-backup", "1"], "restore_backup", "1"),
        (["/恢复备份", "1"], "restore_backup", "1"),
        (["search", "what", "--else", "happens"], "memory search", "what --else happens"),
    ],
)
def test_the_shell_understands_every_name_that_a_chat_understands(
    arguments: list[str], path: str, rest: str
) -> None:
    found = resolved(shell_command(arguments))

    assert found.spec is spec(path)
    assert found.words == rest


@pytest.mark.parametrize(
    ("path", "words", "values"),
    [
        ("memory list", "", {}),
        ("memory list", "core 第2页", {"tier": "core", "page": 2}),
        ("memory list", "核心 --limit 5", {"tier": "core", "limit": 5}),
        ("memory list", "--tier=fact 3 钉住", {"tier": "fact", "page": 3, "pinned": True}),
        ("memory list", "--fading", {"fading": True}),
        ("memory show", "#42", {"id": 42}),
        ("memory show", "42", {"id": 42}),
        ("memory search", "花生 和 猫 👋", {"query": "花生 和 猫 👋"}),
        ("memory search", "peanuts --mode debug", {"query": "peanuts", "mode": "debug"}),
        ("memory search", "what --else happens", {"query": "what --else happens"}),
        ("memory curve", "#1，#2 3、1", {"ids": (1, 2, 3)}),
        ("memory curve", "", {}),
        ("why", "2", {"back": 2}),
    ],
)
def test_what_is_given_is_read(path: str, words: str, values: dict[str, object]) -> None:
    assert parse_arguments(spec(path), words, "zh").given.values == values


def test_a_confirmation_stands_at_the_end_and_is_no_word() -> None:
    given = parse_arguments(spec("memory search"), "花生 ok-0a1b2c3d", "zh")

    assert given.given.values == {"query": "花生"}
    assert given.code == "0a1b2c3d"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("path", "words", "named"),
    [
        ("memory show", "", "/memory show"),
        ("memory show", "猫", "猫"),
        ("memory list", "banana", "banana"),
        ("memory list", "--tier gold", "gold"),
        ("memory search", "", "/memory search"),
    ],
)
def test_what_cannot_be_read_is_named_with_how_to_write_it(
    path: str, words: str, named: str, language: Language
) -> None:
    with pytest.raises(InputRefused) as refused:
        parse_arguments(spec(path), words, language)

    assert named in str(refused.value)
    assert f"/{path}" in str(refused.value)
