"""A clause without what may stand anywhere in it: adverbs, days, and the speaker's own "I".

总算一家人搬到洛阳去了 and 上礼拜搬到洛阳去了 are one clause to who asks where somebody lives. What is
dropped is kept as a sign: whether the clause tells that something is otherwise than before.
"""

import re
from dataclasses import dataclass
from typing import Final

from memory.text.tokens import segmented_words


@dataclass(frozen=True, slots=True)
class ClauseCore:
    """The words of a clause that carry it, and whether it tells of something new."""

    text: str
    is_change: bool


_ADVERBS_ZH: Final = frozenset(
    [
        "也",
        "都",
        "就",
        "才",
        "已",
        "已经",
        "刚",
        "刚刚",
        "刚才",
        "终于",
        "总算",
        "正式",
        "彻底",
        "直接",
        "干脆",
        "索性",
        "只好",
        "只能",
        "全",
        "全都",
        "全部",
        "自己",
        "自个",
        "自个儿",
        "一个",
        "人",
        "独自",
        "又",
        "再",
        "还",
        "还是",
        "真的",
        "其实",
        "一直",
        "一直都",
        "目前",
        "现在",
        "如今",
        "眼下",
        "以后",
        "往后",
        "今后",
        "从此",
        "从今",
        "从今往后",
        "这回",
        "这下",
        "暂时",
        "临时",
        "永久",
        "长期",
        "先",
        "便",
        "光",
        "净",
        "只",
        "仅",
        "老",
        "总",
        "总是",
        "经常",
        "常",
        "常常",
        "往往",
        "平时",
        "平常",
        "平日",
        "一般",
        "通常",
        "基本",
        "基本上",
        "大概",
        "差不多",
        "大约",
        "快要",
        "马上",
        "立刻",
        "赶紧",
        "特意",
        "专门",
        "居然",
        "竟然",
        "果然",
        "果断",
        "毅然",
        "偷偷",
        "悄悄",
        "顺利",
        "成功",
        "好不容易",
        "不得已",
        "没办法",
        "今天",
        "昨天",
        "前天",
        "昨儿",
        "昨晚",
        "昨夜",
        "今早",
        "今晚",
        "前两天",
        "前几天",
        "前阵子",
        "前段时间",
        "这几天",
        "这两天",
        "这阵子",
        "最近",
        "近来",
        "近期",
        "早就",
        "早",
        "后来",
        "结果",
        "今年",
        "去年",
        "前年",
        "年初",
        "年底",
        "年中",
        "月初",
        "月底",
        "上周",
        "上星期",
        "上礼拜",
        "上个月",
        "上月",
        "上半年",
        "下半年",
        "春节",
        "过年",
        "国庆",
        "五一",
        "进城",
        "下海",
        "回来",
        "出来",
        "回家",
        "回村",
        "返城",
        "一家",
        "全家",
        "举家",
        "一家子",
        "一家人",
        "一家三口",
        "跟着",
        "带着",
        "的话",
        "呢",
        "啦",
        "咯",
        "呀",
        "啊",
        "哦",
        "嘛",
        "喽",
        "囉",
        "吧",
        "哈",
        "的说",
        "嘿",
        "嗯",
    ]
)

_TIMES_ZH: Final = re.compile(
    r"(?:从|打|自|自从|直到|到)?(?:今年|去年|前年|上|这|本|下|大?前)?(?:个)?"
    r"(?:\d{1,4}年|[一二三四五六七八九十\d]{1,3}月(?:份|底|初|[一二三四五六七八九十\d]{1,3}[号日])?|(?:周|星期|礼拜)[一二三四五六日天末]|个?月|礼拜|星期)"
    r"(?:的?时候|起|以来|之后|以后)?"
)

_SPEAKER_ZH: Final = re.compile(
    r"^(?:[我俺咱](?:们|俩|家里?)?(?:自己)?|本人|本姑娘|老子|咱家)(?![的妈爸])"
)

_CHANGE_ZH: Final = re.compile(
    r"了(?!解|不起|如指掌)|现在|如今|眼下|改|换|转|终于|总算|正式|以后|往后|从此|又|重新|这回|升|新|刚|咗|囉|啦"
)

