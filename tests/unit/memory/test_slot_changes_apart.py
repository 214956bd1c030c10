"""A change in one matter leaves every other as it was: nobody loses a name with a telephone."""

import pytest

from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims

HELD_ZH = (
    "我叫李小满",
    "我今年三十四岁",
    "我生日是九月十八",
    "我住在成都",
    "我在比亚迪上班",
    "我在武汉大学读研究生",
    "我老婆叫慧慧",
    "我对花生过敏",
    "我喜欢肥肠粉",
)

HELD_EN = (
    "my name is Moira",
    "I'm 34 years old",
    "my birthday is March 9",
    "I live in Leeds",
    "I work at Tesco",
    "I'm studying biology at York",
    "my husband is called Gareth",
    "I have asthma",
    "I love karaoke",
)


def ended_by(told: str, held: tuple[str, ...]) -> list[str]:
    return [
        text
        for text in held
        if any(
            is_ended_by(old, new, text) for old in slot_claims(text) for new in slot_claims(told)
        )
    ]


@pytest.mark.parametrize(
    "told",
    [
        "我换手机了",
        "我换发型了",
        "我改主意了",
        "现在改坐地铁了",
        "换了新电脑",
        "刚开完会",
        "我现在能跑五公里",
        "我现在爱上跑步了",
        "牙医改到下周三了",
        "我开始吃肉了",
    ],
)
def test_a_change_of_one_thing_ends_nothing_else_in_chinese(told: str) -> None:
    assert ended_by(told, HELD_ZH) == []


@pytest.mark.parametrize(
    "told",
    [
        "I switched to a Pixel",
        "my interview is moved from Wed to Fri, same time",
        "the pixel went in the drawer",
        "my sister had the twins this morning",
        "cancelled my membership",
        "I eat meat again",
        "sold the van",
        "I cycle to work now",
    ],
)
def test_a_change_of_one_thing_ends_nothing_else_in_english(told: str) -> None:
    assert ended_by(told, HELD_EN) == []


@pytest.mark.parametrize(
    ("told", "over"),
    [
        ("我改名叫李大满了", "我叫李小满"),
        ("我搬到上海了", "我住在成都"),
        ("I've moved to Hull", "I live in Leeds"),
        ("I quit Tesco", "I work at Tesco"),
    ],
)
def test_a_change_ends_what_it_is_about(told: str, over: str) -> None:
    assert ended_by(told, HELD_EN if told.isascii() else HELD_ZH) == [over]


@pytest.mark.parametrize(
    ("held", "told", "ends"),
    [
        # Whoever leaves a hospital still has what they have for life.
        ("我有糖尿病", "终于出院啦", False),
        ("I have diabetes", "out of hospital, all clear", False),
        ("我对花生过敏", "感冒好了", False),
        ("我有糖尿病", "医生说糖尿病是误诊", True),
        ("我摔断了腿，打着石膏", "石膏拆了", True),
        # To hate no longer is to dislike no longer.
        ("我讨厌香菜", "我现在不讨厌香菜了", True),
        ("我怕狗", "现在不怕狗了", True),
        ("I hate olives", "I don't hate olives anymore", True),
        # A relative has one of these at a time, by whatever word they are called.
        ("我妈对花生过敏", "我妈妈现在对花生不过敏了", True),
        ("我儿子上二年级", "我儿子升三年级啦", True),
        ("我女儿上二年级", "我儿子升三年级啦", False),
        # A measure is what it is now.
        ("我体重一百八", "减到一百五了", True),
        ("我上白班", "调夜班了", True),
        ("i'm on days", "they've put me on nights", True),
        ("i weigh 15 stone", "down to 13 stone now", True),
        ("我养了只兔子叫豆包", "豆包走丢了 又找回来了", False),
        ("we have a dog called Spud", "Spud ran off but we found him", False),
        ("我上夜班", "明天替同事顶个白班", False),
        ("rent's 600 a month", "landlord put the rent up to 700", True),
    ],
)
def test_what_ends_and_what_stays(held: str, told: str, *, ends: bool) -> None:
    assert bool(ended_by(told, (held,))) is ends


