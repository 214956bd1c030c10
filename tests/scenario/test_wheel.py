"""The wheel, installed beside a partner's own ``memory.py``, ``bot.py`` and ``prompts.py``."""

import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from hatch_build import rewritten
from tests.fakes.waiting import HANG_SECONDS

ROOT = Path(__file__).resolve().parents[2]
EMBEDDED = """
import asyncio
from datetime import UTC, datetime

import memory
from xiaoxiang.memory import Message, open_memory


async def main():
    async with open_memory("data", agent="ann") as mem:
        said = ("记住：我对花生过敏", "好，记下了。")
        mem.remember([
            Message(id=str(n), at=datetime.now(UTC), speaker="ann" if n == 0 else "bot",
                    role="user" if n == 0 else "assistant", text=text)
            for n, text in enumerate(said)
        ])
        await mem.settled()
        print((await mem.search("我对什么过敏？", k=1))[0].quote)


asyncio.run(main())
print(memory.WHOSE)
"""
NEXT = "-- next --"
EVERYTHING = """
import importlib, pkgutil, sys
del sys.modules["memory"]  # the partner's own, which the part before imported
import xiaoxiang
from xiaoxiang.prompts.rendering import template_environment

for module in pkgutil.walk_packages(xiaoxiang.__path__, "xiaoxiang."):
    importlib.import_module(module.name)
print(len(template_environment().list_templates()))
print([name for name in ("bot", "memory", "prompts") if name in sys.modules])
"""


def run(
    *arguments: object, folder: Path, path: tuple[Path, ...] = (), said: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        input=said,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONUTF8": "1",
            "PYTHONPATH": os.pathsep.join(map(str, path)),
        },
        check=False,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel without a network, and install it into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = ("-m", "pip", "--isolated", "--disable-pip-version-check")
    offline = ("--no-deps", "--no-index")
    # The build backend stands where this run found it, which need not be the interpreter's own.
    found = tuple(Path(entry) for entry in sys.path if entry and Path(entry) != ROOT)
    built = run(
        *pip,
        "wheel",
        *offline,
        "--no-build-isolation",
        "-w",
        folder,
        ROOT,
        folder=folder,
        path=found,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("xiaoxiang-*.whl")
    with ZipFile(wheel) as archive:
        assert len(archive.namelist()) == len({*archive.namelist()}), "a file is in it twice"
    put = run(*pip, "install", *offline, "--target", folder / "there", wheel, folder=folder)
    assert put.returncode == 0, put.stderr
    return folder / "there"


@pytest.fixture
def partner(tmp_path: Path) -> Path:
    """A folder with files of a partner that are called like our packages."""
    name_alike(tmp_path)
    return tmp_path


def name_alike(folder: Path) -> None:
    for name in ("bot", "memory", "prompts"):
        (folder / f"{name}.py").write_text("WHOSE = 'the partner'\n", encoding="utf-8")


def test_the_wheel_claims_one_name(installed: Path) -> None:
    claimed = {
        entry.name for entry in installed.iterdir() if not entry.name.endswith(".dist-info")
    }

    assert claimed == {"xiaoxiang", "bin"}


def test_it_talks_beside_foreign_modules(installed: Path, partner: Path) -> None:
    program = (installed / "bin" / "xiaoxiang", "chat", "--offline", "--data", "data")
    path = (partner, installed)

    talked = run(*program, folder=partner, path=path, said="记住：我对花生过敏\n我对什么过敏？\n")

    assert talked.returncode == 0, talked.stderr
    assert "花生" in talked.stdout.splitlines()[-1]


def test_it_brings_the_page_of_settings_and_a_font_and_knows_its_version(
    installed: Path, partner: Path
) -> None:
    program = (installed / "bin" / "xiaoxiang", "--version")

    told = run(*program, folder=partner, path=(partner, installed))

    assert told.stdout.startswith("xiaoxiang 0."), told.stderr
    assert (installed / "xiaoxiang/bot/desk/graph/fonts/latin.ttf").is_file()
    assert (installed / "xiaoxiang" / ".env.example").read_bytes() == (
        ROOT / ".env.example"
    ).read_bytes()


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_wheel_of_the_readme_lies_where_no_release_takes_it_for_a_change(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    (folder,) = re.findall(r"pip wheel .* -w (\S+) \.", text)

    assert f"{folder}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def example_of_both_readmes() -> str:
    pages = [
        (ROOT / each).read_text(encoding="utf-8") for each in ("README.md", "README.zh-CN.md")
    ]
    example, its_twin = (page.partition("```python\n")[2].partition("```")[0] for page in pages)
    assert example == its_twin
    return example


@pytest.fixture(scope="module")
def ran(
    installed: Path, tmp_path_factory: pytest.TempPathFactory
) -> "subprocess.CompletedProcess[str]":
    """Run the example, then what is embedded, then everything: each imports what the last did."""
    folder = tmp_path_factory.mktemp("partner")
    name_alike(folder)
    whole = f"print({NEXT!r})\n".join([example_of_both_readmes(), EMBEDDED, EVERYTHING])
    return run("-c", whole, folder=folder, path=(folder, installed))


def part(ran: "subprocess.CompletedProcess[str]", number: int) -> list[str]:
    """Return the lines of one part, none of which is there if it did not get so far."""
    return [*ran.stdout.split(f"{NEXT}\n"), ran.stderr, "", ""][number].splitlines()


def test_the_example_of_both_readmes_runs(ran: "subprocess.CompletedProcess[str]") -> None:
    assert any("吸尘器" in line for line in part(ran, 0)), ran.stderr


def test_it_is_embedded_beside_foreign_modules(ran: "subprocess.CompletedProcess[str]") -> None:
    assert part(ran, 1) == ["记住：我对花生过敏", "the partner"], ran.stderr


def test_no_module_of_it_imports_the_three_names(ran: "subprocess.CompletedProcess[str]") -> None:
    templates, names = part(ran, 2)

    assert ran.returncode == 0, ran.stderr
    assert int(templates) > 0
    assert names == "[]"


def test_imports_are_rewritten_and_nothing_else() -> None:
    source = (
        "from memory import x\n"
        "import bot.app as app, memory.api as api, json\n"
        'S = "from memory import x", "主人", "memory", "bot.app", "bot.gone"\n'
    )

    assert rewritten(source, frozenset({"bot.app", "memory"})) == (
        "from xiaoxiang.memory import x\n"
        "import xiaoxiang.bot.app as app, xiaoxiang.memory.api as api, json\n"
        'S = "from memory import x", "主人", "memory", "xiaoxiang.bot.app", "bot.gone"\n'
    )


def test_an_import_that_binds_a_package_cannot_be_rewritten() -> None:
    with pytest.raises(ValueError, match=r"line 2: import memory\.errors needs"):
        rewritten("import json\nimport memory.errors\n")
