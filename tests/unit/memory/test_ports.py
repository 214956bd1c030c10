"""The zone of a machine: what it says of itself, and what is taken where it says nothing."""

from pathlib import Path

import pytest

from memory.ports import usual_zone


@pytest.mark.parametrize(
    ("tz", "language", "zone"),
    [
        ("Europe/London", "en", "Europe/London"),
        (":America/New_York", "zh", "America/New_York"),
        ("Etc/UTC", "zh", "Asia/Shanghai"),
        ("UTC", "en", "UTC"),
        ("GMT0BST", "en", "UTC"),
        ("Mars/Phobos", None, "Asia/Shanghai"),
        ("America/Argentina", "en", "UTC"),
        ("Europe/", "en", "UTC"),
        ("../etc/passwd", "en", "UTC"),
        ("Europe/Ber\0lin", "en", "UTC"),
        ("posix/Europe/Berlin", "en", "UTC"),
    ],
)
def test_a_machine_that_names_a_place_is_believed(tz: str, language: str, zone: str) -> None:
    assert usual_zone(tz, language) == zone


def test_the_link_of_the_local_time_is_read_where_no_variable_says(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    target = tmp_path / "zoneinfo" / "Europe" / "Berlin"
    link.symlink_to(target)

    assert usual_zone("", "en", link) == "Europe/Berlin"
    assert usual_zone("", "zh", tmp_path / "away") == "Asia/Shanghai"
