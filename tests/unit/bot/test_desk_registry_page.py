"""docs/commands.md says what the program does."""

from benchmarks.commands_page import BEGIN, END, PAGE, generated, page_with
from bot.desk.registry import SPECS


def test_the_page_shows_every_command_as_it_is_declared_and_looks() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert text.split(BEGIN)[1].split(END)[0].strip() == generated().strip()
    assert all(f"`/{spec.path}" in text for spec in SPECS)


def test_writing_the_page_again_changes_nothing_and_keeps_what_others_wrote() -> None:
    framed = page_with("# Commands\n\nBefore.\n") + "\nAfter.\n"

    assert framed.startswith("# Commands\n\nBefore.\n")
    assert page_with(framed) == framed
