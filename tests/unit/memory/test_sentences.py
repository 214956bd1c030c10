"""What stands in a sentence is said in the language of the sentence, however deep it stands."""

import pytest

from memory import refusals
from memory.errors import InputRefused, RefusalError, StoreUnwritable
from memory.model import Language
from memory.sentences import FilledSentence, Listed, Sentence, say

WRONG = Sentence(zh="不行：{what}", en="not so: {what}")
ONE = Sentence(zh="一", en="one")


@pytest.mark.parametrize(
    ("language", "told"), [("zh", "不行：一; 不行：7"), ("en", "not so: one; not so: 7")]
)
def test_what_is_listed_and_filled_is_said_in_one_language(language: Language, told: str) -> None:
    each = Listed([FilledSentence(WRONG, what=ONE), FilledSentence(WRONG, what=7)])

    assert each.in_language(language) == told


def test_a_refusal_stands_in_a_sentence_or_in_another_refusal() -> None:
    inner = StoreUnwritable(refusals.DATABASE_FULL)
    outer = InputRefused(refusals.KEY_UNREADABLE, file="k", why=inner)

    assert say("zh", WRONG, what=outer) == "不行：钥匙 k 读不了：数据库的磁盘满了：腾出空间"
    assert str(outer) == "key file k cannot be read: " + str(inner)


def test_a_refusal_that_lacks_a_value_is_a_mistake_at_once() -> None:
    with pytest.raises(KeyError):
        RefusalError(WRONG)