_SINCE_ZH: Final = re.compile(
    r"了?(?:快|有|整整|将近|都|已经)?(?:[一二三四五六七八九十两几半好多百\d]+)(?:来|多|几)?(?:年|个?月|天|辈子)(?:多|半)?了?"
)
"""住了三年 tells how long something holds, not that it began."""

_DATED: Final = re.compile(r"\s*[（(]\d{4}-[^（()）]{2,24}[)）]")
"""The day a memory has behind a word like 昨天."""

_SHORT_EN: Final = re.compile(
    r"\b(?:(?P<am>i)['’]?m|(?P<are>we|they|you)['’]re|(?P<have>i|we|they)['’]?ve|(?P<would>i|we|they)['’]d"
    r"|(?P<will>i|we)['’]ll|(?P<can>ca)n['’]?t|(?P<no>wo)n['’]t"
    r"|(?P<not>do|does|did|is|are|was|were|has|have|could|would)n['’]?t"
    r"|(?P<is>it|that|he|she|there|here|what|who|name|home|job|phone|birthday)['’]s)\b",
    re.IGNORECASE,
)

_DROPPED_EN: Final = re.compile(
    r",?\s*\b(?:just|now|finally|actually|recently|officially|currently|already|still|also|only|really|basically"
    r"|lately|permanently|eventually|nowadays|these days|for good|for keeps|once again|again|at last|at the moment|at present"
    r"|presently|apparently happily|happily|sadly|luckily|thankfully|unfortunately|honestly|totally|completely"
    r"|fully|suddenly|legally|formally|both|ended up|went and|gone and|decided to|had to|managed to|get to|got to"
    r"|have (?:just|since|now|finally)(?= \w+ed)|of my own|of our own|my own|lol|haha|yay|btw|tbh|omg|oh|well|so|anyway|guess what|believe it or not"
    r"|yesterday|today|tonight|this (?:morning|week|month|year|afternoon|summer|spring|autumn|fall|winter)"
    r"|last (?:night|week|month|year|summer|spring|autumn|fall|winter|weekend|\w+day)"
    r"|(?:over|since|in|back in) (?:the )?(?:new year|summer|spring|autumn|fall|winter|christmas|weekend|holidays|january|february|march|april"
    r"|may|june|july|august|september|october|november|december)"
    r"|(?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|years?) (?:ago|back)|from (?:now|here) on|as of \w+"
    r")\b",
    re.IGNORECASE,
)

_CHANGE_EN: Final = re.compile(
    r"\b(?:now|these days|nowadays|finally|just|officially|again|new|no longer|no more|any ?more|instead|from (?:now|here) on|as of"
    r"|got|gotten|became|become|begun|began|started|starting|switched|swapped|changed|moved|back|ended up|gone|went|turned|joined|found|landed"
    r"|hired|promoted|signed|bought|settled|recently|at last|for good|since (?:new|last|the)|\w+ed (?:in|last|on|this) \w+)\b",
    re.IGNORECASE,
)


def core_of(clause: str, language: str) -> ClauseCore:
    """Return the core of a clause in ``zh`` or ``en``."""
    clause = _DATED.sub(" " if language == "en" else "", clause)
    if language == "zh":
        kept = (word for word in segmented_words(clause) if word not in _ADVERBS_ZH)
        core = _SPEAKER_ZH.sub("", _TIMES_ZH.sub("", "".join(kept)))
        return ClauseCore(core, _CHANGE_ZH.search(_SINCE_ZH.sub("", clause)) is not None)
    change = _CHANGE_EN.search(clause) is not None
    written = _DROPPED_EN.sub(" ", _SHORT_EN.sub(_in_full, clause))
    return ClauseCore(" ".join(written.split()), change)


def _in_full(short: re.Match[str]) -> str:
    """Return "I am" for "I'm" and "can not" for "can't"."""
    word = {"ca": "can", "wo": "will"}.get(short[short.lastgroup or 0].lower())
    last = short.lastgroup if short.lastgroup not in {"can", "no"} else "not"
    return f"{word or short[short.lastgroup or 0]} {last}"
