"""Who becomes the owner: whoever says the code to her alone, and nobody by a correction."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.incoming import ATTEMPTS, Pairing
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


def guess(pairing: Pairing, *texts: str, **change: object) -> list[bool]:
    access = Access(set(), set(), IDENTITIES)
    said = replace(SAID, **change)  # type: ignore[arg-type]
    return [pairing.accept_code(replace(said, text=text), access) for text in texts]


@pytest.mark.parametrize(
    "talk", ["thursday", "23456789", "今天天气真不错啊", "I LOVE U", "ABCDEF10"], ids=str
)
def test_ordinary_lines_of_eight_characters_are_no_guesses(tmp_path: Path, talk: str) -> None:
    pairing = Pairing(tmp_path, "telegram", wanted=True)
    code = pairing.code
    guess(pairing, *[talk] * 50)

    assert guess(pairing, code) == [True]


def test_what_is_forwarded_is_neither_guess_nor_code(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path, "telegram", wanted=True)
    code = pairing.code

    assert not any(guess(pairing, *["AAAAAAA2"] * 50, code, quoted="转发的话"))
    assert guess(pairing, code) == [True]


def test_after_too_many_guesses_there_is_a_new_code_and_the_screen_says_so(tmp_path: Path) -> None:
    announced: list[str] = []
    pairing = Pairing(tmp_path, "telegram", wanted=True, announce=announced.append)
    first = pairing.code
    guess(pairing, *["AAAAAAA2"] * ATTEMPTS)
    second = pairing.code
    guess(pairing, *["AAAAAAA2"] * (2 * ATTEMPTS - 1))

    assert announced == [second]
    assert guess(pairing, first, second) == [False, False]
    assert announced == [second, pairing.code]
    assert guess(pairing, pairing.code) == [True]


def test_a_file_that_names_nobody_keeps_nobody_from_pairing(tmp_path: Path) -> None:
    (tmp_path / "telegram.owner").write_text('{"owner": ', encoding="utf-8")
    pairing = Pairing(tmp_path, "telegram", wanted=True)

    assert guess(pairing, pairing.code) == [True]


def test_the_message_that_was_the_code_is_known_again_after_a_restart(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path, "telegram", wanted=True)
    guess(pairing, pairing.code)

    assert Pairing(tmp_path, "telegram", wanted=False).is_repeated(SAID)
    assert pairing.is_repeated(SAID)
    assert not pairing.is_repeated(replace(SAID, dedupe_key="5:2"))
