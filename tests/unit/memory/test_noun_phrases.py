"""Forms of grammar in which a note says what was said, and those in which it would not."""

import pytest

from tests.unit.memory.test_evidence_truth import is_kept, talked


def learnt(lang: str, said: str, note: str) -> bool:
    return is_kept({**talked(lang, said), "learnt": note})


@pytest.mark.parametrize(
    ("lang", "said", "note"),
    [
        ("zh", "昨儿把膝盖磕了", "主人昨天磕了膝盖"),
        ("zh", "我舅爷是唱秦腔的，我跟着学了几句", "主人的舅爷是唱秦腔的"),
        ("zh", "我阿妈唔識字，但係佢計數快過我", "主人的妈妈不识字"),
        ("zh", "我在菜市场卖豆腐，凌晨三点就得起来", "主人是在菜市场卖豆腐的"),
        ("zh", "外婆把我带大的，爸妈在外头打工", "主人由外婆带大"),
        ("en", "My grandma raised me. She's ninety.", "The partner was raised by their grandma"),
        ("en", "Our lad mows my lawn and I give him scones", "The partner gives him scones"),
        ("en", "My niece calls me Uncle Potato", "The partner's niece calls them Uncle Potato"),
        ("en", "Had to cancel dinner with Priya", "The partner cancelled dinner with Priya"),
        (
            "en",
            "I'm not allergic to nuts, that's my twin. I'm the one who can't have shellfish.",
            "The partner can't have shellfish",
        ),
        ("en", "retired postman, forty years on the round", "The partner is a retired postman"),
        ("en", "I run a little bike stall", "The partner has a little bike stall"),
    ],
)
def test_a_note_may_turn_the_sentence(lang: str, said: str, note: str) -> None:
    assert learnt(lang, said, note)


@pytest.mark.parametrize(
    ("lang", "said", "note"),
    [
        ("zh", "我昨天做了美甲", "主人是做美甲的"),
        ("zh", "我弟把我的车撞了", "主人撞了车"),
        ("en", "The lad I train, Josh, failed his driving test", "The partner failed a test"),
        ("en", "Leeds is where my brother is, not me", "The partner is in Leeds"),
        ("en", "Gemma and Rob got engaged at my place, I cried", "The partner got engaged"),
        ("zh", "我ex May上周结婚了", "主人上周结婚了"),
        ("zh", "我boss被裁了", "主人被裁了"),
        ("zh", "是从小区的流浪猫里抱的", "主人在流浪"),
        ("zh", "我間舖最難捱嗰陣差啲執咗", "主人的舖執咗"),
    ],
)
def test_no_turn_of_the_sentence_tells_of_another(lang: str, said: str, note: str) -> None:
    assert not learnt(lang, said, note)
