"""Live the year under every law and write docs/forgetting.md: ``python -m benchmarks.lab``."""

import argparse
import sys
from pathlib import Path
from typing import Final

from benchmarks.lab.drawing import svg
from benchmarks.lab.life import Life, Year, candidates
from benchmarks.lab.page import charts, page
from benchmarks.lab.world import DAYS, a_year
from memory.model import AgentSettings

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
KEPT_AT_LEAST: Final = 0.95
CHATTER_AT_MOST: Final = 0.10
DEFAULT: Final = AgentSettings().law


def main() -> int:
    """Write the page and its pictures; status 1 where the default law misses its aim."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seeds", type=int, default=3, help="how many different years")
    asked.add_argument("--days", type=int, default=DAYS, help="how long a life is; with --only")
    asked.add_argument("--only", nargs="*", default=(), help="live only these, write no page")
    given = asked.parse_args()
    seeds: int = given.seeds
    if given.only:
        return _print_ends(frozenset(given.only), seeds, given.days)
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


def _print_ends(names: frozenset[str], seeds: int, days: int) -> int:
    """Print what is left at the end of some lives, as means over the seeds."""
    for candidate in candidates():
        if candidate.name not in names:
            continue
        lives = (Life(a_year(seed, days), candidate, seed) for seed in range(1, seeds + 1))
        ends = [life.live(days).samples[-1] for life in lives]
        kept, chatter, stale = (
            sum(getattr(end, share) for end in ends) / len(ends)
            for share in ("important_kept", "chatter_kept", "stale_recalled")
        )
        lived = f"{candidate.name}: {seeds} lives of {days} days"
        print(f"{lived}: important {kept:.1%}, chatter {chatter:.1%}, stale {stale:.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
