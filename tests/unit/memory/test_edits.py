"""An edited message is one message with other words, and the last words hold."""

from dataclasses import replace
from random import Random

import pytest

from memory.agent import AgentMemory
from memory.changes import ErasedId, Put, Tombstone, Turn
from memory.jobs.steps import AgentParts
from memory.lifecycle.undo import last_step, plan_undo
from memory.model import AgentSettings, Language, Message
from memory.ports import LanguageModel, Unavailable
from memory.state import id_digest
from prompts import Monitor
from tests.builders import a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.cost import share
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.model import ScriptedModel


async def opened(
    model: LanguageModel | None = None, language: Language = "zh", *, listening: bool = True
) -> AgentMemory:
    settings = AgentSettings(
        language=language, partner="主人" if language == "zh" else "Ann", listening=listening
    )
    return await AgentMemory.open(
        InMemoryStore(),
        AgentParts(clock=FakeClock(), model=model),
        choose_settings=lambda known: known or settings,
    )


def said_once(agent: AgentMemory, text: str, number: int = 1) -> Turn:
    first, second = a_stretch(text, "嗯嗯", first=10 * number)
    first = replace(first, speaker=agent.settings.partner)
    return Turn(id=f"t{number}", conversation="c", at=first.at, said=(first,), reply=second)


def edited(turn: Turn, text: str, number: int = 1) -> Turn:
    """Return the turn in which its first message has got other words."""
    return Turn(
        id=f"edit {number}",
        conversation=turn.conversation,
        at=turn.at,
        said=(replace(turn.said[0], text=text),),
        private=turn.private,
        edited=True,
    )


async def heard(agent: AgentMemory, *turns: Turn) -> None:
    for turn in turns:
        await agent.commit(turn)
        await agent.background.wait_until_idle()


def facts(agent: AgentMemory) -> list[str]:
    return [m.words.text for m in agent.state.memories.values() if m.is_living_fact]


def lines(agent: AgentMemory) -> list[str]:
    told: list[Message] = [*agent.window("c"), *(x.message for x in agent.state.diary.values())]
    return [each.text for each in told if each.role == "user"]


@pytest.mark.parametrize(
    ("language", "before", "after", "kept", "gone"),
    [
        ("zh", "记住：钥匙在门口的柜子里", "记住：钥匙在床头柜里", "床头柜", "门口"),
        ("zh", "我对花生过敏", "我对虾过敏", "虾", "花生"),
        (
            "en",
            "Remember: the key is under the mat",
            "Remember: the key is in the shed",
            "shed",
            "mat",
        ),
        ("en", "My sister is called Emma", "My sister is called Emily", "Emily", "Emma"),
    ],
)
async def test_what_was_kept_says_what_the_message_says_now(
    language: Language, before: str, after: str, kept: str, gone: str
) -> None:
    agent = await opened(language=language)
    first = said_once(agent, before)
    await heard(agent, first)
    assert any(gone in each for each in facts(agent))

    await heard(agent, edited(first, after))

    assert any(kept in each for each in facts(agent))
    assert not any(gone in each for each in facts(agent))
    assert lines(agent) == [after, after]
    assert not [hit for hit in await agent.search(gone) if gone in hit.quote]


async def test_of_many_edits_the_last_wins_and_the_same_words_change_nothing() -> None:
    agent = await opened()
    first = said_once(agent, "我对花生过敏")
    await heard(agent, first, edited(first, "我对虾过敏", 1), edited(first, "我对芒果过敏", 2))
    known = agent.state

    await heard(agent, edited(first, "我对芒果过敏", 2))

    assert facts(agent) == ["主人对芒果过敏"]
    assert agent.state.memories == known.memories
    assert agent.state.turns == known.turns


async def test_what_the_new_words_still_say_stays_as_it_is() -> None:
    agent = await opened()
    first = said_once(agent, "我妹妹叫小雨，我对花生过敏")
    await heard(agent, first)
    (sister,) = (m for m in agent.state.memories.values() if m.is_fact and "小雨" in m.words.text)

    await heard(agent, edited(first, "我妹妹叫小雨，我对虾过敏"))

    assert sister.id in agent.state.memories
    assert sorted(facts(agent)) == sorted([sister.words.text, "主人对虾过敏"])


async def test_what_it_had_replaced_holds_again_when_it_was_not_meant() -> None:
    agent = await opened()
    moved = said_once(agent, "我搬到上海了", 2)
    await heard(agent, said_once(agent, "我住在北京", 1), moved)
    assert not any("北京" in each for each in facts(agent))

    await heard(agent, edited(moved, "我搬到上海了，骗你的，没搬"))
    first = facts(agent)
    await heard(agent, edited(moved, "哈哈", 2))

    assert any("北京" in each for each in facts(agent)), first
    assert not any("上海" in each for each in facts(agent))


