"""A faithful rewording of a complicated sentence is kept, and its neighbour is not."""

import pytest

from tests.unit.memory.test_evidence_truth import is_kept, talked


def _is_kept(said: str, learnt: str, asked: str = "") -> bool:
    lines = [f"H:{asked}", said] if asked else [said]
    return is_kept({**talked("en" if learnt.isascii() else "zh", *lines), "learnt": learnt})


@pytest.mark.parametrize(
    ("said", "learnt", "wrong"),
    [
        (
            "Meg earns more than me",
            "The partner earns less than Meg",
            "The partner earns more than Meg",
        ),
        (
            "I'm taller than my dad",
            "The partner's dad is shorter than the partner",
            "The partner is shorter than their dad",
        ),
        ("我比阿强高半头", "阿强比主人矮半头", "阿强比主人高半头"),
        ("论打牌我真的不如我姑", "主人的姑打牌比主人好", "主人打牌比姑姑好"),
        ("除了茼蒿我啥菜都吃", "主人不吃茼蒿", "主人吃茼蒿"),
        (
            "I eat everything except beetroot",
            "The partner does not eat beetroot",
            "The partner eats beetroot",
        ),
    ],
)
def test_who_is_taller_and_what_is_excepted_is_told_from_the_other_side(
    said: str, learnt: str, wrong: str
) -> None:
    assert _is_kept(said, learnt)
    assert not _is_kept(said, wrong)


@pytest.mark.parametrize(
    ("asked", "said", "learnt"),
    [
        (
            "Do you speak Dutch?",
            "I understand it but can't speak it",
            "The partner understands Dutch",
        ),
        (
            "How's your brother getting on?",
            "he's alright, started at the bakery",
            "The partner's brother started at the bakery",
        ),
        (
            "Which one of you walks the dog?",
            "That's my husband, I just feed it",
            "The partner's husband walks the dog",
        ),
        ("你妹妹退休了吗", "退了，天天在公园打拳", "主人的妹妹退休了"),
        ("你姐姐结婚没有呀", "没，她说不急", "主人的姐姐还没结婚"),
    ],
)
def test_an_answer_points_back_to_what_she_asked_about(asked: str, said: str, learnt: str) -> None:
    assert _is_kept(said, learnt, asked)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("女儿在厦门过得好好的，我心里还是希望她回县城教书", "主人希望女儿回县城教书"),
        ("面馆还开着，打算明年盘出去", "主人打算明年把面馆盘出去"),
        ("原本在台中当会计，三年前跟老婆下来台东开咖啡馆", "主人在台东开咖啡馆"),
        ("我妈在国道边开了家小卖部", "主人的妈妈开了家小卖部"),
        ("阿公走了，去年换爸爸膝盖开刀", "主人的爸爸去年膝盖开刀"),
        ("大女儿在读初三小女儿才上幼儿园", "主人的小女儿上幼儿园"),
        ("可别放芹菜啊 那玩意儿我一口不吃", "主人不吃芹菜"),
        ("独生女一个，从小没人抢电视", "主人是独生女"),
        ("别人以为我能喝，其实我滴酒不沾", "主人不喝酒"),
        (
            "people assume, but I don't eat lamb, I go for the salad, chips if they're crisp",
            "The partner does not eat lamb",
        ),
        (
            "you'd never think it but I was a monk until I was forty",
            "The partner used to be a monk",
        ),
        (
            "Haven't told the kids, but the plan is sell the boat next year",
            "The partner is planning to sell the boat next year",
        ),
        (
            "three nights a week at the bakery plus Sundays at the bar",
            "The partner works three nights a week at the bakery",
        ),
        (
            "if it falls through I'll move to the early shift",
            "The partner will move to the early shift if it falls through",
        ),
    ],
)
def test_a_faithful_rewording_of_a_long_sentence_is_kept(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("they wanted forty for it, I got it for fifteen", "The partner got it for forty"),
        ("my sister called, she hopes I sell it", "The partner hopes their sister sells it"),
        ("面馆还开着，打算明年盘出去", "主人明年把面馆盘出去"),
        ("I'd sell the boat, if they paid", "The partner is selling the boat"),
    ],
)
def test_what_is_left_out_lets_in_nothing_else(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)
