"""Commands that only look: they write nothing, and say the same everywhere."""

import pytest

from bot.adapters.console.presenter import document_data, print_document
from bot.desk.answers import as_text
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
