"""What a new agent starts with, as the environment says it."""

import sys
from pathlib import Path

import pytest

from bot.sections import fields_of
from bot.settings import Settings, is_in_environment, read_settings, written_language
from memory.errors import InputRefused


def test_every_parameter_may_be_set_for_new_agents() -> None:
    written = "ebbinghaus.initialStability=48; retention_floor=0.5; partner=小雨"
    found = read_settings(memory_settings=written, env_file=None).agent_defaults()

    assert found.parameters == (("ebbinghaus.initialStability", 48.0),)
    assert (found.retention_floor, found.partner) == (0.5, "小雨")


def test_what_is_wrong_is_named_with_its_key() -> None:
    with pytest.raises(InputRefused) as refused:
        read_settings(memory_settings="tiers.rest_days=often; colour=1", env_file=None)

    said = str(refused.value)
    assert "MEMORY_SETTINGS: tiers.rest_days must be 0 to 365, whole" in said
    assert "'colour' can not be set" in said


def test_values_that_do_not_go_together_are_refused_at_the_start() -> None:
    with pytest.raises(InputRefused, match=r"MEMORY_SETTINGS: disuse\.everyday is 0\.9"):
        read_settings(memory_settings="disuse.everyday=0.9", env_file=None)


@pytest.mark.parametrize("key", ["WEB_BIND", "HEALTH_BIND"])
def test_an_address_nobody_can_listen_at_is_named_with_its_key(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(key, "foo")
    with pytest.raises(InputRefused, match=f"{key}: write host:port"):
        read_settings(env_file=None)

    monkeypatch.setenv(key, "")
    assert read_settings(env_file=None).web_bind == ""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder, with folders of one's own and no checkout around the program."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.delenv("XIAOXIANG_HOME", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("bot.settings._OURS", tmp_path / "site-packages" / "xiaoxiang")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the usual folders are others")
def test_an_installed_program_keeps_its_things_in_the_usual_folders(elsewhere: Path) -> None:
    (elsewhere / "config" / "xiaoxiang").mkdir(parents=True)
    (elsewhere / "config" / "xiaoxiang" / ".env").write_text("LANGUAGE=en\nDATA_DIR=hers\n")

    found = read_settings()

    assert found.language == "en"
    assert found.data_dir == elsewhere / "share" / "xiaoxiang" / "hers"
    assert found.exports_dir == elsewhere / "share" / "xiaoxiang" / "exports"


def test_one_variable_moves_settings_and_data(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XIAOXIANG_HOME", str(elsewhere / "there"))
    (elsewhere / "there").mkdir()
    (elsewhere / "there" / ".env").write_text("LANGUAGE=en\n")
    (elsewhere / "here" / ".env").write_text("LANGUAGE=zh\n")

    assert read_settings().language == "en"
    assert read_settings().data_dir == elsewhere / "there" / "data"
    assert read_settings(data_dir="mine").data_dir == Path("mine")


@pytest.mark.parametrize("trace", [".env", "data/ledger.sqlite3", "data/agents/local/journal"])
def test_where_she_already_lives_she_stays(elsewhere: Path, trace: str) -> None:
    file = elsewhere / "here" / trace
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()

    assert read_settings().data_dir == Path("data")


def test_from_another_folder_a_checkout_is_found(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "checkout").mkdir()
    (elsewhere / "checkout" / "pyproject.toml").touch()
    monkeypatch.setattr("bot.settings._OURS", elsewhere / "checkout")

    assert read_settings().data_dir == elsewhere / "checkout" / "data"


@pytest.mark.parametrize(
    ("locales", "shown"),
    [
        ("en_US:en", "en"),
        ("en_GB", "en"),
        ("zh_CN:zh", "zh"),
        ("de_DE:en", "en"),
        ("en_US.UTF-8:C", "en"),
        ("fr_FR:fr", "zh"),
        ("", "zh"),
    ],
)
def test_the_language_of_a_desktop_is_a_wish_of_hers_and_never_an_error(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, locales: str, shown: str
) -> None:
    """Ubuntu's desktops set gettext's ``LANGUAGE`` for every terminal."""
    monkeypatch.setenv("LANGUAGE", locales)
    assert read_settings().language == written_language() == shown
    assert not is_in_environment("LANGUAGE")

    for chosen in ("zh", "en"):
        (elsewhere / "here" / ".env").write_text(f"LANGUAGE={chosen}\n")
        assert read_settings().language == written_language() == chosen


@pytest.mark.parametrize("wrong", ["english", "EN", "zh-CN", "en;zh", "中文", "en_US:English"])
def test_what_is_no_locale_either_is_refused_by_its_key(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("LANGUAGE", wrong)
    with pytest.raises(InputRefused, match="LANGUAGE"):
        read_settings(env_file=None)


def test_the_file_of_settings_holds_no_list_of_locales(elsewhere: Path) -> None:
    (elsewhere / "here" / ".env").write_text("LANGUAGE=en_US:en\n")
    with pytest.raises(InputRefused, match="LANGUAGE"):
        read_settings()


def test_what_is_set_to_nothing_is_not_set(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [name.upper() for name in fields_of(Settings)]
    (elsewhere / "here" / ".env").write_text("".join(f"{key}=\n" for key in keys))
    monkeypatch.delenv("TZ", raising=False)
    assert read_settings() == read_settings(env_file=None)


@pytest.mark.parametrize("key", ["LLM_BASE_URL", "EMBEDDING_BASE_URL", "TRANSCRIPTION_BASE_URL"])
@pytest.mark.parametrize("wrong", ["api.openai.com", "nope", "ftp://host/v1", "http://", "h ttp"])
def test_an_address_that_is_none_is_refused_by_its_key(
    monkeypatch: pytest.MonkeyPatch, key: str, wrong: str
) -> None:
    monkeypatch.setenv(key, wrong)
    with pytest.raises(InputRefused, match=key):
        read_settings(env_file=None)


@pytest.mark.parametrize("inside", ["backups", "backups/local", "x/../backups"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_copies_of_backups_are_not_kept_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str, language: str
) -> None:
    """In the folder of the backups a night would take away those made by hand."""
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("BACKUP_COPY_DIR", str(tmp_path / "data" / inside))
    with pytest.raises(InputRefused, match="BACKUP_COPY_DIR"):
        read_settings(env_file=None)

    for beside in ("data-copies", "data/copies"):  # a disk may be mounted there
        monkeypatch.setenv("BACKUP_COPY_DIR", str(tmp_path / beside))
        assert read_settings(env_file=None).backup_copy_dir == tmp_path / beside
