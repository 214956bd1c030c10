"""What a model may write down: added nothing, turned nothing, and faithful rewordings stay."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memory.judgement.assertions import ParsedMessage, ParsedText
from memory.judgement.evidence import Evidence, Support, support_for
from memory.model import Message
from tests.sets import load_set, load_sets

KEPT_AT_LEAST = 0.9

DAY = "2026-11-22T10:30"

HER = ("her", "companion")
"""What the authors of the sets call her whose questions are answered."""


def evidence_of(example: dict[str, Any]) -> Evidence:
    """Return a talk as evidence; its lines are the partner's, hers or somebody else's."""
    chinese = example["lang"] == "zh"
    zone = ZoneInfo("Asia/Shanghai" if chinese else "Europe/London")
    at = datetime.fromisoformat(example.get("at", DAY)).replace(tzinfo=zone)
    partner = "主人" if chinese else "The partner"
    names = {"partner": partner, **dict.fromkeys(HER, "小祥")}
    talk = tuple(
        Message(
            id=str(number),
            at=at,
            speaker=names.get(line["who"], line["who"].partition(":")[2]),
            role="assistant" if line["who"] in HER else "user",
            text=line["text"],
        )
        for number, line in enumerate(example["lines"])
    )
    said = ParsedMessage.all_of([each for each in talk if each.speaker == partner], zone)
    return Evidence(
        turn_id="t", conversation="c", at=at, zone=zone, partner=partner, said=said, talk=talk
    )


def is_kept(example: dict[str, Any]) -> bool:
    found = support_for(ParsedText(example["learnt"]), evidence_of(example))
    return isinstance(found, Support)


def talked(lang: str, *lines: str) -> dict[str, Any]:
    """Return an example of a talk; a line that begins with H: is hers."""
    return {
        "lang": lang,
        "lines": [
            {"who": "her", "text": line[2:]}
            if line.startswith("H:")
            else {"who": "partner", "text": line}
            for line in lines
        ],
    }


def test_no_fabrication_of_the_set_is_kept() -> None:
    kept = [example["id"] for example in load_sets("fabrications") if is_kept(example)]

    assert kept == []


def test_nine_of_ten_faithful_rewordings_are_kept() -> None:
    examples = load_set("truth/faithful")
    lost = [example["id"] for example in examples if not is_kept(example)]

    assert 1 - len(lost) / len(examples) >= KEPT_AT_LEAST, lost


FAITHFUL = [
    ("zh", ["我爸跑船我妈开理发店"], "主人的爸爸跑船"),
    ("zh", ["我爸跑船我妈开理发店"], "主人的妈妈开理发店"),
    ("zh", ["我嫂子嫌我哥打呼噜"], "主人的嫂子嫌哥哥打呼噜"),
    ("zh", ["在外地上大学，过节特别想家"], "主人在外地上大学"),
    ("en", ["I don't drive, we're Quakers"], "The partner is a Quaker and doesn't drive"),
    ("en", ["I've been to Peru twice"], "The partner has been to Peru twice"),
    ("en", ["I went to Peru in 2019"], "The partner has been to Peru"),
    (
        "en",
        ["I've a stepbrother, he's two years older and never rings"],
        "The partner has a stepbrother who is two years older",
    ),
    ("zh", ["我在杭州做外贸，住滨江"], "主人在杭州做外贸"),
    ("zh", ["我在杭州做外贸，住滨江"], "主人住在滨江"),
    ("zh", ["下个月我要去考雅思，紧张死了"], "主人下个月要考雅思"),
    ("zh", ["我妹妹在读护理，明年毕业"], "主人的妹妹明年毕业"),
    ("zh", ["哎，昨天把手机屏摔碎了，修了六百多"], "主人昨天摔碎了手机屏，修了600多"),
    ("zh", ["我家有两只鹦鹉，一只叫可乐一只叫雪碧"], "主人家有两只鹦鹉，叫可乐和雪碧"),
    ("zh", ["我不太能喝酒，一杯就倒"], "主人不太能喝酒"),
    ("zh", ["我老公是开出租的"], "主人的丈夫是开出租的"),
    ("zh", ["我打算年底换辆电车"], "主人打算年底换电车"),
    ("zh", ["我每周二四去游泳"], "主人每周二四游泳"),
    ("zh", ["我身高一米六五，体重五十公斤"], "主人身高1米65"),
    ("zh", ["我身高一米六五，体重五十公斤"], "主人体重50公斤"),
    ("zh", ["H:你老家哪儿的？", "绵阳"], "主人的老家是绵阳"),
    ("zh", ["H:你在哪个城市工作呀？", "成都"], "主人在成都工作"),
    ("zh", ["H:你喜欢吃什么水果？", "榴莲！"], "主人喜欢吃榴莲"),
    ("zh", ["H:你养宠物吗？", "养了一只金毛"], "主人养了一只金毛"),
    ("zh", ["H:你结婚了吗？", "还没"], "主人还没结婚"),
    ("zh", ["H:你会开车吗", "会"], "主人会开车"),
    ("zh", ["H:你多大了？", "二十九"], "主人二十九岁"),
    ("zh", ["H:最喜欢的水果是什么？", "苹果"], "主人最喜欢苹果"),
    ("zh", ["我姥姥上个月走了"], "主人的姥姥上个月去世了"),
    ("zh", ["我是广东人，在北京念大学"], "主人是广东人，在北京读大学"),
    ("zh", ["我叫周子昂"], "主人的名字叫周子昂"),
    ("zh", ["如果下周不加班我就去爬山"], "如果下周不加班，主人就去爬山"),
    ("zh", ["我同事小刘养了条蛇"], "主人的同事小刘养了一条蛇"),
    ("zh", ["我爸妈都是老师"], "主人的父母都是老师"),
    ("zh", ["我女儿叫朵朵", "她今年上小学"], "朵朵今年上小学"),
    ("zh", ["我女儿叫朵朵", "她今年上小学"], "主人的女儿朵朵今年上小学"),
    ("zh", ["公司下个月搬到科技园"], "主人的公司下个月搬到科技园"),
    ("zh", ["听我妈说老家下雪了"], "主人听妈妈说老家下雪了"),
    ("zh", ["我差点被车撞了"], "主人差点被车撞"),
    ("en", ["I live in Leeds with my two cats"], "The partner has two cats"),
    ("en", ["moved to Leeds in 2019 for uni"], "The partner moved to Leeds in 2019"),
    ("en", ["my husband works nights"], "The partner's husband works nights"),
    ("en", ["I can't stand coriander"], "The partner dislikes coriander"),
    ("en", ["H:Where do you live?", "Bristol, near the harbour"], "The partner lives in Bristol"),
    ("en", ["H:Do you have any siblings?", "two brothers"], "The partner has two brothers"),
    ("en", ["H:Do you smoke?", "no"], "The partner does not smoke"),
    ("en", ["H:How old are you?", "34"], "The partner is 34 years old"),
    ("en", ["I fell off my bike and broke my collarbone"], "The partner broke a collarbone"),
    ("en", ["My boss is called Linda, she's from Texas"], "Linda is from Texas"),
    ("en", ["I'm scared of spiders"], "The partner is afraid of spiders"),
    ("en", ["My mum has Alzheimer's"], "The partner's mother has Alzheimer's"),
    ("en", ["I have a 7 year old son"], "The partner has a seven-year-old son"),
    ("en", ["we named the baby Otis"], "The baby is named Otis"),
    ("en", ["The doctor says I have low iron"], "The doctor says the partner has low iron"),
    ("en", ["I was adopted"], "The partner was adopted"),
    ("en", ["my exam got moved to the 14th"], "The partner's exam got moved to the 14th"),
    ("zh", ["刚经理来电话，复试改到周四了"], "复试改到周四了"),
    ("zh", ["房东把我赶出来了，现在住在同学家"], "主人现在住在同学家"),
    ("zh", ["要是中了签，我就去买车"], "如果中了签，主人就去买车"),
    ("zh", ["我在一家特别小的报社做校对"], "主人在报社做校对"),
    ("zh", ["H:喜欢晴天还是雨天？", "雨天"], "主人喜欢雨天"),
    ("en", ["almost dropped the cake"], "The partner almost dropped the cake"),
    ("en", ["H:Do you prefer tea or cocoa?", "cocoa"], "The partner prefers cocoa"),
    ("en", ["my uncle, poor thing, is 81 and still ploughs"], "The partner's uncle is 81"),
    ("en", ["I am not a vet, I'm a farrier."], "The partner is not a vet but a farrier"),
    (
        "en",
        ["I'm widowed, I've got a son, and I work nights"],
        "The partner has a son and works nights",
    ),
    # A date tells of the past as much as a verb, a place behind a noun is what is told of it.
    ("en", ["my nan passed away three years ago"], "The partner's grandma died three years ago"),
    ("en", ["im expecting!! due in june"], "The partner is pregnant, due in June"),
    (
        "en",
        ["me and my wife run a chippy in Hull"],
        "The partner and their wife run a chip shop in Hull",
    ),
    ("en", ["i quit smoking in june"], "The partner stopped smoking in June"),
    ("en", ["retired postman me, 30 years"], "The partner is a retired postman"),
    ("zh", ["老家河南信阳的 在佛山打工八年了"], "主人老家在河南信阳，在佛山打工八年"),
    ("zh", ["家里俩娃 小的才十个月"], "主人有两个孩子，小的十个月"),
    ("zh", ["我骑电驴上班"], "主人骑电动车上班"),
    ("zh", ["好想学韩语啊"], "主人想学韩语"),
    ("zh", ["下個月滿41歲,時間過好快"], "主人下個月滿41歲"),
]

FABRICATED = [
    ("zh", ["我爸跑船我妈开理发店"], "主人的爸爸开理发店"),
    ("zh", ["我爸在厂里看门我妈在学校做饭"], "主人的爸爸在学校做饭"),
    ("en", ["I'd give anything to live in Rome"], "The partner lives in Rome"),
    ("en", ["I would kill for a dog"], "The partner has a dog"),
    ("en", ["I dream of Peru, been no further than Dover"], "The partner has been to Peru"),
    ("en", ["We fly over Peru on the way"], "The partner lives in Peru"),
    ("zh", ["我在杭州做外贸"], "主人在杭州的阿里巴巴做外贸"),
    ("zh", ["我养了一只猫"], "主人养了一只橘猫"),
    ("zh", ["我养了三只猫"], "主人养了一只猫"),
    ("zh", ["我弟考上大学了，我请他吃饭"], "主人考上大学了"),
    ("zh", ["我讨厌加班，喜欢爬山"], "主人讨厌爬山"),
    ("zh", ["我讨厌加班，喜欢爬山"], "主人喜欢加班"),
    ("zh", ["我不抽烟也不喝酒"], "主人抽烟喝酒"),
    ("zh", ["我妈说我该结婚了"], "主人该结婚了"),
    ("zh", ["我可能要调去广州"], "主人调去广州了"),
    ("zh", ["我快三十了"], "主人三十岁"),
    ("zh", ["我以前抽烟，现在不抽了"], "主人现在抽烟"),
    ("zh", ["她老公是警察"], "主人的老公是警察"),
    ("zh", ["我们公司有人确诊了"], "主人确诊了"),
    ("zh", ["我哥去日本，我去韩国"], "主人的哥哥去韩国"),
    ("zh", ["昨天在医院陪我爸"], "主人昨天住院"),
    ("zh", ["我要是有钱就买别墅"], "主人有钱"),
    ("zh", ["除了香菜我什么都吃"], "主人什么都吃"),
    ("zh", ["H:你是不是又失恋了？", "别提了"], "主人失恋了"),
    ("zh", ["H:你喜欢猫还是狗？", "狗"], "主人喜欢猫"),
    ("zh", ["H:你有女朋友吗？", "有过"], "主人有女朋友"),
    ("zh", ["小王和小李吵架，小李辞职了"], "小王辞职了"),
    ("zh", ["我妹和我同事都住杭州，我同事怀孕了"], "主人的妹妹怀孕了"),
    ("zh", ["我假装生病请了假"], "主人生病"),
    ("zh", ["下周去重庆，明年去冰岛"], "主人下周去冰岛"),
    ("zh", ["我家楼下新开了家书店"], "主人开了家书店"),
    ("zh", ["要不我辞职吧"], "主人辞职了"),
    ("zh", ["我试着戒过烟"], "主人戒了烟"),
    ("zh", ["我去面试了"], "主人面试通过了"),
    ("en", ["I live in Leeds"], "The partner owns a house in Leeds"),
    ("en", ["I saw a dog"], "The partner has a dog"),
    ("en", ["I kissed a doctor"], "The partner is a doctor"),
    ("en", ["I lived in Rome"], "The partner lives in Rome"),
    ("en", ["I was a nurse"], "The partner is a nurse"),
    ("en", ["My brother lives in Spain and I live in France"], "The partner lives in Spain"),
    ("en", ["My brother's wife is a pilot"], "The partner's brother is a pilot"),
    ("en", ["I hate Ann. I love Bob."], "The partner hates Bob and loves Ann"),
    ("en", ["I hate my boss, I love my dog"], "The partner hates the dog"),
    ("en", ["I got a dog, I love my boss"], "The partner loves a dog"),
    ("en", ["I hate my boss"], "The partner's boss hates the partner"),
    ("en", ["I almost married Tim"], "The partner married Tim"),
    ("en", ["If I win I'll buy a boat"], "The partner will buy a boat"),
    ("en", ["My mum thinks I'm lazy"], "The partner is lazy"),
    ("en", ["I only smoke at parties"], "The partner smokes"),
    ("en", ["half my team quit"], "The partner's team quit"),
    ("en", ["I tried to quit smoking"], "The partner quit smoking"),
    ("en", ["my ex lives in Ohio"], "The partner lives in Ohio"),
    ("en", ["her birthday is in May"], "The partner's birthday is in May"),
    ("en", ["H:Are you still with Tom?", "it's complicated"], "The partner is with Tom"),
    ("en", ["H:So you moved to Kyoto?", "Osaka"], "The partner moved to Kyoto"),
    ("en", ["I have 3 cats and 2 dogs"], "The partner has 2 cats"),
    ("en", ["I moved from Boston to Austin"], "The partner moved from Austin to Boston"),
    ("en", ["got a text from Dana, she lost her job"], "The partner lost a job"),
    ("en", ["Dana and Lee came over. Lee broke a glass."], "Dana broke a glass"),
    ("en", ["I refuse to eat meat"], "The partner eats meat"),
    ("en", ["My teacher was kind"], "The partner is a teacher"),
    ("en", ["I play a doctor in a series"], "The partner is a doctor"),
    ("en", ["I would buy a Tesla but they're too dear"], "The partner bought a Tesla"),
    ("zh", ["下个月要拔智齿"], "主人下个月九号要拔智齿"),
    ("zh", ["我对门那家破产了"], "主人破产了"),
    ("zh", ["在剧本杀里我是侦探"], "主人是侦探"),
    ("zh", ["我妹妹把我骂了，哭了一晚"], "主人的妹妹被骂了"),
    ("en", ["I've a feeling I'm getting shingles"], "The partner has shingles"),
    ("en", ["passed a test the day before yesterday"], "The partner passed a test on 21 November"),
    ("en", ["im deaf in my left ear"], "The partner is deaf"),
    ("zh", ["老家河南信阳的 在佛山打工八年了"], "主人老家在佛山"),
    ("en", ["my wife nearly died three years ago"], "The partner's wife died three years ago"),
]


@pytest.mark.parametrize(("lang", "lines", "learnt"), FAITHFUL)
def test_a_faithful_rewording_is_kept(lang: str, lines: list[str], learnt: str) -> None:
    assert is_kept({**talked(lang, *lines), "learnt": learnt})


@pytest.mark.parametrize(("lang", "lines", "learnt"), FABRICATED)
def test_what_was_added_or_turned_is_refused(lang: str, lines: list[str], learnt: str) -> None:
    assert not is_kept({**talked(lang, *lines), "learnt": learnt})


def test_the_word_that_was_not_said_is_named() -> None:
    example = talked("zh", "我对花生过敏")
    found = support_for(ParsedText("主人对花生和青霉素过敏"), evidence_of(example))

    assert not isinstance(found, Support)
    assert found.word == "青霉素"
