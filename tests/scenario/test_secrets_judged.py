"""What only a model takes for a secret: sealed in private, refused where it cannot be sealed."""

from pathlib import Path

import pytest

from memory.lifecycle.undo import last_step, plan_undo
from memory.model import Memory, Sensitivity
from memory.offline import OfflineModel
from memory.ports import Replied
from memory.privacy.vault import Keys
from prompts import Monitor, Prompt
from tests.fakes.stolen_folder import found_in, found_under
from tests.scenario.test_sealing import a_turn_of, living

CONFIDED = "我骗了小王"
JUDGED = "主人骗了小王"
OPAQUE = "小王那晚找过我"
"""Nothing the rules would keep."""

KEY = "key"


class Careful(OfflineModel):
    """The model by rule, but for one thing that it takes for a secret; keeps its prompts."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    async def complete(self, prompt: Prompt) -> Replied:
        self.prompts.append(repr(prompt))
        if isinstance(prompt, Monitor) and any(CONFIDED in line.text for line in prompt.turn):
            return Replied(f"[ADD kind=fact sensitivity=3] {JUDGED}")
        if isinstance(prompt, Monitor) and any(OPAQUE in line.text for line in prompt.turn):
            return Replied("[ADD kind=fact sensitivity=3] 小王那晚找过主人")
        return await super().complete(prompt)


def the_key(tmp_path: Path) -> Path:
    path = tmp_path / KEY
    Keys.create(path, data=tmp_path / "data")
    return path


async def test_it_is_sealed_and_its_words_leave_the_talk(tmp_path: Path) -> None:
    data, model = tmp_path / "data", Careful()
    async with living(data, the_key(tmp_path), model) as agent:
        await agent.commit(a_turn_of("早", CONFIDED, reply="你骗了小王？抱抱"))
        await agent.background.wait_until_idle()
        (sealed,) = (m for m in agent.state.memories.values() if m.sealed)
        plain = agent.unsealed(sealed.id)
        asked_before = len(model.prompts)
        for number in range(2, 40):
            await agent.commit(a_turn_of(f"第{number}件小事", number=number))
        await agent.background.wait_until_idle()
        await agent.nightly()
        window = repr(agent.state.windows)
        hits = await agent.search("骗了小王", k=50)

    assert sealed.nature.sensitivity is Sensitivity.SECRET
    assert isinstance(plain, Memory)
    assert plain.words.text == JUDGED
    assert "小王" not in window
    assert sealed.id not in {hit.memory_id for hit in hits}
    assert all(found_in(text.encode(), "小王") == [] for text in model.prompts[asked_before:])
    for said in (CONFIDED, JUDGED, "小王"):
        assert found_under(data, said) == []


@pytest.mark.parametrize("private", [True, False])
async def test_without_a_key_and_among_others_it_is_refused(
    tmp_path: Path, *, private: bool
) -> None:
    data = tmp_path / "data"
    async with living(data, None if private else the_key(tmp_path), Careful()) as agent:
        await agent.commit(a_turn_of(OPAQUE, private=private))
        await agent.background.wait_until_idle()

        assert not agent.state.memories
        assert found_under(data, "小王那晚找过主人") == []


async def test_learning_it_can_be_undone(tmp_path: Path) -> None:
    async with living(tmp_path / "data", the_key(tmp_path), Careful()) as agent:
        await agent.commit(a_turn_of(CONFIDED))
        await agent.background.wait_until_idle()
        entry = last_step(agent.state)
        assert entry is not None
        await agent.steer(lambda state, _: plan_undo(state, entry))

        assert not agent.state.memories
