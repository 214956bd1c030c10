"""What hangs on one small word is not told as hanging on another, nor what was meant as done."""

import pytest

from tests.unit.memory.test_evidence_truth import is_kept, talked


def _is_kept(said: str, learnt: str) -> bool:
    return is_kept({**talked("en" if learnt.isascii() else "zh", said), "learnt": learnt})


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        (
            "my gran left Cork for Boston in 1950",
            "The partner's gran left Boston for Cork in 1950",
        ),
        ("We looked at Leeds, Bath and Hull and ended up in Hull", "The partner ended up in Bath"),
        ("I keep meaning to learn Welsh", "The partner is learning Welsh"),
        ("promised to quit the choir", "The partner quit the choir"),
        ("I'm older than Sue but younger than Bea", "The partner is older than Bea"),
        ("got a cat instead of a therapist", "The partner got a therapist"),
        ("had to sell the horse to keep the house", "The partner had to sell the house"),
        ("my mother moved out of the flat", "The partner's mother moved in"),
        ("my brother-in-law is a surgeon", "The partner's brother is a surgeon"),
        ("the old place had a garden", "The partner's place has a garden"),
        (
            "I'm the second of five, the first four got the looks",
            "The partner is the first of five",
        ),
        ("长洲好是好，我宁愿住大埔多过长洲", "主人宁愿住长洲"),
        ("我答应娃考上就养狗，他没考上", "主人养狗了"),
        ("周末不是带娃就是补觉", "主人周末不带娃"),
        ("an offer from Lidl came and a rejection from Aldi", "An offer from Aldi came"),
        ("we've got two bathrooms and one working toilet", "The partner has two toilets"),
        ("told Jo about it before I told my husband", "The partner told their husband before Jo"),
        ("we named the boat after the dog", "The partner named the dog after the boat"),
        ("I'd quit but the pension's good", "The partner quit"),
        ("告诉小周之后才告诉的我老公", "主人告诉老公之后才告诉小周"),
        ("我耳朵没事，是眼睛不行了", "主人耳朵不行了"),
    ],
)
def test_no_word_hangs_on_another_than_it_did(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        (
            "my gran left Cork for Boston in 1950",
            "The partner's gran left Cork for Boston in 1950",
        ),
        ("I learnt to swim at forty", "The partner swims"),
        ("I came here to study law", "The partner studies law"),
        ("we keep bees at the bottom of the garden", "The partner keeps bees in the garden"),
        ("Mondays I'm at the gym on Mill Road", "The partner is at the gym on Mill Road"),
        ("my brother-in-law is a surgeon", "The partner's brother-in-law is a surgeon"),
        ("我小时候跟着姥姥在山里住", "主人小时候在山里跟姥姥住"),
        ("我在一家特别小的诊所做前台", "主人在诊所做前台"),
        ("我跟我姐去年去的云南", "主人去年跟姐姐去的云南"),
        ("我口试约在下周五考，听力老出错", "主人口试约在下周五考"),
        ("对了口试改到28号考了", "口试改到28号考了"),
        ("狗是我的", "狗是主人的"),
    ],
)
def test_the_same_on_the_same_small_word_is_kept(said: str, learnt: str) -> None:
    assert _is_kept(said, learnt)


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        (
            "wore my sister's coat to the interview and got the job",
            "The partner's sister got the job",
        ),
        ("im off to see my mate whos in hospital in Derby", "The partner is in hospital in Derby"),
        ("after the divorce he kept Leeds, I kept the kids", "The partner kept Leeds"),
        ("His allergy's shellfish, mine's penicillin", "The partner's allergy is shellfish"),
        ("My ears are fine, it's my eyes that are going", "The partner's ears are going"),
        ("Ana beat me at chess three times", "The partner beat Ana at chess three times"),
        ("the bag, a real antique, is gone", "The bag, a present, is gone"),
        ("我退休那年她出生的", "主人那年出生"),
        ("初级班我教，高级班小卡教", "主人教高级班"),
        ("Greta was my bridesmaid, I wasn't hers", "The partner was Greta's bridesmaid"),
        ("They promoted Gail and the rest of us cheered", "They promoted the partner"),
        ("小叶请我做伴娘", "小叶做主人的伴娘"),
        ("以前烦橄榄，现在烦那些烦橄榄的人", "主人烦橄榄"),
        ("her dog bit my dog and my dog bit the vet", "The partner's dog bit her dog"),
        (
            "lived in Rome for a year and in debt for three",
            "The partner lived in Rome for three years",
        ),
        ("瘦了八斤又胖回来三斤", "主人瘦了三斤"),
        ("小赵要做膝盖手术，我开车送她", "主人要做膝盖手术"),
        ("狗是我姐的，我帮她养俩月", "狗是主人的"),
        ("爷爷打过仗，我连罚单都打不过", "主人打过仗"),
        ("去德比看住院的朋友", "主人住院"),
    ],
)
def test_what_is_so_of_somebody_else_is_told_of_nobody_else(said: str, learnt: str) -> None:
    assert not _is_kept(said, learnt)
