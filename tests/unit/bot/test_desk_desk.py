"""Commands that only look: they write nothing, and say the same everywhere."""

import pytest

from bot.adapters.console.presenter import document_data, print_document
from bot.conversation.messages import read_command
from bot.desk.answers import as_text
from bot.desk.desk import resolved
from bot.desk.documents import Document
from memory.model import AgentSettings
from tests.fakes.desk import DeskSession, add_samples

LOOKS = (
    "/memory",
    "/memory list",
    "/memory search 花生",
    "/memory show #1",
    "/memory health",
    "/memory fading",
    "/memory associations #1",
    "/memory graph #1",
    "/memory curve #1 #2",
    "/memory curve",
    "/memory review",
    "/memory metrics",
    "/why",
    "/help",
    "/help list",
)


def words(document: Document) -> set[str]:
    """Return every word people read in a document, however it is rendered."""
    return {word for block in document.blocks for word in as_text(block).split() if word.isalnum()}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("look", LOOKS)
async def test_a_look_writes_nothing_and_says_the_same_everywhere(
    look: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = AgentSettings(language="en" if language == "en" else "zh")
    async with DeskSession(settings=settings) as session:
        await add_samples(session)
        before = session.state
        document = await session.ask(look)
        print_document(document)

        assert session.state is before
        assert document.blocks
        told = "".join(capsys.readouterr().out.split())
        assert all(word in told for word in words(document))
        assert document_data(document)


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ("/memory", True),
        ("/记忆 搜索 花生", True),
        ("/memory show #4", True),
        ("/status", True),
        ("/状态", True),
        ("/limits", True),
        ("/help", True),
        # About the answer itself, or a change.
        ("/why", False),
        ("/为什么", False),
        ("/memory pin #4", False),
        ("/undo", False),
        ("/forget peanuts", False),
        ("/backup", False),
        ("/reminders", False),
        ("/initiative", False),
        ("/dance", False),
    ],
)
def test_only_what_shows_and_changes_nothing_passes_an_answer(line: str, *, passes: bool) -> None:
    command = read_command(line)
    assert command is not None
    assert resolved(command).passes_answers is passes
