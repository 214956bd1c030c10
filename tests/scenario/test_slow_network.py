"""On a slow network that loses answers everything is shown once (``make slow-network``: more)."""

from functools import partial
from pathlib import Path

import pytest

from tests.fakes.slow_network import Case, Kind, expected_texts, in_jumping_time, outcome_of

pytestmark = pytest.mark.usefixtures("quick_time")


@pytest.mark.parametrize(("platform", "kind"), [("telegram", "talk"), ("lark", "command")])
def test_what_is_slow_and_lost_is_shown_once_in_the_end(
    tmp_path: Path, platform: str, kind: Kind
) -> None:
    case = Case(platform, kind, delay=10.0, loss=0.5)
    expected = in_jumping_time(partial(expected_texts, tmp_path / "well", platform, kind))
    outcome = in_jumping_time(partial(outcome_of, tmp_path / "bad", case, expected))

    assert expected
    assert outcome.lost_answers
    assert outcome.is_right, outcome
