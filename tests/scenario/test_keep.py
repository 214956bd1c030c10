"""What the benchmark of keeping counts, on samples small enough to count by hand."""

from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from benchmarks.datasets import Life, Question
from benchmarks.keep import Ranked, under_law
from benchmarks.keep_reviews import LOG, calibrated, log_loss, report_reviews
from benchmarks.salience import weights_in_use
from memory.laws.registry import LAWS
from tests.builders import a_stretch
from tests.fakes.clock import NOON


def test_kept_is_what_was_needed_among_the_first_words() -> None:
    one = Ranked(
        needed=np.array([1.0, 0.0, 1.0, 0.0]),
        length=np.array([2.0, 2.0, 4.0, 2.0]),
        score=np.array([0.9, 0.1, 0.5, -1.0]),
        reach=np.array([True, False, True, False]),
    )

    assert one.kept(0.2) == 0.5
    assert one.kept(0.5) == 0.5
    assert one.kept(0.6) == 1.0
    assert one.in_reach() == pytest.approx((1.0, 0.6))


def test_ties_are_broken_by_the_same_lot_every_time() -> None:
    level = Ranked(np.arange(9.0) % 2, np.ones(9), np.zeros(9))

    assert level.kept(0.5) == level.kept(0.5)


@pytest.mark.parametrize("law", [law.name for law in LAWS])
async def test_a_life_with_its_nights_is_ranked_under_every_law(law: str) -> None:
    early = a_stretch("我对花生过敏", "记住了", "今天有点累", "早点睡")
    late = a_stretch("明天去爬山", "带上水", start=NOON + timedelta(days=12), first=9)
    life = Life(
        name="x",
        level="turn",
        zone=ZoneInfo("Asia/Shanghai"),
        sittings=(tuple(early), tuple(late)),
        unit_of={message.id: message.id for message in (*early, *late)},
        questions=(Question(text="?", gold=frozenset({"1"}), category="", undated=True),),
    )
    ranked = await under_law(life, law, weights_in_use())

    assert ranked.needed.tolist() == [1.0, 0, 0, 0, 0, 0]
    assert len(ranked.score) == len(ranked.length) == 6
    assert ranked.reach is not None
    assert all(ranked.score[~ranked.reach] == -1.0)
    assert ranked.score[4] > -1.0


def test_a_sure_mistake_costs_much_and_not_everything() -> None:
    assert log_loss([1.0], [False]) == pytest.approx(9.21, abs=0.01)
    assert log_loss([1.0], [True]) < 0.001


def test_two_numbers_make_a_chance_of_any_forecast() -> None:
    timid = [0.5, 0.52, 0.5, 0.52] * 50
    outcomes = [False, True, False, True] * 50
    mapped = calibrated(timid, outcomes)

    assert mapped(0.5) < 0.1
    assert mapped(0.52) > 0.9


def test_a_log_of_reviews_is_forecast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["card_id,review_rating,review_time,review_duration"]
    for card in range(20):
        for place, days in enumerate((0, 1, 4, 20, 60)):
            grade = 1 if (card + place) % 4 == 0 else 3
            at = NOON + timedelta(days=days, minutes=card)
            rows.append(f"{card},{grade},{at.isoformat()},1000")
    (tmp_path / LOG).parent.mkdir()
    (tmp_path / LOG).write_text("\n".join(rows), encoding="utf-8")
    report_reviews(tmp_path)
    said = capsys.readouterr().out

    assert "64 reviews to fit, 16 to test" in said
    for name in (*(law.name for law in LAWS), "constant", "FSRS-6"):
        assert f"| {name} | " in said
