"""What kinds of thing a question asks for, and what an answer of each kind holds."""

import re
from dataclasses import dataclass
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.tokens import plainly_written
from memory.text.word_forms import SURNAMES

_I: Final = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of question, what an answer to it holds, and by how much that counts.

    ``whole``: such an answer takes all that was said in one go, as a recipe does. ``must``: what
    lacks it is no answer, however near it comes.
    """

    asks: LatePattern
    holds: "_PlainPattern"
    worth: float = 0.35
    whole: bool = False
    must: bool = True


class _PlainPattern:
    """A pattern of simplified characters, which is looked for in traditional ones as well."""

    def __init__(self, pattern: str) -> None:
        self._pattern = LatePattern(pattern, _I)

    def search(self, text: str) -> re.Match[str] | None:
        """As :meth:`re.Pattern.search`."""
        return self._pattern.search(plainly_written(text))


def _kind(
    asks: str, holds: str, worth: float = 0.35, *, whole: bool = False, must: bool = True
) -> AnswerKind:
    return AnswerKind(LatePattern(asks, _I), _PlainPattern(holds), worth, whole, must)


_NO_PLACE: Final = "morning|afternoon|evening|night|day|week|month|year|bit|mood|end|way|past"

_NO_NAME_EN: Final = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|I|AI)\b"
)

_DIGIT: Final = "[一二三四五六七八九]"
_NUMBER: Final = r"(?:\d+|[一二两三四五六七八九十百半几]+)"

_COUNT_EN: Final = (
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty"
    r"|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|several|few|couple)"
)

_NAMED: Final = (
    r"《[^》]+》|[“\"][^”\"]{2,60}[”\"]|叫做?(?![它他她我你]|什么|啥|[，,。！])"
    r"|名叫|(?-i:(?<=[a-z,] )(?!" + _NO_NAME_EN + r")[A-Z][\w'-]+)"
    r"|[A-Za-z][A-Za-z/&'-]{2,}(?=[\u4e00-\u9fff]|[和、])|(?<=[一-鿿])[A-Za-z][A-Za-z/&'-]{2,}"
    r"|\b(?:called|named|such as|like) (?:[\"“]|(?-i:[A-Z]))"
)
"""A title, a name."""

_WHY: Final = r"为什么|为啥|怎么会|什么(?:原因|缘故|事情?)|\bwhy\b"

_FELT: Final = (
    r"疲[劳惫倦]|[很好真]累|迷茫|不开心|不高兴|难[过受]|失落|沮丧|焦虑|紧张|烦|生气|郁闷|孤独"
    r"|\b(?:tired|exhausted|sad|upset|unhappy|nervous|anxious|down|lonely|angry|lost|depressed"
    r"|stressed|worried)\b"
)

# The most particular first.
KINDS: Final = (
    # What it was about, not that there was something.
    _kind(
        r"关于什么|什么(?:开心|烦恼|麻烦|问题|困难|烦心|好|难)?的?(?:事|问题|麻烦"
        r"|困难)|是什么问题|因为什么"
        r"|what (?:was|were) (?:it|they|that) about|what was the (?:problem|matter|issue)|caused"
        r"|what trouble"
        r"|specific problems?|encountered something",
        r"^(?!.*(?:(?:一[个些点次]|遇到了?|几个|有些).{0,10}(?:问题|麻烦|困难|事|烦恼)"
        r"|\b(?:a|some|an|any|something) (?:[\w-]+ )?(?:problems?|issues?|troubles?|questions?"
        r"|happy|things?)\b"
        r"|\b(?:some|happy|emotional) (?:[\w-]+ )?(?:problems?|issues?|things)\b)).{10,}",
        0.5,
    ),
    _kind(
        r"多久.{0,6}[一几][次回趟]|多长时间.{0,6}一[次回趟]"
        r"|[周天月年](?:.{0,4})几[次回趟]|\bhow often\b",
        rf"每|天天|经常|{_NUMBER}[次回趟]|\b(?:every|each|once|twice|{_COUNT_EN} times|daily"
        r"|weekly|monthly|often|usually|always|rarely|never)\b",
        0.5,
    ),
    _kind(
        r"多久|多长时间|(?:几|多少)个?(?:小时|分钟|天|周|月|年)|how long",
        rf"{_NUMBER}个?(?:多|半)?(?:秒|分钟|刻钟|小时|天|周|星期|礼拜|月|年)"
        rf"|\b(?:an?|{_COUNT_EN})(?: and a half)?[ -](?:seconds?|minutes?|hours?|days?|weeks?"
        rf"|months?|years?)\b",
        0.5,
    ),
    _kind(
        r"多少钱|什么价|价格|how much (?:did|does|do|is|was|were|are|money|rent)\b|\bprice of\b"
        r"|what (?:did|does|do|is|was) .*\bcost\b",
        r"(?:\d|[一二两三四五六七八九十百千万])(?:[多几]?[元块万千百]|美[元金]|欧元|英镑)|免费"
        r"|[$£€¥￥] ?\d|\b\d[\d,.]*k? ?(?:dollars?|pounds?|euros?|yuan|bucks|quid|rmb)\b|\bfree\b"
        r"|\b\d{1,3},\d{3}\b|\b(?:paid|pays?|costs?|was|for|got|earn)\b[^,.]{0,12} \d",
        0.5,
    ),
    _kind(
        r"几岁|多大(?:年纪|了)?$|年[纪龄]|how old|s['’]? age\b",
        rf"{_NUMBER}岁|(?:今年|[爸妈爷奶公婆哥姐弟妹儿女子])(?:[二三四五六七八九]?十{_DIGIT}?|\d{{1,2}})了?"
        r"(?=$|[，,。！ ])"
        rf"|\b\d+ ?(?:years? old|yo)\b|\b(?:turn(?:ed|ing)?|am|is|'m"
        rf"|'s|aged?) (?:only |just |nearly |almost |about )?{_COUNT_EN}"
        r"(?=$|[^\w\s%]| (?:now|already|today|in|next|on|this|and|but|years?)\b)",
        0.6,
    ),
    _kind(
        r"(?<!周)(?<!星期)(?<!礼拜)几(?!乎|天前|.*哪些)[个位只条人次本件]?|多少|how (?:many|much)",
        rf"{_NUMBER}(?:来|多)?[个位只条人名次本件块元年度分斤千百万]|\d+(?!\d*[月号日岁])|\b{_COUNT_EN}\b",
        0.35,
    ),
    _kind(
        r"做法|怎么[做弄煮烧炒]|如何[做制]|recipe|how .*\b(?:make|cook|made|cooked)\b",
        r"(?:先|再|然后|最后|放|加|切|腌|煎|炸|炒|蒸|淋).*[，,]"
        r"|\b(?:first|then|fry|fried|stir|add(?:ed)?|mix(?:ed)?|marinat\w+|steam\w*|cut"
        r"|pour\w*)\b.*,",
        0.5,
        whole=True,
        must=False,
    ),
    _kind(
        r"(?:内容|讲(?:了|的是|述)|主题|关于).{0,6}(?:什么|啥|是|[?？])|讲了什么"
        r"|what (?:is|was|does|did) it(?:s)? (?:about|content|talk)|content|plot|talk about\?",
        r"讲述|讲的是|关于|主题是|描[写述绘]|包含|故事"
        r"|\b(?:is about|tells|story|describes?|theme (?:is|of)|plot|explor\w+)\b",
        0.45,
        must=False,
    ),
    _kind(
        r"做什么(?:的|工作)?[？?]?$|干(?:什么|啥)的|什么工作|职业|\bwhat do(?:es)? (?:i|my \w+"
        r"|he|she|they|(?-i:[A-Z]\w+)) do(?: for a living)?\W*$"
        r"|\bmy (?:\w+['’]s )?job\b"
        r"|在哪(?:里|儿|家公司)?(?:工作|上班)|\bwhere (?:do|does|did) (?:my )?\w+ work\b",
        r"在.{2,12}(?:做|工作(?![上的])|上班)|是一?[名个]?.{0,6}[师生员工警士匠农医兵]|是一?[名位]|[做当].{0,6}[师生员工士匠兵]"
        r"|[做干].{1,6}的$"
        r"|从事|[开管跑].{0,4}(?:店|车|长途|滴滴)|退休"
        r"|\bwork(?:s|ed|ing)? (?:as|at|in|for|on)\b|\bretired\b"
        r"|\bjob (?:as|at|in|is)\b|\b(?:as|is|am|was)(?: now)? an? |'[ms] an? ",
        0.4,
    ),
    _kind(
        r"[在想]?住(?:在|的)?哪|住(?:在|的)什么地方"
        r"|\bwhere (?:do|did|am|was|are|were|will|does|is) (?:\w+ )?\w+ (?:live|living|stay"
        r"|staying)\b|\b(?:what|which) \w+ (?:do|does|did) (?:\w+ )?\w+ live\b|住哪|住在?哪个",
        r"住(?!院)|搬[到去来进]|家[在住]|租"
        r"|\b(?:live[sd]?|living|moved|stay(?:s|ed|ing)?|rent(?:s|ed|ing)?|based)\b",
        0.5,
    ),
    _kind(
        r"哪里?的?人|哪儿人|什么地方的?人|老家|\bwhere (?:am|are|is) \w+ from\b|hometown",
        r"[一-鿿]{2,4}人(?![一-鿿])|老家|出生在|来自|\bfrom (?-i:[A-Z])|\bborn in\b|hometown",
        0.6,
    ),
    _kind(
        r"[和跟同与]谁|谁(?:陪|一起)|\bwho(?:m)? .*\bwith\W*$|\bwith whom\b",
        r"[和跟同与陪][一-鿿]{1,8}|一起|\b(?:with|together|and (?:i|me)|joined)\b",
        0.4,
    ),
    _kind(
        # A feeling is no reason for the feeling that is asked about.
        rf"(?:{_WHY}).*(?:{_FELT})|(?:{_FELT}).*(?:{_WHY})",
        r"因为|由于|所以|导致|害得?|让我|[被把]|压力|忙|没[^想]|睡眠|不能|准备|老板|同事|吵|分手"
        r"|\b(?:because|since|due to|so that|made me|makes me|busy|lack\w*|stress\w*|work|boss"
        r"|lost|can['’]?t|cannot|unable|not able|prepar\w+|friend|has been|gave|broke|failed)\b",
        0.45,
    ),
    _kind(
        r"为什么|为啥|为何(?!种)|怎么会|什么(?:原因|缘故)|因为(?:什么|啥)|\bwhy\b|caused?"
        r"|what (?:made|makes)",
        r"因为|由于|所以|压力|有[点些]|感[到觉]|担心|难|疲|累|问题|搬|烦|怕|不同意|不让|[太很]"
        r"|\b(?:can['’]?t|cannot|couldn['’]?t|won['’]?t|too)\b"
        r"|\b(?:because|since|so|due|feel(?:ing)?|felt|stress\w*|issues?|problems?|exhaust\w*"
        r"|tired|worr\w+"
        r"|moving|difficult\w*|anxious|upset)\b",
        0.4,
    ),
    _kind(
        r"心情|情绪|感觉(?:怎么样|如何)|how (?:am|was|were|did) i feel|\bmood\b",
        r"心情|情绪|郁闷|难过|开心|高兴|焦虑|压抑|沮丧|烦|累"
        r"|\b(?:feel(?:ing)?|felt|down|anxious|happy|sad|upset|glad|tired|disappointed)\b",
        0.45,
    ),
    _kind(
        r"(?<!方法)(?:怎么样|咋样|感觉如何)[了呀啊呢]*[?？]?$"
        r"|\bhow (?:is|was|were|are) (?!i\b|you\b)|\bwhat (?:is|was|are|were) [^?]+ like\W*$",
        r"[很挺太好非最].{0,4}[一-鿿]|有[点些]|感[到觉]|觉得|苛刻|[不没][错顺行好]|顺利|增加"
        r"|减少|改善"
        r"|\b(?:very|really|so|too|pretty|quite|fantastic|great|good|well|bad|terrible|awful"
        r"|nice|fun"
        r"|boring|amazing|beautiful|delicious|think|felt?|better|worse|hard|easy|rich|love)\b",
        0.45,
    ),
    _kind(
        r"姓(?:什么|啥)|全名|\bsurname\b|\blast name\b",
        r"姓[一-鿿]|叫|[一-鿿](?:医[生师]|大夫|老师|师傅|教练|经理|姐|叔|阿姨|太太|先生)"
        rf"|(?<![一-鿿])[{SURNAMES}][一-鿿]{{1,2}}(?=[，,]|$)|\b(?-i:[A-Z][a-z]+)",
        0.4,
    ),
    _kind(
        r"名字|叫(?:什么|啥)|哪[一两几]?[部本首款档](?!分)|(?:什么|哪些)(?:书|电影|歌|小说|游戏"
        r"|节目|乐队)|书目"
        r"|\b(?:what|which)(?:(?: \w+){0,2} )(?:movies?|films?|books?|novels?|songs?|games?"
        r"|apps?|shows?)\b"
        r"(?! series about| (?:genre|type|kind|style)s?\b)|\bnames?\b|\bare my .* called\b",
        _NAMED,
        0.4,
    ),
    _kind(
        r"(?:名字|叫什么|哪一?[部本首款档]|哪些[书电影歌小说]|哪[两几][部本首]|书目|传记|乐队"
        r"|节目|电影"
        r"|小说|书籍?|游戏|app)"
        r"|\b(?:name|movies?|films?|books?|novels?|songs?|games?|apps?|shows?|programs?"
        r"|biograph\w+)\b",
        _NAMED,
        0.4,
        must=False,
    ),
    _kind(
        r"建议|方法|方式|技巧|办法|意见|推荐|给.{0,4}(?:分享|介绍)|advice|suggest|methods?"
        r"|\bways?\b|tips?"
        r"|techniques?|recommend",
        r"可以|建议|推荐|试试|尝试|不妨|比如|例如|首先|、.*、"
        r"|\b(?:you (?:can|could|may|should)|suggest|recommend|try|such as|for example|like"
        r"|including)\b",
        0.35,
        must=False,
    ),
    _kind(
        r"谁|哪位|\bwho(?:se|m)?\b",
        r"[他她]|(?<![一-鿿])[老小阿](?![板师家是说时心])[一-鿿]|[一-鿿](?:太太|先生|姐|叔|姨)|朋友|家里?人|邻居|顾客|客户|同[事学]|老师|教练|女孩|男孩|妈|爸|姐|哥|弟|妹|叔|姨|叫|的(?:演唱会|生日)"
        r"|主任|经理|[一-鿿]总|医生|大夫|师傅|教授|护士|老板|院长|校长|\d床"
        r"|(?-i:^(?!I\b|My\b|The\b|It\b|We\b|A\b)[A-Z][a-z]+ [a-z])"
        r"|\b(?:he|she|famil(?:y|ies)|neighbou?r|friend|girl|boy|man|woman|mother|father|sister|brother|teacher|stranger"
        r"|called"
        r"|named)\b|'s\b|(?-i:(?<=[a-z,] )(?<!\bto )(?<!\bin )(?<!\bat )(?<!\bfrom )"
        r"(?<!\bon )[A-Z][a-z]+)",
        0.3,
    ),
    _kind(
        r"哪个?(?:国家?|城市|地方|城|省|海滨)|城市|which (?:country|city|place|seaside)"
        r"|\bwhere d\w+ (?:I|we|you) (?:go|travel|visit|fly)|\bcity\b",
        r"(?:[去到回在往飞]|城市)(?!了|过|一些|哪)[\u4e00-\u9fff]{2,5}(?:玩|旅|游|度"
        r"|看看|出差|，|。|？)"
        r"|\b(?:to|in|visit|at|near) (?:the )?(?-i:[A-Z])|\b(?-i:[A-Z][a-z]+), (?:a|the) ",
        0.4,
    ),
    _kind(
        r"哪[些种]?.{0,4}类型|什么(?:样的|类型)|哪些菜系"
        r"|\bwhat (?:\w+ )?(?:type|kind|genre|style)s?\b",
        r"尤其|特别是|喜欢|主要|更?偏|类型|叫|[一-鿿]{2}(?<![方形正仪公模])[型式]|《[^》]+》"
        r"|[“‘「][^”’」]{2,20}[”’」]"
        r"|\b(?:especially|prefer|mainly|like|love|favou?rite|genres?|mostly|called|named)\b",
        0.3,
        must=False,
    ),
    _kind(
        r"颜色|colou?r",
        r"[红橙黄绿青蓝紫黑白灰粉棕金银]色?"
        r"|\b(?:red|orange|yellow|green|blue|purple|black|white|gr[ea]y|pink|brown|golden?"
        r"|silver)\b",
        0.5,
    ),
    _kind(
        r"天气|weather",
        r"天气|下.{0,4}[雨雪]|晴|阴|热|冷|\b(?:weather|rain\w*|snow\w*|sunny|hot|cold"
        r"|warm|gloomy)\b",
        0.35,
    ),
    _kind(
        r"不(?:太|怎么)?(?:喜欢|爱|吃|喝|能吃|想)|讨厌|最烦"
        r"|\b(?:dislike|hate|can't stand|don't i (?:like|eat|want))\b"
        r"|\bdo i not\b",
        r"不|没|讨厌|烦|忌|过敏|\b(?:not|no|never|hate|dislike|can't stand|allergic"
        r"|avoid)\b|n't\b",
        0.4,
    ),
    _kind(
        r"喜欢|最爱|爱好|爱[吃喝听看玩]|(?<!am i )(?<!it )\b(?:like|love|enjoy|favou?rite|prefer"
        r"|hobb\w+)\b",
        r"喜欢|最爱|热爱|爱[吃喝听看玩]|兴趣|\b(?:likes?|loves?|enjoy(?:s|ed)?|favou?rites?"
        r"|prefers?"
        r"|hobb\w+|fan)\b",
        0.35,
        must=False,
    ),
    _kind(
        r"哪[里儿]|[在住放去]哪(?![个家所座条间项些])|什么地方|\bwhere\b"
        r"|which (?:country|city|place)|what places?",
        r"(?:[去到住]|在(?!一起|.{0,4}(?:时候|之前|之后))).{1,14}"
        r"|\b(?:in|to|at|near|from|visit) (?:the )?(?:(?-i:[A-Z])|beaches|mountains)"
        rf"|\b(?:in|at|on|under|behind|beside|near) (?:the|my|our|a) (?!{_NO_PLACE})[a-z]"
        r"|\b(?:went|go|going|been|visit(?:ed)?|travel\w*|mov(?:ed|ing)) "
        r"(?:to )?(?:an?|the|my) [a-z]",
        0.3,
    ),
    _kind(
        # 我做了什么菜 is not answered by what one likes to cook.
        r"我们?[^，,。]{0,6}[做看吃买听读学画写煮炒]了(?:什么|啥|哪|几)"
        r"|\bwhat (?:\w+ ){0,2}did (?:i|we) (?:cook|make|eat|buy|see|watch|read|draw"
        r"|write|learn)\b",
        r"了|过|[昨今]|刚|\b(?:today|yesterday|just|tried|made|cooked|went|saw|bought|ate|read"
        r"|watched|learn(?:ed|t)|finished|\w+ed)\b",
        0.3,
    ),
    _kind(
        r"哪些|哪几|\bwhich (?:ones?|were)|\bwhat (?:\w+ )?\w+s (?:did|do|have|has|were)\b",
        r"、.*[、和及或]|[》”][、和及]|像|比如|例如|\bsuch as\b|\w,? and \w|\", ",
        0.3,
    ),
    _kind(
        r"什么时候|哪一?[天年月]|几[月号点]|(?:周|星期|礼拜)几|何时|日期"
        r"|\b(?:when|what (?:day|date|time))\b",
        rf"{_NUMBER}[月号日点年]|周[一二三四五六日天末]|星期|礼拜|[今明昨后前]天|上个?月|下个?月"
        r"|\b(?:on|in|at|last|next|yesterday|today|tomorrow|tonight)\b"
        r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d+(?:st|nd|rd|th|[ap]m)\b"
        r"|\b(?:jan|feb|march|april|may|june|july|aug|sept?|oct|nov|dec)[a-z]* \d",
        0.2,
        # The day it was told on is told with it.
        must=False,
    ),
)


def asks_of_former_times(asked: str) -> bool:
    """Whether a question is about what was so before."""
    return _ASKS_FORMER.search(asked) is not None


_ASKS_FORMER: Final = LatePattern(
    r"以前|之前|从前|原来|前[男女]?(?:朋?友|任|夫|妻|对象)|\bex\b|used? to\b|\bdid i\b"
    r"|formerly|before|(?<!how )\bold\b",
    _I,
)


def asks_if_together(asked: str) -> bool:
    """Whether a question about a partner is whether there is one: "do i have a wife"."""
    return _WHO_OR_ALONE.search(asked) is None


_WHO_OR_ALONE: Final = LatePattern(
    r"单身|脱单|离婚|分手|谁|叫什么|\b(?:single|divorced|split|who)\b", _I
)


WHEN_IT_WAS: Final = LatePattern(
    r"(?:[什啥]么?时候|何时|哪[天年]|几月|几号)[^，,]{1,12}的|生日.{0,4}[几哪何什啥]"
    r"|\bwhen did\b|\bwhen(?:['’]s| is) [^,]*\bbirthday\b",
    _I,
)
"""When something happened, and when somebody was born, stays true whatever comes after."""


ASKS_HOME: Final = (
    r"我(?!.{0,3}[的爸妈爷奶哥姐弟妹儿女朋友]).{0,6}住|我(?:现在|目前)?在(?:哪个?|什么)城市"
    r"|我.{0,4}(?:常住|定居|安家|落脚|家在哪)"
    r"|where (?:do|did) i (?:use to )?live|(?:what|which) (?:\w+ )?"
    r"(?:city|town|village|area) (?:am|do) i"
)

ASKS_AGE: Final = (
    r"我.{0,4}(?:几岁|多大|多少岁|年[纪龄]|岁数|贵庚)|how old am i|\b(?:what age am i\b|my age\b)"
    r"(?! group)"
)
ASKS_WORK: Final = (
    r"我(?:的|是|现在|目前|以前|之前|退休前|平时)*(?:在|做|干)?(?:哪[里儿]?|什么)?(?:的)?"
    r"(?:工作|职业|(?:做|干)什么|上班)"
    r"|我.{0,4}(?:职位|岗位|上什么班|干啥的|做啥的|吃什么饭的)"
    r"|what do i do|what did i (?:use to do|do for (?:a living|work))\b"
    r"|my job|\b(?:who|which \w+) (?:employs me|do i work for|am i working for)\b"
    r"|where (?:do|did) i (?:use to )?work|what(?:'s| is) my (?:position|role|shift)\b"
)

ASKS_STUDY: Final = (
    r"我(?:现在|目前|以前|之前|大学)?(?:是)?在?(?:读|学|念)的?(?:是)?(?:什么|啥|哪)(?!好|书|乐|歌|诗|琴|语|课|东西|小说)|我.{0,4}什么专业"
    r"|what (?:am|do|did|was) i study(?:ing)?\b|where (?:am|do|did|was) i study(?:ing)?\b"
    r"|what(?:'s| is| was) my (?:major|degree)"
)

ASKS_BIRTHDAY: Final = (
    r"^(?!.*[送给买收礼请])[^，,]*(?:生日|生辰)|我.{0,4}(?:哪天|几月几?[日号]?|几号)(?:出)?生"
    r"|^(?!.*\b(?:give|gave|get|got|buy|bought|do|did|go|went)\b).*(?:birth ?day|\bb-?day)"
    r"|\bwhen was i born\b"
)
