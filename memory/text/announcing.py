"""Sentences that hand over a text of somebody else, or ask for work on one: the words they use.

Closed classes of words, in Chinese and English: what one does to a text, what a text is called,
whose it is. None of them alone makes a sentence an announcement; see :func:`announces`.
"""

import re
from functools import cache
from typing import Final

_ABOUT_SELF: Final = (
    r"关于我|我的情况|我自己|介绍(?:一下)?我|我是谁|\babout me\b|\bmy own\b|\bfrom:?[ \t]*me\b"
)

_ABOUT: Final = re.compile(_ABOUT_SELF, re.IGNORECASE)


# To work on a text, whatever it says.
_ZH_WORK: Final = (
    r"翻译(?!官)|译成|译一下|[英汉中日法德]译[英汉中日]|润色|修改|改改|改一改|改一下|改得|改成"
    r"|改好|校对|纠错|挑错"
    r"|错别字|病句|续写|接着写|往下写|接着编|扩写|缩写|缩到|缩短|压缩|(?:帮我|给我|替我|(?<!我))总结(?!起来|下来"
    r"|来说|一下就是)|概括|归纳|解释|点评|改写"
    r"|重写|整理成|捋一下|捋一捋|排版|通不通顺|通顺|语气|语法|什么意思|啥意思|怎么说|念一遍"
    r"|看得懂|看不懂"
)

# To ask about something, which may be a text.
_ZH_QUESTION: Final = (
    r"觉得怎么样|觉得如何|怎么样|写得如何|写得怎么样|是编的|是真的吗|行不行|好不好"
    r"|回复|怎么回|引号|重构|是不是|能信|谁啊|好戳"
)

_ZH_TEXT: Final = (
    r"这[段句篇封条首份串张]|那[段句篇封条首份]|下面|以下|如下|上面|上述|原文|来信|封信|的信|情书"
    r"|遗书|邮件"
    r"|简历|履历|作文|文章|文案|自我介绍|发言稿|演讲稿|致辞|草稿|歌词|首诗|日记|聊天记录|对话"
    r"|截图|图片|朋友圈"
    r"|帖子?|评论|转写|录音|短信|留言|公告|启事|讣告|遗嘱|问卷|模板|台词|签名|笑话|段子|课文"
    r"|第\d+题"
    r"|代码|广告|弹幕|纪要|候选人|样例|书面语|回忆录"
)

_ZH_OTHERS: Final = (
    r"网上|刷到|转发|转自|摘自|出自|抄|捡到|翻到|翻出|偷听|隔壁|路人|知乎|微博|贴吧|豆瓣|小红书"
    r"|抖音|[Bb]站"
    r"|公众号|热搜|发来|发的|写的|说的|讲的|留的|寄的|拍的|家的|人家|孩子|侄女?|我[爸妈哥姐弟妹]"
    r"|室友|同事|客户|老板|邻居|街坊|外[婆公]|奶奶|爷爷|表[哥姐弟妹]|堂[哥姐弟妹]|社区|看的|里"
)

_ZH_HANDS_OVER: Final = (
    r"给你(?:看(?!不)|念|读|发|贴|抄|打)|发给你|贴给你|打给你|念给你|抄给你|复制给你|打成字"
    r"|你听听|让我替|帮[他她]问|替[他她]问"
    r"|(?:知乎|微博|贴吧|豆瓣|小红书|抖音|网上|群里)[^，。]{0,4}(?:看到|刷到"
    r"|有人说)[^，。]{0,8}[：:]|老跟人说|天天念叨"
    r"|(?:讲|说)[个一](?:个)?(?:笑话|段子)|只是假设|测试测试|下面是|以下是|上面这|以上这|的简历"
    r"|的作文"
)

_EN_WORK: Final = (
    r"translat(?!or)\w*|proof-?read\b|re-?write|re-?phrase|paraphras\w+|\bpolish\b|\bshorten"
    r"|\bmake (?:it|this|that)"
    r"|\bsummari[sz]e|\bsum up|(?:carry|go) on from|\bcontinue\b|put (?:this|it|that) in"
    r"|how do (?:you|i) say"
    r"|grammar|typos?\b|what(?:['’]?s| does| do) (?:it|this|that|he|she|they)\b.{0,24}\bmean"
    r"|past tense|funnier|warmer"
)

_EN_QUESTION: Final = (
    r"\?|what(?:['’]?s| does| do| is)\b|headline|\bright\b|sounds?\b|enough detail|leading"
    r"|\breply\b|\banswer\b|respond"
    r"|missing|shortlist|swipe|believe|rubbish|thoughts|should (?:i|we)|who (?:sings|wrote)"
)

