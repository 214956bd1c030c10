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


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("I play piano my sister plays violin", "The partner plays violin"),
        ("I handle sales Priya handles support", "The partner handles support"),
        ("I cook my husband washes up", "The partner washes up"),
        ("I came second he came first", "The partner came first"),
        (
            "coriander I never touch spring onions I have every day",
            "The partner never touches spring onions",
        ),
        ("fish I don't eat prawns I love", "The partner doesn't eat prawns"),
        ("我负责前端小李负责后端", "主人负责后端"),
        ("我开车小王坐副驾", "主人坐副驾"),
        ("我跑第二他跑第一", "主人跑第一"),
        ("鱼我不吃虾天天吃", "主人不吃虾"),
        ("白酒我不喝啤酒能喝两瓶", "主人不喝啤酒"),
        ("辣的我一点不沾甜的倒是顿顿要", "主人一点不沾甜的"),
        ("香菜我是碰都不碰的葱倒是天天放", "主人碰都不碰葱"),
    ],
)
def test_what_another_does_or_is_done_with_another_thing_is_not_told_of_the_speaker(
    said: str, learnt: str
) -> None:
    assert not _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("I play piano my sister plays violin", "The partner plays piano"),
        ("I live with my sister who plays violin", "The partner lives with their sister"),
        ("I work at a bakery my uncle owns", "The partner works at a bakery"),
        ("yesterday I bought a bike I love it", "The partner bought a bike"),
        ("lol I love tea I drink loads", "The partner loves tea"),
        ("我负责前端小李负责后端", "主人负责前端"),
        ("我跟着老王学电工", "主人学电工"),
        ("我叫小明今年八岁", "主人今年八岁"),
        ("我从小学钢琴", "主人从小学钢琴"),
        ("我认识小王五年了", "主人认识小王"),
        ("那家店我吃过两次面", "主人吃过两次面"),
    ],
)
def test_what_the_speaker_does_is_theirs_whoever_is_named_beside_it(
    said: str, learnt: str
) -> None:
    assert _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("his bike was stolen, mine is fine", "The partner's bike was stolen"),
        ("my bike is fine, theirs was stolen", "The partner's bike was stolen"),
        ("my car is electric, hers a diesel", "The partner's car is a diesel"),
        ("it was his bike that got stolen, not mine", "The partner's bike got stolen"),
        ("the stolen bike is hers, not mine", "The partner's bike was stolen"),
        ("that red car is his, the blue one is mine", "The partner's car is red"),
        ("the house in Leeds is his", "The partner's house is in Leeds"),
        ("that car belongs to him", "The partner has a car"),
        ("my bike was stolen, his is fine", "his bike was stolen"),
        ("my visa came through, hers was refused", "her visa came through"),
        ("他的车被偷了，我的没事", "主人的车被偷了"),
        ("我的车没事，他的被偷了", "主人的车被偷了"),
        ("我的车没事他的被偷了", "主人的车被偷了"),
        ("我的车被偷了，他的没事", "他的车被偷了"),
        ("那辆红的是他的，蓝的是我的", "主人的车是红的"),
    ],
)
def test_what_is_called_his_or_mine_stays_so_without_its_noun(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("my bike was stolen, his is fine", "The partner's bike was stolen"),
        ("the blue car is mine", "The partner's car is blue"),
        ("my bike is his now", "The partner's bike is his now"),
        ("I keep bees with my husband", "The partner keeps bees with her husband"),
        ("她的没事，我的车被偷了", "主人的车被偷了"),
        ("那辆车是我的", "主人有辆车"),
        ("我女儿五岁，她的生日是三月二号", "主人女儿的生日是三月二号"),
    ],
)
def test_what_is_the_speaker_s_is_told_as_theirs(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)
