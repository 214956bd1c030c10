"""Sentences that hand over a text of somebody else, or ask for work on one: the words they use.

Closed classes of words, in Chinese and English: what one does to a text, what a text is called,
whose it is. None of them alone makes a sentence an announcement; see :func:`announces`.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from memory.text.late_pattern import LatePattern, WordedPattern

_ABOUT_SELF: Final = (
    r"关于我|我的情况|我自己|介绍(?:一下)?我|我是谁|\babout me\b|\bmy own\b|\bfrom:?[ \t]*me\b"
)

_ABOUT: Final = WordedPattern(_ABOUT_SELF)


# To work on a text, whatever it says.
_ZH_WORK: Final = (
    r"翻译(?!官)|译成|译一下|[英汉中日法德]译[英汉中日]|润色|修改|改改|改一改|改一下|改得|改成"
    r"|改好|校对|纠错|挑错"
    r"|错别字|病句|续写|接着写|往下写|接着编|扩写|缩写|缩到|缩短|压缩|(?:帮我|给我|替我"
    r"|(?<![我日周月年度]))总结(?!起来|下来"
    r"|来说|一下就是)|概括|归纳|解释|点评|改写"
    r"|重写|整理成|捋一下|捋一捋|排版|通不通顺|通顺|语气|语法|什么意思|啥意思|怎么说|念一遍"
    r"|看得懂|看不懂|翻成|翻译成|打分|批改|审一下|把把关|过一遍|编码成|提炼|起个标题|想个标题"
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
    r"|代码|广告|弹幕|纪要|候选人|样例|书面语|回忆录|独白|角色卡|座右铭|口头禅|语录|个人简介"
    r"|检讨|笔录|证词|剧本|墓志铭|祭文"
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
    r"|past tense|funnier|warmer|tl;?dr|check (?:the |this |my |his |her )?(?:grammar|spelling"
    r"|english)|\btriage\b"
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
    r"|\b(?:saw|found|read) this\b|\boverheard\b|below is|here(?:['’]s"
    r"| is) (?:the (?!(?:\w+ )?(?:thing|deal|situation|story|update|plan|problem|news|truth"
    r"|catch|kicker|good bit|bad bit))|what (?:he|she"
    r"|they))|look what (?:my|he|she|they)"
    r"|(?<!no )\bjoke:|testing testing|how do you say in|stuck in my head|when someone says|(?:he"
    r"|she|they) told me \"|told me:"
    rf"|['’]s (?:\w+ )?(?:{_EN_NOUNS})\b"
)

OF_ONESELF: Final = LatePattern(
    r"\b(?:i|my|me|mine|i['’]m|i['’]ve|we|our)\b|[我俺咱]|本人", re.IGNORECASE
)


@cache
def _announcing() -> tuple[WordedPattern, ...]:
    parts = (
        rf"(?:{_ZH_WORK})|{_EN_WORK}",
        rf"(?:{_ZH_TEXT})|{_EN_TEXT}",
        rf"(?:{_ZH_QUESTION}|{_ZH_OTHERS})|{_EN_QUESTION}|{_EN_OTHERS}",
        rf"(?:{_ZH_HANDS_OVER})|{_EN_HANDS_OVER}",
    )
    return tuple(map(WordedPattern, parts))


_LONGEST_HEADING: Final = 12
"""So many characters are a heading before a colon; three times as many in English."""

# Nothing but an order to work on a text: 续写：, make it shorter.
_ORDER: Final = LatePattern(
    rf"^[ \t]*(?:请|麻烦你?|帮我|帮忙|给我|能不能|可以)*(?:{_ZH_WORK})[^，,]{{0,10}}(?:[：:]|$)"
    rf"|^[ \t]*(?:please[ \t]+|can you[ \t]+"
    rf"|could you[ \t]+)?(?:{_EN_WORK})[^,.!?：:]{{0,24}}(?:[：:]|$)",
    re.IGNORECASE,
)

_IN_QUOTES: Final = LatePattern(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"")


_QUOTED_WHOLE: Final = LatePattern(r"\W*(?:[“「『\"][^”」』\"]{12,}[”」』\"])[^:：]{3,}$")
"""A quotation, and what its speaker says of it: "Hey Jude, …" been stuck in my head all day."""


def tells_about_self(text: str) -> bool:
    """Tell whether a text says that it is about its own author: 关于我, from: me."""
    return bool(_ABOUT.search(text))


def is_name_of_text(line: str) -> bool:
    """Tell whether a line only names a text or a part of one: tape 2, 下面."""
    return bool(_announcing()[1].fullmatch(line.strip(" （()）0123456789一二三四第.:：")))


# Remember this: … points at one's own words.
_ONLY_POINTS: Final = LatePattern(
    r"\b(?:remember|memori[sz]e|store|jot|write|note|save|know|listen|like)\b|记|听", re.IGNORECASE
)


def announces(sentence: str) -> bool:
    """Tell whether a sentence hands over a text, or asks for work on one."""
    work, text, _, hands_over = _announcing()
    if tells_about_self(sentence):
        return False
    # What is quoted in it does not announce anything, and is all that is handed over with it.
    handed = _QUOTED_WHOLE.match(sentence)
    sentence = _IN_QUOTES.sub(" ", sentence)
    if (
        (hands_over.search(sentence) and not handed)
        or _ORDER.match(sentence)
        or _POINTED.search(sentence)
    ):
        return True
    if not text.search(sentence):
        return False
    return is_heading(sentence) or bool(work.search(sentence))


def is_heading(sentence: str) -> bool:
    """Tell whether a sentence only says what a text is, before its colon, and is not "my"."""
    short = len(sentence) <= _LONGEST_HEADING * (1 if is_chinese(sentence) else 3)
    return (
        short
        and sentence.rstrip().endswith(("：", ":"))
        and bool(_announcing()[1].search(sentence))
        and not (OF_ONESELF.search(sentence) or _ONLY_POINTS.search(sentence))
        and not re.fullmatch(r"\s*如下\s*[：:]\s*", sentence)
    )


def names_text(line: str) -> bool:
    """Tell whether a line speaks of any kind of text: a post, a letter, lyrics."""
    return bool(_remarks()[0].search(line))


# What a remark may be about, on a line of its own: any kind of text.
_ZH_ANY_TEXT: Final = (
    rf"{_ZH_TEXT}|剧本|台词|小说|故事|剧情|字幕|采访|访谈|节目|播客|推文|推送|小作文|说说|动态"
    rf"|群公告|合同|通知|稿子|投稿|视频|帖|诗|歌|文|信"
    r"|消息|话|字|题|段|篇|句|声明|证明|格式|模型|受访者|人设"
)
_EN_ANY_TEXT: Final = (
    rf"\b(?:{_EN_NOUNS}|screenplay|script|scene|chapter|monologue|verse|song|prayer|blurb"
    rf"|abstract|testimony|confession"
    r"|petition|memo|notice|flyer|leaflet|listing|messages?|chat|log|convo|conversation|note"
    r"|card|toast|vows|interview|podcast"
    r"|ep(?:isode)?|clip|subtitles?|article|blog|forum|tale|dialogue|line|lines|book|novel|film"
    r"|movie|show|poster|sign|sticker|t-?shirt"
    r"|codebase|penpal|customer|number \d+|english|french|spanish|chinese|upvotes)s?\b"
)
_ZH_POINTS: Final = (
    r"(?<![在从到])这(?!下|样|几|些天|次|周|个?月|边|里|么|辈子|两|会儿|阵|才|就|都|也|是我|事)"
    r"|那[段句篇封条首份个位人种]|上面|↑|[他她它]|人家|谁|又是"
)
_EN_POINTS: Final = (
    r"\b(?:this|that|these|those|they|he|she|who|whose|her|his|their|him|them|it)\b|\^"
)
_ZH_REACTS: Final = (
    r"[?？]|[吗呢啊吧]\s*$|怎么|咋|几分|要不要|该不该|什么|啥|谁|哪|看完|看得|读完|笑|傻了|绝了|服了"
    r"|鸡皮|戳|泪|太怪|信了|睡|又是"
)
_EN_REACTS: Final = (
    r"\?|\blo+l\b|\blma+o+\b|\bomg\b|\bsmh\b|😂|🤣|💀|\b(?:isn['’]?t|honest|thoughts|opinion"
    r"|imagine|rubbish|who|what|how|cringe|wild|found|sent|wrote)\b"
)
_REPLIES: Final = r"怎么回|咋回|回啥|回点|回复|怎么答|\b(?:reply|respond|answer)\b"

_LONGEST_REMARK: Final = 32
"""So many characters are still a remark; three times as many in English."""


@cache
def _remarks() -> tuple[LatePattern, ...]:
    parts = (
        rf"{_ZH_ANY_TEXT}|{_EN_ANY_TEXT}",
        rf"{_ZH_POINTS}|{_EN_POINTS}",
        rf"{_ZH_REACTS}|{_EN_REACTS}",
        _REPLIES,
        rf"(?:{_ZH_WORK})|{_EN_WORK}",
    )
    return tuple(LatePattern(part, re.IGNORECASE) for part in parts)


BIDS: Final = LatePattern(
    r"[^我]*(?:提醒(?:$|(?!了|过|我)[^，]{0,40}$)"
    r"|(?:记得|记着|别忘[了记]?|务必)[要再也]?[跟和给替帮叫喊告提通问让])"
    r"|[^我]*?(?:别|不要|不许|不准|甭)(?:再|去|也|都)?"
    r"(?:让|叫|给|告诉|(?:跟|和|对)[^，]{1,8}(?:说|讲|提))"
    r"|[^我]*你(?:要|得|可|可以)?(?:跟|告诉|通知|提醒)我(?!.*[了过])"
    r"|(?:(?:please|just|and|hey|then|so) )*(?:call|ring|phone|text|email|message|tell|remind|ask"
    r"|wake|let|send|give|show|do(?:n['’]?t| not) (?:tell|let|call|say|remind|forget|text))"
    r" (?:me|my|our|him|her|them|everyone|everybody|the \w+|(?-i:[A-Z][a-z]+))\b",
    re.IGNORECASE,
)
"""What bids her to remind, to tell, or to leave it."""

_CALLED_SO: Final = LatePattern(
    r"(?:你|怎么|为什么|为啥|干嘛|干吗|凭什么|谁让|又|老|还|总|一直|突然)*(?:怎么|为什么|为啥|干嘛|干吗|凭什么|谁让)(?:你|又|老|还|总|一直|突然)*"
    r"[叫喊]我(?P<zh>[^，,。！!？?了呢啊呀]{1,8})(?:了|呢|啊|呀)*[？?！!，,。\s]+(?=我(?:可|就|明明)?(?:是|叫))"
    r"|\bwhy (?:are you calling|do you(?: keep)? call(?:ing)?|did you call) me (?P<en>\w+)\W+"
    r"(?=(?:i['’]?m|i am|my name)\b)",
    re.IGNORECASE,
)
"""你怎么叫我小鱼了？我叫林小雨: who asks so and says their name is not to be called so."""


def _not_called_so(found: re.Match[str]) -> str:
    return f"别叫我{found['zh']}了，" if found["zh"] else f"don't call me {found['en']}. "


def without_wrong_call(text: str) -> str:
    """Return a text in which who asks why they are called so says not to be."""
    return _CALLED_SO.sub(_not_called_so, text, count=1)


def is_remark_on_text(line: str) -> bool:
    """Tell whether a line apart asks for work on a text beside it, or says what it is to one.

    这种我该怎么回啊, isn't that a line, 用英文怎么说: a sort of text or something pointed at, and
    a question or an exclamation about it.
    """
    line = line.strip()
    if len(line) > _LONGEST_REMARK * (1 if is_chinese(line) else 3) or tells_about_self(line):
        return False
    text, points, reacts, replies, work = (bool(part.search(line)) for part in _remarks())
    if replies or (work and not _I_DO.search(line)):
        return True
    return reacts and (points or text) and not _I_DO.search(line)


# I do something myself: not that I am at a loss (我人都傻了) or ask whether I should.
_I_DO: Final = LatePattern(
    r"我(?!该|要不要|能|能不能|可以|人都|就|真|弟|妹|哥|姐|爸|妈|儿|女|同事|室友|同学|朋友|家"
    r"|们|爷|奶|外|表|老板|一晚|点赞|也)"
    r"|\bI(?!['’]?\s?(?:do|did|should|could|can|can['’]?t|even|swear|am dead|m dead"
    r"|m crying)\b)(?:['’]\w+)?\s(?!do\b|did\b|should\b|can)\w+",
    re.IGNORECASE,
)

_SAYS_WHAT: Final = LatePattern(
    r"(?:写|说|发|讲|唱|念|回|留)(?:了|的|的是)?(?:什么|啥|点什么|些什么)|怎么(?:写|说|唱|回)的"
    r"|原话|(?:念|读|发|贴)(?:给我|来|过来|出来)"
    r"|what (?:does|did|do) (?:it|he|she|they|the \w+|that|\w+) (?:say|write|post|read|put"
    r"|send)|how (?:does|do) (?:it|they) go|word for word"
    r"|(?:read|send|show|paste|type) (?:it|them|that|me)|let me (?:see|hear|read)|go on",
    re.IGNORECASE,
)


def asks_what_it_says(question: str) -> bool:
    """Tell whether a question is for the words of a text: 写了什么呀, how does it go."""
    return bool(_SAYS_WHAT.search(question[-80:]))


# A request that points at what follows: could you … this:, 帮我…下面…：
_POINTED: Final = WordedPattern(
    r"(?:\b(?:can|could|would|will|cud|cld|wld)\s(?:you|u|ya|someone)\b|\b(?:please|pls|plz)\b"
    r"|\bfor me\b|^\W*(?:check|fix|edit|mark|look|read|turn|rate"
    r"|reply|clean|tidy|trim|convert|format|grade|judge|review|roast)\b)(?!.{0,12}\b(?:believe"
    r"|imagine|remember|guess|help|keep|note|know|listen|hear)\b)"
    r"(?=.*\b(?:this|these|here|below|following|it)\b).*[:：?]\s*$"
    r"|\b(?:this|these|here|below|following)\b.{0,40}\bfor me\b.{0,12}[:：?]\s*$"
    r"|(?:帮|给我|替我|把|请|麻烦|能不能|你(?:看|评|猜|觉得)).*(?:这|下面|以下|上面|下列"
    r"|如下).*[：:]\s*$"
)


def speaks_of_text(sentence: str) -> bool:
    """Tell whether a sentence asks about a text, or says whose it is: enough on a line apart."""
    _, text, about, _ = _announcing()
    sentence = _IN_QUOTES.sub(" ", sentence)
    own = tells_about_self(sentence)
    return not own and bool(text.search(sentence) and about.search(sentence))


def is_chinese(text: str) -> bool:
    """Tell whether a text holds Chinese characters."""
    return re.search("[一-鿿]", text) is not None


_TAKES_UP: Final = LatePattern(
    r"^(?:明白|完美|完全正确|太好了|太棒了|太感谢|谢谢|感谢|听你|你说得|知道了|收到|[对是嗯]+[，,]就是|这[个些份]?[^，,。]{0,12}(?:建议|策略|方法"
    r"|主意|思路|提醒|模板|框架|计划))"
    r"|^(?:thanks|thank you|got it|i see|great|perfect|that (?:sounds|makes))\b",
    re.IGNORECASE,
)


def takes_up(text: str) -> bool:
    """Whether a line begins by taking up what was said to it, and goes on from there."""
    return _TAKES_UP.match(text) is not None


_PLAY: Final = LatePattern(
    r"演(?:一|个|一个)[段出场]|玩个?(?:角色扮演|游戏[，,：:])|[你我]来?(?:扮演|演)(?!什么)"
    r"|^角色扮演[：:]|role[- ]?play|\blet['’]s play\b|\bpretend\b"
    r"|\byou(?:['’]re| are| be) the\b.{1,40}\bi(?:['’]m| am|['’]ll be) the\b",
    re.IGNORECASE,
)

_SUPPOSED: Final = LatePattern(
    r"^.{0,6}(?:假如|倘若|假设我)|\b(?:imagine(?! my\b| that\b| how\b| the\b)|suppose"
    r"|supposing|hypothetically|what if)\b",
    re.IGNORECASE,
)


def is_played(text: str, before: Sequence[str]) -> bool:
    """Tell whether a game is played, or everything is only supposed, here or since just before."""
    if _AS_ROLE.match(text) and any(map(_AT_TABLE.search, (text, *before))):
        return True
    played = any(_PLAY.search(line) and not _REFUSES.search(line) for line in (text, *before))
    return played or bool(_SUPPOSED.search(text[:20]))


_REFUSES: Final = LatePattern(
    r"不是在演|不玩|不演|没在演|\b(?:don['’]t|not|no|stop)\b", re.IGNORECASE
)

_AS_ROLE: Final = LatePattern(
    r"[^我，,。]{0,4}(?:团|队|本|卡|战役)[里中][，,]?我(?!们)"
    r"|\W*(?:(?:so|ok|okay|and|well) )*in (?:the|our|this|my) (?:party|group|session|campaign)"
    r",? i\b",
    re.IGNORECASE,
)

_AT_TABLE: Final = LatePattern(
    r"跑团|角色卡|人物卡|模组|骰|\b(?:d&d|dnd|pathfinder|tabletop|role-?playing|dungeon master"
    r"|(?:my|our) (?:dm|character|campaign))\b",
    re.IGNORECASE,
)
"""团里我是个瞎子, behind 我跑团的角色叫阿烬: whoever tells of a game at a table plays in it."""
