"""Live with an older release, upgrade, be killed amid it, and go back: is anything lost?

.venv/bin/python -m benchmarks.upgrades --rounds 30 --kills 20 --seed 1

Each round takes one of the releases below from the history of this repository, talks with it,
and opens the same data folder with the program as it is now. Whatever the older one remembered has
to be listed and found, what is told afterwards too. Then the older one meets the newer data: where
the schema is newer it has to refuse and change nothing, else to know everything still. A killed
start is one that gets SIGKILL after a random share of the time a whole one takes. Prints what was
lost, and exits with 1 if anything was.
"""

import argparse
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]

RELEASES: Final = {
    "0b23213": 2,  # the last of the first round
    "33940c2": 3,  # the first with a diary
    "80f9ec3": 3,  # the first with today's rooms
    "276edef": 3,  # the last without pages
    "73a9fa9": 4,  # the first with pages
    "cbd74fe": 4,  # the last before the settings and secrets became extras
}
"""Commits whose program wrote the data of one schema, and which one. What schema 1 wrote is in
``tests/recorded``: its program had no shell yet."""

TOLD: Final = (
    ("我叫陈远", "陈远"),
    ("我住在成都", "成都"),
    ("我对花生过敏，记住这个", "花生"),
    ("我养了一只猫叫团子", "团子"),
    ("我喜欢喝乌龙茶", "乌龙茶"),
    ("记住：我妹妹叫小禾", "小禾"),
    ("I like hiking in the hills", "hiking"),
    ("remember this: my locker is next to the window", "locker"),
)
"""What is said, and the word by which it is known again."""

AFTERWARDS: Final = ("记住：我的自行车是绿色的", "自行车")
LONGEST_SECONDS: Final = 900  # of one program, on a machine with much else to do


@dataclass(slots=True)
class Tally:
    """What happened in all rounds."""

    upgrades: int = 0
    kills: int = 0
    refused: int = 0
    lived_on: int = 0
    faults: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--kills", type=int, default=20, help="starts that are killed, in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, tally = Random(options.seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        programs = {commit: _unpacked(commit, Path(name)) for commit in RELEASES}
        for number in range(options.rounds):
            commit = sorted(RELEASES)[number % len(RELEASES)]
            kills = _share(options.kills, options.rounds, number)
            data = Path(name) / f"data{number}"
            _round(tally, programs[commit], commit, data, kills, chance)
            print(
                f"{number + 1}/{options.rounds} {commit}: {len(tally.faults)} faults", flush=True
            )
    print(
        f"{tally.upgrades} upgrades, {tally.kills} killed starts; going back: {tally.refused} "
        f"refused unchanged, {tally.lived_on} went on; {len(tally.faults)} faults"
    )
    for fault in tally.faults:
        print(f"  {fault}")
    return 1 if tally.faults else 0


def _round(tally: Tally, older: Path, commit: str, data: Path, kills: int, chance: Random) -> None:
    """Live once with an older program, upgrade, and go back."""
    told = chance.sample(TOLD, k=chance.randint(2, len(TOLD)))
    _talk(older, data, [said for said, _ in told])
    before = _listed(older, data)
    for _ in range(kills):
        _kill_amid_a_start(data, chance)
        tally.kills += 1
    _talk(ROOT, data, [AFTERWARDS[0]])
    tally.upgrades += 1
    after = _listed(ROOT, data)
    missing = [each for each in before if each not in after]
    # All are listed, or they are missing above; that the index finds them is asked of some.
    words = [word for _, word in (*chance.sample(told, k=2), AFTERWARDS)]
    unfound = [word for word in words if word not in _found(ROOT, data, word)]
    tally.faults += [f"{commit}: lost {each!r}" for each in missing]
    tally.faults += [f"{commit}: {word!r} is not found" for word in unfound]

    digest = _digest(data)
    back = _run(older, ["memory", "list", "--json", "--agent", "local"], data)
    talked = _run(older, ["chat", "--offline"], data, "你好\n")
    if talked.returncode == 0:
        tally.lived_on += 1
        tally.faults += [
            f"{commit}: going back lost {each!r}" for each in after if each not in back.stdout
        ]
    else:
        tally.refused += 1
        if _digest(data) != digest:
            tally.faults.append(f"{commit}: refused the newer data, and changed it")
        if "Traceback" in talked.stderr:
            tally.faults.append(f"{commit}: broke at the newer data instead of refusing it")


def _share(total: int, parts: int, number: int) -> int:
    return total * (number + 1) // parts - total * number // parts


def _unpacked(commit: str, folder: Path) -> Path:
    """Return a folder with the program as it was at a commit."""
    target = folder / commit
    git = ["git", "-C", str(ROOT), "archive", commit]
    archive = subprocess.run(git, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(target, filter="data")
    return target


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", "LANGUAGE": "zh"}


def _run(
    program: Path, words: Sequence[str], data: Path, said: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "bot", *words, "--data", str(data)],
        cwd=program,
        env=_environment(),
        input=said,
        text=True,
        capture_output=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )


def _talk(program: Path, data: Path, lines: Sequence[str]) -> None:
    done = _run(program, ["chat", "--offline"], data, "\n".join(lines) + "\n")
    if done.returncode != 0:
        raise SystemExit(f"{program.name}: could not talk: {done.stderr}")


def _listed(program: Path, data: Path) -> list[str]:
    """Return the words of every memory."""
    done = _run(program, ["memory", "list", "--json", "--agent", "local"], data)
    return [row["text"] for row in json.loads(done.stdout)["rows"]]


def _found(program: Path, data: Path, word: str) -> str:
    return _run(program, ["memory", "search", word, "--agent", "local"], data).stdout


def _kill_amid_a_start(data: Path, chance: Random) -> None:
    """Start the newer program and kill it while it opens the data, or just after."""
    program = subprocess.Popen(
        [sys.executable, "-m", "bot", "chat", "--offline", "--data", str(data)],
        cwd=ROOT,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    # Before a second it imports; then it opens, migrates and folds.
    time.sleep(chance.uniform(0.8, 2.5))
    program.kill()
    program.communicate()


def _digest(data: Path) -> str:
    """Return a digest of all that holds words; locks and logs of the database may move."""
    found = hashlib.sha256()
    for path in sorted(data.rglob("*")):
        if path.is_file() and path.name.split(".")[0] in {"memory", "archive", "journal", "means"}:
            found.update(str(path.relative_to(data)).encode() + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
