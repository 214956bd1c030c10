"""A model that says back what it read: asked once more, and never shown or kept so."""

from zoneinfo import ZoneInfo

from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from memory.model import AgentSettings
from prompts import Reply, default_persona
from tests.builders import a_message
from tests.fakes.agent import FakeAgent
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel

ANN = "Hi, I am Ann, and I am 28 years old."
ECHO = f"[2026-11-22 14:20] {ANN}"


async def reply_of(
    *answers: str, name: str = "", private: bool = True, said: str = ANN
) -> tuple[str, list[str], list[Reply]]:
    """Return the reply, all that was shown before it, and the prompts the model was given."""
    model, shown = ScriptedModel(answers), list[str]()
    settings = AgentSettings(language="en", partner="my friend")
    generator = ReplyGenerator(
        model=model,
        persona=lambda agent: default_persona(agent.language),
        budget=TokenBudget(10_000, len),
        clock=FakeClock(),
        abilities=("pictures",),
    )
    context = TurnContext(
        agent=FakeAgent(settings=settings, name=name),
        settings=settings,
        zone=ZoneInfo("UTC"),
        conversation="c",
        said=(a_message("1", said, speaker="my friend"),),
        private=private,
    )

    async def show(text: str) -> None:
        shown.append(text)

    reply = await generator.generate(context, show)
    assert isinstance(reply, GeneratedReply)
    return reply.text, shown, [each for each in model.asked if isinstance(each, Reply)]


async def test_an_echo_is_asked_for_once_more_and_never_shown() -> None:
    reply, shown, asked = await reply_of(ECHO, "Nice to meet you, Ann!")

    assert reply == "Nice to meet you, Ann!"
    assert [each.again for each in asked] == [False, True]
    assert not any("28" in each or "2026" in each for each in shown)


async def test_who_only_echoes_is_answered_for_by_the_rules() -> None:
    reply, shown, asked = await reply_of(ECHO, ANN)

    assert len(asked) == 2
    assert reply
    assert "28 years old" not in reply
    assert "offline" not in reply
    assert "2026" not in reply
    assert not any(ANN in each for each in shown)


async def test_marks_in_front_of_an_answer_are_cut_from_what_is_shown_and_kept() -> None:
    reply, shown, _ = await reply_of("[2026-11-22 14:20] Xiaoxiang: Hello Ann!")

    assert reply == "Hello Ann!"
    assert all(reply.startswith(each) for each in shown)


async def test_the_name_is_used_where_there_is_one_partner() -> None:
    _, _, (alone,) = await reply_of("Hello!", name="Ann")
    _, _, (in_group,) = await reply_of("Hello!", name="Ann", private=False)

    assert alone.name == "Ann"
    assert in_group.name == ""
    assert alone.abilities == ("pictures",)


async def test_who_asks_for_their_name_is_told_it_whatever_the_model_takes_it_for() -> None:
    reply, _, asked = await reply_of(
        "I am Xiaoxiang.", "My name is Ann.", name="Ann", said="What is my name?"
    )

    assert len(asked) == 2
    assert "Xiaoxiang" not in reply
    assert "offline" not in reply
    assert not reply.startswith("My name")
