"""What is claimed, and of whom: the same words in a frame that claims nothing teach nothing."""

import re

import pytest

from memory.offline.claimed import ClauseSubject, claimed, is_of_another, subject_of
from memory.offline.utterances import statements_in
from tests.fakes.clock import NOON

PLAIN_ZH = (
    "我对花生过敏",
    "我在比亚迪上班",
    "我今年三十四岁",
    "我养了一只猫",
    "我最喜欢拉面",
    "我住在成都",
    "我叫李小满",
    "我有甲亢",
    "我女儿叫小雨",
    "我会说西班牙语",
)

FRAMES_ZH = (
    "如果{}",
    "要是{}就好了",
    "假如{}，生活会不一样",
    "你猜{}是不是真的",
    "他说：“{}”",
    "同事老是说{}",
    "我梦见{}",
    "在游戏里{}",
    "在大富翁里{}",
    "我写的小说开头是这样的：{}",
    "假装{}",
    "帮我翻译成英文：{}",
    "有首歌唱道：{}",
    "造句练习：{}",
    "好希望{}",
    "谁说{}",
    "据说{}",
    "{}，骗你的",
    "{}才怪",
    "{}，开玩笑的啦",
    "难道{}",
)

PLAIN_EN = (
    "I'm allergic to peanuts",
    "I work at the harbour",
    "I am 34 years old",
    "I have two cats",
    "I love karaoke",
    "I live in Leeds",
    "my name is Moira",
    "I have asthma",
    "my daughter is called Wren",
    "I speak Yoruba",
)

FRAMES_EN = (
    "if {}, things would be easier",
    "imagine {}",
    "I wish {}",
    'he told me "{}"',
    "she keeps saying {}",
    "I had a dream where {}",
    "in the sims {}",
    "translate into German: {}",
    "do you think {}?",
    "there's this song that goes {}",
    "my story starts like this: {}",
    "let's say {}",
    "who says {}",
    "it's not true that {}",
    "I told them {} but that was a lie",
    "{}, just kidding",
)


def taught(text: str, subject: str) -> list[str]:
    return [each.text for each in statements_in(text, subject, NOON)]


@pytest.mark.parametrize("frame", FRAMES_ZH)
def test_a_frame_claims_nothing_in_chinese(frame: str) -> None:
    learnt = {plain: taught(frame.format(plain), "主人") for plain in PLAIN_ZH}

    assert {plain: texts for plain, texts in learnt.items() if texts} == {}


@pytest.mark.parametrize("frame", FRAMES_EN)
def test_a_frame_claims_nothing_in_english(frame: str) -> None:
    learnt = {plain: taught(frame.format(plain), "Ann") for plain in PLAIN_EN}

    assert {plain: texts for plain, texts in learnt.items() if texts} == {}


@pytest.mark.parametrize("plain", PLAIN_ZH)
def test_without_a_frame_it_is_learnt_in_chinese(plain: str) -> None:
    assert taught(plain, "主人")


@pytest.mark.parametrize("plain", PLAIN_EN)
def test_without_a_frame_it_is_learnt_in_english(plain: str) -> None:
    assert taught(plain, "Ann")


@pytest.mark.parametrize("who", ["你", "有些人", "他", "我邻居", "我同学的表哥", "那个女主播"])
def test_what_is_so_of_others_is_not_the_speakers_in_chinese(who: str) -> None:
    told = {plain: taught(plain.replace("我", who), "主人") for plain in PLAIN_ZH}

    assert {plain: texts for plain, texts in told.items() if texts} == {}