PASTIMES_EN = (
    "I run 5k every morning",
    "I run along the river on Sundays",
    "I run marathons",
    "I teach calligraphy at the community centre on weekends",
    "I coach the under-nines on Saturdays",
    "I run a book club on Thursdays",
    "I serve at the soup kitchen on Sundays",
    "I cook for my gran every Sunday",
    "I do the crossword at breakfast",
    "I bake bread every weekend",
    "I volunteer at the dog shelter",
    "I am in a band called Rust",
)
HAPPENED_EN = (
    "my bike was stolen outside the office",
    "I broke my phone at work",
    "I met my wife at work",
    "my car got towed from the car park at work",
    "I fell off a ladder at work",
    "I left my watch at the office",
    "I lost my ring at work",
    "I moved to Scotland when I was six",
    "I promised Jean I'd water her plants",
)
PASTIMES_ZH = (
    "我每天早上跑五公里",
    "我周末在社区教书法",
    "我周六在养老院做志愿者",
    "我在流浪猫救助站做义工",
    "我在乐队弹贝斯",
    "我周三晚上在少年宫学画画",
    "我周末在球场当裁判",
    "我每周二带读书会",
    "我在河边遛狗",
    "我在存钱去日本",
    "我加入了读书会",
    "我是篮球队队长",
)
HAPPENED_ZH = (
    "我那辆蓝色的折叠车在地铁口被偷了",
    "我的手表丢在单位了",
    "我的伞落在公交车上了",
    "我在单位摔了一跤",
    "我的相机在朋友店里弄坏了",
    "我在二手店淘了把吉他",
    "我在派出所补办了身份证",
    "我在医院出生的",
)
LIVES_EN = (
    "i quit the bank and started at a flower shop",
    "I quit my job",
    "I got a new job at a bakery",
    "I've been made redundant",
    "I retired",
    "I work at a nursery now",
    "I'm a nurse now",
    "I moved to Hull",
    "I live in Leith now",
    "I graduated",
    "I sold the car",
    "I got a new phone",
)
LIVES_ZH = (
    "我辞职了",
    "我换工作了，现在在花店上班",
    "我跳槽去银行了",
    "我被裁了",
    "我退休了",
    "我现在在一家幼儿园上班",
    "我当护士了",
    "我搬到昆明了",
    "我搬家了",
    "我毕业了",
    "我把车卖了",
    "我换了个手机",
)


@pytest.mark.parametrize(
    ("news", "held"),
    [(LIVES_EN, PASTIMES_EN + HAPPENED_EN), (LIVES_ZH, PASTIMES_ZH + HAPPENED_ZH)],
)
def test_a_new_life_ends_no_pastime_and_nothing_that_happened(
    news: tuple[str, ...], held: tuple[str, ...]
) -> None:
    assert {told: over for told in news if (over := ended_by(told, held))} == {}


@pytest.mark.parametrize(
    ("news", "held"),
    [
        (
            PASTIMES_EN + HAPPENED_EN[:6],
            (
                *HELD_EN,
                "I'm a nurse at the Royal",
                "I drive a Fiesta",
                "I teach maths at Park Road",
            ),
        ),
        (
            PASTIMES_ZH + HAPPENED_ZH,
            (*HELD_ZH, "我是护士", "我开一辆大众", "我在中学教数学", "我在一家面包店上班"),
        ),
    ],
)
def test_a_pastime_and_what_happened_end_nothing(
    news: tuple[str, ...], held: tuple[str, ...]
) -> None:
    assert {told: over for told in news if (over := ended_by(told, held))} == {}


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I work at the pub on Saturdays", "I quit the pub"),
        ("I work weekends at a garage", "I quit my job"),
        ("I teach maths at Park Road", "I got a new job at a bakery"),
        ("I run a bakery", "I retired"),
        ("I work in a bank", "I started at the bakery on Monday"),
        ("I drive a bus", "I'm a nurse now"),
        ("I run a book club on Thursdays", "I gave up the book club"),
        ("I teach calligraphy at the community centre on weekends", "I quit teaching calligraphy"),
        ("I drive a Fiesta", "I sold the car"),
        ("我周末在便利店打工", "我辞职了"),
        ("我在中学教数学", "我辞职了"),
        ("我每天在学校门口卖煎饼", "我现在在一家幼儿园上班"),
        ("我在比亚迪上班", "我周一入职了一家银行"),
        ("我周末在社区教书法", "书法不教了"),
        ("我在乐队弹贝斯", "乐队我不去了"),
        ("我在诊所当助理", "我换工作了，现在在花店上班"),
        ("I run 5k every morning", "I've given up running"),
        ("I run 5k every morning", "I swim instead of running now"),
        ("我每天早上跑五公里", "我不跑步了"),
        ("我每天跑步", "我改游泳了"),
        ("我开一辆大众", "我把车卖了"),
        ("我骑一辆红色摩托", "摩托被偷了"),
    ],
)
def test_what_is_named_or_of_one_kind_still_ends(held: str, told: str) -> None:
    assert ended_by(told, (held,)) == [held]


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("I run 5k every morning", "I joined a running club"),
        ("I run 5k every morning", "I took up boxing"),
        ("I swim every morning", "I gave up running"),
        ("I swim every morning", "I can't run any more"),
        ("我每天跑步", "我开始游泳了"),
        ("我每天游泳", "我跑不动了"),
        ("我每天打羽毛球", "我迷上攀岩了"),
    ],
)
def test_a_new_sport_and_another_one_given_up_end_no_sport(held: str, told: str) -> None:
    assert ended_by(told, (held,)) == []


