"""Sealing: what only the right key opens, and only where it was sealed."""

import os
import secrets
from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.tamper import tampered
from memory.errors import InputRefused
from memory.model import Memory, Sealed, Sensitivity
from memory.privacy.vault import KEY_BYTES, NONCE_BYTES, PLACEHOLDER, Keys, UnsealFailure, Vault
from memory.stores.codec import decode, encode
from tests.builders import a_memory
from tests.fakes.cost import times
from tests.fakes.root import AS_ROOT

KEYS = Keys([b"k" * KEY_BYTES])
VAULT = Vault(KEYS, "ann")


def a_secret(text: str = "我的银行卡密码是123456", memory_id: int = 1) -> Memory:
    memory = a_memory(memory_id, text, keywords=("银行卡", "密码"))
    return replace(memory, nature=replace(memory.nature, sensitivity=Sensitivity.SECRET))


def box_of(memory: Memory) -> Sealed:
    assert memory.sealed is not None
    return memory.sealed


@settings(max_examples=times(25, hunting=250))
@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_what_is_sealed_is_opened_as_it_was(text: str, keywords: list[str]) -> None:
    secret = a_secret(text)
    secret = replace(secret, words=replace(secret.words, text=text, keywords=tuple(keywords)))

    opened = VAULT.open(VAULT.seal(secret, "zh"))

    assert isinstance(opened, Memory)
    assert replace(opened, sealed=None) == secret


def test_a_sealed_memory_shows_nothing_of_what_it_says() -> None:
    sealed = VAULT.seal(a_secret(), "zh")

    assert sealed.words.text == PLACEHOLDER["zh"]
    assert (sealed.words.phrase, sealed.words.keywords, sealed.origin.quote) == ("", (), "")
    assert [passage.text for passage in sealed.passages] == [""]
    assert sealed.source_ids == ("s1",)
    assert "123456" not in repr(sealed)
    assert decode(Memory, encode(sealed)) == sealed


def test_sealing_without_a_key_is_refused() -> None:
    with pytest.raises(InputRefused, match="no key"):
        Vault(Keys(), "ann").seal(a_secret(), "zh")


@pytest.mark.parametrize(
    ("vault", "why"),
    [
        (Vault(Keys(), "ann"), UnsealFailure.NO_KEY),
        (Vault(Keys([b"o" * KEY_BYTES]), "ann"), UnsealFailure.OTHER_KEY),
        (Vault(KEYS, "ben"), UnsealFailure.TAMPERED),
    ],
)
def test_it_opens_for_nobody_else(vault: Vault, why: UnsealFailure) -> None:
    assert vault.open(VAULT.seal(a_secret(), "zh")) is why


def test_a_box_cannot_be_moved_to_another_memory_or_another_version() -> None:
    first, second = VAULT.seal(a_secret(), "zh"), VAULT.seal(a_secret(memory_id=2), "zh")
    newer = VAULT.seal(first, "zh")

    assert VAULT.open(replace(second, sealed=first.sealed)) is UnsealFailure.TAMPERED
    back = replace(box_of(newer), box=box_of(first).box)
    assert VAULT.open(replace(newer, sealed=back)) is UnsealFailure.TAMPERED


def test_no_tampered_box_is_opened() -> None:
    """20,000 of them in ``benchmarks/tamper.py``; here enough to see every sort."""
    chance = Random(5)
    sealed = VAULT.seal(a_secret(), "zh")
    box = box_of(sealed)
    raw = b64decode(box.box)
    for place in range(len(raw)):
        bad = bytearray(raw)
        bad[place] ^= 1 << chance.randrange(8)
        broken = replace(box, box=b64encode(bytes(bad)).decode())
        assert VAULT.open(replace(sealed, sealed=broken)) is UnsealFailure.TAMPERED
    for place in range(len(box.box)):
        for other in "A_=é \n":
            text = box.box[:place] + other + box.box[place + 1 :]
            if text != box.box:
                found = VAULT.open(replace(sealed, sealed=replace(box, box=text)))
                assert found is UnsealFailure.TAMPERED, place
    for cut in ("", box.box[:4], box.box[:-4], box.box * 2, b64encode(raw[:NONCE_BYTES]).decode()):
        assert VAULT.open(replace(sealed, sealed=replace(box, box=cut))) is UnsealFailure.TAMPERED
    fewer = replace(sealed, passages=())
    assert VAULT.open(fewer) is UnsealFailure.TAMPERED


def test_nonces_do_not_repeat() -> None:
    secret = a_secret()
    nonces = {b64decode(box_of(VAULT.seal(secret, "zh")).box)[:NONCE_BYTES] for _ in range(2_000)}

    assert len(nonces) == 2_000