async def test_what_was_past_does_not_come_back_when_its_message_says_something_else() -> None:
    agent = await opened()
    first, second = said_once(agent, "我住在广州", 1), said_once(agent, "我住在上海", 2)
    await heard(agent, first, second, edited(first, "我住在北京", 1))

    await heard(agent, edited(second, "哈哈", 2), edited(first, "哈哈", 3))

    assert facts(agent) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_what_was_said_twice_is_taken_back_with_the_last_of_the_two(
    order: tuple[int, int],
) -> None:
    agent = await opened()
    both = [said_once(agent, "我对花生过敏", number) for number in (1, 2)]
    await heard(agent, *both)

    await heard(agent, edited(both[order[0]], "算了", 1))
    assert facts(agent) == ["主人对花生过敏"]

    await heard(agent, edited(both[order[1]], "算了", 2))
    assert facts(agent) == []


async def test_what_an_edit_took_back_is_no_forgotten_thing_of_what_stays() -> None:
    agent = await opened()
    first, second = said_once(agent, "我对花生过敏"), said_once(agent, "我对芒果过敏", 2)
    await heard(agent, first, second)
    known = {each.id for each in agent.state.memories.values() if each.is_living_fact}

    await heard(agent, edited(first, "今天天气真好"))

    assert facts(agent) == ["主人对芒果过敏"]
    gone = known - set(agent.state.memories)
    assert gone
    assert not gone & {link.target for each in agent.state.links.values() for link in each.links}


async def test_an_edit_is_undone_as_a_step() -> None:
    agent = await opened()
    first = said_once(agent, "我对花生过敏")
    await heard(agent, first, edited(first, "哈哈"))
    assert facts(agent) == []

    step = last_step(agent.state)
    assert step is not None
    await agent.steer(lambda state, _: plan_undo(state, step))

    assert facts(agent) == ["主人对花生过敏"]


async def test_no_model_is_asked_any_more_about_the_former_words() -> None:
    agent = await opened(ScriptedModel([Unavailable("away")]))
    first = said_once(agent, "拉面救过我的命")
    await heard(agent, first)
    assert set(agent.state.turns) == {"t1"}

    await agent.commit(edited(first, "米粉救过我的命"))

    (waiting,) = agent.state.turns.values()
    assert [each.text for each in waiting.messages] == ["米粉救过我的命"]
    assert agent.state.receipts["t1"].outcome != "waiting"


async def test_a_model_is_asked_about_the_new_words() -> None:
    model = ScriptedModel(["[SKIP]", "[ADD kind=fact] 米粉救过主人的命"])
    agent = await opened(model)
    first = said_once(agent, "拉面救过我的命")

    await heard(agent, first, edited(first, "米粉救过我的命"))

    asked = model.asked[-1]
    assert isinstance(asked, Monitor)
    assert [line.text for line in asked.turn] == ["米粉救过我的命"]
    assert facts(agent) == ["米粉救过主人的命"]


async def test_a_reminder_moves_with_the_words_that_asked_for_it() -> None:
    agent = await opened()
    first = said_once(agent, "明天早上八点提醒我吃药")
    await heard(agent, first)
    (asked,) = agent.state.reminders.values()

    await heard(agent, edited(first, "明天早上九点提醒我吃药"))

    (left,) = (each for each in agent.state.reminders.values() if each.is_open)
    assert (left.first_at - asked.first_at).total_seconds() == 3600


async def test_what_she_means_to_bring_up_moves_with_the_words_it_rests_on() -> None:
    agent = await opened()
    first = said_once(agent, "明天下午三点我有个面试")
    await heard(agent, first)
    (before,) = agent.state.intentions.values()

    await heard(agent, edited(first, "后天下午三点我有个面试"))

    (after,) = agent.state.intentions.values()
    assert after.text == "后天下午三点我有个面试"
    assert (after.at - before.at).days == 1
    # An edit is answered by nobody: nothing was asked in it.
    assert agent.settings.begins == "asked"

    await heard(agent, edited(first, "其实没事", 2))

    assert not agent.state.intentions


async def test_an_episode_quotes_the_new_words() -> None:
    agent = await opened()
    talk = a_stretch(*(f"第{n}句，去了公园" for n in range(80)), first=10)
    await agent.listen("c", talk)
    await agent.background.wait_until_idle()
    quotes = [p for m in agent.state.memories.values() for p in m.passages if p.verbatim]
    assert any(each.text == talk[0].text for each in quotes)
    first = Turn(id="t1", conversation="c", at=talk[0].at, said=(talk[0],))

    await heard(agent, edited(first, "其实哪儿也没去"))

    told = [p.text for m in agent.state.memories.values() for p in m.passages if p.verbatim]
    assert talk[0].text not in told
    assert "其实哪儿也没去" in told


