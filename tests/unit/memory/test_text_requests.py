"""What somebody asks not to be remembered, and of which words they ask it."""

import pytest

from memory.offline.utterances import statements_in
from memory.text.requests import NotKept, not_to_be_kept
from tests.fakes.clock import NOON


@pytest.mark.parametrize(
    "text",
    [
        "dont write that down anywhere",
        "don't write that down",
        "Please don’t write that down anywhere ok?",
        "please dont note that down anywhere",
        "dont tell anyone and dont save it",
        "dont save that",
        "god, please don't put that in your notes",
        "don't remember that",
        "please don't remember any of that",
        "please don't keep that",
        "keep that off the record",
        "keep it off the record please",
        "that's off the record",
        "thats off the record btw",
        "that was strictly off the record, ok?",
        "what i just said is off the record",
        "forget I said that",
        "pretend you didn't hear that",
        "can you not write that down please",
        "I don't want that written down anywhere",
        "never write that down, promise me",
        "这事别记",
        "刚才那个千万别记啊",
        "这个你可别写下来",
        "这個你可別寫下來",
        "这事你就当没听见",
        "你就当没听见吧",
        "不许记在任何地方",
        "这事不许记在任何地方，也别跟别人说",
        "别写进你的日记里",
        "这话别留记录，拜托了",
        "哎呀，这事可千万别写下来啊，求你了",
        "刚才说的你就当没听到",
        "刚才的话你当没听见好吗",
        "这事儿可别往外说，也别记下来",
        "这事你知道就行，别记下来",
        "这个秘密你别记",
        "这个可不能记",
        "别给我记本子上",
        "别往本子上记",
        "别把这事记下来",
        "please don't save what i just told you",
        "this is just between us, dont write it down",
        "btw thats off the record haha",
        "dont keep a record of that",
        "leave that out of your diary",
        "it's not to be written down",
    ],
)
def test_who_points_back_means_what_was_said_before(text: str) -> None:
    assert not_to_be_kept(text) is NotKept.BEFORE


@pytest.mark.parametrize(
    "text",
    [
        "don't write that down, Declan would lose his job",
        "that's off the record, i'd be sacked",
        "forget I said that, my sister would kill me",
        "这事别记啊，我妈知道了得打死我",
        "刚才那句别记，太丢人了，我以后再跟你细说",
    ],
)
def test_who_points_back_and_says_more_means_both(text: str) -> None:
    assert not_to_be_kept(text) is NotKept.BOTH


@pytest.mark.parametrize(
    "text",
    [
        "off the record, I hate my job",
        "off the record: I hate my job",
        "don't remember this: I kissed my coworker",
        "don't save this, I owe my brother money",
        "i hit a parked car last night, don't write that down",
        "别记这个：我欠我哥五万块",
        "我昨天被开除了，这事别写下来",
        "随口说说，不用记哈",
        "不要记住，我上周偷偷去打了麻将",
    ],
)
def test_who_tells_it_in_the_same_breath_means_that(text: str) -> None:
    assert not_to_be_kept(text) is NotKept.THIS


@pytest.mark.parametrize("text", ["off the record:", "ok, off the record", "下面的话别记"])
def test_who_announces_it_means_what_comes(text: str) -> None:
    assert not_to_be_kept(text) is NotKept.NEXT


@pytest.mark.parametrize(
    "text",
    [
        "don't write that down on the fridge list",
        "don't put that in the oven",
        "don't save that photo",
        "my boss said, don't write that down",
        "and she goes: don't note that down anywhere",
        "she told me, dont save that",
        "the minister spoke off the record",
        "is that off the record?",
        "I don't remember that",
        "don't remember that at all tbh",
        "don't keep that dress in the loft",
        "did you write that down?",
        "don't forget that",
        "don't write that I am late",
        "老师让我别写下来",
        "医生说，别写下来",
        "我跟她说：这个别记",
        "我妈喊我就当没听见",
        "他骂我，我就当没听见",
        "这个别写在冰箱的单子上",
        "先别写下来，想好再写",
        "别写作业了",
        "别忘了这事",
        "当我没说",
        "别留这个发型了",
        "别记仇了",
        "别记账了",
        "这个能不能记住",
        "don't keep a note of that song for the DJ",
        "leave that out of the bag",
        "it's not on the record yet",
    ],
)
def test_words_to_others_and_about_other_things_ask_nothing(text: str) -> None:
    assert not_to_be_kept(text) is None


@pytest.mark.parametrize(
    "text", ["我跟你说，这事别记", "听我说，别写下来", "I said, don't write that down"]
)
def test_who_says_it_to_her_asks_it(text: str) -> None:
    assert not_to_be_kept(text) is NotKept.BEFORE


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("房租的事你记得跟我说一声", []), ("你记得告诉我房租的事", []), ("这事别告诉我妈", []),
        ("我工资两万三，别让我婆婆知道", ["主人工资两万三"]), ("下周一记得叫我交房租", []),
        ("周六记得告诉我妈生日到了", []), ("你别跟我老板说我周三去面试", []),
        ("Call my mum at 7 tomorrow", []), ("text my boss on Friday", []),
        ("Remind my husband to pay rent on Sunday", []),
        ("Send my sister flowers on Monday", []), ("Let me know about the rent on Friday", []),
        # Who tells what they do themselves tells it.
        ("我周日晚上九点要交物业费", ["主人周日晚上九点要交物业费"]),
        ("我周五要给我妈打电话", ["主人周五要给主人妈打电话"]),
        ("我下周三要带我婆婆去医院", ["主人下周三要带主人婆婆去医院"]),
        ("我别的不爱吃就爱吃辣", ["主人别的不爱吃就爱吃辣"]),
        ("别忘了我下周三面试", ["主人下周三面试"]),
        ("记得我对花生过敏", ["记得主人对花生过敏"]), ("别叫我宝贝", ["别叫主人宝贝"]),
        ("I call my mum every Sunday", ["主人 calls their mum every Sunday"]),
        ("I need to call my mum at 7 tomorrow", ["主人 needs to call their mum at 7 tomorrow"]),
        ("I live alone and call my mum every Sunday",
         ["主人 lives alone and call their mum every Sunday"]),
    ],
)  # fmt: skip
def test_what_is_bidden_is_no_fact(text: str, kept: list[str]) -> None:
    assert [each.text for each in statements_in(text, "主人", NOON)] == kept
