"""A long talk with one fact at its beginning, and who asks for it how much later.

As in the program, what fills the model's context leaves the talk and is summarised. Run as a
program it asks after every single message of 200, which takes some minutes:

    .venv/bin/python -m tests.fakes.long_talk
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice, product
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from bot.app import REPLY_SHARE
from bot.cli.transfer import CONVERSATION, RecordedClock, Replayer, exchanges
from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from bot.llm.tokens import TokenCounter
from memory.agent import AgentMemory
from memory.agents import open_agent
from memory.changes import Turn
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Message
from memory.ports import Outcome, Replied, Streamed
from prompts import Prompt, Reply, default_persona
from tests.fakes.clock import NOON

FACT = "备用钥匙我藏在鱼缸后面了"
QUESTION = "我的备用钥匙藏在哪里？"
ANSWER = "鱼缸后面"

BUDGETS = (2_000, 4_000, 16_000)
"""Values of ``LLM_CONTEXT_TOKENS``."""

WAYS = ("turns", "turns after a line", "lines", "replay")
"""How a talk comes into memory."""

_WHO = ("同事小李", "楼下的邻居", "我妈", "表弟", "健身教练", "老王", "隔壁的猫", "房东")
_WHEN = ("昨天晚上", "今天早上", "上个周末", "刚才", "前几天", "在地铁上", "在超市里", "在楼道里")
_DID = ("新买了", "弄丢了", "一直在找", "送给我", "说起了", "修好了", "带来了", "忘带了")
_WHAT = ("雨伞", "蓝色的杯子", "一本旧书", "充电器", "一盆薄荷", "跑鞋", "半块蛋糕", "耳机")
_REPLIES = ("是吗，然后呢？", "听起来挺有意思的。", "嗯嗯，我在听。", "哈哈，真的呀！", "辛苦了。")


def talk(seed: int = 1) -> Iterator[Message]:
    """Yield the messages of a talk without an end, both sides taking turns, the fact first."""
    chance, number = Random(seed), 0
    while True:
        told = "".join(map(chance.choice, (_WHO, _WHEN, _DID, _WHAT)))
        text = chance.choice(_REPLIES) if number % 2 else told if number else FACT
        yield Message(
            id=f"m{number}",
            at=NOON + timedelta(minutes=3 * number),
            speaker="小祥" if number % 2 else "主人",
            role="assistant" if number % 2 else "user",
            text=text,
        )
        number += 1


@dataclass
class _Listener:
    """A model that answers nothing in particular, and keeps the prompt."""

    name: str = "listener"
    asked: list[Reply] = field(default_factory=list)

    async def complete(self, prompt: Prompt) -> Outcome:
        assert isinstance(prompt, Reply)
        self.asked.append(prompt)
        return Replied("嗯")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        yield await self.complete(prompt)


async def _show_nothing(text: str) -> None:
    del text


async def missed(folder: Path, way: str, budget: int, ages: Collection[int]) -> list[str]:
    """Return for which ages of the fact, and in which places, no prompt holds it.

    ``budget`` is the context of the model in tokens.
    """
    clock = RecordedClock(NOON)
    found: list[str] = []
    async with agent_of(folder, clock) as agent:
        async for age in lived(agent, clock, way, max(ages)):
            if age in ages:
                found += [
                    f"{way}: {age} messages ago, {place}, {budget} tokens"
                    for place in (CONVERSATION, "elsewhere")
                    if not await is_told(agent, clock, place, budget)
                ]
    return found


@asynccontextmanager
async def agent_of(folder: Path, clock: RecordedClock) -> AsyncIterator[AgentMemory]:
    agent = await open_agent(
        folder,
        AgentParts(clock=clock, model=None),
        choose_settings=lambda known: known or AgentSettings(),
    )
    try:
        yield agent
    finally:
        await agent.close()


async def lived(
    agent: AgentMemory, clock: RecordedClock, way: str, most: int
) -> AsyncIterator[int]:
    """Live through the talk; yield how many messages ago the fact was said by now."""
    replayer = Replayer(agent, clock, TokenCounter().count, verbose=False)
    said = islice(talk(), most + 1)
    age = -1
    if way == "turns after a line":
        await agent.listen(CONVERSATION, [next(said)])
        age += 1
        yield age
    while part := list(islice(said, 1 if way == "lines" else 2)):
        clock.advance_to(part[-1].at)
        if way == "replay":
            await replayer.replay(exchanges(part), None)
        elif way == "lines" or len(part) == 1:
            await agent.listen(CONVERSATION, part)
        else:
            await agent.commit(_turn(part))
        await agent.background.wait_until_idle()
        age += len(part)
        yield age


def _turn(part: list[Message]) -> Turn:
    reply = Message(
        id=f"{part[0].id}-r", at=part[1].at, speaker="小祥", role="assistant", text=part[1].text
    )
    said = Message(id=part[0].id, at=part[0].at, speaker="主人", role="user", text=part[0].text)
    return Turn(
        id=f"t{said.id}", conversation=CONVERSATION, at=reply.at, said=(said,), reply=reply
    )


async def is_told(agent: AgentMemory, clock: RecordedClock, place: str, budget: int) -> bool:
    """Return whether the prompt for the question holds the answer.

    Room is made as the program makes it.
    """
    model = _Listener()
    generator = ReplyGenerator(
        model=model,
        persona=lambda settings: default_persona(settings.language),
        budget=TokenBudget(int(budget * REPLY_SHARE), TokenCounter().count),
        clock=clock,
    )
    asked = Message(id="asked", at=clock.now(), speaker="主人", role="user", text=QUESTION)
    settings = agent.settings
    context = TurnContext(
        agent=agent,
        settings=settings,
        zone=ZoneInfo(settings.time_zone),
        conversation=place,
        said=(asked,),
    )
    reply = await generator.generate(context, _show_nothing)
    assert isinstance(reply, GeneratedReply)
    if reply.crowded_until:
        await agent.make_room(place, reply.crowded_until)
        await agent.background.wait_until_idle()
    prompt = model.asked[-1]
    in_window = sum(ANSWER in line.text for line in prompt.window)
    recalled = [f"{each.text} {each.quote}" for each in prompt.memories]
    in_memories = [text for text in recalled if FACT in text]
    # What the window shows is not shown again.
    assert not (in_window and any(text.strip() == FACT for text in in_memories)), recalled
    return bool(in_window or any(ANSWER in text for text in recalled))


async def main() -> int:
    """Ask after every message of 200, in every way."""
    left: list[str] = []
    for way, budget in product(WAYS, BUDGETS):
        with tempfile.TemporaryDirectory() as folder:
            left += await missed(Path(folder) / "agent", way, budget, range(1, 201))
    told = "told after every one of 200 messages, in every way"
    sys.stdout.write("\n".join(left or [told]) + "\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
