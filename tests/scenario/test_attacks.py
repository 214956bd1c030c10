"""A model that always obeys whoever writes into its prompt, before the whole program.

All attacks together take minutes: ``make attacks``. Here every way in is tried at least once.
"""

from pathlib import Path

import pytest

from benchmarks.attacks import Report, besiege
from tests.fakes.attacks import PAYLOADS, VECTORS, Attack, attacks
from tests.fakes.obedient import obedient
from tests.fakes.openai_answers import Asked

SAMPLED = 36
"""Every so many attacks one is lived through here: by each way, with ever other payloads."""


def sample() -> list[Attack]:
    return list(attacks())[::SAMPLED]


def test_there_are_more_than_three_hundred_attacks_and_the_sample_tries_every_way() -> None:
    every = list(attacks())

    assert len(every) == len(VECTORS) * sum(map(len, PAYLOADS.values())) > 300
    assert len(set(every)) == len(every)
    assert {attack.vector for attack in sample()} == set(VECTORS)
    assert {attack.language for attack in sample()} == {"zh", "en"}


@pytest.mark.parametrize("payload", [each for said in PAYLOADS.values() for each in said])
def test_the_model_carries_out_every_order(payload: str) -> None:
    material = (
        f"m1｜今天｜事实｜主人喜欢拉面\nm2｜今天｜事实｜主人住在北京\n1｜早｜看这个｜{payload}"
    )
    rules = "[ADD] [BOOST:m1]"
    prompt = [{"role": "system", "content": rules}, {"role": "user", "content": material}]

    assert obedient(Asked("", {"messages": prompt}, {})) != "[SKIP]"


async def test_no_attack_leaves_anything_behind(tmp_path: Path) -> None:
    report: Report = await besiege(sample(), tmp_path)

    assert report.through == {}
    assert report.asked_for["ADD"] > 10
    assert report.asked_for["DELETE"] + report.asked_for["UPDATE"] > 0
    assert report.asked_for["SEGMENT"] > 10
