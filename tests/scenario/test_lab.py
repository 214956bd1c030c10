"""The forgetting laboratory: the default law must keep what matters and let chatter go."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.lab.curves import frequent_against_rare, left_alone
from benchmarks.lab.drawing import Chart, svg
from benchmarks.lab.life import Candidate, Life, Sample, Year, candidates
from benchmarks.lab.lived import Lived, keep_lived, read_lived
from benchmarks.lab.page import TEMPLATE, charts, page
from benchmarks.lab.world import DAYS, IMPORTANT, LONG_DAYS, a_year
from memory.laws.registry import LAWS
from tests.fakes.cost import share


def test_a_year_under_tiers_keeps_what_matters_and_loses_the_chatter() -> None:
    year = Life(a_year(1), next(candidates()), 1).live()

    end = year.samples[-1]
    assert end.important_kept >= 0.95
    assert end.chatter_kept <= 0.10
    assert end.active < 150
    assert year.told_again < year.came_up / 50


def test_the_same_seed_tells_the_same_year() -> None:
    assert a_year(3) == a_year(3)
    assert a_year(3) != a_year(4)


def test_a_year_holds_what_matters_and_much_that_does_not() -> None:
    things = a_year(1)

    important = [thing for thing in things if thing.sort in IMPORTANT]
    assert 40 < len(important) < len(things) / 5


def test_what_is_used_every_other_day_outlives_what_is_not() -> None:
    lines = frequent_against_rare()

    rare = [strength for _, strength in lines["rare"]]
    assert rare == sorted(rare, reverse=True)
    assert rare[7] == 0
    assert min(strength for day, strength in lines["frequent"] if day > 14) > 60


def test_left_alone_one_memory_fades_under_every_law() -> None:
    for law, points in left_alone(120).items():
        kept = [retention for _, retention in points]

        assert kept == sorted(kept, reverse=True), law
        assert kept[-1] < kept[0], law


def test_a_chart_is_a_well_formed_picture_with_a_line_for_each_name() -> None:
    chart = Chart(
        title="a < b",
        across="days",
        lines={"x": [(0, 0), (9, 1)], "y & z": [(0, 2)]},
        right=9,
        top=1,
    )

    picture = ET.fromstring(svg(chart))  # noqa: S314  (our own picture)

    assert len(picture.findall("{*}polyline")) == 2
    assert "y & z" in [text.text for text in picture.findall("{*}text")]


def test_the_template_has_a_place_for_every_table() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")

    assert all(hole in text for hole in ("{table}", "{long}", "{simulation}", "{days}"))


def test_what_was_lived_is_kept_as_means_and_gone_on_with(tmp_path: Path) -> None:
    first = Year(samples=[a_sample(7, 1.0, 0.5), a_sample(14, 1.0, 0.2)], calls=4)
    second = Year(samples=[a_sample(7, 0.5, 0.1), a_sample(14, 0.8, 0.4)], calls=8)
    file = tmp_path / "lived.json"
    keep_lived(file, ("a", 14), Lived().with_life(first))
    keep_lived(file, ("b", 14), Lived())
    kept = read_lived(file)["a", 14].with_life(second)
    keep_lived(file, ("a", 14), kept)

    assert set(read_lived(file)) == {("a", 14), ("b", 14)}
    assert read_lived(file)["a", 14].samples[-1] == pytest.approx((14, 0.9, 0.3, 0.0, 9))
    assert (kept.lives, kept.counts[0], kept.worst) == (2, 6.0, (0.8, 0.4))
    assert read_lived(tmp_path / "none.json") == {}


def test_the_page_and_its_pictures_are_made_of_what_was_lived() -> None:
    year = Year(samples=[a_sample(7, 1.0, 0.5), a_sample(DAYS, 0.987, 0.2)], calls=4)
    lived = {(LAWS[0].name, DAYS): Lived().with_life(year)}
    lived[LAWS[-1].name, LONG_DAYS] = lived[LAWS[0].name, DAYS]

    text = page(lived)
    assert f"| `{LAWS[0].name}` | 98.7% (99%) | 20.0% | 0.0% | 9 | 0 / 0 | 4 | 1 |" in text
    assert f"| `{LAWS[-1].name}` | 98.7% | 20.0% | 0.0% | 1 |" in text
    assert list(charts(lived)["important"].lines) == [LAWS[0].name]


def a_sample(day: int, important: float, chatter: float) -> Sample:
    return Sample(
        day=day,
        important_kept=important,
        chatter_kept=chatter,
        stale_recalled=0.0,
        active=9,
        recallable=9,
    )


ALONE = [each for each in candidates() if not each.reviewed or each.law == LAWS[-1].name]


@pytest.mark.hunted
@pytest.mark.parametrize("candidate", share(ALONE, of=2), ids=lambda each: each.name)
def test_without_a_model_the_words_alone_tell_what_matters(candidate: Candidate) -> None:
    days = 150
    end = Life(a_year(1, days), candidate, 1).live(days).samples[-1]

    # What was said in the last three weeks is there anyway.
    assert end.important_kept >= 0.98
    assert end.chatter_kept <= 21 / days + 0.05
    assert end.stale_recalled <= 21 / days + 0.05
