"""Who becomes the owner: whoever says the code to her alone, and nobody by a correction."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.incoming import Pairing
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.identity import Access
from tests.fakes.clock import NOON
from tests.fakes.platforms import IDENTITIES

SAID = Incoming(
    dedupe_key="5:1",
    conversation=ConversationKey(platform="telegram", account="7", chat="5"),
    sender=Sender(id="5", name="Ann"),
    at=NOON,
    text="",
    private=True,
    addressed=True,
)


def test_the_code_said_in_private_makes_the_owner(tmp_path: Path) -> None:
    pairing, access = Pairing(tmp_path, "telegram", wanted=True), Access(set(), set(), IDENTITIES)

    assert pairing.accept_code(replace(SAID, text=pairing.code), access)
    assert access.owners("telegram") == {"5"}
    assert {each.id for each in IDENTITIES.paired_owner(tmp_path, "telegram")} == {"5"}


@pytest.mark.parametrize("change", [{"private": False}, {"addressed": False}], ids=str)
def test_the_code_said_elsewhere_makes_nobody_the_owner(
    tmp_path: Path, change: dict[str, bool]
) -> None:
    pairing, access = Pairing(tmp_path, "telegram", wanted=True), Access(set(), set(), IDENTITIES)
    said = replace(SAID, text=pairing.code, **change)  # type: ignore[arg-type]

    assert not pairing.accept_code(said, access)
    assert not access.owners("telegram")
    assert pairing.code
