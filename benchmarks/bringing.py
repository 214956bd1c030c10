"""Bring 50 companions and chats of other programs along, and have 79 hostile files refused.

.venv/bin/python -m benchmarks.bringing

Each file of ``tests.fakes.companions`` is given to ``xiaoxiang bring FILE --yes`` in a data folder
of its own. What was brought has to be there as it is specified: every line in the diary once, at
its own date, by whoever said it; every entry of a world book a memory of the owner's; the persona
a file; and no fact at once, since facts are judged. A file that is refused must leave no agent and
no file. Prints how many were as they have to be, and the longest refusal by the clock.
"""

import asyncio
import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bot.__main__ import main as shell
from memory.agents import read_state
from memory.diary import in_order
from memory.model import Tier
from tests.fakes.companions import CARDS, HOSTILE, TALKS, ZONE, ForeignCard, ForeignTalk

LONGEST_SECONDS = 1.0
AGENT = "brought"


def main() -> int:
    os.environ |= {"TIMEZONE": ZONE.key, "LANGUAGE": "en"}
    brought = [_brought(each) for each in (*CARDS, *TALKS)]
    refusals = [_refused(data) for data, _ in HOSTILE]
    wrong = [fault for fault in brought if fault]
    wrong += [f"hostile file {n}: {fault}" for n, (fault, _) in enumerate(refusals) if fault]
    slowest = max(seconds for _, seconds in refusals)
    print(
        f"brought as specified: {brought.count('')} of {len(brought)}; "
        f"refused: {sum(not fault for fault, _ in refusals)} of {len(refusals)}, "
        f"the slowest in {slowest:.2f} s"
    )
    for fault in wrong:
        print(f"  {fault}")
    return 1 if wrong or slowest > LONGEST_SECONDS else 0


def _brought(given: ForeignCard | ForeignTalk) -> str:
    """Bring one file; return what is not as it is specified, or nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        more: list[str] = []
        if isinstance(given, ForeignTalk):
            more += ["--me", given.me] if given.me else []
            more += ["--dates", given.dates] if given.dates else []
        else:
            more += ["--persona", str(folder / "persona.md")]
        status, said = _bring(folder, given.data, *more)
        if status != 0:
            return f"{given.title}: refused: {said}"
        if isinstance(given, ForeignCard):
            return _differs(given.title, _found_of_card(folder, given), (list(given.book), [], []))
        return _differs(given.title, _found_of_talk(folder), _wanted_of_talk(given))


def _differs(title: str, found: tuple[object, ...], wanted: tuple[object, ...]) -> str:
    return "" if found == wanted else f"{title}: {found}, not {wanted}"


def _found_of_card(folder: Path, given: ForeignCard) -> tuple[object, ...]:
    """Return what became memories, what the persona lacks, and what it must not say."""
    state = asyncio.run(read_state(folder / "data", AGENT))
    kept = [m.words.text for m in state.memories.values() if m.nature.tier is Tier.SYSTEM]
    path = folder / "persona.md"
    persona = path.read_text("utf-8") if path.exists() else ""
    lacking = [part for part in given.says if part not in persona]
    return kept, lacking, [part for part in given.omits if part in persona]


def _found_of_talk(folder: Path) -> tuple[object, ...]:
    """Return the lines of the diary, whether episodes came of them, and how many facts."""
    state = asyncio.run(read_state(folder / "data", AGENT))
    lines = [
        (m.at.astimezone(ZONE).strftime("%y%m%d %H:%M"), m.speaker, m.role, m.text)
        for m in (line.message for line in in_order(state.diary.values()))
    ]
    tiers = [memory.nature.tier for memory in state.memories.values()]
    return lines, Tier.EPISODE in tiers, tiers.count(Tier.FACT)


def _wanted_of_talk(given: ForeignTalk) -> tuple[object, ...]:
    lines = [
        (at, name, "user" if name in given.mine else "assistant", text)
        for at, name, text in given.lines
    ]
    return lines, True, 0


def _refused(data: bytes) -> tuple[str, float]:
    """Have one file refused; return what is wrong with that, and the seconds it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = perf_counter()
        status, _ = _bring(folder, data)
        seconds = perf_counter() - begun
        left = sorted(path.name for path in folder.rglob("*") if path.name != "given")
        agents = [each for each in left if each in {"agents", "exports"} or each.endswith(".md")]
        return ("was taken" if status == 0 else f"left {agents}" if agents else ""), seconds


def _bring(folder: Path, data: bytes, *more: str) -> tuple[int, str]:
    """Give a file to the shell's command; return its status and what it said."""
    os.environ["EXPORTS_DIR"] = str(folder / "exports")
    (folder / "given").write_bytes(data)
    words = ["bring", str(folder / "given"), "--agent", AGENT, "--data", str(folder / "data")]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = shell([*words, "--yes", *more])
    return status, said.getvalue()


if __name__ == "__main__":
    sys.exit(main())
