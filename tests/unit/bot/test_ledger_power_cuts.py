"""Whatever a loss of power leaves of the ledger, an answer that may be on a screen is there."""

from pathlib import Path
from random import Random

from bot.conversation.ledger import SendState
from tests.ledger_cuts import Moment, is_right_after, life_of_a_turn


async def _moments(folder: Path) -> dict[str, Moment]:
    folder.mkdir()
    return {each.step: each for each in await life_of_a_turn(folder)}


async def test_an_answer_is_synced_with_the_record_that_its_sending_begins(
    tmp_path: Path,
) -> None:
    moments = await _moments(tmp_path / "a")

    for step in ("sending", "shown"):
        (only,) = moments[step].allowed
        (turn,) = only[1]
        assert turn.answer is not None
        assert turn.send is SendState.SENDING
    # Before it nobody can have seen an answer: there is none.
    assert [turns[0].answer for _, turns in moments["begun"].allowed if turns] == [None]


async def test_after_a_loss_of_power_the_ledger_is_as_it_was_at_a_step_since_it_was_synced(
    tmp_path: Path,
) -> None:
    moments = await _moments(tmp_path / "a")

    for step, moment in moments.items():
        for seed in range(4):
            left = tmp_path / f"{step}-{seed}"
            left.mkdir()
            assert await is_right_after(moment, Random(seed), left), (step, seed)
