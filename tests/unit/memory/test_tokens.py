import pytest

from memory.text.tokens import (
    as_mandarin,
    characters,
    ends_as_question,
    is_atomic,
    is_dense,
    keywords,
    normalized,
    stems,
    tokens,
    words,
)


def test_english_is_lower_cased_and_stemmed_without_stop_words() -> None:
    assert tokens("I was Running to the Stations") == ["run", "station"]


def test_a_possessive_and_either_apostrophe_find_the_same_word() -> None:
    assert tokens("Anna's cat") == tokens("Anna’s cats") == ["anna", "cat"]


def test_chinese_gives_words_and_bigrams_so_that_a_new_name_is_found() -> None:
    found = tokens("我家猫叫团子")
    assert "团子" in found
    assert set(tokens("团子")) <= set(found)


def test_stop_characters_join_no_bigram() -> None:
    assert "的猫" not in tokens("主人的猫")
    assert "猫" in tokens("主人的猫")


def test_full_width_forms_are_read_as_plain_ones() -> None:
    assert tokens("ＧＰＴ４") == tokens("gpt4")
    assert normalized("Ａ１") == "a1"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("我在用Python写爬虫", "python"),
        ("好开心😀", "😀"),
        ("أحب القهوة كثيرا", "القهوة"),
        ("я люблю кофе", "кофе"),
        ("コーヒーが好き", "コー"),
        ("커피를 좋아해", "커피"),
    ],
)
def test_every_script_is_kept(text: str, wanted: str) -> None:
    assert wanted in tokens(text)


def test_nothing_but_stop_words_and_marks_gives_nothing() -> None:
    assert tokens("，。！ the of 的了 …") == []
    assert tokens("") == []


def test_a_key_longer_than_any_word_is_cut() -> None:
    assert max(map(len, tokens("a1" * 500))) == 40


def test_keywords_are_whole_words_most_frequent_first() -> None:
    assert keywords("团子生病了，带团子去医院")[0] == "团子"
    assert all(len(word) > 1 for word in keywords("今天带团子去医院打针"))


def test_keywords_are_at_most_as_many_as_asked_for() -> None:
    assert len(keywords("apple pear plum cherry lemon", 3)) == 3
    assert keywords("apple pear", 0) == ()


def test_words_leave_out_numbers_and_stop_words() -> None:
    assert words("I paid 300 for the guitar") == ["paid", "guitar"]


def test_stems_keep_stop_words() -> None:
    assert stems("I am swimming") == ["i", "am", "swim"]


@pytest.mark.parametrize(
    ("text", "dense"), [("你吃了吗", True), ("have you eaten", False), ("我爱喝冰 coffee", True)]
)
def test_a_text_is_dense_when_it_is_written_without_spaces(text: str, *, dense: bool) -> None:
    assert is_dense(text) is dense


def test_characters_are_those_of_scripts_without_spaces_that_tell_something() -> None:
    assert characters("我在跑步，练了3天 Keep！ｶﾗｵｹ") == [
        "跑",
        "步",
        "练",
        "天",
        "カ",
        "ラ",
        "オ",
        "ケ",
    ]
    assert characters("no such script 😀") == []


def test_a_stem_is_whole_and_a_chinese_word_is_not() -> None:
    assert is_atomic("guitar")
    assert is_atomic("😀")
    assert not is_atomic("晨跑")


@pytest.mark.parametrize("text", ["吃了吗", "吃了吗？", "Have you eaten?", "你呢～", "really? "])
def test_a_question_is_known_by_its_end(text: str) -> None:
    assert ends_as_question(text)


@pytest.mark.parametrize("text", ["吃了。", "I asked: why? Then I left.", ""])
def test_what_ends_otherwise_asks_nothing(text: str) -> None:
    assert not ends_as_question(text)


def test_what_is_written_in_traditional_characters_is_found_in_simplified_ones() -> None:
    assert tokens("禮拜三去區公所辦遷出，她很著名") == tokens("礼拜三去区公所办迁出，她很著名")
    assert normalized("騎車") == "骑车"


@pytest.mark.parametrize(
    ("said", "plain"),
    [("She bought it", "she will buy it"), ("children's teeth", "a child, a tooth"),
     ("PASSEDDDD!!", "passed"), ("sooo tired", "so tired"), ("Henry VIII", "henry viii")],
)  # fmt: skip
def test_irregular_and_drawn_out_words_are_found_by_the_plain_one(said: str, plain: str) -> None:
    assert tokens(said) == tokens(plain)


def test_cantonese_is_found_by_the_same_words_as_mandarin() -> None:
    assert tokens("佢返工") == tokens("他上班")
    assert tokens("而家喺邊度") == tokens("现在在哪里")


@pytest.mark.parametrize(
    "text", ["这点解释", "听日本歌", "旁边个子高的", "五分钟意识到", "有点样子"]
)
def test_what_only_looks_like_a_word_of_cantonese_is_left_as_it_is(text: str) -> None:
    assert as_mandarin(text) == text


@pytest.mark.parametrize(
    "text",
    ["Don't rock'n'roll, it's O'Neill's", "a_b 3rd x2's 'quoted' -- 1'000", "sooo GOOD!?\x0b\n"],
)
def test_plain_text_has_the_tokens_it_has_beside_another_script(text: str) -> None:
    beside = tokens(f"{text} 猫")
    assert tokens(text)
    assert [token for token in beside if token.isascii()] == tokens(text)
