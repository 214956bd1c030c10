"""The command page of either language says what the program does."""

import pytest

from benchmarks.commands_page import BEGIN, END, PAGES, generated, page_with
from bot.desk.registry import SPECS
from memory.model import Language


@pytest.mark.parametrize("language", PAGES)
def test_the_page_shows_every_command_as_it_is_declared_and_looks(language: Language) -> None:
    text = PAGES[language].read_text(encoding="utf-8")

    assert text.split(BEGIN)[1].split(END)[0].strip() == generated(language).strip()
    assert all(f"`/{spec.path}" in text for spec in SPECS)


@pytest.mark.parametrize("language", PAGES)
def test_writing_the_page_again_changes_nothing_and_keeps_what_others_wrote(
    language: Language,
) -> None:
    framed = page_with("# Commands\n\nBefore.\n", language) + "\nAfter.\n"

    assert framed.startswith("# Commands\n\nBefore.\n")
    assert page_with(framed, language) == framed
