"""Whatever a memory lived through, files that are made anew of it give the same answers."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory import open_memory
from memory.api import OpenMemory
from memory.erasing.erasure import plan_erasure
from memory.erasing.scope import OneMemory, Target, TextMatch
from memory.errors import InputRefused
from memory.lifecycle.partner_steps import plan_edit, plan_hide, plan_restore, plan_settings
from memory.merging.batch_merge import plan_merge
from memory.model import Message
from memory.recall import Hit
from memory.recall.in_mind import DepthName
from memory.stores.sidecars import INDEX_FILE, VECTORS_FILE
from tests.fakes.clock import FakeClock
from tests.fakes.cost import times
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.erase_proof import small_pages
from tests.fakes.found import found_alike
from tests.fakes.waiting import unless_it_hangs

AGENT: Final = "a"
LAWS: Final = ("tiers", "disuse", "network", "weights", "ebbinghaus")
TOLD: Final = (
    "我喜欢拉面",
    "记住：团子怕打雷",
    "昨天去爬山了，累坏了",
    "I have an interview on Friday",
    "my cat is called Tuanzi",
    "下周要去应聘，好紧张",
    "我在{n}路的咖啡馆等小安",
    "我住在杭州，搬来{n}年了",
    "好的",
    "你还记得我的猫吗？",
    "生日是3月{n}号",
    "外面下雨了",
)
ASKED: Final = (
    "猫 团子",
    "what about the interview",
    "我住在哪",
    "昨天 爬山",
    "咖啡馆 小安",
    "好的",
)
DEPTHS: Final[tuple[DepthName, ...]] = ("everyday", "deep", "auto")
LOST: Final = ((), (INDEX_FILE,), (VECTORS_FILE,), (INDEX_FILE, VECTORS_FILE))


class Life:
    """One memory that is lived with at random; the same chance lives the same life."""

    def __init__(self, chance: Random, mem: OpenMemory, clock: FakeClock) -> None:
        self._chance, self._mem, self._clock = chance, mem, clock
        self._agent = mem._agent
        self._said = 0

    async def talk(self) -> None:
        """Say a few lines, some of them in one go, and perhaps wait until they are understood."""
        said = []
        for _ in range(self._chance.choice([1, 2, 5, 14])):
            self._clock.tick(minutes=self._chance.choice([0, 0, 1, 7, 45, 300]))
            self._said += 1
            hers = self._chance.random() < 0.3
            said.append(
                Message(
                    id=f"m{self._said}",
                    at=self._clock.now(),
                    speaker="小祥" if hers else self._chance.choice(["Ann", "Ann", "小安"]),
                    role="assistant" if hers else "user",
                    text=self._chance.choice(TOLD).format(n=self._chance.randint(1, 9)),
                )
            )
        self._mem.remember(said, explicit=self._chance.random() < 0.2)
        await self._mem.settled()

    async def sleep(self) -> None:
        """Live through a night, sometimes after a long while."""
        self._clock.tick(days=self._chance.choice([1, 1, 9, 40]))
        await self._mem.nightly()

    async def fold(self) -> None:
        """Fold as it is folded after so many commits."""
        await self._agent._writer.fold()

    async def ask(self) -> None:
        """Ask something, so that there is an index to be kept in step."""
        await self._mem.search(self._chance.choice(ASKED))

    async def erase(self) -> None:
        """Erase one memory, or whatever holds a word."""
        target: Target = TextMatch(self._chance.choice(["爬山", "interview", "咖啡馆"]))
        if self._agent.state.memories and self._chance.random() < 0.6:
            target = OneMemory(self._chance.choice([*self._agent.state.memories]))
        now = self._clock.now()
        async with self._agent.erasing() as erase:
            found = plan_erasure(self._agent.state, target, now, key_hex="07" * 16)
            if found is not None:
                await erase(lambda _: found.changes)

    async def steer(self) -> None:
        """Hide, bring back, edit or merge as a partner does by hand."""
        memories, now = [*self._agent.state.memories], self._clock.now()
        if not memories:
            return
        one, step = self._chance.choice(memories), self._chance.randrange(4)
        two = self._chance.choice(memories)
        with suppress(InputRefused):
            await self._agent.steer(
                lambda state, _: (
                    (
                        plan_hide(state, one, now),
                        plan_restore(state, one, now),
                        plan_edit(state, one, "我喜欢乌冬面", now),
                    )[step]
                    if step < 3
                    else plan_merge([one, two], state, now).changes
                )
            )

    async def keep_for_days(self) -> None:
        """Let words be kept for some days only, or for ever again."""
        chosen = replace(
            self._mem._agent.settings, diary_days=self._chance.choice([None, None, 3, 30])
        )
        now = self._clock.now()
        await self._agent.steer(lambda state, _: plan_settings(state, chosen, now, "days"))

    async def step(self) -> None:
        """Do one of all that, talk most of the time."""
        others = [self.sleep, self.sleep, self.fold, self.ask, self.erase]
        others += [self.steer, self.steer, self.keep_for_days]
        await self._chance.choice([*others, *[self.talk] * len(others)])()


async def everything_found(mem: OpenMemory) -> list[list[Hit]]:
    await mem.settled()
    # Under the law of the network links go on fading in slices, until one comes to its end.
    async with unless_it_hangs():
        while mem._agent.state.agent_info.slice_due:
            await asyncio.sleep(0.01)
    return [await mem._agent.search(each, k=60, depth=depth) for each in ASKED for depth in DEPTHS]


async def live_and_lose(folder: Path, seed: int, steps: int) -> None:
    """Live so long, and compare what is found then with what is found once files were lost."""
    chance, clock, embedder = Random(seed), FakeClock(), FakeEmbedder()
    lived = folder / "lived"
    law = chance.choice(LAWS)
    async with open_memory(lived, agent=AGENT, clock=clock, model=None, embedder=embedder) as mem:
        await mem._agent.choose_law(law)
        life = Life(chance, mem, clock)
        for _ in range(steps):
            await life.step()
        found = await everything_found(mem)
        copytree(lived, folder / "killed")
    for begun in (lived, folder / "killed"):
        for number, lost in enumerate(LOST):
            copytree(begun, after := folder / f"{begun.name} {number}")
            for file in lost:
                (after / "agents" / AGENT / file).unlink(missing_ok=True)
            async with open_memory(
                after, agent=AGENT, clock=clock, model=None, embedder=FakeEmbedder()
            ) as mem:
                again = await everything_found(mem)
            for one, other in zip(found, again, strict=True):
                assert found_alike(one, other), f"{law}, {begun.name}, without {lost}"


@settings(max_examples=times(1, hunting=200))
@example(seed=16, steps=16)  # what was taken out of an index told what was near
@given(st.integers(0, 2**32), st.integers(4, times(16, hunting=40)))
def test_files_that_are_made_anew_give_the_answers_of_those_that_were_written_on_the_way(
    seed: int, steps: int
) -> None:
    with TemporaryDirectory() as place, small_pages():
        asyncio.run(live_and_lose(Path(place), seed, steps))
