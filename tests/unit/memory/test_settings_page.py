"""The settings page says what the program does."""

from benchmarks.settings_page import BEGIN, END, PAGE, law_parameters, page_with


def test_the_page_names_every_law_parameter_with_its_present_range() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert text.split(BEGIN)[1].split(END)[0].strip() == law_parameters().strip()


def test_writing_the_page_again_changes_nothing_and_keeps_what_others_wrote() -> None:
    mine = page_with("# Settings\n\nBefore.\n")
    framed = mine + "\nAfter.\n"

    assert mine.startswith("# Settings\n\nBefore.\n")
    assert page_with(framed) == framed
