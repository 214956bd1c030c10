"""The set of judged turns: what a judge can and cannot do to what the rules keep."""

import pytest

from benchmarks.judge import JudgedTurn, ScriptedJudge, judged, judged_turns, noise, perfect
from memory.model import Language

EVERY_NTH = 10
"""The whole set is for the benchmark; some of each kind are enough to know that it works."""


@pytest.mark.parametrize("language", ["zh", "en"])
def test_sixty_turns_a_language_say_what_is_to_be_kept_and_what_not(language: Language) -> None:
    turns = judged_turns(language)

    assert len(turns) == 60
    assert all(each.keep or each.never for each in turns)
    assert len({each.said for each in turns}) == 60


@pytest.mark.parametrize("case", [*judged_turns("zh"), *judged_turns("en")][::EVERY_NTH])
async def test_noise_leaves_what_the_rules_keep_and_a_perfect_judge_all(case: JudgedTurn) -> None:
    alone = await judged(case, None)
    after_noise = await judged(case, ScriptedJudge(case, noise))
    after_perfect = await judged(case, ScriptedJudge(case, perfect))

    assert after_noise.facts == alone.facts
    assert (after_perfect.missing, after_perfect.wrong) == ([], [])
