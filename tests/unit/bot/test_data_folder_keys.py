"""What is not installed is named once, by the one command that brings it."""

import sys
from pathlib import Path

import pytest

from bot.adapters.platform import missing_library
from bot.data_folder import opened_keys
from bot.settings import Settings
from memory.errors import InputRefused
from memory.privacy.vault import Keys


@pytest.fixture
def without_ciphers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing find the library that seals."""
    monkeypatch.delitem(sys.modules, "cryptography", raising=False)
    monkeypatch.setattr("bot.adapters.platform.find_spec", lambda _name: None)


@pytest.mark.usefixtures("without_ciphers")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_who_has_a_key_and_nothing_to_seal_with_is_told_what_to_install(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.platform.is_checkout", lambda: False)
    file = tmp_path / "key"
    Keys.create(file, data=tmp_path / "data")
    settings = Settings.read(
        {"memory_key_file": file, "data_dir": tmp_path / "data", "language": language}
    )

    with pytest.raises(InputRefused, match=r"pip install 'xiaoxiang\[secrets\]'"):
        opened_keys(settings)


@pytest.mark.usefixtures("without_ciphers")
def test_who_has_no_key_needs_nothing(tmp_path: Path) -> None:
    assert opened_keys(Settings(data_dir=tmp_path)) is None
    away = Settings(data_dir=tmp_path / "data", memory_key_file=tmp_path / "away")
    found = opened_keys(away)
    assert found is not None
    assert not len(found)


def test_what_is_there_is_not_missing() -> None:
    assert missing_library("cryptography", "secrets") is None
    assert missing_library("", "anything") is None
