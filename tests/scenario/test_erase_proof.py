"""Erase means everywhere: twenty facts a person, eight encodings, kills in the middle."""

from pathlib import Path
from random import Random

import pytest

from tests.fakes.canaries import facts, forms, found
from tests.fakes.cost import share
from tests.fakes.erase_proof import Proof, erased_whole, killed_in_the_middle


async def test_twenty_facts_of_each_person_are_found_nowhere(tmp_path: Path) -> None:
    await erased_whole(Proof(tmp_path / "proof"))


@pytest.mark.hunted
@pytest.mark.parametrize("seed", share(range(3)))
async def test_an_erasure_killed_in_the_middle_is_ended_by_the_next_start(
    tmp_path: Path, seed: int
) -> None:
    await killed_in_the_middle(Proof(tmp_path / "proof"), Random(seed))


def test_the_search_finds_every_form_wherever_it_begins(tmp_path: Path) -> None:
    for fact in facts(0):
        for number, form in enumerate(forms(fact)):
            (tmp_path / "file").write_bytes(b"x" * number + form + b"y")
            assert found(tmp_path, [fact]), (fact, number)
