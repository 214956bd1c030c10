"""The file of settings: what is said is changed, and not a line beside it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.setup import known_keys, misspelt_keys, read_env, repeated_keys, write_env
from bot.settings import EXAMPLE_FILE
from memory.errors import InputRefused


def test_a_new_file_is_the_example_with_the_answer_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "deep" / ".env"

    write_env(file, {"LANGUAGE": "en"})

    assert file.read_text(encoding="utf-8") == EXAMPLE_FILE.read_text(encoding="utf-8").replace(
        "#LANGUAGE=zh\n", "LANGUAGE=en\n"
    )
    assert file.stat().st_mode & 0o777 == 0o600


def test_only_what_is_said_is_changed(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# mine\nLANGUAGE=zh\nexport TIMEZONE=UTC\nLANGUAGE=en # twice\n#DATA_DIR=x")

    write_env(file, {"LANGUAGE": "zh", "TIMEZONE": "", "BACKUPS_KEPT": "3"})

    assert file.read_text() == "# mine\n#TIMEZONE=\nLANGUAGE=zh\n#DATA_DIR=x\nBACKUPS_KEPT=3\n"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_value_is_read_as_it_was_written_or_refused(
    tmp_path_factory: pytest.TempPathFactory, value: str
) -> None:
    file = tmp_path_factory.mktemp("env") / ".env"
    file.write_text("LANGUAGE=en\n")

    try:
        write_env(file, {"PERSONA_FILE": value})
    except InputRefused:
        assert file.read_text() == "LANGUAGE=en\n"
    else:
        assert read_env(file).get("PERSONA_FILE", "") == value
        assert read_env(file)["LANGUAGE"] == "en"


def test_a_misspelt_key_is_named_with_the_one_that_may_be_meant(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LANGAUGE=en\nTELEGRAM_TOKEN=1:a\nPATH=/x\nllm_model=small\n")

    assert dict(misspelt_keys(file, known_keys())) == {
        "LANGAUGE": "LANGUAGE",
        "TELEGRAM_TOKEN": "TELEGRAM_BOT_TOKEN",
        "PATH": "",
    }


def test_every_key_of_the_example_is_a_setting() -> None:
    explained = {
        line[1:].partition("=")[0]
        for line in EXAMPLE_FILE.read_text(encoding="utf-8").splitlines()
        if line.startswith("#") and "=" in line and line[1:].partition("=")[0].isupper()
    }

    assert explained == known_keys()


def test_a_file_that_is_no_text_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(InputRefused, match=r"cannot read .*UTF-8"):
        write_env(file, {"LANGUAGE": "en"})
    assert file.read_bytes() == b"\xff\xfe\x00"


def test_a_key_that_is_set_to_two_values_is_named(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "TIMEZONE=Asia/Tokyo\nLANGUAGE=en\n#LANGUAGE=zh\nexport TIMEZONE=Europe/Oslo\n"
        "LLM_MODEL=a\nLLM_MODEL='a'\n"
    )

    assert repeated_keys(file) == ["TIMEZONE"]
    assert repeated_keys(tmp_path / "none") == ()
