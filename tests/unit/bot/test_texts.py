"""Every sentence exists in both languages, is used, and is said with exactly its values."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from errno import ENOSPC
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest

import bot.texts
from bot.settings import read_settings
from bot.texts import Sentence, dialogue, lark, placeholders, say, telegram
from memory.errors import InputRefused, RefusalError, StoreLocked, StoreUnwritable
from memory.model import Language
from memory.offline.vocabulary import ZH
from memory.stores.disk import FolderLock, disk_errors
from memory.text.passed_on import sent_in, without_sent
from tests.architecture.sources import nodes

ROOT = Path(bot.texts.__file__).resolve().parents[2]
IN_BOT = [module.name for module in iter_modules(bot.texts.__path__)]
AREAS = {area: f"bot.texts.{area}" for area in IN_BOT} | {"memory.refusals": "memory.refusals"}
SENTENCES = {
    f"{area}.{name}": value
    for area, module in AREAS.items()
    for name, value in vars(import_module(module)).items()
    if isinstance(value, Sentence)
}
TABLES = {
    f"{area}.{name}": value
    for area, module in AREAS.items()
    for name, value in vars(import_module(module)).items()
    if isinstance(value, dict) and all(isinstance(each, Sentence) for each in value.values())
}
OF_MODULES = {ROOT / f"{module.replace('.', '/')}.py": area for area, module in AREAS.items()}
IN_TABLES = {
    f"{name}[{key}]": each for name, table in TABLES.items() for key, each in table.items()
}
HAN = re.compile(r"[\u4e00-\u9fff]")


def refusal_names(kind: type[RefusalError] = RefusalError) -> set[str]:
    return {kind.__name__}.union(*map(refusal_names, kind.__subclasses__()))


@dataclass(frozen=True)
class Module:
    """What a module says: every sentence it mentions, and every call that says one.

    A call is the name of its sentence, as ``area.NAME``, the names of its values and its line.
    A refusal says its sentence as well.
    """

    mentioned: frozenset[str]
    said: tuple[tuple[str, frozenset[str], int], ...]


@cache
def modules() -> tuple[Module, ...]:
    """Read every module that may say something, once."""
    return tuple(
        read(nodes(path), OF_MODULES.get(path, ""))
        for package in ("bot", "memory")
        for path in sorted((ROOT / package).rglob("*.py"))
    )


def read(found: tuple[ast.AST, ...], own: str) -> Module:
    names = dict(mentioned(found, own))
    return Module(frozenset(names.values()), tuple(said(found, names)))


def areas_in(found: tuple[ast.AST, ...]) -> dict[str, str]:
    """Return the names under which a module knows the areas: local name → area."""
    return {
        alias.asname or alias.name: area
        for node in found
        if isinstance(node, ast.ImportFrom) and node.module in {"bot.texts", "memory"}
        for alias in node.names
        if (area := alias.name if node.module == "bot.texts" else f"memory.{alias.name}") in AREAS
    }


def mentioned(found: tuple[ast.AST, ...], own: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield every sentence a module mentions, as ``area.NAME``, behind where it does.

    What puts an area's sentences together may stand in the ``own`` module of that area.
    """
    areas, known = areas_in(found), SENTENCES.keys() | TABLES.keys()
    for node in found:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in areas and node.attr.isupper():
                yield node, f"{areas[node.value.id]}.{node.attr}"
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and f"{own}.{node.id}" in known
        ):
            yield node, f"{own}.{node.id}"


def said(
    found: tuple[ast.AST, ...], names: Mapping[ast.AST, str]
) -> Iterator[tuple[str, frozenset[str], int]]:
    """Yield what is said as ``area.NAME`` with the names of its values and its line."""
    for node in found:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        says = node.func.id == "say" and len(node.args) == 2
        if (says or node.func.id in {"FilledSentence", *REFUSALS}) and node.args[-1] in names:
            values = frozenset(keyword.arg or "**" for keyword in node.keywords)
            yield names[node.args[-1]], values, node.lineno


def flaws_of(sentence: Sentence) -> Iterator[str]:
    # What only puts values together is the same in both.
    if not HAN.search(sentence.zh) and re.search(
        "[A-Za-z]", re.sub(r"{\w+}|--\w+", "", sentence.zh)
    ):
        yield "the Chinese has no Chinese"
    if not sentence.en.strip():
        yield "there is no English"
    if HAN.search(re.sub(r"（[^）]*）", "", sentence.en)):
        yield "the English has Chinese outside a bracket"


REFUSALS = refusal_names()


def test_every_sentence_is_written_in_both_languages() -> None:
    every = SENTENCES | IN_TABLES
    flaws = [f"{name}: {flaw}" for name, each in every.items() for flaw in flaws_of(each)]

    assert len(every) >= 1_300
    assert not flaws, "\n".join(flaws)


@pytest.mark.parametrize(
    ("zh", "en", "count"),
    [
        ("Hello", "Hello", 1),
        ("你好", " ", 1),
        ("你好", "Say 你好", 1),
        ("Hi", "", 2),
        ("你", "I（你）", 0),
    ],
)
def test_a_sentence_that_is_not_is_noticed(zh: str, en: str, count: int) -> None:
    assert len([*flaws_of(Sentence(zh=zh, en=en))]) == count


