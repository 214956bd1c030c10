"""Each guide ends in a checklist, and each line of a checklist is held by a test."""

import re

import pytest

from tests.architecture.sources import ROOT, TESTS, refuse, text

GUIDES = ("write-a-law", "write-a-platform", "write-a-command", "write-a-store")
TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
LINE = re.compile(r"^- \[ \] .+ \(`(test_\w+)`\)$")


def checklist(guide: str) -> list[str]:
    page = text(ROOT / f"docs/guides/{guide}.md")
    return page.partition("## Checklist\n")[2].strip().splitlines()


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_ends_in_a_checklist(guide: str) -> None:
    lines = checklist(guide)

    assert lines
    refuse([line for line in lines if not LINE.match(line)])


def test_every_line_of_a_checklist_is_held_by_a_test() -> None:
    tests = {found for path in TESTS for found in TEST.findall(text(path))}
    named = [
        (guide, found[1])
        for guide in GUIDES
        for line in checklist(guide)
        if (found := LINE.match(line))
    ]

    refuse([f"{guide}: {test}" for guide, test in named if test not in tests])
