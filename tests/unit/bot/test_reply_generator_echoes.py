"""A model that says back what it read: asked once more, and never shown or kept so."""

from zoneinfo import ZoneInfo

import pytest

from bot.conversation.prompt_budget import TokenBudget
from bot.conversation.reply_generator import GeneratedReply, ReplyGenerator, TurnContext
from memory.model import AgentSettings, Language
from memory.offline import OfflineModel
from memory.ports import Unavailable
from prompts import Reply, default_persona
from tests.builders import a_message
from tests.fakes.agent import FakeAgent
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel

ANN = "Hi, I am Ann, and I am 28 years old."
ECHO = f"[2026-11-22 14:20] {ANN}"


async def reply_of(
    *answers: str | Unavailable,
    name: str = "",
    private: bool = True,
    said: str = ANN,
    piece: int = 0,
    language: Language = "en",
    before: tuple[tuple[str, str], ...] = (),
) -> tuple[str, list[str], list[Reply]]:
    """Return the reply, all that was shown before it, and the prompts the model was given."""
    model, shown = ScriptedModel(answers, piece=piece), list[str]()
    settings = AgentSettings(language=language, partner="my friend")
    generator = ReplyGenerator(
        model=model,
        persona=lambda agent: default_persona(agent.language),
        budget=TokenBudget(10_000, len),
        clock=FakeClock(),
        abilities=("pictures",),
    )
    agent = FakeAgent(settings=settings, name=name)
    for number, (line, answer) in enumerate(before):
        theirs = a_message(f"u{number}", line, speaker="my friend")
        hers = a_message(f"a{number}", answer, speaker="小祥", role="assistant")
        agent.earlier = (*agent.earlier, theirs, hers)
    context = TurnContext(
        agent=agent,
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
    assert not any(each.said_lately or each.plans for each in asked)
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


@pytest.mark.parametrize(
    ("answer", "hers"),
    [
        ("Nice!\n[ADD kind=fact] my friend is a pilot\n[DELETE:m1]", "Nice!"),
        ("好的！\n［ADD kind=fact］主人是飞行员\n【UPDATE：m1】主人住在火星", "好的！"),
        ("<|im_start|>assistant\nNice!<|im_end|>\n<|im_start|>user\nAnd I am a pilot", "Nice!"),
        ("好的！</s>", "好的！"),
        ("[INST] I am a pilot [/INST] Nice!<|eot_id|>", "Nice!"),
        ('Nice! <tool_call>\n{"name": "delete_memory"}\n</tool_call>', "Nice!"),
        ("好的<｜end▁of▁sentence｜>", "好的"),
    ],
)
async def test_what_a_model_writes_for_machines_is_neither_shown_nor_kept(
    answer: str, hers: str
) -> None:
    reply, shown, _ = await reply_of(answer, piece=1)

    assert reply == hers
    assert all(hers.startswith(each.strip()) for each in shown)


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("[ADD kind=fact] my friend is a pilot", "en"),
        ("[SKIP]", "zh"),
        ('<tool_call>{"name": "delete_memory"}</tool_call>', "en"),
        ("<|im_end|><|assistant|>", "zh"),
        (default_persona("en"), "en"),
        (f"SYSTEM: {default_persona('en')}", "en"),
        (f"提示词：{default_persona('zh')}", "zh"),
        ("系统提示：你是小祥，一个温柔、踏实的陪伴者。", "zh"),
        ("m1", "en"),
        ("UPDATE:m1 主人在啃玉米", "zh"),
        ('set_reminder(time="9am", text="boots")', "en"),
        ('{"name": "set_reminder", "arguments": {"text": "修空调"}}', "zh"),
    ],
    ids=[
        *("add", "skip", "tool", "tokens", "persona", "labelled", "labelled zh", "part of it"),
        *("handle", "bare update", "call", "call in JSON"),
    ],
)
async def test_an_answer_of_which_nothing_is_left_is_asked_for_once_more(
    answer: str, language: Language
) -> None:
    reply, shown, asked = await reply_of(answer, "Fine, Ann.", piece=3, language=language)

    assert reply == "Fine, Ann."
    assert [each.again for each in asked] == [False, True]
    assert all(len(each) < 40 for each in shown)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("What does [ADD] mean in a changelog?", "[ADD] marks what is new.\n[SKIP] is rare."),
        ("write a changelog", "[ADD] a login page\n[FIX] the colour of links"),
        ("怎么写删除线", "用 <s>这样</s> 就行，`</s>` 是结尾"),
        ("<|im_end|>是什么？", "<|im_end|>\n是一轮对话的结尾"),
        ("what ends a turn?", "The token <|im_end|> does; in code: `<|im_end|>`"),
        ("show me HTML", "```\n<div>[ADD kind=x]</div>\n[DELETE:m1]\n```\nThat is all."),
        ("which is more?", "a < b, and [1] says so."),
    ],
)
async def test_talk_about_such_things_stays_as_it_is(said: str, answer: str) -> None:
    reply, _, _ = await reply_of(answer, said=said, piece=2)

    assert reply == answer


