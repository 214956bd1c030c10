"""Every page is whole in one language: English, some with a complete Chinese twin."""

import re
from pathlib import Path

import pytest

from tests.architecture.sources import PAGES, ROOT, name, refuse, text

TWINS = {
    "docs/decisions/lark-sdk.md": "docs/zh/decisions/lark-sdk.md",
    "README.md": "README.zh-CN.md",
    **{
        f"docs/{page}.md": f"docs/zh/{page}.md"
        for page in (
            "commands",
            "scale",
            "settings",
            "telegram",
            "lark",
            "linking",
            "reminders",
            "initiative",
            "erasing",
            "damage",
            "running",
            "upgrading",
            "bringing",
            "page",
            "security",
        )
    },
}
"""What partners and operators read."""

CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
HAN = re.compile(r"[一-鿿]")
FOREIGN_WORDS = 0.03
"""The share of Chinese an English page may hold: names, and words that are its subject."""


def prose(path: Path) -> str:
    """Return what a page says in sentences: a sample of a chat may be in any language."""
    return CODE.sub("", text(path))


def share_of_chinese(path: Path) -> float:
    said = prose(path)
    chinese = len(HAN.findall(said))
    return chinese / max(chinese + len(re.findall(r"[A-Za-z]", said)), 1)


def test_every_page_is_in_one_language() -> None:
    chinese = {ROOT / page for page in TWINS.values()}

    refuse(
        [
            f"{name(path)}: {share:.0%} Chinese"
            for path in PAGES
            if (share := share_of_chinese(path)) > FOREIGN_WORDS and path not in chinese
        ]
    )
    refuse([f"{name(path)}: mostly English" for path in chinese if share_of_chinese(path) < 0.6])


@pytest.mark.parametrize("page", TWINS)
def test_a_twin_is_complete(page: str) -> None:
    """The same chapters, code blocks, table rows and list items, in the same order."""
    shapes = [_shape(text(ROOT / each)) for each in (page, TWINS[page])]

    assert shapes[0] == shapes[1]


def _shape(page: str) -> list[str]:
    found: list[str] = []
    in_code = False
    for line in page.splitlines():
        start = line.strip()
        if start.startswith("```"):
            in_code = not in_code
            found += ["code"] if in_code else []
        elif not in_code and (kind := re.match(r"#+ |\||- |\d+\. ", start)):
            found.append(re.sub(r"\d", "1", kind[0]))
    return found


def test_the_index_names_every_page() -> None:
    index = text(ROOT / "docs/README.md")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in PAGES if "docs" in path.parts]

    refuse([page for page in pages if page != "README.md" and f"({page})" not in index])
