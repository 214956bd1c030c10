from memory.text import line_salience


def test_time_words_of_both_languages_tell_time() -> None:
    assert line_salience.tells_time("we met last Friday")
    assert line_salience.tells_time("上周三见过")
    assert not line_salience.tells_time("I like tea")


def test_counts_are_numbers() -> None:
    assert line_salience.tells_number("两只猫")
    assert line_salience.tells_number("we have two cats")
    assert not line_salience.tells_number("我喜欢猫")


def test_names_and_titles_are_told_from_plain_words() -> None:
    assert line_salience.tells_name("we went to Lisbon")
    assert line_salience.tells_name("在看《三体》")
    assert not line_salience.tells_name("We went home")


def test_who_talks_of_themselves_and_of_what_happened() -> None:
    assert line_salience.tells_self("我搬家了")
    assert line_salience.tells_self("I've moved")
    assert not line_salience.tells_self("It is raining")
    assert line_salience.tells_past("去了医院，打了针，吃过药") == 1.0
    assert line_salience.tells_past("it is fine") == 0.0
