"""Asked for in words: to forget for good, not to bring up, to undo. Nothing goes unconfirmed."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import TELEGRAM, two_chats

MORNING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("told", "asked", "command", "question", "gone"),
    [
        ("隔壁老吴卖豆腐，四十五岁", "忘掉老吴", "/forget 老吴", "老吴是谁", "豆腐"),
        (
            "我闺蜜张丽说她得了甲状腺结节",
            "忘了张丽得结节这件事",
            "/forget ",
            "张丽得了什么病",
            "结节",
        ),
        ("老蔡確定是攝護腺癌", "把老蔡的事忘掉吧", "/forget 老蔡", "老蔡得了什麼病", "攝護腺"),
        (
            "I live with my girlfriend Aoife in Cork",
            "forget about Aoife",
            "/forget Aoife",
            "who is Aoife?",
            "girlfriend",
        ),
        (
            "I used to smoke",
            "forget that I smoked",
            "/forget smoke",
            "do I smoke?",
            "used to smoke",
        ),
    ],
)
async def test_a_matter_named_in_words_is_offered_to_be_erased(
    tmp_path: Path, told: str, asked: str, command: str, question: str, gone: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        await ann.state(TELEGRAM)
        offer = await ann.says(TELEGRAM, asked)
        pressed = ann.button(TELEGRAM)
        kept = await ann.says(TELEGRAM, question)
        shown = await ann.told(TELEGRAM, pressed)
        still = repr(await ann.state(TELEGRAM))
        await ann.presses(TELEGRAM)
        state = repr(await ann.state(TELEGRAM))
        answer = await ann.says(TELEGRAM, question)

    assert command in offer
    assert pressed.startswith(command)
    assert asked not in kept
    assert "/forget" not in kept
    assert gone in shown
    assert gone in still
    assert gone not in state
    assert gone not in answer
    assert asked not in answer


@pytest.mark.parametrize(
    "line",
    [
        "忘了带伞",
        "忘掉烦恼",
        "forget it",
        "I forgot my keys",
        "别提了",
        "别提多开心了",
        "don't mention it",
    ],
)
async def test_what_names_no_matter_offers_nothing(tmp_path: Path, line: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "我今天买了一把伞")
        said = await ann.says(TELEGRAM, line)
        state = await ann.state(TELEGRAM)
    assert not state.agent_info.settings.unmentioned
    assert "「" not in said or "要彻底忘掉" not in said


@pytest.mark.parametrize(
    ("told", "asked", "elsewhere", "about", "again"),
    [
        (
            "我前夫叫陈建国，开出租的",
            "别再提我前夫",
            "今天坐出租车堵了一个钟头",
            ("我前夫叫什么？", "陈建国"),
            "可以再提我前夫了",
        ),
        (
            "老蔡是我大學同學，住台中",
            "別再跟我提老蔡的事了",
            "今天去台中找大學同學吃飯",
            ("老蔡住哪裡？", "台中"),
            "可以再提老蔡了",
        ),
        (
            "My granny Kathleen left me her fiddle",
            "don't mention granny again",
            "I played the fiddle at a session today",
            ("what did granny leave me?", "fiddle"),
            "you can mention granny again",
        ),
    ],
)
async def test_what_is_not_to_be_mentioned_comes_up_only_when_asked(
    tmp_path: Path,
    told: str,
    asked: str,
    elsewhere: str,
    about: tuple[str, str],
    again: str,
) -> None:
    clock = FakeClock(MORNING)
    async with two_chats(tmp_path, clock) as ann:
        await ann.says(TELEGRAM, told)
        await ann.state(TELEGRAM)
        promised = await ann.says(TELEGRAM, asked)
        topics = (await ann.state(TELEGRAM)).agent_info.settings.unmentioned
    clock.tick(days=3)
    async with two_chats(tmp_path, clock) as ann:
        agent = await ann.agent(TELEGRAM)
        for_reply = await agent.search(elsewhere, skip={"now"})
        by_hand = await agent.search(told)
        unasked = await ann.says(TELEGRAM, elsewhere)
        answer = await ann.says(TELEGRAM, about[0])
        lifted = await ann.says(TELEGRAM, again)
        left = (await ann.state(TELEGRAM)).agent_info.settings.unmentioned

    assert "不主动提了" in promised or "I will not bring “" in promised
    assert "/undo" in promised
    assert topics
    # What she answered herself may echo it, and is no news where she looks for an answer.
    assert not [hit for hit in for_reply if not hit.line or hit.line.message.role == "user"]
    assert by_hand
    assert told not in unasked
    assert about[1] in answer
    assert "/undo" not in answer
    assert asked not in answer
    assert "可以再提" in lifted or "may mention" in lifted
    assert not left


@pytest.mark.parametrize("line", ["撤销", "撤銷", "undo", "Undo that"])
async def test_undo_in_words_points_to_the_command(tmp_path: Path, line: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        said = await ann.says(TELEGRAM, line)
        button = ann.button(TELEGRAM)
    assert "/undo" in said
    assert button == "/undo"


async def test_not_to_mention_can_be_undone_and_is_erased_with_its_matter(tmp_path: Path) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "我前夫叫陈建国，开出租的")
        await ann.says(TELEGRAM, "别再提我前夫")
        await ann.told(TELEGRAM, "/undo")
        await ann.presses(TELEGRAM)
        undone = (await ann.state(TELEGRAM)).agent_info.settings.unmentioned
        await ann.says(TELEGRAM, "别再提我前夫")
        await ann.told(TELEGRAM, "/forget 前夫")
        await ann.presses(TELEGRAM)
        state = await ann.state(TELEGRAM)
    assert not undone
    assert "前夫" not in repr(state)


@pytest.mark.parametrize(
    ("told", "line", "offered"),
    [
        ("我的银行卡在抽屉里", "忘掉我说的银行卡", "/forget 银行卡"),
        ("我的银行卡在抽屉里", "忘掉关于银行卡的事", "/forget 银行卡"),
        ("老吴上个月离婚了", "忘掉我之前说过的老吴", "/forget 老吴"),
        ("my colleague Aoife snores", "forget the thing about Aoife", "/forget Aoife"),
    ],
)
async def test_a_matter_is_offered_without_the_words_that_say_it_was_told(
    tmp_path: Path, told: str, line: str, offered: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        answer = await ann.says(TELEGRAM, line)

    # On a line of its own, so that no terminal breaks it.
    assert offered in answer.splitlines()


@pytest.mark.parametrize(
    ("told", "line", "said"),
    [
        ("我欠我哥五万块", "别记这个", "你前面那一句我不记"),
        ("I owe my brother money", "don't remember this", "what you said just before"),
    ],
)
async def test_who_asks_not_to_keep_the_line_before_is_told_that_it_is_meant(
    tmp_path: Path, told: str, line: str, said: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)

        assert said in await ann.says(TELEGRAM, line)


CONFIDED = "can i tell you a secret. ive been seeing someone, Declan from the depot"
BEFORE_EN = "All right, I am not keeping what you said just before"


@pytest.mark.parametrize(
    ("told", "wish", "answer", "gone", "then"),
    [
        (
            CONFIDED,
            "dont write that down anywhere",
            BEFORE_EN,
            "Declan",
            "my dog ate a whole cheesecake today",
        ),
        (
            CONFIDED,
            "thats off the record",
            BEFORE_EN,
            "Declan",
            "my dog ate a whole cheesecake today",
        ),
        (
            CONFIDED,
            "don't save that, Nuala would kill me",
            "All right, I am keeping neither what you said just before nor this",
            "Declan",
            "my dog ate a whole cheesecake today",
        ),
        (
            "我其实离婚了，前夫叫魏东来",
            "这事你就当没听见",
            "好，你前面那一句我不记",
            "魏东来",
            "我家狗今天偷吃了一整个蛋糕",
        ),
    ],
)
async def test_what_she_says_is_not_kept_is_kept_nowhere(
    tmp_path: Path, told: str, wish: str, answer: str, gone: str, then: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        said = await ann.says(TELEGRAM, wish)
        after = await ann.says(TELEGRAM, then)
        state = repr(await ann.state(TELEGRAM))

    assert said.startswith(answer)
    assert "Nuala" not in state
    assert gone not in state
    assert then[-4:] in state
    assert not after.startswith(("All right, I am not keeping", "好，这句我不记"))


@pytest.mark.parametrize(
    ("told", "wish", "answer", "gone"),
    [
        (
            ("我妈住院了", "她心脏不好", "刚在协和做了支架"),
            "刚才那个别记",
            "好，你前面连着说的那几句我都不记",
            "我妈|心脏|协和",
        ),
        (
            ("my mum is in hospital", "it is her heart", "she got a stent at Mercy"),
            "don't write that down",
            "All right, I am not keeping any of the lines you sent in a row just before",
            "mum|heart|Mercy",
        ),
    ],
)
async def test_lines_in_a_row_that_are_not_to_be_kept_are_kept_nowhere(
    tmp_path: Path, told: tuple[str, ...], wish: str, answer: str, gone: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        for line in told:
            await ann.writes(TELEGRAM, line)
        await ann.settled()
        said = await ann.says(TELEGRAM, wish)
        state = await ann.state(TELEGRAM)

    assert said.startswith(answer)
    # One may have meant less: what is to stay can be said again.
    assert "再说一遍" in said or "say again" in said
    assert not re.search(gone, repr(state))


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("don't write that down", "There is no line of yours just before this"),
        ("这事别记", "这前面没有你说的话可以涂掉"),
        ("off the record:", "All right, the next thing you send I will not keep"),
        ("下面的话别记", "好，你接下来说的那一句我不记"),
    ],
)
async def test_she_promises_only_what_is_blotted_out(
    tmp_path: Path, wish: str, answer: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        assert (await ann.says(TELEGRAM, wish)).startswith(answer)


@pytest.mark.parametrize(
    ("told", "asked", "name"),
    [
        ("我养了只狗叫豆包", "帮我把豆包那条删了吧", "豆包"),
        ("my dog is called Rex", "delete that about Rex", "Rex"),
    ],
)
async def test_who_asks_to_erase_a_matter_tells_nothing_of_it(
    tmp_path: Path, told: str, asked: str, name: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        before = [each for each in (await ann.state(TELEGRAM)).memories.values() if each.is_fact]
        await ann.says(TELEGRAM, asked)
        after = [each for each in (await ann.state(TELEGRAM)).memories.values() if each.is_fact]

    assert [each.words.text for each in after] == [each.words.text for each in before]
    assert all(each.is_living_fact and name in each.words.text for each in after)


@pytest.mark.parametrize(
    ("told", "asked", "offer"),
    [
        ("我对花生过敏", "把你记得的关于我的东西全删了", "要我把记得的全部彻底忘掉吗"),
        (
            "I am allergic to peanuts",
            "delete everything you know about me",
            "Shall I forget every",
        ),
    ],
)
async def test_all_that_is_asked_to_go_is_offered_and_nothing_goes_unconfirmed(
    tmp_path: Path, told: str, asked: str, offer: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        assert (await ann.says(TELEGRAM, asked)).startswith(offer)
        pressed = ann.button(TELEGRAM)
        facts = [each for each in (await ann.state(TELEGRAM)).memories.values() if each.is_fact]
        await ann.told(TELEGRAM, pressed)
        still = repr(await ann.state(TELEGRAM))

    assert pressed == "/forget all"
    assert [each.is_living_fact for each in facts] == [True]
    assert facts[0].words.text in still


@pytest.mark.parametrize(
    ("told", "wish", "question"),
    [
        ("我其实怀孕了，还没跟别人说", "这个你可别写下来", "我怀孕的事你记得吗"),
        (
            "ive been seeing Declan from the depot",
            "don't write that down",
            "do you remember Declan?",
        ),
    ],
)
async def test_the_mask_of_what_was_blotted_out_is_quoted_to_nobody(
    tmp_path: Path, told: str, wish: str, question: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, told)
        await ann.says(TELEGRAM, wish)
        assert "***" not in await ann.says(TELEGRAM, question)
