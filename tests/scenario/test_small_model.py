"""What a real small model answered about strangers' talks: what it leaves in memory, and what not.

The answers were recorded (docs/models.md); ``benchmarks.judged`` counts all of them.
"""

import json

from benchmarks.judged import OPEN, kept_of

LEAST_KNOWN = 0.8
"""Of what was told; it was 87 % of all when they were recorded, and 31 % by the rules alone."""


def test_a_small_models_answers_leave_what_was_told_and_nothing_it_made_up() -> None:
    rows = OPEN.with_name("small_model.jsonl").read_text("utf-8").splitlines()
    wanted = known = 0
    made_up = []
    for case in map(json.loads, rows[::3]):
        kept = kept_of(case)
        wanted += len(case["true"])
        known += sum(map(kept.holds, case["true"]))
        made_up += [case["id"] for each in case["never"] if kept.holds([each])]
    assert known >= LEAST_KNOWN * wanted
    assert made_up == []