@pytest.mark.parametrize(
    "told",
    [
        "you live in Leeds",
        "your birthday is March 9",
        "my neighbour works at the harbour",
        "my sister's boss has two cats",
        "that streamer lives in Dubai and drives a Lambo",
        "people who live in London never talk",
        "the new intern went to Oxford",
    ],
)
def test_what_is_so_of_others_is_not_the_speakers_in_english(told: str) -> None:
    assert taught(told, "Ann") == []


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("我妈妈对花生过敏", "主人妈妈对花生过敏"),
        ("My mother is allergic to peanuts", "Ann's mother is allergic to peanuts"),
        ("Ann, a nurse in Leeds", "Ann is a nurse in Leeds"),
        ("我屬龍,獅子座", "主人屬龍"),
        ("我在讀研，真希望畢業後能當老師", "主人在讀研"),
        # Without a subject it is the speaker's: what one has, attains, does for years.
        ("老家四川达州的 在温州打工六七年了", "主人老家四川达州的"),
        ("老家四川达州的 在温州打工六七年了", "主人在温州打工六七年了"),
        ("终于考过了教资！", "主人终于考过了教资"),
        ("外婆对虾过敏", "主人外婆对虾过敏"),
        ("我二四六晚上去上瑜伽课", "主人二四六晚上去上瑜伽课"),
        ("刚入职顺丰没多久", "主人刚入职顺丰没多久"),
        ("me and my brother run a bar in Rhyl", "Ann and their brother run a bar in Rhyl"),
        ("proud nan of three here", "Ann: proud nan of three here"),
        # What comes next only says it closer.
        ("我跟我对象异地，他在拉萨", "主人跟主人对象异地，他在拉萨"),
        ("got two grandkids, the youngest is Ivy", "Ann: got two grandkids, the youngest is Ivy"),
    ],
)
def test_what_is_the_speakers_is_kept_in_the_words_it_was_said_in(said: str, learnt: str) -> None:
    subject = "Ann" if said.isascii() else "主人"

    assert learnt in taught(said, subject)


def test_whoever_a_clause_is_about_stays_its_subject() -> None:
    assert is_of_another("做电池测试", "你在比亚迪上班，做电池测试")
    assert not is_of_another("做电池测试", "我在比亚迪上班，做电池测试")


def test_who_does_something_to_the_speaker_leaves_them_the_subject() -> None:
    assert subject_of("房东卖房把我撵了") is ClauseSubject.SPEAKER
    assert subject_of("孙女非给换个华为") is ClauseSubject.SPEAKER
    assert subject_of("房东今年七十了") is ClauseSubject.OTHER


def test_a_wish_reaches_from_its_clause_on() -> None:
    assert claimed(["我在读研，真希望我是老师"]) == ["我在读研，"]


def test_a_tale_reaches_to_the_end() -> None:
    assert claimed(["我住成都。", "造个句：我有一支笔。", "我是学生。"]) == ["我住成都。", "", ""]


@pytest.mark.parametrize(
    "said",
    [
        "我就是个懒猪",
        "我是一只小小鸟",
        "等我退休了就去种地",
        "我怀疑我得了绝症",
        "我该不会怀孕了吧",
        "我在东京 假的啦",
        "i'm just a potato today",
        "im literally a ghost before coffee",
        "i doubt i'm diabetic",
        "i'm a wreck at this point",
    ],
)
def test_a_figure_of_speech_and_a_doubt_claim_nothing(said: str) -> None:
    assert taught(said, "Ann" if said.isascii() else "主人") == []


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("I'm a dog groomer in Hull", "Ann is a dog groomer in Hull"),
        ("i'm a cloud engineer at Google", "Ann is a cloud engineer at Google"),
        ("我是养猪的", "主人是养猪的"),
    ],
)
def test_a_trade_named_after_a_beast_is_a_trade(said: str, learnt: str) -> None:
    assert learnt in taught(said, "Ann" if said.isascii() else "主人")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我家猫叫豆包，五岁了，怕打雷", {"主人家猫五岁了", "主人家猫怕打雷"}),
        ("我老公是程序员，35岁，喜欢打篮球", {"主人老公35岁", "主人老公喜欢打篮球"}),
        ("我妈六十岁，退休了，住在苏州", {"主人妈退休了"}),
        ("我有个哥哥，在上海工作，今年35岁", {"主人有个哥哥"}),
        ("I have a brother, 35, a nurse in Leeds", {"主人 has a brother"}),
    ],
)
def test_what_follows_on_somebody_else_is_not_told_of_the_partner(
    text: str, told: set[str]
) -> None:
    found = {each.text for each in statements_in(text, "主人", NOON)}

    assert told <= found
    of_self = ("岁", "退休", "住", "在", "喜欢", "怕", "今年", " is")
    assert not [each for each in found if each.removeprefix("主人").startswith(of_self)]