async def test_in_a_group_what_was_merely_heard_is_not_judged() -> None:
    agent = await opened()
    (message,) = a_stretch("我对花生过敏", first=10)
    turn = Turn(id="t1", conversation="c", at=message.at, said=(message,), private=False)
    await agent.listen("c", turn.said)

    await agent.commit(edited(turn, "我对虾过敏"))

    assert not agent.state.turns
    assert lines(agent) == ["我对虾过敏", "我对虾过敏"]


async def test_in_a_group_what_she_was_told_changes() -> None:
    agent = await opened()
    first = replace(said_once(agent, "我对花生过敏"), private=False)
    first = replace(first, said=(replace(first.said[0], speaker="小王", speaker_id="telegram:5"),))
    await heard(agent, first)
    assert facts(agent) == ["小王对花生过敏"]

    await heard(agent, edited(first, "我对虾过敏"))

    assert facts(agent) == ["小王对虾过敏"]


@pytest.mark.parametrize("listening", [True, False])
async def test_an_edit_of_what_was_never_heard_is_heard_where_she_listens(
    *, listening: bool
) -> None:
    agent = await opened(listening=listening)
    (message,) = a_stretch("我对花生过敏", first=10)

    turn = Turn(id="t", conversation="c", at=message.at, said=(message,), private=False)
    await heard(agent, edited(turn, "我对虾过敏"))

    assert lines(agent) == ["我对虾过敏", "我对虾过敏"] * listening
    assert not facts(agent)


async def test_an_erased_message_does_not_come_back_by_an_edit() -> None:
    agent = await opened()
    first = said_once(agent, "我对花生过敏")
    await heard(agent, first)
    key = "ab" * 16
    stone = Tombstone(id=1, at=first.at, key_hex=key)
    erased = ErasedId(digest=id_digest(first.said[0].id, key))
    async with agent.erasing() as erase:
        await erase(lambda _: (Put(stone), Put(erased)))

    await agent.commit(edited(first, "我对虾过敏"))

    assert "我对虾过敏" not in lines(agent)


async def test_a_secret_in_the_new_words_is_kept_nowhere_in_the_clear() -> None:
    agent = await opened()
    first = said_once(agent, "我换了门锁")
    await heard(agent, first)

    await heard(agent, edited(first, "门锁的密码是 8392-7711"))

    assert not any("8392" in each for each in lines(agent))


THINGS: dict[Language, dict[str, tuple[str, ...]]] = {
    "zh": {
        "我对{}过敏": ("花生", "虾", "芒果"),
        "记住：钥匙在{}里": ("抽屉", "书包", "鞋柜"),
        "我住在{}": ("北京", "上海", "广州"),
        "我妹妹叫{}": ("小雨", "小雪", "小云"),
    },
    "en": {
        "I am allergic to {}": ("peanuts", "shrimp", "mango"),
        "Remember: the key is in the {}": ("drawer", "backpack", "cupboard"),
        "I live in {}": ("Boston", "Denver", "Austin"),
        "My sister is called {}": ("Emma", "Olivia", "Sophie"),
    },
}


@pytest.mark.hunted
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("seed", share(range(12)))
async def test_whatever_is_edited_no_fact_says_what_nobody_says_any_more(
    language: Language, seed: int
) -> None:
    chance, agent = Random(seed), await opened(language=language)
    turns: list[tuple[Turn, str]] = []
    reads: dict[int, str] = {}
    for number in range(1, 5):
        form, values = chance.choice(list(THINGS[language].items()))
        reads[number] = form.format(chance.choice(values))
        turns.append((said_once(agent, reads[number], number), form))
        await heard(agent, turns[-1][0])
        for time in range(chance.randrange(3)):
            place = chance.randrange(number)
            turn, form = turns[place]
            nothing = "哈哈" if language == "zh" else "never mind"
            new = [form.format(each) for each in THINGS[language][form]]
            reads[place + 1] = chance.choice([*new, nothing])
            await heard(agent, edited(turn, reads[place + 1], 100 * number + time))

    said = "\n".join(reads.values())
    every = {each for all_of in THINGS[language].values() for each in all_of}
    told = [each for each in every if any(each in fact for fact in facts(agent))]
    assert [each for each in told if each not in said] == []


