"""The page of the laboratory: the table, the pictures, and what they say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.lab.curves import frequent_against_rare, left_alone
from benchmarks.lab.drawing import Chart, Points
from benchmarks.lab.life import candidates
from benchmarks.lab.lived import SHARES, Lived, LivedKey
from benchmarks.lab.world import DAYS, LONG_DAYS

LivedLaws: TypeAlias = Mapping[LivedKey, Lived]

TEMPLATE: Final = Path(__file__).with_name("forgetting.template.md")
COLUMNS: Final = (
    "law",
    "important",
    "chatter",
    "stale",
    "active",
    "told again",
    "calls",
    "lives",
)


def page(lived: LivedLaws) -> str:
    """Return the whole page in Markdown: the template with the tables in it."""
    return TEMPLATE.read_text(encoding="utf-8").format(
        days=DAYS,
        table="\n".join(_table(lived)),
        long="\n".join(_long_table(lived)),
        simulation="\n".join(_simulation()),
    )


def charts(lived: LivedLaws) -> dict[str, Chart]:
    """Return every picture of the page by its file name."""
    active = {name: _points(each, "active") for name, each in _of_a_year(lived).items()}
    most = int(max((height for points in active.values() for _, height in points), default=1.0))
    return {
        "important": _share_chart(lived, "important and true", "important_kept"),
        "chatter": _share_chart(lived, "chatter", "chatter_kept"),
        "stale": _share_chart(lived, "stale", "stale_recalled"),
        "active": Chart(
            title="active memories",
            across="days",
            lines=active,
            right=DAYS,
            top=-(-most // 100) * 100,
        ),
        "curves": Chart(
            title="retention of one fact",
            across="days",
            lines=left_alone(120, (20, 40)),
            right=120,
            top=1.0,
            percent=True,
        ),
        "simulation": Chart(
            title="mean strength, 20 memories",
            across="days",
            lines=frequent_against_rare(),
            right=30,
            top=100,
        ),
    }


def _of_a_year(lived: LivedLaws) -> dict[str, Lived]:
    """Return the lives of a year, law by law in the order of the program."""
    names = [each.name for each in candidates()]
    return {name: lived[name, DAYS] for name in names if (name, DAYS) in lived}


def _share_chart(lived: LivedLaws, title: str, share: str) -> Chart:
    lines = {name: _points(each, share) for name, each in _of_a_year(lived).items()}
    return Chart(title=title, across="days", lines=lines, right=DAYS, top=1.0, percent=True)


def _points(lived: Lived, share: str) -> Points:
    place = 1 + SHARES.index(share)
    return [(sample[0], sample[place]) for sample in lived.samples]


def _table(lived: LivedLaws) -> list[str]:
    rows = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for name, each in _of_a_year(lived).items():
        _, important, chatter, stale, active = each.samples[-1]
        calls, came_up, again = each.counts
        rows.append(
            f"| `{name}` | {important:.1%} ({each.through:.0%}) | {chatter:.1%} | {stale:.1%} "
            f"| {active:.0f} | {again:.0f} / {came_up:.0f} | {calls:.0f} | {each.lives} |"
        )
    return rows


def _long_table(lived: LivedLaws) -> list[str]:
    rows = ["| law | important | chatter | stale | lives |", "|---|---|---|---|---|"]
    for (name, days), each in sorted(lived.items()):
        if days == LONG_DAYS:
            _, important, chatter, stale, _ = each.samples[-1]
            shares = f"{important:.1%} | {chatter:.1%} | {stale:.1%}"
            rows.append(f"| `{name}` | {shares} | {each.lives} |")
    return rows


def _simulation() -> list[str]:
    lines = frequent_against_rare()
    return [
        "| day | frequent | rare |",
        "|---|---|---|",
        *(
            f"| {day} | {lines['frequent'][day][1]:.0f} | {lines['rare'][day][1]:.0f} |"
            for day in (0, 1, 3, 7, 14, 21, 29, 30)
        ),
    ]