def test_sealing_anew_with_the_newest_key_leaves_the_rest_alone() -> None:
    sealed = VAULT.seal(a_secret(), "en")
    both = Vault(Keys([b"n" * KEY_BYTES, b"k" * KEY_BYTES]), "ann")

    anew = both.resealed(sealed)

    assert anew is not None
    assert replace(anew, sealed=sealed.sealed) == sealed
    assert both.resealed(anew) is None
    assert VAULT.open(anew) is UnsealFailure.OTHER_KEY
    opened = Vault(Keys([b"n" * KEY_BYTES]), "ann").open(anew)
    assert isinstance(opened, Memory)
    assert opened.words == a_secret().words


def test_what_no_key_opens_is_not_sealed_anew() -> None:
    sealed = VAULT.seal(a_secret(), "zh")

    assert Vault(Keys([b"n" * KEY_BYTES]), "ann").resealed(sealed) is None
    assert Vault(Keys(), "ann").resealed(sealed) is None


def test_a_key_file_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = Keys.create(path, data=tmp_path / "data")

    assert path.stat().st_mode & 0o777 == 0o600
    assert Keys.read(path, data=tmp_path / "data").newest == made.newest
    with pytest.raises(InputRefused, match="never written over"):
        Keys.create(path, data=tmp_path / "data")


@pytest.mark.parametrize(
    "written",
    [
        b"r" * KEY_BYTES,
        b64encode(b"r" * KEY_BYTES),
        b"# mine\n\n" + b64encode(b"r" * KEY_BYTES) + b"  # since May\n",
        (b"r" * KEY_BYTES).hex().encode() + b"\n",
    ],
)
def test_a_key_is_read_as_usual_tools_write_it(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "key"
    path.touch(mode=0o600)
    path.write_bytes(written)

    assert Keys.read(path, data=tmp_path / "data").of(Keys([b"r" * KEY_BYTES]).newest) is not None


@pytest.mark.parametrize("written", [b"", b"# nothing\n", b"c2hvcnQ=\n", b"\xff\xfe", b"x" * 44])
def test_what_is_no_key_is_refused_without_being_told(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "key"
    path.touch(mode=0o600)
    path.write_bytes(written)

    with pytest.raises(InputRefused, match="key file"):
        Keys.read(path, data=tmp_path / "data")


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660, 0o666, 0o644])
def test_a_key_file_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    Keys.create(path, data=tmp_path / "data")
    path.chmod(mode)

    with pytest.raises(InputRefused, match="chmod 600"):
        Keys.read(path, data=tmp_path / "data")


def test_a_key_inside_the_data_folder_is_refused_also_by_a_detour(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "agents").mkdir(parents=True)
    (tmp_path / "way").symlink_to(data)

    for path in (data / "key", data / "agents" / "key", tmp_path / "way" / "key"):
        with pytest.raises(InputRefused, match="inside the data folder"):
            Keys.create(path, data=data)
        with pytest.raises(InputRefused, match="inside the data folder"):
            Keys.read(path, data=data)


def test_a_missing_key_file_is_no_key_and_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "key"

    assert len(Keys.read(path, data=tmp_path / "data")) == 0
    assert not path.exists()


def test_a_new_key_comes_before_the_others_until_they_are_let_go(tmp_path: Path) -> None:
    path = tmp_path / "key"
    old = Keys.create(path, data=tmp_path / "data")

    both = old.add_new_key(path)
    again = Keys.read(path, data=tmp_path / "data")
    only = again.keep_only_newest(path)

    assert again.newest == both.newest == only.newest != old.newest
    assert again.of(old.newest) is not None
    assert len(Keys.read(path, data=tmp_path / "data")) == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_no_key_shows_itself() -> None:
    key = secrets.token_bytes(KEY_BYTES)

    assert key.hex() not in Keys([key]).newest
    assert repr(key) not in repr(Keys([key]))


def test_two_thousand_tampered_records_are_all_refused() -> None:
    """The long one is ``python -m benchmarks.tamper``, 20,000 of them."""
    assert tampered(2_000) == {"refused": 2_000}


@AS_ROOT
def test_root_uses_the_key_of_whoever_has_the_data_and_of_no_third(tmp_path: Path) -> None:
    key, data = tmp_path / "key", tmp_path / "home" / "data"
    data.parent.mkdir()
    os.chown(data.parent, 61234, 61234)
    Keys.create(key, data=data)

    os.chown(key, 61234, 61234)
    assert len(Keys.read(key, data=data)) == 1
    os.chown(key, 1234, 1234)
    with pytest.raises(InputRefused, match="somebody else"):
        Keys.read(key, data=data)
