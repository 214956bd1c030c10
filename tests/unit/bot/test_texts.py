"""Every sentence exists in both languages, is used, and is said with exactly its values."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import bot.texts
from bot.texts import Sentence, dialogue, placeholders, say

ROOT = Path(bot.texts.__file__).resolve().parents[2]
AREAS = [module.name for module in iter_modules(bot.texts.__path__) if module.name != "sentence"]
SENTENCES = {
    f"{area}.{name}": value
    for area in AREAS
    for name, value in vars(import_module(f"bot.texts.{area}")).items()
    if isinstance(value, Sentence)
}
TABLES = {
    f"{area}.{name}": value
    for area in AREAS
    for name, value in vars(import_module(f"bot.texts.{area}")).items()
    if isinstance(value, dict) and all(isinstance(each, Sentence) for each in value.values())
}
IN_TABLES = {
    f"{name}[{key}]": each for name, table in TABLES.items() for key, each in table.items()
}
HAN = re.compile(r"[\u4e00-\u9fff]")


def trees() -> Iterator[ast.Module]:
    for package in ("bot", "memory"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "texts" not in path.parts:
                yield ast.parse(path.read_text(encoding="utf-8"))


def areas_in(tree: ast.Module) -> dict[str, str]:
    """Return the names under which a module knows the areas: local name → area."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "bot.texts"
        for alias in node.names
        if alias.name in AREAS
    }


def mentioned(tree: ast.Module) -> Iterator[tuple[str, ast.Attribute]]:
    """Yield every sentence a module mentions, as ``area.NAME``."""
    areas = areas_in(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in areas
        ):
            yield f"{areas[node.value.id]}.{node.attr}", node


def said(tree: ast.Module) -> Iterator[tuple[str, frozenset[str], int]]:
    """Yield every ``say(language, area.NAME, …)`` with the names of its values and its line."""
    names = {node: name for name, node in mentioned(tree)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "say"
            and len(node.args) == 2
            and isinstance(node.args[1], ast.Attribute)
            and node.args[1] in names
        ):
            values = frozenset(keyword.arg or "**" for keyword in node.keywords)
            yield names[node.args[1]], values, node.lineno


@pytest.mark.parametrize("name", SENTENCES | IN_TABLES)
def test_a_sentence_is_written_in_both_languages(name: str) -> None:
    sentence = (SENTENCES | IN_TABLES)[name]

    assert HAN.search(sentence.zh), "the Chinese has no Chinese"
    assert sentence.en.strip()
    without_names = re.sub(r"（[^）]*）", "", sentence.en)
    assert not HAN.search(without_names), "the English has Chinese outside a bracket"


def test_no_sentence_is_left_unused_and_none_is_missing() -> None:
    used = {name for tree in trees() for name, _ in mentioned(tree)}

    assert used == SENTENCES.keys() | TABLES.keys()


def test_every_sentence_is_said_with_exactly_the_values_it_needs() -> None:
    calls = [call for tree in trees() for call in said(tree)]

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
