"""Live the years under every law and write docs/forgetting.md: ``python -m benchmarks.lab``.

What was lived is kept as means in ``docs/forgetting/lived.json``, so that a life is lived once and
a long run may be cut short: the next one goes on with the next seed. ``--anew`` forgets it first,
as it has to whenever what decides a life was changed.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

from benchmarks.lab.drawing import svg
from benchmarks.lab.life import Life, candidates
from benchmarks.lab.lived import Lived, keep_lived, read_lived
from benchmarks.lab.page import charts, page
from benchmarks.lab.world import DAYS, LONG_DAYS, a_year
from memory.model import AgentSettings

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
KEPT_AT_LEAST: Final = 0.95
CHATTER_AT_MOST: Final = 0.10
DEFAULT: Final = AgentSettings().law


def main() -> int:
    """Live what is missing, write the page; status 1 where the default law misses its aim."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asked.add_argument("--seeds", type=int, default=20, help="how many different lives of each")
    asked.add_argument("--days", type=int, default=DAYS, help=f"{LONG_DAYS} for three years")
    asked.add_argument("--only", nargs="+", help="live only these")
    asked.add_argument("--anew", action="store_true", help="forget what was lived before")
    given = asked.parse_args()
    pictures = DOCS / "forgetting"
    pictures.mkdir(parents=True, exist_ok=True)
    kept = pictures / "lived.json"
    names = given.only or [each.name for each in candidates()]
    for candidate in candidates():
        if candidate.name in names:
            key = (candidate.name, given.days)
            before = Lived() if given.anew else read_lived(kept).get(key, Lived())
            for seed in range(before.lives + 1, given.seeds + 1):
                life = Life(a_year(seed, given.days), candidate, seed)
                before = before.with_life(life.live(given.days))
                keep_lived(kept, key, before)
                print(f"{candidate.name}: {seed} of {given.seeds}: {before}", file=sys.stderr)
    lived = read_lived(kept)
    for name, chart in charts(lived).items():
        (pictures / f"{name}.svg").write_text(svg(chart), encoding="utf-8")
    (DOCS / "forgetting.md").write_text(page(lived), encoding="utf-8")
    default = lived.get((DEFAULT, DAYS))
    if default is None:
        return 0
    print(f"{DEFAULT}: {default}; worst {default.worst[0]:.1%}, {default.worst[1]:.1%}")
    _, important, chatter, *_ = default.samples[-1]
    return 0 if important >= KEPT_AT_LEAST and chatter <= CHATTER_AT_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
