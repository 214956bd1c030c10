"""Which parts of a message have the form of somebody else's text: a log, a mail, verse, a play.

Told by the layout alone: names and times in front of lines, headers, titles, salutations, parts
of a song. What is said about a text is read by :mod:`memory.text.announcing`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from memory.text.announcing import OF_ONESELF, tells_about_self

Span: TypeAlias = tuple[int, int]
"""The first character of a stretch of text, and the one after its last."""

_SELF: Final = r"我|俺|咱|本人|自己|me|i|myself|us|also me"

# A name in front of a line: up to a few words, nothing that makes it a sentence.
_LABEL: Final = (
    r"^[ \t]*(?:[-*•][ \t]+|\d{1,3}楼[ \t]*|\[[^\]\n]{1,30}\][ \t]*)?"
    r"(?P<name>[^\s：:，。,.!?！？、“”\"()（）][^：:，。,.!?！？“”\"\n]{0,24}?)"
    r"[ \t]*[：:](?!//)[ \t]*\S"
)

# A name and a time on a line of its own, or a time in brackets before a name.
_CLOCK: Final = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?:[ \t]*[AaPp]\.?[Mm]\.?)?"

_DATE: Final = r"\d{2,4}[-/.年]\d{1,2}[-/.月]\d{1,4}日?"
_DAY: Final = r"昨天|今天|前天|刚刚|星期[一二三四五六日天]|周[一二三四五六日]|today(?:\sat)?|yesterday(?:\sat)?|(?:mon|tue|wed|thu|fri|sat|sun)\w*"

_HEADER: Final = (
    # A date or a clock and a name, before the words or on a line of its own.
    rf"^[ \t]*(?:{_DATE}[ \t,T]+)?{_CLOCK}[ \t]*(?:[-–—,|][ \t]*)?(?!我|I\b)[^\s\d][^\n：:。！？!?,，.]{{0,30}}[：:](?!\d)"
    rf"|^[ \t]*{_DATE}[ \t,T]+{_CLOCK}[ \t]+(?!我|I\b)[^\n：:。！？!?,，]{{1,40}}$"
    rf"|^[ \t]*[^\s\n：:。！？!?,，]{{1,20}}(?:[ \t][^\s\n：:。！？!?,，]{{1,12}}){{0,3}}[ \t]+(?:{_DAY}[ \t]*)?{_CLOCK}[ \t]*[：:][ \t]*\S"
    rf"|^(?=[^\n]{{3,80}}$)(?=[^\n]*[^\W\d_])[^\n。！？!?]{{0,60}}{_CLOCK}[)\]】）]?[ \t]*$"
    rf"|^[ \t]*[\[(【（][^\])】）\n]{{0,24}}{_CLOCK}[\])】）][ \t]*[^\s：:]"
    r"[^：:\n.!?。！？]{0,30}[：:]"
    r"|^[^\n]{3,80}(?:wrote|写道|写到)[ \t]*[：:][ \t]*$"
    r"|^[ \t]*@[\w·.\-一-鿿]{1,24}(?:[ \t]*[：:]|[ \t]+(?=\S[^\n]*[：:]))"
)

# What begins a document: a title in brackets or capitals, a part of a song or a book.
_TITLE: Final = (
    r"^[ \t]*(?:[\[【《（(][^\]】》）)\n]{1,24}[\]】》）)][ \t]*"
    r"(?:[:：]?\d{1,2}:\d{2})?[ \t]*(?=\n)"
    r"|[\[【](?=[^\]】\n]*[^\W\d])[^\]】\n]{1,16}[\]】](?=[ \t]*\S)|(?-i:(?:(?:[A-Z][A-Z0-9'’/&.]+"
    r"|[—–-])[ \t]*){2,12})(?=\n)"
    r"|(?:chapter|part|scene|act|exercise|question|case|candidate|respondent|patient|q)[ \t]*#?[ \t]*(?=\w{0,9}\d|[ivx]+\b|one|two|three)\w{1,10}\b[ \t]*[.:：]?"
    r"|\d{1,2}[.)、．][ \t]*(?:put|translate|fill|choose|complete|correct|rewrite|answer|read|match|make|将|把|用|选|填|改写|造句|翻译|阅读)"
    r"|(?:r|u)/\w{2,30}|OP[：:]|AITA\b|TIFU\b|WIBTA\b"
    r"|第[一二三四五六七八九十百0-9]{1,4}[章节幕回集]|文[／/]|转发自|转自"
    r"|\d{1,2}[ \t]*\n\d{2}:\d{2}:\d{2}"
    r"|\d{1,3}楼[ \t]|delivered[ \t]*\n|ticket[ \t]*#|(?://|#[ \t]|/\*)|[★☆⭐]{2,}"
    r"|(?:kind|best|warm)[ \t]+(?:regards|wishes)|dear\b[^\n]{0,30},|尊敬的|亲爱的|親愛的|谢邀)"
)


@cache
def _line_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    flags = re.IGNORECASE | re.MULTILINE
    return re.compile(_LABEL, flags), re.compile(_HEADER, flags), re.compile(_TITLE, flags)


# What begins a document anywhere: the head of a mail, a salutation to others, a notice, a scene.
_DOCUMENT: Final = (
    r"^(?:(?:From|To|Sent|Subject|Date|Cc|Bcc|Reply-To|发件人|收件人|发送时间|时间|日期|主题|抄送)[ \t]*[：:][^\n]{2,200}\n){2,9}"
    r"|^[ \t]*(?:To whom it may concern|Dear[ \t][^\n,：:]{1,40}[,，：:]|(?:Hi|Hey|Hello)[ \t](?:all|team|everyone|everybody|folks|fam|guys|neighbou?rs)\b"
    r"|尊敬的[^\n，：:]{1,20}|各位[^\n，：:。]{1,12}[，：:！!]|大家好|兹证明|特此)"
    r"|^[ \t]*(?:INT|EXT)\.[ \t][^\n]{2,60}\n"
    r"|(?:^|(?<=[。？！?!—\s]))(?:答|问|Q|A)[：:](?=[^\n]*[。？！?!\n—][ \t]*(?:答|问|Q|A)[：:])"
)

# What only posts, songs and advertisements have: refrains, counters of readers, tags, offers.
_POST: Final = (
    r"[🎶♪♫🎵]|[（(\[【](?:副歌|间奏|前奏|主歌|verse|chorus|bridge|intro|outro)[^）)\]】\n]{0,8}[）)\]】]"
    r"|^[ \t]*(?:oh+|ooh+|whoa|la[ -]la|na[ -]na|哦|啦啦)[ ,，][^\n]*\n[^\n]+\n"
    r"|(?:转发|点赞|阅读|评论|收藏|浏览)(?:量|数)?[ \t]*[\d.]+[万k]?|\b[\d.,]+[km]?[ \t]*(?:likes|retweets|upvotes|shares|views|comments)\b"
    r"|(?:#[\w一-鿿]{2,20}[ \t]*){2,}|加(?:我)?(?:微信|[vV][xX信])|(?:私信|扫码|点击|点下方|回复)[^\n，。]{0,6}(?:领|链接|购|咨询|报名)"
    r"|\blink in (?:my )?bio\b|\bDM (?:me )?for\b|\b(?:call|order|buy|sign up) (?:now|today)\b"
    r"|(?:^|[ \t\n])(?:--|—|——|–)[ \t]?(?:some|anon\w*|佚名|[A-Z][\w.]+)[^\n.!?。]{0,40}\s*\Z"
)


@cache
def _documents() -> re.Pattern[str]:
    return re.compile(_DOCUMENT, re.IGNORECASE | re.MULTILINE)


@cache
def _posts() -> re.Pattern[str]:
    return re.compile(_POST, re.IGNORECASE | re.MULTILINE)


_MYSELF: Final = re.compile(rf"(?:{_SELF})", re.IGNORECASE)


def layout_spans(text: str) -> Iterator[Span]:
    """Yield what has the form of a log, a mail, a form or a document of any kind."""
    label, header, title = _line_patterns()
    if tells_about_self(text):
        return
    begun = title.match(text.lstrip())
    headers = [found.start() for found in header.finditer(text)]
    labels = [found for found in label.finditer(text) if not _MYSELF.fullmatch(found["name"])]
    if begun:
        yield 0, _end_of_document(text, 0)
    for found in _documents().finditer(text):
        yield found.start(), _end_of_document(text, found.end())
    if _posts().search(text):
        yield 0, _end_of_document(text, 0)
    for start in headers:
        yield start, _end_of_block(text, start)
    if len(labels) > 1 and not _is_own_form(text, labels):
        for found in labels:
            yield found.start(), _end_of_line(text, found.end())
    for found in labels[:1] if len(labels) == 1 else ():
        if _names_somebody(found["name"]):
            yield found.end() - 1, _end_of_line(text, found.end())


_FIELDS: Final = re.compile(
    r"时间|日期|地点|人物|事件|原因|结果|经过|坐标|职业|爱好|年龄|体重|身高|心情|天气|早餐|午餐|晚餐|早|中|晚|上午|下午|晚上|优点|缺点|目标|计划|进度"
    r"|when|where|who|what|why|time|date|place|event|mood|weather|job|age|breakfast|lunch|dinner|plan|goal|status|pros|cons",
    re.IGNORECASE,
)


def _is_own_form(text: str, labels: Sequence[re.Match[str]]) -> bool:
    """Tell whether somebody fills in a form about a thing of their own: when, where, who: me."""
    return bool(OF_ONESELF.search(text)) and all(
        _FIELDS.fullmatch(found["name"].strip()) for found in labels
    )


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _end_of_block(text: str, start: int) -> int:
    """Return where the paragraph ends that begins at ``start``."""
    found = re.compile(r"\n[ \t]*\n").search(text, start)
    return found.start() if found else len(text)


def _end_of_document(text: str, start: int) -> int:
    """Return where a document ends: a last paragraph of one line may be a question about it."""
    body = text.rstrip()
    last = body.rfind("\n\n")
    comment = body[last + 2 :]
    asks = last > start and "\n" not in comment and not OF_ONESELF.search(comment)
    return last if asks else len(text)


# The hundred most common only, unlike in the offline rules: with the rare ones 时间：, 单位： and
# 安排： would be people.
_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严"
)

# Not \w: a single word before a colon is a name if it is one; these open a sentence of one's own.
_OPENERS: Final = re.compile(
    r"notes?|ps|nb|btw|fyi|update|news|fact|confession|question|truth|reason|result|joke|today"
    r"|tonight|yesterday|tomorrow|now|later|anyway|so|well|ok|okay|yes|no|listen|look|guess"
    r"|warning|reminder|remember|correction|edit|problem|issue|situation|context|background|plan"
    r"|verdict|summary|conclusion|mood|status|answer",
    re.IGNORECASE,
)

_MOST_NAME_WORDS: Final = 2


def _names_somebody(label: str) -> bool:
    """Tell whether what stands before a colon is somebody: 王伟, 阿杰, 老板, Tom."""
    if re.fullmatch(
        rf"(?:[{_SURNAMES}][一-鿿]{{1,2}}|[阿小老][一-鿿]{{1,2}}|[一-鿿]{{0,3}}"
        r"(?:妈妈?|爸爸?|姨|姑|叔|伯|爷爷?|奶奶?|哥哥?|姐姐?|弟弟?|妹妹?|老板|同事|室友|朋友|客户"
        r"|经理|老师|医生|楼主|主持人|甲|乙))",
        label.strip(),
    ):
        return True
    words = label.split()
    return (
        1 <= len(words) <= _MOST_NAME_WORDS
        and all(word[:1].isupper() and word.isascii() for word in words)
        and not _OPENERS.fullmatch(words[0])
    )
