"""Which parts of a message have the form of somebody else's text: a log, a mail, verse, a play.

Told by the layout alone: names and times in front of lines, headers, titles, salutations, parts
of a song; or by the few words that lead into it. What is said about a text, and asked for it, is
read by :mod:`memory.text.announcing`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from memory.text.announcing import OF_ONESELF, tells_about_self
from memory.text.late_pattern import LatePattern

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
_DAY: Final = (
    r"昨天|今天|前天|刚刚|星期[一二三四五六日天]|周[一二三四五六日]|today(?:\sat)?"
    r"|yesterday(?:\sat)?|(?:mon|tue|wed|thu|fri|sat|sun)\w*"
)

_HEADER: Final = (
    # A date or a clock and a name, before the words or on a line of its own.
    rf"^[ \t]*(?:{_DATE}[ \t,T]+)?{_CLOCK}[ \t]*(?:[-–—,|][ \t]*)?(?!我"
    rf"|I\b)[^\s\d][^\n：:。！？!?,，.]{{0,30}}[：:](?!\d)"
    rf"|^[ \t]*{_DATE}[ \t,T]+{_CLOCK}[ \t]+(?!我|I\b)[^\n：:。！？!?,，]{{1,40}}$"
    rf"|^[ \t]*[^\s\n：:。！？!?,，]{{1,20}}(?:[ \t][^\s\n：:。！？!?,，]{{1,12}}){{0,3}}[ \t]+"
    rf"(?:{_DAY}[ \t]*)?{_CLOCK}[ \t]*[：:][ \t]*\S"
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
    r"|[\[【](?=[^\]】\n]*[^\W\d])[^\]】\n]{1,16}[\]】](?=[ \t]*\S)"
    r"|(?-i:(?:(?:[A-Z][A-Z0-9'’/&.]++|[—–-])[ \t]*+){2,12}"
    r"|[A-Z][A-Z0-9'’/&.]+[A-Z][A-Z0-9'’/&.]+[ \t]*)(?=\n)"
    r"|(?:chapter|part|scene|act|exercise|question|case|candidate|respondent|patient"
    r"|q)[ \t]*#?[ \t]*(?=\w{0,9}\d|[ivx]+\b|one|two|three)\w{1,10}\b[ \t]*[.:：]?"
    r"|\d{1,2}[.)、．][ \t]*(?:put|translate|fill|choose|complete|correct|rewrite|answer|read"
    r"|match|make|将|把|用|选|填|改写|造句|翻译|阅读)"
    r"|(?:r|u)/\w{2,30}|OP[：:]|AITA\b|TIFU\b|WIBTA\b"
    r"|第[一二三四五六七八九十百0-9]{1,4}[章节幕回集]|文[／/]|转发自|转自"
    r"|\d{1,2}[ \t]*\n\d{2}:\d{2}:\d{2}"
    r"|\d{1,3}楼[ \t]|delivered[ \t]*\n|ticket[ \t]*#|(?://|#[ \t]|/\*)|[★☆⭐]{2,}"
    r"|(?:kind|best|warm)[ \t]+(?:regards|wishes)|dear\b[^\n]{0,30},|尊敬的|亲爱的|親愛的|谢邀)"
)


@cache
def _line_patterns() -> tuple[LatePattern, LatePattern, LatePattern]:
    flags = re.IGNORECASE | re.MULTILINE
    return LatePattern(_LABEL, flags), LatePattern(_HEADER, flags), LatePattern(_TITLE, flags)


# What begins a document anywhere: the head of a mail, a salutation to others, a notice, a scene.
_DOCUMENT: Final = (
    r"^(?:(?:From|To|Sent|Subject|Date|Cc|Bcc|Reply-To|发件人|收件人|发送时间|时间|日期|主题"
    r"|抄送)[ \t]*[：:][^\n]{2,200}\n){2,9}"
    r"|^[ \t]*(?:To whom it may concern|Dear[ \t][^\n,：:]{1,40}[,，：:]|(?:Hi|Hey"
    r"|Hello)[ \t](?:all|team|everyone|everybody|folks|fam|guys|neighbou?rs)\b"
    r"|尊敬的[^\n，：:]{1,20}|各位[^\n，：:。]{1,12}[，：:！!]|大家好|兹证明|特此)"
    r"|(?<=[.?!:][ \t])(?-i:(?:Dear|Hi|Hey|Hello|To)[ \t][A-Z][\w'’ ]{1,20},)"
    r"|^[ \t]*(?:INT|EXT)\.[ \t][^\n]{2,60}\n"
    r"|(?:^|(?<=[。？！?!—\s]))(?:答|问|Q|A)[：:](?=[^\n]*[。？！?!\n—][ \t]*(?:答|问|Q|A)[：:])"
)

# What only posts, songs and advertisements have: refrains, counters of readers, tags, offers.
_POST: Final = (
    r"[🎶♪♫🎵]|[（(\[【](?:副歌|间奏|前奏|主歌|verse|chorus|bridge|intro"
    r"|outro)[^）)\]】\n]{0,8}[）)\]】]"
    r"|^[ \t]*(?:oh+|ooh+|whoa|la[ -]la|na[ -]na|哦|啦啦)[ ,，][^\n]*\n[^\n]+\n"
    r"|(?:转发|点赞|阅读|评论|收藏|浏览)(?:量|数)?[ \t]*[\d.]+[万k]?"
    r"|\b[\d.,]+[km]?[ \t]*(?:likes|retweets|upvotes|shares|views|comments)\b"
    r"|(?:#[\w一-鿿]{2,20}[ \t]*){2,}|加(?:我)?(?:微信|[vV][xX信])|(?:私信|扫码|点击|点下方"
    r"|回复)[^\n，。]{0,6}(?:领|链接|购|咨询|报名)"
    r"|\blink in (?:my )?bio\b|\bDM (?:me )?for\b|\b(?:call|order|buy|sign up) (?:now|today)\b"
    r"|(?:^|[ \t\n])(?:--|—|——|–)[ \t]?(?:some|anon\w*|佚名|(?-i:[A-Z])[\w.]+)"
    r"[^\n.!?。]{0,40}\s*\Z"
)


@cache
def _documents() -> LatePattern:
    return LatePattern(_DOCUMENT, re.IGNORECASE | re.MULTILINE)


@cache
def _posts() -> LatePattern:
    return LatePattern(_POST, re.IGNORECASE | re.MULTILINE)


_MYSELF: Final = LatePattern(rf"(?:{_SELF})", re.IGNORECASE)


def layout_spans(text: str) -> Iterator[Span]:
    """Yield what has the form of a log, a mail, a form or a document of any kind."""
    label, header, title = _line_patterns()
    if tells_about_self(text):
        return
    yield from _document_spans(text, begun=bool(title.match(text.lstrip())))
    # "Move my tablets to 9:45" is all that is said, and heads nothing.
    headers = (each for each in header.finditer(text) if each[0].strip() != text.strip())
    for found in headers:
        yield found.start(), _end_of_block(text, found.start())
    labels = [found for found in label.finditer(text) if not _MYSELF.fullmatch(found["name"])]
    if len(labels) > 1 and not _is_own_form(text, labels):
        for found in labels:
            yield found.start(), _end_of_line(text, found.end())
    for found in labels[:1] if len(labels) == 1 else ():
        if _names_somebody(found["name"]):
            yield found.end() - 1, _end_of_line(text, found.end())


def _document_spans(text: str, *, begun: bool) -> Iterator[Span]:
    """Yield what is a document from some line on; all of it if it has ``begun`` as one."""
    if begun or _posts().search(text):
        yield 0, _end_of_document(text, 0)
    for found in _documents().finditer(text):
        if not _INTRODUCES.fullmatch(text):
            yield found.start(), _end_of_document(text, found.end())


# Who greets all and goes on with I writes it themselves, on one line, and shows and sells nothing.
_INTRODUCES: Final = LatePattern(
    r"\s*(?:大家|各位(?:朋友|邻居|同事|同学|群友|老师)?)(?:[早晚上中下午]*好|早)[呀啊哈]?"
    r"[，,。.！!～~、 ]*(?=我(?!们|[这那]里?有|给|来)|本人|俺(?!们))"
    r"(?!.*(?:(?:给|教|跟|带|为)(?:大家|各位|你们)|欢迎|关注|主播|频道|直播|节目|粉丝|本店"
    r"|客服|加我|扫码|咨询|优惠|代理|讲座|下单|推荐一))[^\n]{2,120}"
    r"|\s*(?:Hi|Hey|Hello)[ \t](?:there[ \t])?(?:all|everyone|everybody|guys|folks|team|fam)"
    r"[,.!: \t]*(?=(?:I|I['’]m|my name)\b)(?!.*\b(?:welcome|subscribe|channel|follow me|ask me"
    r"|DM|sign up|join us|episode|workshop|offer|discount|today we)\b)[^\n]{2,200}\s*",
    re.IGNORECASE,
)


_FIELDS: Final = LatePattern(
    r"时间|日期|地点|人物|事件|原因|结果|经过|坐标|职业|爱好|年龄|体重|身高|心情|天气|早餐|午餐"
    r"|晚餐|早|中|晚|上午|下午|晚上|优点|缺点|目标|计划|进度"
    r"|when|where|who|what|why|time|date|place|event|mood|weather|job|age|breakfast|lunch"
    r"|dinner|plan|goal|status|pros|cons",
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
    found = LatePattern(r"\n[ \t]*\n").search(text, start)
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
COMMON_SURNAMES: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏"
    "魏吕"
    "丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严"
)

# Not \w: a single word before a colon is a name if it is one; these open a sentence of one's own.
_OPENERS: Final = LatePattern(
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
        rf"(?:[{COMMON_SURNAMES}][一-鿿]{{1,2}}|[阿小老][一-鿿]{{1,2}}|[一-鿿]{{0,3}}"
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


def shown_as_said_by(name: str, text: str) -> str:
    """Return a text that is shown below the name of who said it; ``head_of_shown`` reads it."""
    return f"{name}{':' if text.isascii() else '：'}\n{text}" if name else text


_HEAD: Final = LatePattern(r"(?P<name>[^\n]{1,64})[：:]\n")


def head_of_shown(shown: str) -> tuple[str, str]:
    """Return who is named above a text that is shown, "" for nobody, and the text.

    >>> head_of_shown(shown_as_said_by("阿梅", "我养了只猫"))
    ('阿梅', '我养了只猫')
    """
    found = _HEAD.match(shown)
    return (found["name"], shown[found.end() :]) if found else ("", shown)


# --- Led into by words -----------------------------------------------------------------------
# 妈妈刚发来的消息，…; a note left on my windscreen: …. A lead-in names a text, or somebody who
# says something, and is no clause about the speaker.

_KIN: Final = (
    r"妈|爸|爹|娘|爷|奶|姥|外公|外婆|哥|姐|弟|妹|姑|姨|叔|舅|伯|婶|嫂|侄|外甥|表|堂|儿子|女儿"
    r"|闺女|孩子|娃|老公|老婆|对象|媳妇|男友|女友|男朋友|女朋友"
    r"|婆婆|公公|岳|爱人|同学|同桌|同事|室友|舍友|朋友|闺蜜|哥们|发小|老板|领导|上司|客户|甲方"
    r"|老师|导师|学生|徒弟|邻居|房东|租客|司机|医生|前任|粉丝"
)
_SOMEBODY: Final = (
    rf"{_KIN}|隔壁|楼上|楼下|对门|物业|保安|师傅|护士|主播|博主|网友|楼主|[Uu][Pp]主|嘉宾|作者"
    rf"|主角|男主|女主|主持|明星|偶像|大爷|大妈|阿姨|老人|患者|病人|顾客"
    r"|买家|卖家|店家|商家|乘客|新人|妹子|妹纸|小哥|小姐姐|哥们|老哥|有人|别人|人家|某人|某位"
    r"|一个|一位|一句|[阿小老][一-鿿]|他|她|网|群|组里|班里"
)
_ZH_TEXTS: Final = (
    r"消息|微信|条儿|纸条|字条|便[条签利]贴?|留言|回忆录|致谢|金句|名言|范文|例句|例文|练习"
    r"|公告|通知|介绍|简介|书[上里中]|播客|帖子?|诗|歌词?|词|信|文章?|稿子?|原话|语音|来电|弹幕"
    r"|评论区?|朋友圈|签名|动态|状态|微博|说说|[墙门墓碑牌]上|牌子|海报|传单|广告|杂志|报纸"
    r"|新闻|报道|小说|剧本|台词|日记|游记|论文|作业|作文|试卷|考题|题目?|病历|简历|档案|笔录"
    r"|遗[言书]"
    r"|碑文|独白|人设|角色卡?|自述|口述|采访|专访|访谈|发言|演讲|致辞|贺[卡词]|明信片|邮件|短信"
    r"|私信|群聊|对话|截图|字幕|文案|标语|口号|段落?|句子?|开头|结尾|第.{1,3}[页章节段句]|原文"
    r"|译文|转写|录音"
)
_ZH_SAYS: Final = (
    r"说|讲|道|写|问|喊|念|唱|吐槽|自述|表示|回|回复|来了?一?句|写着|贴着|印着|刻着|(?:说|讲|写"
    r"|问|发|留|回|喊|念|唱|贴|寄|转|传)(?:来|给我|过来)?的|发来|转来|发我|转我"
)
# The speaker does something themselves: 我写了首歌, 看了她的消息，我哭了.
_ZH_OWN: Final = LatePattern(
    rf"\W*(?:今天|昨天|刚才?|早上|晚上|最近|其实|反正|那天|因为|所以|但|不过"
    rf"|后来)*(?:我(?!(?:们|的|家|那|这|个)*(?:{_KIN}|班|公司|单位|小区|群|家|隔壁|楼))|咱|本人"
    rf"|听[你您起了完到]|你|您|谢谢|好[啊呀的]|[跟和对给向同](?!我)"
    r"|看[了完到过]|收到|听[了完到]|读[了完到]|想起|回[了完]|写[了完]|因为|为了|关于|有点|跟你"
    r"|和你|对你|老实|实话|说真|真的|不瞒|换句|总的|也就|比如|好的)"
)

_ZH_DOES: Final = LatePattern(
    r"[读看听写发处整改做]|刷到|处理|知道|发现|感觉|觉得|想|准备|继续|规划"
)
"""What the speaker may have done with a text before they go on about themselves."""

_EN_TEXTS: Final = (
    r"letters?|e-?mails?|essays?|paragraphs?|passages?|sentences?|posts?|tweets?|bios?"
    r"|profiles?|r[eé]sum[eé]s?|cvs?|speech|statements?|stor(?:y|ies)|poems?|lyrics?"
    r"|reviews?|diar(?:y|ies)|transcripts?|voicemails?|voice\s?notes?|minutes|worksheets?"
    r"|homework|surveys?|tickets?|comments?|captions?|quotes?|quotations?|screenshots?|adverts?"
    r"|ads?"
    r"|announcements?|tapes?|threads?|excerpts?|obituary|eulogy|horoscope|release|originals?"
    r"|messages?|texts?|notes?|cards?|postcards?|toasts?|vows|interviews?|podcasts?"
    r"|articles?|blogs?|columns?|tales?|dialogues?|monologues?|lines?|scripts?|scenes?|songs?"
    r"|verses?|sayings?|proverbs?|mottos?|signs?|stickers?|posters?|labels?|flyers?|leaflets?"
    r"|memos?|notices?|petitions?|testimon(?:y|ials?)|confessions?|books?|novels?|chapters?"
    r"|prompts?|questions?|listings?|dms?|customers?|clients?|applicants?|example"
)
_EN_SOMEBODY: Final = (
    r"mum|mom|mam|dad|da|nan|gran\w*|grandad|grandpa|auntie?|uncle|cousin|sister|brother|wife"
    r"|husband|son|daughter|kid|partner|girlfriend|boyfriend|ex|friend|mate|bestie|flatmate"
    r"|roommate|housemate|colleague|coworker|boss|manager|client|customer|tenant|landlord"
    r"|neighbou?r|teacher|student|pupil|guy|bloke|man|woman|lady|girl|lad|someone|somebody"
    r"|stranger"
    r"|he|she|they|driver|influencer|author|narrator|main character|guest|host|speaker|witness"
    r"|niece|nephew|in-law|priest|vicar|intern|recruiter"
)
_EN_OWN: Final = LatePattern(
    r"\W*(?:so |and |but |ok(?:ay)? |well |today |yesterday |just |also |honestly "
    r"|anyway )*(?:i|i['’]\w+|we|we['’]\w+|you|you['’]\w+|my (?!\w+['’]s|favou?rite"
    r"|(?:\w+ )?(?:mum|mom|dad|nan|sister|brother|boss|friend|mate|kid|son|daughter|wife"
    r"|husband|ex|cousin|aunt\w*|uncle|gran\w*)\b))(?![a-z])"
    r"|\W*(?:quick|side|small|short|long|true|fun|funny|good|bad|big|great|same|full|love|life"
    r"|back|personal)\s|\W*(?:note|story|question|update|news|ps|text me"
    r"|lines? up)\b(?! (?:left|from|on|by|found|in))",
    re.IGNORECASE,
)
_EN_PLACE: Final = (
    r"\b(?:found|seen|saw|heard|overheard|left|stuck|written|posted|pinned|read|from|off|by"
    r"|this|that|these|below|following|favou?rite|of the (?:day|week)|['’]s)\b|['’]s\b"
)
_LONGEST_ZH: Final = 24
_LONGEST_EN: Final = 90

_FIRST_PERSON: Final = LatePattern(
    r"[我俺咱]|本人|私は|저는|나는|(?<![A-Za-z])(?:i|i['’](?:m|ve|d|ll)|my|je|ich|yo"
    r"|soy)(?![A-Za-z])",
    re.IGNORECASE,
)


@cache
def _lead_patterns() -> tuple[LatePattern, ...]:
    end = r"[\s“”\"'（(🙄-🫶]*$"
    return (
        LatePattern(rf"(?:{_ZH_TEXTS}|{_ZH_SAYS}){end}"),
        LatePattern(rf"{_SOMEBODY}|[这那上下里]|的"),
        LatePattern(rf"\b(?:{_EN_TEXTS})\b", re.IGNORECASE),
        LatePattern(rf"{_EN_PLACE}|\b(?:{_EN_SOMEBODY})\b", re.IGNORECASE),
    )


_DELIMITER: Final = LatePattern(
    r"[：:](?!//|\d)|\n+|[，。？！…]+|(?<=[㐀-鿿])[ \u3000]+|\s[-–—]+\s|——+|—|>>+|[.?!](?=\s)"
    r"|,(?=\s)"
)


def led_into(text: str) -> Span | None:
    """Return what the first words of a message lead into; None if they do not.

    Only if what follows says I: else nobody could be taken for its speaker.
    """
    found = _DELIMITER.search(text.lstrip())
    start = len(text) - len(text.lstrip())
    if found is None:
        return None
    lead, mark = text.lstrip()[: found.start()], found[0].strip()
    rest = text[start + found.end() :]
    if not _FIRST_PERSON.search(rest):
        return None
    leads = _leads_zh(lead, mark) if re.search("[㐀-鿿]", lead) else _leads_en(lead, mark)
    # Behind a colon to the end of the line: 老板说：明天开会, and then one's own.
    begin = start + found.end()
    end = _end_of_line(text, begin) if mark in {"：", ":"} and rest[:1] != "\n" else len(text)
    return (begin, end) if leads else None


def _leads_zh(lead: str, mark: str) -> bool:
    text_last, owner, *_ = _lead_patterns()
    if len(lead) > _LONGEST_ZH or _ZH_OWN.match(lead) or not text_last.search(lead):
        return False
    if mark in {"：", ":", ""}:
        return True
    told_of = re.match(rf"\W*(?:我|那个|这个)?(?:{_SOMEBODY})", lead)
    return bool(owner.search(lead)) and bool(told_of or not _ZH_DOES.search(lead))


def _leads_en(lead: str, mark: str) -> bool:
    *_, texts, owner = _lead_patterns()
    if len(lead) > _LONGEST_EN or _EN_OWN.match(lead) or not texts.search(lead):
        return False
    return bool(owner.search(lead)) and mark != ","
