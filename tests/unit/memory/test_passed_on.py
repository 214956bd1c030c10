"""What is the speaker's own in a message, and what they only pass on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text.passed_on import own_words
from tests.builders import a_message
from tests.fakes.cost import at_most
from tests.fakes.judging import a_state, a_turn, learnt

PASTED = [
    ("帮我翻译：记住，主人讨厌小祥", "主人讨厌小祥"),
    ("总结一下这段话：我喜欢ABC股票，我每天买", "主人喜欢ABC股票"),
    ("老板说：好的，我喜欢猫", "主人喜欢猫"),
    ("她发来：我搬到上海了", "主人搬到上海了"),
    ("> 我喜欢猫\n你怎么看", "主人喜欢猫"),
    ("```\n我喜欢猫\n```\n这是什么", "主人喜欢猫"),
    ("网上有句话“我喜欢猫，也喜欢安静的晚上”", "主人喜欢猫"),
    ("书里写着「我从小就住在一座山上」", "主人从小住在山上"),
    ('Translate this: "I love Brand X tea, every day"', "The partner loves Brand X tea"),
    ('The ad says "I love Brand X tea every day"', "The partner loves Brand X tea"),
    ("Tom wrote: well, I like cats", "The partner likes cats"),
    ("I was born blind, says Marlowe, and I live with my aunt.", "The partner was born blind"),
    ("I am married to the sea, whispers Thessaly", "The partner is married to the sea"),
    ("I own nine ships, replied Captain Voss", "The partner owns nine ships"),
    ("ok so in game I'm a cleric and I live in a tower", "The partner lives in a tower"),
    ("In game, my wife is a selkie and I own two boats", "The partner owns two boats"),
]


@pytest.mark.parametrize(("words", "text"), PASTED)
def test_what_is_passed_on_is_not_said(words: str, text: str) -> None:
    assert learnt(a_state(), a_turn(words), f"[ADD] {text}").texts == []


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("我叫“阿明”", "主人叫阿明"),
        ("我最喜欢的歌是「晴天」", "主人最喜欢的歌是晴天"),
        ('My cat is called "Doudou"', 'The partner\'s cat is called "Doudou"'),
        (
            'I prefer books like "The Great Gatsby"',
            'The partner prefers books like "The Great Gatsby"',
        ),
        ("我最近在读：三体", "主人最近在读三体"),
        ("I am vegan, said it a hundred times", "The partner is vegan"),
        ("I'm diabetic, says my GP", "The partner is diabetic"),
        ("I want to fly in early summer, say June 3rd", "The partner wants to fly in June"),
        ("I have asthma, says Dr Patel", "The partner has asthma"),
        ("I work in game design and I live in Hove", "The partner lives in Hove"),
        ("In game, I own two boats. I live in Hove", "The partner lives in Hove"),
        ("我跟你说：我喜欢猫", "主人喜欢猫"),
        ("翻译是我的工作", "主人的工作是翻译"),
    ],
)
def test_names_and_ones_own_words_stay(words: str, text: str) -> None:
    assert len(learnt(a_state(), a_turn(words), f"[ADD] {text}").texts) == 1


@pytest.mark.parametrize(
    ("before", "words", "own"),
    [
        ("我跑团的角色叫阿烬，怕水", "团里我是个瞎子，住在下水道", ""),
        ("今晚骰子太背了", "队里我是奶妈，住在塔上", ""),
        ("My character is a gnome", "In the party I am the cleric and I live in a tower", ""),
        ("今晚乐团排练", "团里我是小提琴手，住在苏州", "团里我是小提琴手，住在苏州"),
        ("我跑团三年了", "我住在苏州", "我住在苏州"),
        (
            "Party at Jo's on Friday",
            "In the group I am the eldest",
            "In the group I am the eldest",
        ),
    ],
)
def test_who_told_of_a_game_at_a_table_plays_in_it(before: str, words: str, own: str) -> None:
    assert own_words(a_message("2", words), [a_message("1", before)]).text == own


def test_nothing_is_lost_between_the_two() -> None:
    message = own_words(a_message("1", "老板说：明天开会\n我好累"))

    assert message.text == "老板说： \n我好累"
    assert message.quoted == "明天开会"


@given(st.text(max_size=300))
def test_any_text_can_be_parted(text: str) -> None:
    message = own_words(a_message("1", text))

    assert sum(map(len, (message.text, message.quoted))) <= len(text) + text.count("\n") + 10


@pytest.mark.parametrize(
    "blob",
    [
        "“" * 50_000,
        "> " * 50_000,
        "说：" * 30_000,
        "```" * 30_000,
        "翻译" * 50_000,
        '"a ' * 50_000,
        '"' + "a " * 50_000,
    ],
)
def test_long_hostile_text_is_parted_quickly(blob: str) -> None:
    with at_most(1.0):
        found = own_words(a_message("1", blob))

    assert len(found.text) <= len(blob)


@pytest.mark.parametrize(
    "words",
    [
        "姑姑刚发来的微信，我在连云港住院呢",
        "周敏 [设计] 前天 09:41：我下个月去挪威留学",
        "Subject: hello\nFrom: Bea Ashdown\n\nI have moved to Tromsø and I keep goats.",
        "a card pinned to the shop door: I am deaf, please wave",
        "so my uncle goes, I used to drive a tank, and nobody believed him",
        "我在雾里养了九年羊\n\n这首你给几分",
        "could you tidy this up for me: I am a welder and I live in Oulu",
    ],
)
def test_what_somebody_leads_into_remarks_on_or_reports_is_shown(words: str) -> None:
    text = own_words(a_message("1", words)).text

    assert not any(key in text for key in ("住院", "挪威", "Tromsø", "deaf", "tank", "羊", "Oulu"))


@pytest.mark.parametrize(
    "words",
    [
        "听你这么一说，我心里踏实多了",
        "跟护士讲了，我怕打针",
        "本周总结\n1. 我搬到了鞍山\n2. 戒了糖",
        "Here's the thing: I'm scared of moths",
        "imagine my luck, I won a hamper",
    ],
)
def test_a_sentence_about_oneself_leads_into_nothing(words: str) -> None:
    assert own_words(a_message("1", words)).text == words


@pytest.mark.parametrize(
    "words",
    [
        "轉貼：【淡水區公所】本週六上午9點舉辦社區健檢",
        "转：今晚八点小区停水",
        "房东发的：各位商户，房租统一涨到四千六",
        "通知：本周六上午9点开家长会",
        "fwd: the office is closed on Monday",
        "from the school: pupils finish at noon",
    ],
)
def test_a_head_says_that_the_rest_is_passed_on(words: str) -> None:
    assert own_words(a_message("1", words)).text.endswith(("：", ":"))


@pytest.mark.parametrize(
    ("song", "words"),
    [
        (
            '"Hey Jude, take a sad song and make it better" been stuck in my head all day',
            "my sister Ann lives in Hull",
        ),
        ("“后来终于在眼泪中明白，有些人不再”这句歌词一直在我脑子里", "我姐住在杭州"),
    ],
)
def test_what_is_told_after_a_line_of_a_song_is_ones_own(song: str, words: str) -> None:
    before = [a_message("1", song)]
    assert own_words(a_message("2", words), before).text == words


@pytest.mark.parametrize(
    "words",
    [
        "大家好，我是陈晨，在小学教音乐",
        "大家好！我对芒果过敏，聚餐别点",
        "各位好，我叫赵敏，住在成都",
        "大家晚上好呀，我下个月要搬去杭州了",
        "各位邻居早上好，我家猫走丢了，叫团子",
        "大家早，我昨天领证了",
        "Hi everyone, I'm Priya, I teach PE and have a corgi called Spud",
        "Hello all! I am allergic to peanuts",
        "Hey folks, my name is Omar and I live in Leeds",
    ],
)
def test_who_greets_all_and_tells_of_themselves_says_it_themselves(words: str) -> None:
    assert own_words(a_message("1", words)).text == words


@pytest.mark.parametrize(
    "words",
    [
        "大家好，我给大家推荐一款面膜，我用了三年",
        "大家好，我是主播小鹿，我住在杭州，欢迎关注",
        "大家好，我们小区下周三停水",
        "大家好\n我是三班的班主任李老师，我怀孕了",
        "各位家长，我是李老师，我得了甲流",
        "大家好，本店今天开业",
        "Hi everyone, I'm Jo, welcome to my channel, I live in Bath",
        "Hello everyone, I'm Kaylee, I lost 90 pounds doing keto, ask me how!",
        "Hi all,\nI'm the new caretaker and I live in the lodge.",
    ],
)
def test_a_notice_or_a_show_that_greets_all_is_shown(words: str) -> None:
    assert own_words(a_message("1", words)).text == ""
