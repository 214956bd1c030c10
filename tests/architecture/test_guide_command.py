"""The checklist of docs/guides/write-a-command.md."""

import re

from bot.conversation.messages import read_command
from bot.desk.command import Spec
from bot.desk.desk import resolved
from bot.desk.registry import SPECS
from memory.model import Language
from tests.architecture.sources import ROOT, TESTS, refuse, text

MENU_CHARACTERS = 256
"""The longest description Telegram takes in its menu of commands."""

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def test_the_help_of_a_command_fits_a_menu() -> None:
    refuse(
        [
            f"{spec.path}: {words!r}"
            for spec in SPECS
            for words in (spec.help.zh, spec.help.en)
            if not 3 <= len(words) <= MENU_CHARACTERS
        ]
    )
    refuse([spec.path for spec in SPECS if not re.search(r"[一-鿿]", spec.help.zh)])
    refuse([spec.path for spec in SPECS if re.search(r"[一-鿿]", spec.help.en)])


def test_the_examples_of_a_command_are_accepted() -> None:
    refuse(
        [
            f"{spec.path}: {example.in_language(language)}"
            for spec in SPECS
            for example in spec.examples
            for language in LANGUAGES
            if not _means(example.in_language(language), spec)
        ]
    )


def _means(line: str, spec: Spec) -> bool:
    command = read_command(line)
    if command is None:
        return False
    return resolved(command).spec is spec


def test_a_command_stands_on_both_pages() -> None:
    refuse(
        [
            f"{page}: /{spec.path}"
            for page in ("docs/commands.md", "docs/zh/commands.md")
            for spec in SPECS
            if f"`/{spec.path}" not in text(ROOT / page)
        ]
    )


def test_a_command_is_given_by_a_test() -> None:
    """As a person writes it, in Latin or in Chinese, or through a helper that adds `/memory`."""
    line = re.compile(r"(?:/memory |/记忆 |[\"'/])(?P<name>\w+)[ \"'\n]")
    given = {found["name"] for path in TESTS for found in line.finditer(text(path))}
    refuse([f"/{spec.path}" for spec in SPECS if not spec.names & given])
