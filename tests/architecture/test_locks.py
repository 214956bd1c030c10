"""What a fresh machine installs is what the locks say, whatever was released since."""

from pathlib import Path

from tests.architecture.sources import ROOT


def test_a_lock_is_installed_as_it_stands() -> None:
    # Asked for what packages want themselves, pip may find a newer one than the lock has of it,
    # and refuse both: an install that worked in the morning failed in the afternoon.
    installs = [
        line
        for file in (Path(ROOT, "Makefile"), Path(ROOT, "Dockerfile"))
        for line in file.read_text().splitlines()
        if "pip install" in line and ".lock" in line
    ]

    assert len(installs) == 4
    assert all("--no-deps" in line and "--require-hashes" in line for line in installs)