def test_who_goes_on_about_oneself_is_understood() -> None:
    text = "我叫阿梅，今年29岁，养了两只猫，在成都做护士"
    found = {each.text for each in statements_in(text, "主人", NOON)}

    assert {"主人叫阿梅", "主人今年29岁", "主人在成都做护士"} <= found


@pytest.mark.parametrize(
    ("said", "learnt", "never"),
    [
        (
            "我们家女儿出生了！叫小满，六斤八两",
            ("主人的女儿叫小满", "主人女儿六斤八两"),
            "主人六斤",
        ),
        ("我家添了个女儿，叫小满，六斤八两", ("主人的女儿叫小满",), "主人六斤"),
        ("老婆生了个儿子，七斤，叫豆豆", ("主人的儿子叫豆豆",), "主人七斤"),
        ("女儿出生了！六斤八两，叫小满", ("主人的女儿叫小满",), "主人六斤"),
        ("我妹妹生了！叫小满，六斤八两", (), "主人六斤|小满"),
        ("我女儿上小学了。六岁", ("主人女儿六岁",), "主人六岁"),
        (
            "Our daughter was born! Her name is Mia",
            ("my friend's daughter is called Mia",),
            "^Her",
        ),
    ],
)
def test_what_is_told_behind_a_birth_is_the_childs(
    said: str, learnt: tuple[str, ...], never: str
) -> None:
    subject = "my friend" if said.isascii() else "主人"
    told = [each.text for each in statements_in(said, subject, NOON)]

    assert set(learnt) <= set(told)
    assert not any(re.search(never, each) for each in told)


@pytest.mark.parametrize(
    "said",
    [
        "奴才今年三十岁，住在紫禁城",
        "朕住在紫禁城，今年三十岁",
        "本宫今年二十，喜欢吃荔枝",
        "老夫今年八十，家住终南山",
        "Arr, I'm Captain Redbeard and I live on the Black Pearl",
    ],
)
def test_who_speaks_of_themselves_as_in_other_times_plays(said: str) -> None:
    assert statements_in(said, "my friend" if said.isascii() else "主人", NOON) == []


def test_an_old_couple_plays_nothing() -> None:
    assert statements_in("老夫老妻了，我今年六十岁", "主人", NOON)


OF_SOMEBODY_ELSE = (
    "我请了个新帮工，叫何姐，五十岁，自贡人",
    "老吴叫吴德全，四十五岁，老婆前年走了",
    "小宇开学了，读三年级",
    "承翰要換工作了，從輝達跳到特斯拉",
    "怡君生了，女兒，三千一百公克，小名叫小米",
    "我们公司来了个新同事，叫林晓，二十八岁，四川人",
    "我认识了个网友，叫阿杰，在深圳做程序员",
    "我請咗個工人姐姐，叫Maria，四十岁，菲律宾人",
    "隔壁王婶六十八了，有糖尿病，儿子在国外",
    "老张住院了，得了肺癌",
    "小王三十二，在华为上班，年薪五十万",
    "给我看病的是李医生，女的，四十岁",
    "网友小何，贵州人，在东莞打工",
    "雅婷懷孕了，預產期五月",
)


@pytest.mark.parametrize("said", OF_SOMEBODY_ELSE)
def test_what_goes_on_about_somebody_brought_in_is_not_the_partners(said: str) -> None:
    assert statements_in(said, "主人", NOON) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("女婿叫柏翰，在中科上班", {"主人女婿在中科上班"}),
        ("我养了一只柴犬，叫阿福，十三岁了", {"主人养了一只柴犬，叫阿福"}),
        ("我前夫叫陈建国，开出租的", {"主人前夫叫陈建国，开出租的"}),
        ("我叫阿梅，养了只狗，叫旺财，在成都做护士", {"主人叫阿梅", "主人养了只狗，叫旺财"}),
        ("我教的学生叫陈浩，十二岁，左撇子", {"主人教的学生叫陈浩"}),
        ("我姐在北京，老公是医生", {"主人姐在北京"}),
        ("房东涨价，搬走了", {"主人搬走了"}),
        ("我换了个工作，在银行上班", {"主人换了个工作", "主人在银行上班"}),
        ("我女儿三岁，儿子五岁", {"主人女儿三岁", "主人儿子五岁"}),
    ],
)
def test_what_is_plainly_somebodys_is_kept_as_theirs(said: str, told: set[str]) -> None:
    assert {each.text for each in statements_in(said, "主人", NOON)} == told


