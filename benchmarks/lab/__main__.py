"""Live the year under every law and write docs/forgetting.md: ``python -m benchmarks.lab``."""

import argparse
import sys
from pathlib import Path
from typing import Final

from benchmarks.lab.drawing import svg
from benchmarks.lab.life import Life, Year, candidates
from benchmarks.lab.page import charts, page
from benchmarks.lab.world import a_year
from memory.model import AgentSettings

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
KEPT_AT_LEAST: Final = 0.95
CHATTER_AT_MOST: Final = 0.10
DEFAULT: Final = AgentSettings().law


def main() -> int:
    """Write the page and its pictures; status 1 where the default law misses its aim."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seeds", type=int, default=3, help="how many different years")
    seeds: int = asked.parse_args().seeds
    lived: dict[str, list[Year]] = {}
    for candidate in candidates():
        lived[candidate.name] = []
        for seed in range(1, seeds + 1):
            lived[candidate.name].append(Life(a_year(seed), candidate, seed).live())
            print(f"{candidate.name}: year {seed} of {seeds}", file=sys.stderr)
    pictures = DOCS / "forgetting"
    pictures.mkdir(parents=True, exist_ok=True)
    for name, chart in charts(lived).items():
        (pictures / f"{name}.svg").write_text(svg(chart), encoding="utf-8")
    (DOCS / "forgetting.md").write_text(page(lived), encoding="utf-8")
    ends = [year.samples[-1] for year in lived[DEFAULT]]
    kept = min(end.important_kept for end in ends)
    chatter = max(end.chatter_kept for end in ends)
    print(f"{DEFAULT} at its worst: {kept:.1%} of what matters, {chatter:.1%} of chatter")
    return 0 if kept >= KEPT_AT_LEAST and chatter <= CHATTER_AT_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
