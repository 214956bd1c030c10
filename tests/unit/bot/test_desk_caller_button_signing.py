"""Sealing what a button says, whatever the platform."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.desk.caller import BUTTON_LIFE, SIGNATURE_LENGTH, ButtonSigner, load_signer
from tests.fakes.clock import NOON as NOW

SEAL = ButtonSigner(b"k" * 32, limit=64)


@given(st.text(max_size=40).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)))
def test_a_button_says_what_was_sealed_or_is_too_long(command: str) -> None:
    data = SEAL.sign(command, "7", NOW)

    if data is None:
        assert len(command.encode()) > 64 - SIGNATURE_LENGTH
    else:
        assert len(data.encode()) <= 64
        assert SEAL.verify(data, "7", NOW) == command


@given(st.integers(0, 30), st.characters(codec="utf-8"))
def test_a_changed_button_says_nothing(place: int, other: str) -> None:
    data = SEAL.sign("/memory list 2", "7", NOW)
    assert data is not None
    place %= len(data)
    forged = data[:place] + other + data[place + 1 :]

    assert (SEAL.verify(forged, "7", NOW) is None) == (forged != data)


@pytest.mark.parametrize(
    "data", ["", "x", "/memory forget all", "A" * 64, "é" * 30, "\ud800" * 20]
)
def test_what_was_never_sealed_says_nothing(data: str) -> None:
    assert SEAL.verify(data, "7", NOW) is None


def test_a_button_of_another_chat_another_key_or_another_day_says_nothing() -> None:
    data = SEAL.sign("/undo", "7", NOW)
    assert data is not None

    assert SEAL.verify(data, "8", NOW) is None
    assert ButtonSigner(b"j" * 32, limit=64).verify(data, "7", NOW) is None
    assert SEAL.verify(data, "7", NOW + BUTTON_LIFE + timedelta(minutes=2)) is None


def test_a_button_of_one_person_says_nothing_to_others_and_that_it_is_not_theirs() -> None:
    data = SEAL.sign("/forget #1", "7", NOW, "telegram:1")
    for_all = SEAL.sign("/undo", "7", NOW)
    late = NOW + BUTTON_LIFE + timedelta(minutes=2)
    assert data is not None
    assert for_all is not None

    assert SEAL.verify(data, "7", NOW, "telegram:1") == "/forget #1"
    assert SEAL.verify(data, "7", NOW, "telegram:2") is None
    assert SEAL.verify(data, "7", NOW) is None
    assert SEAL.is_anothers(data, "7", "telegram:2")
    assert not SEAL.is_anothers(data, "7", "telegram:1")
    assert SEAL.verify(data, "7", late, "telegram:1") is None
    assert SEAL.verify(for_all, "7", NOW, "telegram:2") == "/undo"
    assert not SEAL.is_anothers(for_all, "8", "telegram:2")
    assert len(data) == SIGNATURE_LENGTH + len("/forget #1")


def test_the_key_is_made_once_and_is_for_the_owner_only(tmp_path: Path) -> None:
    first = load_signer(tmp_path / "some.key", limit=64).sign("/undo", "7", NOW)
    assert first is not None

    assert load_signer(tmp_path / "some.key", limit=64).verify(first, "7", NOW) == "/undo"
    assert (tmp_path / "some.key").stat().st_mode & 0o777 == 0o600
