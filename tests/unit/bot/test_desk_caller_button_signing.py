"""Sealing what a button says, whatever the platform."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.desk.caller import (
    BUTTON_LIFE,
    SIGNATURE_LENGTH,
    ButtonSigner,
    button_id,
    is_of_a_choice,
    load_signer,
    new_nonce,
)
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


@pytest.mark.parametrize("or_admins", [False, True])
@pytest.mark.parametrize("person", ["", "telegram:1"])
def test_buttons_of_one_choice_are_used_up_together(person: str, *, or_admins: bool) -> None:
    def sealed(command: str, choice: str) -> str:
        data = SEAL.sign(command, "7", NOW, person, or_admins=or_admins, choice=choice)
        assert data is not None
        assert SEAL.verify(data, "7", NOW, person) == command
        assert SEAL.verify(data, "8", NOW, person) is None
        return data

    one, other = new_nonce(), new_nonce()
    chosen = [sealed(each, one) for each in ("/people in telegram:9", "/people out telegram:9")]
    apart = [sealed(each, "") for each in ("/reminders done 1", "/reminders later 1")]

    assert len({button_id(each) for each in chosen}) == 1
    assert len({button_id(each) for each in (*chosen, *apart)}) == 3
    assert button_id(sealed("/undo", other)) != button_id(chosen[0])
    assert all(map(is_of_a_choice, chosen))
    assert not any(map(is_of_a_choice, apart))


@pytest.mark.parametrize("choice", ["", "abcd"])
def test_a_button_of_one_person_and_the_admins_says_what_it_is_to_all_and_whose(
    choice: str,
) -> None:
    data = SEAL.sign("/reminders done 12", "7", NOW, "telegram:1", or_admins=True, choice=choice)
    assert data is not None

    for person in ("telegram:1", "telegram:2"):
        assert SEAL.verify(data, "7", NOW, person) == "/reminders done 12"
        assert not SEAL.is_anothers(data, "7", person)
    assert SEAL.is_theirs(data, "7", "telegram:1") is True
    assert SEAL.is_theirs(data, "7", "telegram:2") is False
    # Made over to oneself it is forged.
    own = SEAL.sign("/undo", "7", NOW, "telegram:2", or_admins=True) or ""
    taken = data[:SIGNATURE_LENGTH] + own[SIGNATURE_LENGTH : SIGNATURE_LENGTH + 4]
    assert SEAL.verify(f"{taken}/reminders done 12", "7", NOW, "telegram:2") is None


def test_a_button_without_room_for_its_person_is_anybodys() -> None:
    long = "/reminders change 12 2026-03-05 08:00"
    data = SEAL.sign(long, "7", NOW, "telegram:1", or_admins=True)

    assert data is not None
    assert SEAL.verify(data, "7", NOW, "telegram:2") == long
    assert SEAL.is_theirs(data, "7", "telegram:2") is None


def test_the_key_is_made_once_and_is_for_the_owner_only(tmp_path: Path) -> None:
    first = load_signer(tmp_path / "some.key", limit=64).sign("/undo", "7", NOW)
    assert first is not None

    assert load_signer(tmp_path / "some.key", limit=64).verify(first, "7", NOW) == "/undo"
    assert (tmp_path / "some.key").stat().st_mode & 0o777 == 0o600
