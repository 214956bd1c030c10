"""Line charts as plain SVG: small files that a page shows and a diff can read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]

WIDTH: Final = 720
HEIGHT: Final = 360
LEFT: Final = 56
RIGHT: Final = 180
TOP: Final = 44
BOTTOM: Final = 44
COLOURS: Final = ("#1b6ca8", "#7fb3d5", "#c0392b", "#2e8b57", "#8e44ad", "#d68910")
STEPS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What a chart says: its title, the name of the x axis, the ends of both axes, the lines."""

    title: str
    across: str
    lines: Mapping[str, Points]
    right: float
    top: float
    percent: bool = False


def svg(chart: Chart) -> str:
    """Return the chart as an SVG document."""
    body = [
        f'<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{escape(chart.title)}</text>',
        *_grid(chart),
        *(
            _line(chart, points, colour)
            for points, colour in zip(chart.lines.values(), COLOURS, strict=False)
        ),
        *_legend(chart),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">'
    )
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    return "\n".join([head, paper, *body, "</svg>", ""])


def _at(chart: Chart, x: float, y: float) -> tuple[float, float]:
    inner = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return (
        LEFT + inner[0] * x / chart.right,
        TOP + inner[1] * (1 - min(max(y / chart.top, 0.0), 1.0)),
    )


def _grid(chart: Chart) -> list[str]:
    marks: list[str] = []
    for step in range(STEPS + 1):
        share = step / STEPS
        x, _ = _at(chart, chart.right * share, 0)
        left, y = _at(chart, 0, chart.top * share)
        end, floor = _at(chart, chart.right, 0)
        days, value = chart.right * share, chart.top * share
        said = f"{value:.0%}" if chart.percent else f"{value:g}"
        marks += [
            f'<path d="M{left:.1f} {y:.1f}H{end:.1f}" stroke="#ddd"/>',
            f'<text x="{left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{said}</text>',
            f'<text x="{x:.1f}" y="{floor + 18:.1f}" text-anchor="middle">{days:g}</text>',
        ]
    middle, floor = _at(chart, chart.right / 2, 0)
    across = escape(chart.across)
    return [
        *marks,
        f'<text x="{middle:.1f}" y="{floor + 36:.1f}" text-anchor="middle">{across}</text>',
    ]


def _line(chart: Chart, points: Points, colour: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_at(chart, *point) for point in points))
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _legend(chart: Chart) -> list[str]:
    left = WIDTH - RIGHT + 16
    entries: list[str] = []
    for place, (name, colour) in enumerate(zip(chart.lines, COLOURS, strict=False)):
        y = TOP + 8 + 20 * place
        entries += [
            f'<path d="M{left} {y}h18" stroke="{colour}" stroke-width="3"/>',
            f'<text x="{left + 24}" y="{y + 4}">{escape(name)}</text>',
        ]
    return entries
