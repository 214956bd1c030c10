"""docs/trust.md names every promise once, and every test and command it rests on exists."""

import re
from collections import Counter
from typing import Final

import pytest

from benchmarks import trust
from benchmarks.licences_page import LOCK, PAGE, locked_names, page
from benchmarks.trust import HUNTS, Hunt, Outcome, chosen, main, run, told
from tests.architecture.sources import ROOT, exists, functions, refuse, text

TRUST: Final = ROOT / "docs/trust.md"
FAMILIES: Final = {"D": 14, "C": 8, "S": 13, "L": 8, "M": 8, "P": 6, "X": 13, "O": 9}

ROW: Final = re.compile(r"^\| ([A-Z]\d+) \| (.+) \|$", re.MULTILINE)
TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
MADE: Final = re.compile(r"`make\s([a-z-]+)`")
PROMISES: Final = [
    f"{family}{n}" for family, count in FAMILIES.items() for n in range(1, count + 1)
]

FAILING: Final = Hunt("none", "S1", "benchmarks.no_such_hunt", (), ())


def _rows() -> list[tuple[str, list[str]]]:
    return [(each[1], each[2].split(" | ")) for each in ROW.finditer(text(TRUST))]


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", text(ROOT / "Makefile"), re.MULTILINE))


def test_every_promise_has_one_whole_row() -> None:
    assert [promise for promise, _ in _rows()] == PROMISES
    refuse([promise for promise, cells in _rows() if len(cells) != 5 or not all(cells)])


def test_a_promise_is_kept_by_something_or_the_row_says_why_not() -> None:
    for promise, (_, state, held, _, figure) in _rows():
        assert state in {"kept", "in part", "no"}, promise
        if state == "no":
            assert len(figure) > 40, f"{promise}: why not?"
        else:
            assert TEST.search(held) or MADE.search(held) or "benchmarks/" in held, promise


def test_every_test_that_is_named_exists() -> None:
    named = TEST.findall(text(TRUST))
    there = {file: {each.name for _, each in functions(ROOT / file)} for file, _ in named}

    assert len(named) > 100
    refuse([f"{file}::{test}" for file, test in named if test not in there[file]])


def test_every_command_that_is_named_exists() -> None:
    named = set(MADE.findall(text(TRUST))) | set(MADE.findall(text(ROOT / "docs/security.md")))

    assert named
    refuse(sorted(named - _targets()))


def test_every_hunt_is_of_a_promise_and_a_program_that_knows_its_options() -> None:
    for hunt in HUNTS:
        assert set(hunt.promises.split()) <= set(PROMISES), hunt.name
        if hunt.module == "pytest":
            refuse(
                [
                    each
                    for each in hunt.short
                    if each.endswith(".py") and not (ROOT / each).exists()
                ]
            )
            continue
        assert exists(hunt.module), hunt.name
        source = text(ROOT / f"{hunt.module.replace('.', '/')}.py")
        for option in (*hunt.short, *hunt.long):
            assert not option.startswith("--") or f'"{option}"' in source, f"{hunt.name} {option}"
    refuse([name for name, count in Counter(each.name for each in HUNTS).items() if count > 1])


def test_a_hunt_is_told_with_its_promises_its_command_and_what_it_said_last() -> None:
    hunt = HUNTS[0]
    good = told(Outcome(hunt, 0, 1.6, "begun\n500 kills, 0 lost\n\n"), long=False)
    bad = told(Outcome(hunt, 1, 1.6, ""), long=True)

    assert good.split()[:5] == ["ok", "S1", "S4", "kill-store", "2"]
    assert good.endswith("python -m benchmarks.kill_store --kills 500: 500 kills, 0 lost")
    assert bad.startswith("FAILED")
    assert bad.endswith("--kills 10000: it said nothing")


def test_a_hunt_that_fails_fails_the_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = {"one": 0, "two": 1}
    hunts = tuple(Hunt(name, "S1", "benchmarks.kill_store", (), ()) for name in ends)
    monkeypatch.setattr(trust, "HUNTS", hunts)
    monkeypatch.setattr(
        trust, "run", lambda hunt, *, long: Outcome(hunt, ends[hunt.name], 1.0, f"said {long}")
    )

    assert main(["--only", "one"]) == 0
    assert main([]) == 1
    assert "1 of 2 hunts found nothing" in capsys.readouterr().out


def test_a_program_that_cannot_begin_has_failed() -> None:
    outcome = run(FAILING, long=False)

    assert outcome.status != 0
    assert "no_such_hunt" in outcome.verdict


def test_only_what_is_known_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert [hunt.name for hunt in chosen(["fuzz", "kill-store"])] == ["kill-store", "fuzz"]
    assert chosen([]) == HUNTS
    with pytest.raises(SystemExit):
        main(["--only", "fuss"])
    assert "no hunt is called 'fuss'" in capsys.readouterr().err


def test_every_locked_package_has_its_licence_on_the_page() -> None:
    named = re.findall(r"^\| ([a-z0-9._-]+) \| ([^|]+) \|", text(PAGE), re.MULTILINE)
    licences = {package: licence for package, licence in named if package != "package"}

    assert tuple(licences) == locked_names(text(LOCK))
    assert not any("UNKNOWN" in licence for licence in licences.values())


def test_a_licence_nobody_knows_is_named() -> None:
    with pytest.raises(ValueError, match="'odd'"):
        page([{"Name": "odd", "License": "UNKNOWN"}], ["odd"])

    assert "| A_B | GPL-3.0 | reciprocal |" in page(
        [{"Name": "a.b", "License": "GPL-3.0"}], ["A_B"]
    )
