"""What a model reads of the notes in a whole talk: one name, and nothing twice."""

from zoneinfo import ZoneInfo

import pytest

from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import ReplyGenerator, TurnContext
from memory.agent import AgentMemory
from memory.changes import Put
from memory.jobs.steps import AgentParts
from memory.model import AgentSettings, Language
from memory.offline import OfflineModel
from prompts import Reply, default_persona
from tests.builders import a_memory, a_message
from tests.fakes.clock import FakeClock
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.judging import a_turn
from tests.fakes.model import ScriptedModel

TALKS: dict[Language, tuple[str, ...]] = {
    "zh": (
        "你好，我叫周舟",
        "主人",
        "家里的猫主人自己养，主人很喜欢",
        "我又养了一只猫，叫年糕",
        "我有几只猫？",
        "周舟",
    ),
    "en": (
        "Hi, I'm Nora",
        "my friend",
        "Tom's cat lives with my friend, my friend likes that cat",
        "I have a new cat called Mochi",
        "How many cats do I have, a cat called what?",
        "Nora",
    ),
}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_prompt_has_one_name_for_the_partner_and_no_note_of_what_was_just_said(
    language: Language,
) -> None:
    greeting, label, by_model, now_said, asked, name = TALKS[language]
    settings = AgentSettings(language=language, partner=label)
    clock = FakeClock()
    parts = AgentParts(clock=clock, model=OfflineModel())
    agent = await AgentMemory.open(
        InMemoryStore(), parts, choose_settings=lambda known: known or settings
    )
    await agent.commit(a_turn(greeting, turn_id="t1", speaker=label))
    await agent.background.wait_until_idle()
    await agent.steer(lambda state, _: [Put(a_memory(state.next_id, by_model))])
    clock.tick(days=3)
    turn = a_turn(now_said, turn_id="t2", speaker=label, at=clock.now())
    await agent.commit(turn)
    await agent.background.wait_until_idle()

    model = ScriptedModel(["……"])
    generator = ReplyGenerator(
        model=model,
        persona=lambda agent: default_persona(agent.language),
        budget=TokenBudget(50_000, len),
        clock=clock,
    )
    context = TurnContext(
        agent=agent,
        settings=settings,
        zone=ZoneInfo("UTC"),
        conversation=turn.conversation,
        said=(a_message("ask", asked, speaker=label, at=clock.now()),),
    )

    async def show(_: str) -> None: ...

    await generator.generate(context, show)
    await agent.close()
    (prompt,) = [each for each in model.asked if isinstance(each, Reply)]
    text = prompt.messages()[-1].content
    assert prompt.name == name
    assert by_model.replace(label, name) in text
    assert label not in text
    # It stands among the lines of the talk, once.
    whole = "\n".join(each.content for each in prompt.messages())
    assert whole.count(now_said[-3:]) == 1
    assert any(now_said[-2:] in each.words.text for each in agent.state.memories.values())