_EN_NOUNS: Final = (
    r"letter|e-?mail|essay|paragraph|passage|sentence|post|tweet|bio|profile|r[eé]sum[eé]|cv"
    r"|cover letter"
    r"|speech|statement|story|poem|lyrics?|review|diary|transcript|transcription|voicemail"
    r"|minutes|worksheet"
    r"|homework|exercise|survey|ticket|template|comment|caption|quote|screenshot|advert"
    r"|announcement|(?<!no )joke"
    r"|tapes?|thread|excerpt|programme|obituary|eulogy|signature|candidate|affirmation|horoscope"
    r"|press release|original"
)

_EN_TEXT: Final = (
    r"\bth(?:is|ese)\b|\bbelow\b|\babove\b|\bfollowing\b|from here|\bin full\b|\^"
    rf"|\b(?:{_EN_NOUNS})s?\b"
)

_EN_OTHERS: Final = (
    r"\b(?:guy|kid|witness|cousin|sister|brother|mum|mom|dad|gran\w*|grandad|flatmate|roommate"
    r"|colleague|boss"
    r"|client|neighbou?r|landlord|someone|somebody)\b"
)

_EN_HANDS_OVER: Final = (
    r"copying it|word for word|here it (?:comes|is|goes)|transcrib\w+|\bOCR\b|from the screenshot"
    r"|voicemail transcri"
    r"|\b(?:saw|found|read) this\b|\boverheard\b|below is|here(?:['’]s| is) (?:the|what (?:he|she"
    r"|they))|look what (?:my|he|she|they)"
    r"|(?<!no )\bjoke:|testing testing|how do you say in|stuck in my head|when someone says|(?:he"
    r"|she|they) told me \"|told me:"
    rf"|['’]s (?:\w+ )?(?:{_EN_NOUNS})\b"
)

OF_ONESELF: Final = re.compile(
    r"\b(?:i|my|me|mine|i['’]m|i['’]ve|we|our)\b|[我俺咱]|本人", re.IGNORECASE
)


@cache
def _announcing() -> tuple[re.Pattern[str], ...]:
    parts = (
        rf"(?:{_ZH_WORK})|{_EN_WORK}",
        rf"(?:{_ZH_TEXT})|{_EN_TEXT}",
        rf"(?:{_ZH_QUESTION}|{_ZH_OTHERS})|{_EN_QUESTION}|{_EN_OTHERS}",
        rf"(?:{_ZH_HANDS_OVER})|{_EN_HANDS_OVER}",
    )
    return tuple(re.compile(part, re.IGNORECASE) for part in parts)


_LONGEST_HEADING: Final = 12
"""So many characters are a heading before a colon; three times as many in English."""

# Nothing but an order to work on a text: 续写：, make it shorter.
_ORDER: Final = re.compile(
    rf"^[ \t]*(?:请|麻烦你?|帮我|帮忙|给我|能不能|可以)*(?:{_ZH_WORK})[^，,]{{0,10}}(?:[：:]|$)"
    rf"|^[ \t]*(?:please[ \t]+|can you[ \t]+"
    rf"|could you[ \t]+)?(?:{_EN_WORK})[^,.!?：:]{{0,24}}(?:[：:]|$)",
    re.IGNORECASE,
)

_IN_QUOTES: Final = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"")


def tells_about_self(text: str) -> bool:
    """Tell whether a text says that it is about its own author: 关于我, from: me."""
    return bool(_ABOUT.search(text))


def is_name_of_text(line: str) -> bool:
    """Tell whether a line only names a text or a part of one: tape 2, 下面."""
    return bool(_announcing()[1].fullmatch(line.strip(" （()）0123456789一二三四第.:：")))


# Remember this: … points at one's own words.
_ONLY_POINTS: Final = re.compile(
    r"\b(?:remember|memori[sz]e|store|jot|write|note|save|know|listen|like)\b|记|听", re.IGNORECASE
)


def announces(sentence: str) -> bool:
    """Tell whether a sentence hands over a text, or asks for work on one."""
    work, text, _, hands_over = _announcing()
    if tells_about_self(sentence):
        return False
    # What is quoted in it does not announce anything.
    sentence = _IN_QUOTES.sub(" ", sentence)
    if hands_over.search(sentence) or _ORDER.match(sentence):
        return True
    if not text.search(sentence):
        return False
    # Original: …, Affirmation of the day: … – what it is stands before the colon, and no "my".
    short = len(sentence) <= _LONGEST_HEADING * (1 if is_chinese(sentence) else 3)
    heading = (
        short
        and sentence.rstrip().endswith(("：", ":"))
        and not (OF_ONESELF.search(sentence) or _ONLY_POINTS.search(sentence))
    )
    return heading or bool(work.search(sentence))


def speaks_of_text(sentence: str) -> bool:
    """Tell whether a sentence asks about a text, or says whose it is: enough on a line apart."""
    _, text, about, _ = _announcing()
    sentence = _IN_QUOTES.sub(" ", sentence)
    own = tells_about_self(sentence)
    return not own and bool(text.search(sentence) and about.search(sentence))


def is_chinese(text: str) -> bool:
    """Tell whether a text holds Chinese characters."""
    return re.search("[一-鿿]", text) is not None
