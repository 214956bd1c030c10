"""The release script: what it writes, builds and tags; a failure leaves nothing behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.waiting import HANG_SECONDS

# A release is a commit and a tag. The suite itself needs only Python and make, as README says, so
# that a copy without git is still tested; whoever makes a release has git.
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = "# Changelog\n\n## Not yet released\n\n- A cat.\n\n## 0.1.0 (2026-01-01)\n\n- A dog.\n"
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small"
version = "0.1.0"
"""


def ran(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    named = {"NAME": "Ann", "EMAIL": "ann@example.org"}
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        env={
            # No docker: an image takes minutes.
            "PATH": os.defpath,
            "PYTHON": sys.executable,
            "HOME": str(folder),
            **{f"GIT_{who}_{k}": v for who in ("AUTHOR", "COMMITTER") for k, v in named.items()},
        },
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small project in which everything is committed."""
    folder = tmp_path / "project"
    (folder / "deploy").mkdir(parents=True)
    (folder / "small").mkdir()
    (folder / "small" / "__init__.py").touch()
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "CHANGELOG.md").write_text(CHANGELOG)
    (folder / ".gitignore").write_text("dist/\n")
    shutil.copy(ROOT / "deploy" / "release.sh", folder / "deploy")
    for command in ("init -q -b main", "add -A", "commit -q -m Begin"):
        assert ran(folder, "git", *command.split()).returncode == 0
    return folder


def release(folder: Path, version: str) -> "subprocess.CompletedProcess[str]":
    return ran(folder, "deploy/release.sh", version)


def test_a_release_is_written_down_built_and_tagged(project: Path) -> None:
    made = release(project, "0.2.0")

    assert made.returncode == 0, made.stderr
    assert 'version = "0.2.0"' in (project / "pyproject.toml").read_text()
    assert "## Not yet released\n\n## 0.2.0 (20" in (project / "CHANGELOG.md").read_text()
    assert ran(project, "git", "tag", "--points-at", "HEAD").stdout == "v0.2.0\n"
    assert not ran(project, "git", "status", "--porcelain").stdout
    names = {path.name for path in (project / "dist").iterdir()}
    assert names == {"small-0.2.0-py2.py3-none-any.whl", "small-0.2.0.tar.gz", "SHA256SUMS"}
    assert "git push origin HEAD v0.2.0" in made.stdout


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("", "is no version like 1.2.3"),
        ("v0.2", "is no version like 1.2.3"),
        ("0.0.9", "older than 0.1.0"),
    ],
)
def test_a_version_that_is_none_is_refused(project: Path, version: str, why: str) -> None:
    made = release(project, version)

    assert made.returncode == 1
    assert why in made.stderr
    assert not ran(project, "git", "tag").stdout


def test_what_is_not_committed_is_not_released(project: Path) -> None:
    (project / "small" / "more.py").touch()

    assert "not committed" in release(project, "0.2.0").stderr


def test_a_release_needs_something_to_say_and_is_made_once(project: Path) -> None:
    assert release(project, "0.2.0").returncode == 0

    assert "nothing under 'Not yet released'" in release(project, "0.3.0").stderr
    assert "there already" in release(project, "0.2.0").stderr


def test_a_build_that_fails_leaves_everything_as_it_was(project: Path) -> None:
    with (project / "pyproject.toml").open("a") as file:
        file.write('readme = "none.md"\n')
    assert ran(project, "git", "commit", "-qam", "Break it").returncode == 0
    before = ran(project, "git", "rev-parse", "HEAD").stdout

    made = release(project, "0.2.0")

    assert made.returncode == 1
    assert "everything is as before" in made.stderr
    assert ran(project, "git", "rev-parse", "HEAD").stdout == before
    assert not ran(project, "git", "tag").stdout
    assert not (project / "dist").exists()