async def test_what_was_read_of_a_turn_is_not_read_again_for_who_is_told_of_its_prompt() -> None:
    agent, told = FakeAgent(), list[object]()
    context = TurnContext(
        agent=agent,
        settings=agent.settings,
        zone=ZoneInfo("UTC"),
        conversation="c",
        said=(a_message("1", ANN),),
    )
    before, redacted = context.before, context.redacted

    other = context.telling(told.append)

    assert other.before is before
    assert other.redacted is redacted
    other.on_prompt(())
    context.on_prompt(())
    assert told == [()]


@pytest.mark.parametrize(
    ("language", "told", "asked", "speakers", "answer"),
    [
        ("en", "the launch is on Monday", "when is the launch?", ("Alex", "Tom"), "Alex said"),
        ("zh", "发布会在周一", "发布会是哪天？", ("安", "汤姆"), "安今天说过：「发布会在周一」"),
        ("en", "my exam is on Tuesday", "when is my exam?", ("Tom", "Tom"), "You told me"),
        ("zh", "我的考试在周二", "我的考试是哪天？", ("汤姆", "汤姆"), "你今天说过"),
    ],
)
async def test_who_answers_by_rule_quotes_what_was_just_said(
    language: Language, told: str, asked: str, speakers: tuple[str, str], answer: str
) -> None:
    settings = AgentSettings(language=language)
    generator = ReplyGenerator(
        model=OfflineModel(),
        persona=lambda agent: default_persona(agent.language),
        budget=TokenBudget(10_000, len),
        clock=FakeClock(),
    )
    texts = zip((told, asked), speakers, strict=True)
    context = TurnContext(
        agent=FakeAgent(settings=settings),
        settings=settings,
        zone=ZoneInfo("UTC"),
        conversation="c",
        said=tuple(a_message(f"m{n}", each, speaker=who) for n, (each, who) in enumerate(texts)),
        private=False,
    )

    async def show(_: str) -> None:
        return

    reply = await generator.generate(context, show)

    assert isinstance(reply, GeneratedReply)
    assert reply.text.startswith(answer)


@pytest.mark.parametrize(
    ("said", "echo", "better"),
    [
        ("今天好累", "今天好累。", "辛苦啦，早点歇着。"),
        ("今天好累啊", "今天好累", "辛苦啦。"),
        ("在吗", "在吗？", "在呢。"),
        ("I am tired", "I am tired.", "Then rest a little."),
        ("so cold", "So cold!", "Put on a jumper."),
    ],
)
async def test_a_short_line_said_back_is_asked_for_once_more(
    said: str, echo: str, better: str
) -> None:
    reply, shown, asked = await reply_of(echo, better, said=said, piece=2)

    assert reply == better
    assert [each.again for each in asked] == [False, True]
    assert all(better.startswith(each.strip()) for each in shown)


@pytest.mark.parametrize(("said", "echo"), [("今天好累", "今天好累。"), ("so cold", "So cold!")])
@pytest.mark.parametrize("second", [None, "away"])
async def test_a_short_line_said_back_twice_is_shown_rather_than_nothing(
    said: str, echo: str, second: str | None
) -> None:
    answers = (echo, echo if second is None else Unavailable("timeout"))
    reply, _, asked = await reply_of(*answers, said=said)

    assert reply == echo
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("lines", "stale", "better"),
    [
        (["我换工作了", "在一家出版社", "同事都挺好"], "嗯嗯。", "那真好，出版社忙不忙？"),
        (["I changed jobs", "At a press now", "Nice people"], "I see.", "A press, how lovely!"),
    ],
)
async def test_the_same_short_answer_again_and_again_is_asked_for_once_more(
    lines: list[str], stale: str, better: str
) -> None:
    *earlier, last = lines
    before = tuple((line, stale) for line in earlier)
    reply, shown, asked = await reply_of(stale, better, said=last, before=before, piece=1)
    again, _, twice = await reply_of(stale, stale, said=last, before=before)

    assert reply == better
    assert len(asked) == 2
    assert all(better.startswith(each.strip()) for each in shown)
    assert again == stale
    assert len(twice) == 2


@pytest.mark.parametrize(
    ("before", "said", "answer"),
    [
        # An answer to themselves.
        ((), "晚安", "晚安～"),
        ((), "新年快乐！", "新年快乐！"),
        ((), "good night", "Good night!"),
        ((), "hello", "Hello!"),
        ((), "我爱你", "我爱你"),
        ((), "嗯", "嗯。"),
        ((), "哈哈哈", "哈哈哈"),
        ((), "👍", "👍"),
        # It says more, or less, than the line.
        ((), "今天好累", "今天好累吧？早点歇着。"),
        ((), "在吗", "在"),
        ((("a", "I see."),), "I moved", "I see."),
        ((("我换工作了", "嗯嗯。"), ("在一家出版社", "真好。")), "同事不错", "嗯嗯。"),
        # Who says the same hears the same.
        ((("在吗", "在呢。"), ("在吗", "在呢。")), "在吗", "在呢。"),
        ((("晚安", "晚安"), ("晚安", "晚安")), "睡了", "晚安"),
    ],
)
async def test_what_only_looks_repeated_is_asked_for_once(
    before: tuple[tuple[str, str], ...], said: str, answer: str
) -> None:
    reply, _, asked = await reply_of(answer, said=said, before=before)

    assert reply == answer
    assert len(asked) == 1
