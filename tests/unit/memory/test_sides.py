"""Nobody and no number changes sides between what was said and what is learnt."""

import pytest

from tests.unit.memory.test_evidence_truth import is_kept, talked


def _is_kept(said: str, learnt: str) -> bool:
    return is_kept({**talked("en" if learnt.isascii() else "zh", said), "learnt": learnt})


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("lent my cousin the drill in May", "The partner's cousin lent the partner the drill"),
        (
            "taught my niece to ski, a natural",
            "The partner's niece taught the partner to ski",
        ),
        ("drove my gran to Hull last week", "The partner's gran drove to Hull"),
        (
            "paid nine hundred for the sofa and owe my sister two of it",
            "The partner owes their sister nine hundred",
        ),
        ("I was a cook for 8 years then drove a bus for 2", "The partner drove a bus for 8 years"),
        ("my exam is in Lyon, then interview in Turin", "The partner's exam is in Turin"),
        ("租我车位的那个大哥挺爽快", "主人租大哥的车位"),
        ("论做菜我姐强我一大截", "主人做菜强姐姐一大截"),
        ("昨天给我弟买了辆自行车", "主人的弟弟买了辆自行车"),
        ("替我妈排了半天队", "主人的妈妈排了半天队"),
        ("厂子还在温州，上周把设备挪到台州去了", "主人的厂子挪到台州去了"),
    ],
)
def test_nobody_and_no_number_changes_sides(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("lent my cousin the drill in May", "The partner lent their cousin the drill"),
        ("I was taught by my uncle", "The partner was taught by their uncle"),
        ("my kids call me a fossil", "The partner's kids call the partner a fossil"),
        ("my boss drives me to work", "The partner's boss drives the partner to work"),
        ("I was a cook for 8 years then drove a bus for 2", "The partner drove a bus"),
        ("three nights a week I teach yoga", "The partner teaches yoga three nights a week"),
        ("租我车位的那个大哥挺爽快", "租主人车位的大哥挺爽快"),
        ("昨天给我弟买了辆自行车", "主人昨天给弟弟买了辆自行车"),
        ("上周把设备挪到台州去了", "主人上周把设备挪到台州去了"),
        ("打球我不行", "主人打球不行"),
    ],
)
def test_the_same_told_in_another_order_is_kept(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("我爱人切菜跟做手术一样", "主人的爱人做手术"),
        (
            "she drives that van like a racing driver, my mum",
            "The partner's mum is a racing driver",
        ),
        ("我妈老担心我在外面熬夜", "主人在外面熬夜"),
        ("不是我不喜欢爬山，是膝盖不行", "主人不喜欢爬山"),
        ("It isn't that I hate running, my knees are gone", "The partner hates running"),
        ("对对对，我就是大明星", "主人是大明星"),
        ("oh yeah i'm totally an olympic swimmer", "The partner is totally an olympic swimmer"),
        ("戒酒戒了五回没一回成", "主人戒酒成了"),
        ("鱼我是从来不碰的虾倒是常吃", "主人从来不碰虾"),
        ("before the baby i was swimming daily", "The partner swims daily"),
        ("個房客話聽日搬走", "主人明天搬走"),
    ],
)
def test_what_is_likened_feared_or_meant_the_other_way_is_refused(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)
