from memory.recall import passage_arrays


def test_time_words_of_both_languages_tell_time() -> None:
    assert passage_arrays.tells_time("we met last Friday")
    assert passage_arrays.tells_time("上周三见过")
    assert not passage_arrays.tells_time("I like tea")


def test_counts_are_numbers() -> None:
    assert passage_arrays.tells_number("两只猫")
    assert passage_arrays.tells_number("we have two cats")
    assert not passage_arrays.tells_number("我喜欢猫")


def test_names_and_titles_are_told_from_plain_words() -> None:
    assert passage_arrays.tells_name("we went to Lisbon")
    assert passage_arrays.tells_name("在看《三体》")
    assert not passage_arrays.tells_name("We went home")


def test_who_talks_of_themselves_and_of_what_happened() -> None:
    assert passage_arrays.tells_self("我搬家了")
    assert passage_arrays.tells_self("I've moved")
    assert not passage_arrays.tells_self("It is raining")
    assert passage_arrays.tells_past("去了医院，打了针，吃过药") == 1.0
    assert passage_arrays.tells_past("it is fine") == 0.0
