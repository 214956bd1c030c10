"""What is learnt denies just what was denied, and is about just whom it was said of."""

import pytest

from memory.judgement.assertions import ParsedText
from memory.judgement.evidence import Support, support_for
from tests.sets import load_set
from tests.unit.memory.test_evidence_truth import evidence_of, is_kept


def _is_kept(said: str, learnt: str, *, asked: str = "") -> bool:
    case = {
        "lang": "en" if learnt.isascii() else "zh",
        "lines": [{"who": "her", "text": asked}, {"who": "partner", "text": said}],
    }
    return isinstance(support_for(ParsedText(learnt), evidence_of(case)), Support)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("我不吃香菜也不吃芹菜", "主人吃香菜也不吃芹菜"),
        ("我不喝酒也不抽烟", "主人抽烟不喝酒"),
        ("我不抽烟但喝酒", "主人不喝酒"),
        ("我没结婚也没孩子", "主人结婚了没孩子"),
        ("我不是北京人是上海人", "主人不是上海人"),
        ("我吃鱼不吃肉", "主人吃肉不吃鱼"),
        ("我会游泳但不会骑车", "主人会骑车但不会游泳"),
        ("我喜欢狗不喜欢猫", "主人喜欢猫不喜欢狗"),
        ("我没有哥哥只有姐姐", "主人没有姐姐"),
        ("我不在北京工作在上海", "主人不在上海"),
        ("I'm not from Leeds but from York", "The partner is not from York"),
        ("I like tea not coffee", "The partner does not like tea"),
        ("I eat fish but not meat", "The partner does not eat fish"),
        ("I'm not married and have no kids", "The partner is married and has no kids"),
    ],
)
def test_a_denial_that_moved_is_refused(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("我不吃香菜也不吃芹菜", "主人不吃香菜和芹菜"),
        ("我不喝酒也不抽烟", "主人不喝酒、不抽烟"),
        ("我没结婚也没孩子", "主人没有孩子"),
        ("香菜我不吃", "主人不吃香菜"),
        ("我吃不了辣", "主人不吃辣"),
        ("酒我是一滴都不沾", "主人一滴酒都不沾"),
        ("我三十五了还没结婚", "主人还没结婚"),
        ("我早饭从来不吃", "主人从来不吃早饭"),
        ("我会游泳但不会骑车", "主人不会骑车"),
        ("我喜欢狗，不喜欢猫", "主人喜欢狗不喜欢猫"),
        ("I don't drink or smoke", "The partner doesn't drink or smoke"),
        ("I'm not married and have no kids", "The partner has no kids"),
    ],
)
def test_the_same_denial_in_other_words_is_kept(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt", "wrong"),
    [
        ("我下个月去大阪玩", "主人下个月去大阪旅游", "主人下个月去京都玩"),
        ("我妹妹叫王丽，她在银行上班", "王丽在银行上班", "王丽医生在银行上班"),
        ("我妹妹叫王丽，她男朋友是医生", "王丽的男朋友是医生", "王丽是医生"),
        ("我同桌叫沈一诺 她数学每次都满分", "沈一诺数学每次都满分", "沈一诺唱歌每次都满分"),
        ("my sister is called Ann, she works in a bank", "Ann works in a bank", "Ann's dog works"),
        ("my sister is called Ann, her dog died", "Ann's dog died", "Ann's cat died"),
        ("我喝了豆浆", "主人喝了豆浆", "主人喝了人生"),
    ],
)
def test_no_name_and_no_class_of_words_brings_in_what_was_not_said(
    said: str, learnt: str, wrong: str
) -> None:
    assert _is_kept(said, learnt)
    assert not _is_kept(said, wrong)


@pytest.mark.parametrize(
    ("asked", "said", "theirs", "own"),
    [
        ("外孙取名没有？", "取了，叫麦穗", "主人的外孙叫麦穗", "主人叫麦穗"),
        ("你家猫叫什么？", "警长", "主人的猫叫警长", "主人叫警长"),
        ("你们家小狗叫啥呀", "叫可乐", "主人的小狗叫可乐", "主人叫可乐"),
        ("你妹妹多大了", "二十", "主人的妹妹二十岁", "主人二十岁"),
        ("你妹妹在哪上班？", "在银行", "主人的妹妹在银行上班", "主人在银行上班"),
        (
            "What's your cat called?",
            "Rex",
            "The partner's cat is called Rex",
            "The partner is Rex",
        ),
        ("How old is your son?", "seven", "The partner's son is seven", "The partner is seven"),
    ],
)
def test_an_answer_is_about_the_one_her_question_is_about(
    asked: str, said: str, theirs: str, own: str
) -> None:
    assert _is_kept(said, theirs, asked=asked)
    assert not _is_kept(said, own, asked=asked)


@pytest.mark.parametrize(
    ("said", "theirs", "own"),
    [
        ("我妹妹的猫死了", "主人妹妹的猫死了", "主人的猫死了"),
        ("我同事的老婆生了", "主人同事的老婆生了", "主人的老婆生了"),
        (
            "my girlfriend's dad is a bishop. A BISHOP",
            "The partner's girlfriend's dad is a bishop",
            "The partner's dad is a bishop",
        ),
    ],
)
def test_what_is_so_of_theirs_is_not_told_of_ones_own(said: str, theirs: str, own: str) -> None:
    assert _is_kept(said, theirs)
    assert not _is_kept(said, own)


def test_no_words_said_of_another_are_told_of_this_one() -> None:
    """Each fabrication of this set is made of what was said: of another, denied, or in fear."""
    kept = [each["id"] for each in load_set("crossed/fabrications") if is_kept(each)]
    assert kept == []


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("我早上喝茶晚上喝咖啡", "主人早上喝茶，晚上喝咖啡"),
        ("我早上喝茶晚上喝咖啡", "主人晚上喝咖啡"),
        ("我猫五岁狗三岁", "主人的猫五岁"),
        ("我和张伟的老婆吵架了", "主人和张伟的老婆吵架了"),
        ("我和我老婆吵架了", "主人和老婆吵架了"),
        ("我怕蛇", "主人怕蛇"),
        ("我有一只五岁的猫", "主人有一只五岁的猫"),
        ("I have tea in the morning and coffee at night", "The partner has coffee at night"),
        ("I'm taller than my brother", "The partner is taller than their brother"),
        ("I moved from Leeds to York", "The partner moved from Leeds to York"),
        ("I moved from Leeds to York", "The partner lives in York"),
        ("I'm scared of snakes", "The partner is scared of snakes"),
        ("I have a brother with asthma", "The partner has a brother with asthma"),
        ("Amy likes me", "Amy likes the partner"),
        ("I'm from Cork originally, living in Hull now", "The partner: living in Hull now"),
        ("originally from Cork, now living in Hull", "The partner: now living in Hull"),
        ("I'm originally from Cork, I work in Hull", "The partner works in Hull"),
    ],
)
def test_what_belongs_together_is_kept_together(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)