def test_no_sentence_is_left_unused_and_none_is_missing() -> None:
    used = {name for module in modules() for name in module.mentioned}

    assert used == SENTENCES.keys() | TABLES.keys()


def test_every_sentence_is_said_with_exactly_the_values_it_needs() -> None:
    calls = [call for module in modules() for call in module.said]

    assert calls
    for name, values, line in calls:
        assert values == SENTENCES[name].placeholders, f"{name}, line {line}"


def test_a_sentence_is_said_in_the_language_of_the_agent() -> None:
    assert say("zh", dialogue.UNKNOWN_COMMAND, name="唱歌").startswith("我不认识 /唱歌")
    assert say("en", dialogue.UNKNOWN_COMMAND, name="sing").startswith(
        "I do not know the command /sing"
    )


def test_braces_in_a_value_mean_nothing() -> None:
    assert "{0.__class__}" in say("zh", dialogue.UNKNOWN_COMMAND, name="{0.__class__}")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("zh", dialogue.UNKNOWN_COMMAND)


def test_languages_that_ask_for_different_values_are_refused() -> None:
    with pytest.raises(ValueError, match="different values"):
        Sentence(zh="你好 {name}", en="Hello {who}")


@pytest.mark.parametrize("template", ["{}", "{0}", "{a.b}", "{a[0]}", "{a!r}", "{a:>3}"])
def test_only_plain_names_may_stand_in_braces(template: str) -> None:
    with pytest.raises(ValueError, match="plain names"):
        placeholders(template)


def test_what_the_disk_refuses_is_said_in_the_language_of_whoever_reads() -> None:
    with pytest.raises(StoreUnwritable) as refused, disk_errors(Path("/proc/x")):
        raise OSError(ENOSPC, "No space left on device")
    assert refused.value.in_language("zh") == "/proc/x 用不了：磁盘满了：腾出空间再试"
    assert str(refused.value) == refused.value.in_language("en")
    assert "the disk is full: free some space" in str(refused.value)


def test_what_is_wrong_with_the_data_is_said_once(tmp_path: Path) -> None:
    lock = FolderLock.take(tmp_path)
    with pytest.raises(StoreLocked) as refused:
        FolderLock.take(tmp_path)
    lock.release()
    told = refused.value.in_language("zh")
    assert told == f"另一个程序正用着 {tmp_path}：先停掉正在跑的 xiaoxiang，或者让它来做"


@pytest.mark.parametrize(
    "given",
    [
        {"timezone": "CST"},
        {"web_bind": "8090"},
        {"backup_daily": "x"},
        {"llm_patience": "x"},
        {"gather_after_minutes": "0"},
        {"group_listen": "ja"},
        {"language": "fr"},
        {"memory_law": "x"},
        {"memory_settings": "foo=1"},
        {"memory_settings": "tiers.fact_decay=9"},
        {"llm_base_url": "http://x"},
        {"vision_model": "x"},
        {"transcription_model": "x"},
        {"backup_command": "a'b"},
        {"llm_extra_body": "["},
    ],
    ids=lambda given: "".join(f"{key}={value}" for key, value in given.items()),
)
def test_every_fault_of_a_setting_has_words_in_chinese(given: dict[str, Any]) -> None:
    with pytest.raises(InputRefused) as refused:
        read_settings(env_file=None, **given)
    told = refused.value.in_language("zh")
    assert told.startswith("设置有误：")
    assert not any(word in told for word in ("write", " be ", " is ", "try", "closing"))


SENT = [
    *(dialogue.SENT_A_PICTURE, dialogue.UNSEEN_PICTURE, dialogue.UNHEARD_VOICE),
    *(dialogue.UNKNOWN_ATTACHMENT, dialogue.FORWARDED),
    *(telegram.STICKER, telegram.CONTACT, telegram.POLL, telegram.VENUE, telegram.LOCATION),
    *(telegram.VIDEO, telegram.FILE, telegram.REACTED),
    *(lark.STICKER, lark.PLACE, lark.PERSON_CARD, lark.CHAT_CARD, lark.TASK),
    *(lark.VOTE, lark.APPOINTMENT, lark.CARD),
]
"""How the adapters name what comes without words."""


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("sentence", SENT, ids=map(str, range(len(SENT))))
def test_what_came_without_words_is_known_for_that(sentence: Sentence, language: Language) -> None:
    values = dict.fromkeys(placeholders(sentence.zh), "体检(1)：a.pdf")
    named = say(language, sentence, **values)

    assert without_sent(named) == ""
    assert without_sent(f"我家猫\n{named}") == "我家猫"
    assert [f"sent_{kind}" in ZH.openings for kind in sent_in(named).values()] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "（发来贺电）",
        "（发来一张图片，我还看不了）他这么说",
        "她发来一段语音",
        "(sent from my phone)",
        "（我昨天发来一个文件）",
        "(shared a taxi)",
        "（回应了他）",
        "发来一张图片",
    ],
)
def test_what_somebody_wrote_is_not_taken_for_it(said: str) -> None:
    assert without_sent(said) == said