@pytest.mark.parametrize(
    "said",
    [
        *("我叫小兰去买菜", "我叫外卖去了", "我叫妈妈来", "我叫王师傅来修水管", "我叫苦连天"),
        *("我叫阿明去買嘢", "我叫救护车了", "医生叫我多喝水", "老板喊我明天加班", "I'm Irish"),
        *("I'm tired", "I'm Fine", "I'm Back", "I'm Tom's dad"),
    ],
)
def test_who_is_sent_for_or_how_one_is_is_no_name(said: str) -> None:
    assert not [x for x in statements_in(said, "主人", NOON) if x.slot in {"name", "nickname"}]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我女儿今年八岁……哦不对，我没女儿，打错了，是儿子", set()),
        ("我今年四十一岁，说错了，四十二岁", {"主人今年四十二岁"}),
        ("我住在北京。不对，我住在上海", {"主人住在上海"}),
        ("我妹妹在广州当会计，呃不对，是深圳", {"主人妹妹在深圳当会计"}),
        ("我妈今年五十六，打错了是五十七", {"主人妈今年五十七"}),
        ("我妈今年五十六岁，不对是五十七岁", {"主人妈今年五十七岁"}),
        ("我今年56，打错了应该是57", {"主人今年57"}),
        ("My mum is 56, I meant 57", {"my friend's mum is 57"}),
        ("I live in Leeds, no wait, Bristol", {"my friend lives in Bristol"}),
        ("My brother lives in Cork. sorry, I meant my cousin", set()),
    ],
)
def test_what_a_message_takes_back_itself_is_not_kept(said: str, told: set[str]) -> None:
    subject = "my friend" if said.isascii() else "主人"
    assert {each.text for each in statements_in(said, subject, NOON)} == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我叫李明，写错了是常事", "主人叫李明"),
        ("我今年五十，打错了是一件小事", "主人今年五十"),
        ("我今年五十，不对是我的错", "主人今年五十"),
    ],
)
def test_who_says_what_a_slip_is_takes_nothing_back(said: str, told: str) -> None:
    assert told in {each.text for each in statements_in(said, "主人", NOON)}


@pytest.mark.parametrize(
    ("said", "learnt"),
    [
        ("吉他课改到周日了", ["主人：吉他课改到周日了"]),
        ("我最爱弹吉他", ["主人最爱弹吉他"]),
        ("我叫阿梅，今年29岁，喜欢弹吉他", ["主人叫阿梅", "主人今年29岁", "主人喜欢弹吉他"]),
        ("他课改到周日了", []),
    ],
)
def test_a_guitar_is_nobody(said: str, learnt: list[str]) -> None:
    assert taught(said, "主人") == learnt


@pytest.mark.parametrize(
    ("caption", "learnt"),
    [
        ("儿子第一次踢球", ["主人儿子第一次踢球"]),
        ("女儿第一次走路！", ["主人女儿第一次走路"]),
        ("我们家新来的小狗", ["主人：我们家新来的小狗"]),
        ("我家新来的猫，叫团子", ["主人家新来的猫，叫团子"]),
        ("our new puppy", ["主人: our new puppy"]),
        ("my son's first football match", ["主人's son's first football match"]),
        # What is another's, asked, or only of the moment.
        ("邻居家新来的小狗", []),
        ("他儿子第一次踢球", []),
        ("儿子第一次骂我", []),
        ("我们家新来的小狗好可爱吧？", []),
        ("新来的小狗", []),
        ("今天的晚饭", []),
        ("my neighbour's new puppy", []),
        ("their new puppy", []),
    ],
)
def test_a_caption_teaches_whom_or_what_it_shows_of_ones_own(
    caption: str, learnt: list[str]
) -> None:
    assert taught(caption, "主人") == learnt
