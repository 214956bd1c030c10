"""The page of the laboratory: the table, the pictures, and what they say."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.lab.curves import frequent_against_rare, left_alone
from benchmarks.lab.drawing import Chart, Points
from benchmarks.lab.life import Sample, Year
from benchmarks.lab.world import DAYS

Lived: TypeAlias = Mapping[str, Sequence[Year]]

TEMPLATE: Final = Path(__file__).with_name("forgetting.template.md")
COLUMNS: Final = (
    "law",
    "important",
    "chatter",
    "stale",
    "active",
    "told again",
    "calls",
)


def page(lived: Lived) -> str:
    """Return the whole page in Markdown: the template with both tables in it."""
    return TEMPLATE.read_text(encoding="utf-8").format(
        days=DAYS, table="\n".join(_table(lived)), simulation="\n".join(_simulation())
    )


def charts(lived: Lived) -> dict[str, Chart]:
    """Return every picture of the page by its file name."""
    most = max(s.active for years in lived.values() for y in years for s in y.samples)
    return {
        "important": _share_chart(lived, "important and true", "important_kept"),
        "chatter": _share_chart(lived, "chatter", "chatter_kept"),
        "stale": _share_chart(lived, "stale", "stale_recalled"),
        "active": Chart(
            title="active memories",
            across="days",
            lines={name: _means(years, "active") for name, years in lived.items()},
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


def _share_chart(lived: Lived, title: str, field: str) -> Chart:
    lines = {name: _means(years, field) for name, years in lived.items()}
    return Chart(title=title, across="days", lines=lines, right=DAYS, top=1.0, percent=True)


def _means(years: Sequence[Year], field: str) -> Points:
    weeks = zip(*(year.samples for year in years), strict=True)
    return [(week[0].day, _mean([_value(sample, field) for sample in week])) for week in weeks]


def _table(lived: Lived) -> list[str]:
    rows = [
        f"| {' | '.join(COLUMNS)} |",
        "|---" * len(COLUMNS) + "|",
    ]
    for name, years in lived.items():
        ends = [year.samples[-1] for year in years]
        through = _mean([s.important_kept for year in years for s in year.samples])
        again = _mean([year.told_again for year in years])
        rows.append(
            f"| `{name}` | {_mean([e.important_kept for e in ends]):.0%} ({through:.0%}) "
            f"| {_mean([e.chatter_kept for e in ends]):.0%} "
            f"| {_mean([e.stale_recalled for e in ends]):.0%} "
            f"| {_mean([e.active for e in ends]):.0f} "
            f"| {again:.0f} / {_mean([year.came_up for year in years]):.0f} "
            f"| {_mean([year.calls for year in years]):.0f} |"
        )
    years_lived = len(next(iter(lived.values())))
    return [
        *rows,
        "",
        f"means over {years_lived} different years",
    ]


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


def _value(sample: Sample, field: str) -> float:
    return float(getattr(sample, field))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
