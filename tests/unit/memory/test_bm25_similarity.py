import pytest

from memory.text.bm25 import similarity


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("我喜欢喝咖啡", "主人喜欢咖啡"),
        ("我家猫叫团子", "主人的猫叫团子"),
        ("I like coffee", "I love coffee"),
        ("The partner likes ramen", "I like ramen"),
        ("爱吃辣", "喜欢吃辣"),
        ("I work at a bakery as a baker", "I work at a bakery"),
    ],
)
def test_two_ways_to_say_one_fact_are_close(a: str, b: str) -> None:
    assert similarity(a, b) >= 0.75


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("喜欢咖啡", "不喜欢咖啡"),
        ("喜欢咖啡", "讨厌咖啡"),
        ("I like coffee", "I don't like coffee"),
        ("主人喜欢猫", "主人不再喜欢猫了"),
        ("I eat meat", "I never eat meat"),
    ],
)
def test_a_fact_and_its_denial_are_never_the_same(a: str, b: str) -> None:
    assert similarity(a, b) <= 0.3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("我叫张三", "我叫李四"),
        ("我住在北京", "我住在上海"),
        ("我今年30岁", "我今年31岁"),
        ("喜欢小猫", "喜欢小狗"),
        ("生日是5月3日", "生日是5月4日"),
        ("I have two cats", "I have a dog"),
    ],
)
def test_facts_with_different_values_are_not_close(a: str, b: str) -> None:
    assert similarity(a, b) < 0.6


def test_a_double_denial_is_no_denial() -> None:
    assert similarity("不讨厌狗", "主人不讨厌狗") >= 0.75


@pytest.mark.parametrize("text", ["不错的店", "特别的一天", "没关系"])
def test_words_that_merely_contain_a_denial_deny_nothing(text: str) -> None:
    assert similarity(text, "主人：" + text) >= 0.75


def test_texts_without_a_meaningful_word_are_like_only_themselves() -> None:
    assert similarity("的", "了") == 0.0
    assert similarity("", "") == 1.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Paul owes me 50 euros", "my friend owes Paul 50 euros"),
        ("Sam is taller than Kim", "Kim is taller than Sam"),
        ("my friend moved from York to Leeds", "my friend moved from Leeds to York"),
        ("小雨喜欢周磊", "周磊喜欢小雨"),
        ("猫怕狗", "狗怕猫"),
        ("主人爸比主人妈高", "主人妈比主人爸高"),
    ],
)
def test_who_does_what_to_whom_is_not_the_same_the_other_way_round(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a) <= 0.3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("my friend swims on Tuesdays", "on Tuesdays my friend swims"),
        ("Sue is Ann's mum", "Ann's mum is Sue"),
        ("小雨和周磊分手了", "周磊和小雨分手了"),
        ("团子是主人的猫", "主人的猫是团子"),
        ("周一上班周二休息", "周二休息周一上班"),
    ],
)
def test_the_same_in_another_order_is_the_same(a: str, b: str) -> None:
    assert similarity(a, b) >= 0.75
