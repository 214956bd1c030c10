"""What a line brought up stays out of the prompt where the line needs nothing remembered."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

import pytest

from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from memory.model import AgentSettings, Message
from memory.recall import Hit
from prompts import Reply, default_persona
from tests.builders import a_message
from tests.fakes.agent import FakeAgent
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel


@dataclass
class FarAgent(FakeAgent):
    """An agent whose memories all lie far from whatever is said."""

    async def search(
        self,
        query: str,
        *,
        k: int = 12,
        skip: AbstractSet[str] = frozenset(),
        context: Sequence[Message] = (),
    ) -> list[Hit]:
        found = await super().search(query, k=k, skip=skip, context=context)
        return [replace(hit, relevance=0.1) for hit in found]


@pytest.mark.parametrize(
    ("line", "before", "shown"),
    [
        ("那就周五去看牙", "周五去看牙，那就这么定", []),
        ("Friday at the dentist", "See the dentist on Friday", []),
        ("我的猫叫什么？", "你的猫叫什么？", ["说过的话"]),
        ("what is my cat called?", "And what is your cat called?", ["说过的话"]),
        ("我在学吉他", "周五去看牙", ["说过的话"]),
        ("I learn the guitar", "See the dentist on Friday", ["说过的话"]),
    ],
)
async def test_only_a_line_that_asks_or_is_new_is_given_what_lies_far(
    line: str, before: str, shown: list[str]
) -> None:
    model, settings = ScriptedModel(["好"]), AgentSettings()
    generator = ReplyGenerator(
        model=model,
        persona=lambda agent: default_persona(agent.language),
        budget=TokenBudget(10_000, len),
        clock=FakeClock(),
    )
    context = TurnContext(
        agent=FarAgent(settings=settings, memories=("说过的话",)),
        settings=settings,
        zone=ZoneInfo("UTC"),
        conversation="c",
        said=(a_message("2", line),),
        replaces="r",
        earlier=(a_message("1", before),),
    )

    async def show(_: str) -> None: ...

    reply = await generator.generate(context, show)

    (asked,) = [each for each in model.asked if isinstance(each, Reply)]
    assert [each.text for each in asked.memories] == shown
    assert isinstance(reply, GeneratedReply)
    assert len(reply.used) == len(shown)