@pytest.mark.parametrize(
    ("language", "said", "wish", "gone"),
    [
        ("zh", "我弟弟叫大壮", "刚才那句别记", "大壮"),
        ("zh", "我恨我的老板", "别往心里记", "老板"),
        ("en", "My dog is called Rex", "just forget I said that", "Rex"),
        ("zh", "你好", "别记这个：我欠我哥五万块", "五万"),
        ("zh", "你好", "不要记住，我上周偷偷去打了麻将", "麻将"),
        ("en", "hello", "off the record, I hate my job", "job"),
        ("en", "hello", "don't remember this: I kissed my coworker", "kissed"),
    ],
)
async def test_what_is_not_to_be_remembered_stands_nowhere(
    language: Language, said: str, wish: str, gone: str
) -> None:
    agent = await opened(language=language)

    await heard(agent, said_once(agent, said), said_once(agent, wish, 2))

    assert gone not in repr(agent.state)
    assert not facts(agent)
    assert any(tombstone.kind == "sealing" for tombstone in agent.state.tombstones.values()) == (
        gone in said
    )


@pytest.mark.parametrize(
    ("language", "said", "kept"),
    [
        ("en", "between you and me, remember that I moved to Leeds", "Leeds"),
        ("en", "just between us, my brother Kyle is in debt", "debt"),
        ("zh", "这话别告诉别人：我欠我哥五万块", "五万"),
        ("zh", "别忘了我周五要面试", "面试"),
    ],
)
async def test_who_confides_something_is_not_asking_to_have_it_forgotten(
    language: Language, said: str, kept: str
) -> None:
    agent = await opened(language=language)

    await heard(agent, said_once(agent, said))

    assert kept in repr(agent.state)


async def test_what_else_was_said_stays() -> None:
    agent = await opened()

    turns = (said_once(agent, "我弟弟叫大壮"), said_once(agent, "我妹妹叫小美", 2))
    await heard(agent, *turns, said_once(agent, "刚才那句别记", 3))

    assert facts(agent) == ["主人的弟弟叫大壮"]
    assert "小美" not in repr(agent.state)


@pytest.mark.parametrize(
    ("language", "told", "wish", "gone", "stays"),
    [
        (
            "en",
            "can i tell you a secret. ive been seeing someone, Declan from the depot",
            "dont write that down anywhere",
            "Declan",
            "my dog is called Rex",
        ),
        (
            "en",
            "I found a lump in my breast",
            "thats off the record",
            "lump",
            "my dog is called Rex",
        ),
        (
            "en",
            "my cousin Orla shoplifts",
            "dont tell anyone and dont save it",
            "Orla",
            "my dog is called Rex",
        ),
        ("zh", "我其实离婚了，前夫叫老魏", "这个你可别写下来", "老魏", "我养了一只猫叫豆豆"),
        ("zh", "我弟弟叫大壮，在戒酒", "这事你就当没听见", "戒酒", "我养了一只猫叫豆豆"),
    ],
)
async def test_the_secret_before_goes_and_nothing_that_comes_after(
    language: Language, told: str, wish: str, gone: str, stays: str
) -> None:
    agent = await opened(language=language)

    turns = (said_once(agent, told), said_once(agent, wish, 2), said_once(agent, stays, 3))
    await heard(agent, *turns)

    assert gone not in repr(agent.state)
    assert any(stays[-3:] in each for each in facts(agent))


async def test_what_is_said_beside_the_wish_goes_with_what_it_means() -> None:
    agent = await opened(language="en")

    told = said_once(agent, "ive been seeing someone, Declan from the depot")
    await heard(agent, told, said_once(agent, "don't write that down, Nuala would leave me", 2))

    assert "Declan" not in repr(agent.state)
    assert "Nuala" not in repr(agent.state)


@pytest.mark.parametrize(
    ("language", "hers", "wish"),
    [("en", "Do you remember what Orla said?", "dont remember that")],
)
async def test_who_answers_that_they_do_not_remember_asks_for_nothing(
    language: Language, hers: str, wish: str
) -> None:
    agent = await opened(language=language)

    first = said_once(agent, "my sister is called Emma")
    first = replace(first, reply=replace(first.reply, text=hers)) if first.reply else first
    await heard(agent, first, said_once(agent, wish, 2))

    assert any("Emma" in each for each in facts(agent))


async def test_what_is_announced_as_not_to_be_kept_is_not() -> None:
    agent = await opened()

    await heard(agent, said_once(agent, "下面的话别记"), said_once(agent, "我弟弟叫大壮", 2))
    await heard(agent, said_once(agent, "我妹妹叫小美", 3))

    assert facts(agent) == ["主人的妹妹叫小美"]
    assert "大壮" not in repr(agent.state)


@pytest.mark.parametrize("text", ["别忘了我弟弟叫大壮", "别记错了，我弟弟叫大壮"])
async def test_not_to_forget_is_not_to_keep_out(text: str) -> None:
    agent = await opened()

    await heard(agent, said_once(agent, text))

    assert any("大壮" in fact for fact in facts(agent))