@pytest.mark.parametrize(
    ("held", "told", "ends"),
    [
        ("my favourite team is Partick Thistle", "I don't support Partick Thistle any more", True),
        ("My favorite company is Lush", "I've gone off Lush", True),
        ("my favourite teacher is Mr Hill", "I don't like Mr Hill any more", True),
        ("我最喜欢的球队是申花", "我不支持申花了", True),
        # Another team, another's team, and another who is one's favourite.
        ("my favourite team is Hibs", "I don't support Hearts any more", False),
        ("my brother's favourite team is Hibs", "I don't support Hibs any more", False),
        ("his favourite team is Hibs", "I don't support Hibs any more", False),
        ("I live in Leeds", "my favourite uncle moved to Hull", False),
        ("我弟最喜欢的球队是申花", "我不支持申花了", False),
    ],
)
def test_a_favourite_team_is_the_liking_of_who_has_it(held: str, told: str, *, ends: bool) -> None:
    assert bool(ended_by(told, (held,))) is ends


JOBS_ZH = (
    "我在泉州一家冰箱厂做质检",
    "我在泉州上班",
    "我是泉州一家医院的护士",
    "我在泉州中学教数学",
)
JOBS_EN = (
    "I work as an inspector at a fridge factory in Leeds",
    "I work in Leeds",
    "I'm a nurse at the Royal in Leeds",
    "I study law in Leeds",
)
MOVES_ZH = (
    "搬家啦，我现在住晋江了，不在泉州了",
    "我不在泉州了",
    "离开泉州了，以后住晋江",
    "不住泉州了，搬晋江了",
    "我现在住晋江，泉州不住了",
)
MOVES_EN = (
    "I moved, I live in York now, not in Leeds any more",
    "I've left Leeds, I'm in York now",
    "I no longer live in Leeds",
    "I'm not in Leeds any more",
    "done with Leeds, moved to York",
)


@pytest.mark.parametrize(
    ("moves", "home", "jobs"),
    [(MOVES_ZH, "我住泉州", JOBS_ZH), (MOVES_EN, "I live in Leeds", JOBS_EN)],
)
def test_a_move_ends_the_home_and_no_job_that_is_in_the_same_town(
    moves: tuple[str, ...], home: str, jobs: tuple[str, ...]
) -> None:
    assert [ended_by(told, (home, *jobs)) for told in moves] == [[home]] * len(moves)


@pytest.mark.parametrize(
    ("told", "over"),
    [
        ("冰箱厂不干了", JOBS_ZH[0]),
        ("我辞职了", JOBS_ZH[1]),
        ("I'm not at the fridge factory any more", JOBS_EN[0]),
        ("I quit my job", JOBS_EN[1]),
        ("I've left the Royal", JOBS_EN[2]),
    ],
)
def test_what_says_outright_that_a_job_is_over_ends_it(told: str, over: str) -> None:
    assert over in ended_by(told, JOBS_EN if told.isascii() else JOBS_ZH)


@pytest.mark.parametrize(
    ("news", "held"),
    [
        (
            LIVES_EN[:8],
            (
                "remember my PIN at work locker is under the blue mat",
                "my spare glasses are in my locker at work",
                "my office key is in the blue tin",
                "the code for the bike shed at work is 4417",
            ),
        ),
        (
            LIVES_ZH[:9],
            (
                "记住我单位柜子的钥匙在蓝垫子底下",
                "我公司工牌在抽屉最下面一层",
                "我柜子密码写在单位的日历背面",
                "我单位门禁密码是4417",
            ),
        ),
    ],
)
def test_a_new_job_or_home_ends_nothing_that_lies_at_the_old_one(
    news: tuple[str, ...], held: tuple[str, ...]
) -> None:
    assert {told: over for told in news if (over := ended_by(told, held))} == {}


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("my shift is 6 to 2", "I quit my job"),
        ("it's so busy at work", "I quit my job"),
        ("my commute is an hour", "I got a new job at a bakery"),
        ("我们单位食堂很便宜", "我辞职了"),
    ],
)
def test_what_is_of_the_work_itself_may_be_over_with_it(held: str, told: str) -> None:
    assert ended_by(told, (held,)) == [held]
