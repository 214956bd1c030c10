"""The settings page of either language says what the program does."""

import pytest

from benchmarks.settings_page import BEGIN, END, PAGES, law_parameters, page_with
from memory.model import Language


@pytest.mark.parametrize("language", PAGES)
def test_the_page_names_every_law_parameter_with_its_present_range(language: Language) -> None:
    text = PAGES[language].read_text(encoding="utf-8")

    assert text.split(BEGIN)[1].split(END)[0].strip() == law_parameters(language).strip()


@pytest.mark.parametrize("language", PAGES)
def test_writing_the_page_again_changes_nothing_and_keeps_what_others_wrote(
    language: Language,
) -> None:
    mine = page_with("# Settings\n\nBefore.\n", language)
    framed = mine + "\nAfter.\n"

    assert mine.startswith("# Settings\n\nBefore.\n")
    assert page_with(framed, language) == framed
