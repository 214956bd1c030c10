"""What somebody says that she may come back to: an interview, a promise, a birthday, a fever.

By rule, in Chinese and English, and careful: what is asked, supposed, refused, over, or somebody
else's story is no occasion. A missed one costs nothing; a wrong one would be a nuisance.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Final, Literal
from zoneinfo import ZoneInfo

from memory.initiative.requests import reminder_request
from memory.model import Message
from memory.offline.groups import is_of_another_before
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.slot_cues import FICTION, SUPPOSED
from memory.text.times import DayRead, read_day
from memory.text.tokens import ends_as_question
from memory.text.word_forms import SIMPLIFIED

LONGEST: Final = 300
"""Longer messages tell a story, or were pasted."""

FARTHEST_DAYS: Final = 366
"""So many days ahead, at most, something is kept in mind."""

MOST_OF_ONE: Final = 3
"""So many occasions one message gives, at most."""

DELICATE: Final = frozenset({"health", "illness"})
"""What is asked after without being named: others may read it."""

_EVENTS_ZH: Final = {
    "interview": r"面试|复试|面谈",
    "exam": r"考试|笔试|[中高]考(?!虑)|考研|期[末中]考?|雅思|托福|四六?级|六级|科目[一二三四]|路考|驾考|答辩|考[^，。虑察]{0,4}证",
    "health": r"手术|胃镜|肠镜|体检|复查|复诊|产检|拔牙|看(?:牙|医生)|打疫苗|化疗|做(?:个)?检查|住院(?![医部费])",
    "stage": r"演讲|汇报|上台|路演|宣讲|述职|演出|表演|开庭",
    "match": r"比赛|决赛|半决赛|马拉松|球赛|运动会",
    "move": r"搬家|搬新家|交房|收房",
    "wedding": r"婚礼|领证|办酒",
    "meeting": r"约会|相亲|聚会|聚餐|同学会|见家长|吃饭局|饭局|生日会",
    "result": r"出成绩|出结果|出分|放榜|成绩出来|结果出来",
    "first_day": r"入职|上班第一天|第一天上班|开学|报到",
    "trip": r"出差|旅[行游]|航班|坐(?:飞机|高铁|火车)|(?<!鸡)飞(?!机|快|速|回)[\u4e00-\u9fff]{1,4}|去[\u4e00-\u9fff]{1,6}玩|出发|启程|自驾",
}
_EVENTS_EN: Final = {
    "interview": r"interviews?",
    "exam": r"(?:exams?|finals|midterms?|driving test|bar exam|viva|thesis defen[cs]e)",
    "health": r"surgery|operation|check-?up|dentist|doctor'?s? appointment|appointment (?:with|at) the doctor"
    r"|scan|mri|biopsy|colonoscopy|root canal|hospital appointment",
    "stage": r"presentation|keynote|(?:giving|give) a (?:talk|speech)|speech|pitch|recital|gig|performance review|court date",
    "match": r"marathon|race|tournament|(?:football|basketball|tennis|rugby|chess|cricket|volleyball) match|half[- ]marathon|competition",
    "move": r"moving (?:day|house|in|out)|move (?:house|in|out)",
    "wedding": r"wedding",
    "meeting": r"(?:first|blind) date|date with|reunion|dinner with|lunch with",
    "result": r"results? (?:come|comes|are|is|will)|hear back",
    "first_day": r"first day|start(?:ing)? (?:my|a|the) new job|start(?:ing)? my job",
    "trip": r"trip|flights?|fly(?:ing)? (?:to|out|home)|travel(?:ling|ing)? to|road trip|train to",
}
_ILL: Final = {
    "zh": r"(?:^|[，,]|我|孩子|宝宝|女儿|儿子|爸|妈|父亲|母亲|老公|老婆|丈夫|妻子)(?:今天|昨[天晚]|早上|现在|最近|突然|好像|可能|又|还|也|自己|有点儿?|有些|在|已经|确诊(?:了|是|得了)?|一直|这[两几]天|，|,)*"
    r"(?:发(?:着|了)?(?:高|低)?烧|感冒|生病|得了?流感|拉肚子|(?:急性)?肠胃炎|嗓子(?:疼|痛|发炎)|头(?:疼|痛)(?:得|死)|崴(?:了|到)?脚|扭(?:了|到)(?:脚|腰))(?!药|疫苗|的|和|会|频|好|症状|季|门诊)",
    "en": r"\b(?:fever|the flu|a (?:bad |nasty )?cold|food poisoning|stomach bug|sprained|migraine|feel(?:ing)? (?:really |so )?sick|threw up|i'?m sick)\b",
}
_NOT_ILL: Final = LatePattern(
    r"没(?:有)?发|不发烧|容易|预防|疫苗|区别|以前|小时候|缓解|康复|[这那]段|指南|科普|季节|一(?:生病|感冒)|怕|担心"
    r"|\b(?:vaccine|shot|used to|prevent\w*|season|no fever|getting over|recovered)\b",
    re.IGNORECASE,
)
_PROMISED: Final = {
    "zh": r"(?<!没)(?<!不)答应(?!不)|承诺|说好了?(?=[要去在明后下周今一，,]|$)|我保证|截止|要交|得交|该交|到期|deadline",
    "en": r"\b(?:(?:i|i['’]ve|we) promised|agreed to|deadline|due (?:on|by|tomorrow|today)|hand in|(?:have|need|has) to (?:submit|send|return|deliver))\b",
}
_HERS: Final = {
    "zh": r"^我(?:会|就|再|明天|后天|晚点|到时候|周[一二三四五六日]|下周)[^？?，。]{0,12}(?:告诉你|问你|陪你|讲给你|念给你|说给你|给你(?:讲|念|说|看)|跟你说|和你说)",
    "en": r"^(?:and )?i(?:['’]ll| will) (?:tell|ask|read|show|sing|write) you\b",
}
_KIN: Final = (
    r"(?:爸妈|爸爸?|妈妈?|父亲|母亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|老公|老婆|丈夫|妻子|先生|太太|爱人|对象|[男女]朋?友"
    r"|儿子|女儿|闺女|孩子|宝宝|大宝|二宝|哥哥?|姐姐?|弟弟?|妹妹?|闺蜜|室友|导师|狗狗|猫咪)"
)
_DAYS: Final = {
    "zh": r"(?:(?:我们?家?的?)?(?P<whose>"
    + _KIN
    + r"|(?:^|(?<=我))[\u4e00-\u9fff]{2,3}(?=的)|(?:我们?|主人)(?=的?[生纪结恋相阴农]))的?)?"
    r"(?:[^，。]{0,10}?(?<=[日号是的一二三四五六七八九十]))?(?<!过)(?P<day>(?:阴历|农历)?生日|(?:结婚|订婚|恋爱|相恋|相识|认识)?纪念日)(?![礼会派蛋要那想用当时])",
    "en": r"\b(?P<whose>(?:(?:my|our) )?(?:(?!birthday|anniversary|on|is|the)[\w’']+ ){0,2})(?P<day>(?:wedding )?anniversary|birthday)\b",
}
_BORN: Final = LatePattern(
    r"(?:我(?:是|于|在)?|^我[^，,。]{1,12}[，,]\s*)(?:[12]\d{3}年)?(?P<zh>\d{1,2}月\d{1,2}[日号])(?:出?生)(?!日|的孩子)"
    r"|\bi was born (?:on )?(?:the )?(?P<en>\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]{3,9}|[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?)\b",
    re.IGNORECASE,
)
"""Whoever tells when they were born tells their birthday."""
_OTHERS_DAY: Final = LatePattern(
    r"(?<!我)(?<!我们)(?<!主人)(?<!自己)的$|[\u4e00-\u9fff](?<![我们人己的是日号天五十就在])$"
)
"""Of somebody whom no word here names: 公司的生日, 明哲生日."""
_OURS: Final = LatePattern(r"我们?(?:[和跟与同][^，,。]{1,8}|俩|两个?)的$")
_OWN_DAY: Final = LatePattern(r"(?:我们?|主人|my|our)?", re.IGNORECASE)

_NOT_SO: Final = LatePattern(
    r"取消|不去|不用|要不要|推了|推掉|拒绝|备考|不必|没有|没(?=考|面|约)|不想|不打算|不准备|别人|他说|她说|听说|新闻|电视|电影|小说|梦"
    r"|聊|谈|关于|讨论|推荐|建议|机会|攻略|一本|书店|节目|作文|题目"
    r"|女孩|男孩|顾客|客人|学员|患者|病人|病房|大爷|大妈"
    r"|\b(?:cancel\w*|called off|not going|won['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|no longer|instead of"
    r"|he says|she says|news|movie|film|dream\w*|i wish|wish i|someday|would"
    r"|talk(?:ing)? about|recommend\w*|advice|suggest\w*|chance of|books?|podcast)\b",
    re.IGNORECASE,
)
_OVER: Final = LatePattern(
    r"刚|昨|前天|前几天|上(?:个)?(?:周|星期|礼拜|月)|去年"
    r"|\b(?:yesterday|last (?:night|week|month|year)|ago|was|were|went|had|did|passed|failed)\b",
    re.IGNORECASE,
)
_DONE: Final = LatePattern(
    r"完了|[了过完](?:[，。！!~]|$)|\b(?:done|over|finished)\b", re.IGNORECASE
)
_AHEAD: Final = LatePattern(
    r"(?<![主重需不])要(?!求)|将|(?<![聚机社晚年宴约都])会(?![议上])|打算|准备|快要|\b(?:will|going to)\b",
    re.IGNORECASE,
)
_CALLED_OFF: Final = LatePattern(
    r"取消|不(?:去|考|面|办|搬|用)了|泡汤|黄了|算了|改(?:到|成|期|在|天)|推迟|延[期后]|提前到|往后推|做完|搞定|交了|办好|弄好"
    r"|\b(?:cancell?ed|called off|postponed|rescheduled|moved to|pushed|put off|not going|done with|finished|handed in|sent it)\b",
    re.IGNORECASE,
)
_MOVED_TO: Final = LatePattern(
    r"(?<=[改推挪延换迟后前])(?:到|至)|\b(?<=moved )to\b", re.IGNORECASE
)
_OUTCOME: Final = LatePattern(
    r"完|过了|结束|顺利|还行|还可以|不错|砸|挂了|凉了|通过|赢|输|到了|回来|[考面搬做领拔]了|[医大][生夫]说|落地|offer|录[用取]"
    r"|\b(?:went|was|were|over|done|passed|failed|finished|nailed|aced|won|lost|landed|arrived|back|said|got)\b",
    re.IGNORECASE,
)
_WENT: Final = {
    "interview": r"面(?:完|得|上|砸|过)了?|offer|录[用取]|got the job|hired",
    "exam": r"考(?:完|得|砸|过|上)了?|科[目一二三四].{0,3}[过挂]|\b(?:passed|failed|flunked)\b",
    "health": r"[医大][生夫]说|[拔查看做]完|牙拔|拔了|牙[医科]|\b(?:doctor|dentist) said\b|\btooth\b",
    "trip": r"落地|到(?:酒店|机场|站)了|\b(?:landed|arrived)\b",
}
"""What tells how such an occasion went without naming it: who was interviewed says 面完了."""
_SENTENCES: Final = LatePattern(r"(?<=[。！？!?；;…])|\n+|(?<=[a-z0-9][.])\s+")
_CLAUSES: Final = LatePattern(r"[，,；;、]")
_HAN: Final = LatePattern("[\u4e00-\u9fff]")

OccasionKind = Literal["follow_up", "promise", "day"]


@dataclass(frozen=True, slots=True)
class Occasion:
    """Something to come back to: what it is, its day, and the sentence that tells of it.

    ``about`` is one of our own words for it, ``what`` the one that was used. ``day`` is None for
    an illness, which has none.
    """

    kind: OccasionKind
    about: str
    what: str
    text: str
    day: DayRead | None = None


def occasions_said(
    said: Sequence[Message], before: Sequence[Message], zone: ZoneInfo
) -> tuple[tuple[Occasion, Message], ...]:
    """Return what a partner says that she may come back to, each with its message.

    In their own words only; what asks for a reminder is one already.
    """
    # Whose words they are is dearer to tell, and asked only where there is an occasion at all.
    if not any(m.role == "user" and occasions_in(m.text, m.at, zone) for m in said):
        return ()
    found = [
        (occasion, message)
        for message, own in zip(said, own_words_of(said, before), strict=True)
        if message.role == "user" and reminder_request(own.text, message.at, zone) is None
        for occasion in occasions_in(own.text, message.at, zone)
    ]
    return tuple(found[:MOST_OF_ONE])


def occasions_in(text: str, at: datetime, zone: ZoneInfo) -> tuple[Occasion, ...]:
    """Return what a text of somebody, said at ``at``, gives to come back to."""
    plain = text if text.isascii() else text.translate(SIMPLIFIED)
    if len(plain) > LONGEST or FICTION.search(plain):
        return ()
    today = at.astimezone(zone).date()
    found: list[Occasion] = []
    for sentence in filter(None, map(str.strip, _SENTENCES.split(plain))):
        one = _occasion(sentence, at, zone)
        if one is not None and (one.day is None or _is_ahead(one.day.day, today)):
            found.append(one)
    return tuple(found)


def _is_ahead(day: date, today: date) -> bool:
    return 0 <= (day - today).days <= FARTHEST_DAYS


def _occasion(sentence: str, at: datetime, zone: ZoneInfo) -> Occasion | None:
    if ends_as_question(sentence) or SUPPOSED.search(sentence) or _NOT_SO.search(sentence):
        return None
    language = "zh" if _HAN.search(sentence) else "en"
    # 改到周五 names the new day; of a recurrence 到周五 would be its end.
    day = read_day(_MOVED_TO.sub(" ", sentence), at, zone)
    if born := _BORN.search(sentence):
        day = read_day(born["zh"] or born["en"], at, zone)
        return Occasion("day", "own_birthday", "", sentence, day) if day else None
    named = _found(_DAYS[language], sentence)
    if named is not None:
        return _named_day(named, sentence, day)
    if _is_ill(sentence, language):
        return Occasion("follow_up", "illness", "", sentence)
    is_today = day is not None and day.day == at.astimezone(zone).date()
    if day is None or _is_over(sentence, day, today=is_today):
        return None
    return _event(sentence, language, day, at, zone)


def _is_over(sentence: str, day: DayRead, *, today: bool) -> bool:
    if _OVER.search(sentence):
        return True
    if not today:
        return False
    # Of today somebody tells mostly what was: what is to come has an hour, or a word for it.
    named = day.hour is not None or day.late
    ahead = _AHEAD.search(sentence) is not None
    return not (ahead or named) or (_DONE.search(sentence) is not None and not ahead)


def _event(
    sentence: str, language: str, day: DayRead, at: datetime, zone: ZoneInfo
) -> Occasion | None:
    """Return the promise or the event of a day that a sentence names."""
    if _found(_PROMISED[language], sentence):
        return Occasion("promise", "promise", "", sentence, day)
    table = _EVENTS_ZH if language == "zh" else _EVENTS_EN
    for about, pattern in table.items():
        event = _found(pattern if language == "zh" else rf"\b(?:{pattern})\b", sentence)
        if event is None:
            continue
        # 今天接到电话，下周三复查: its own clause names its day.
        begin = max(
            (each.end() for each in _CLAUSES.finditer(sentence[: event.start()])), default=0
        )
        near = read_day(_MOVED_TO.sub(" ", sentence[begin:]), at, zone) or day
        is_today = near.day == at.astimezone(zone).date()
        if is_today and sentence[event.end() :].startswith(("了", "过", "完")):
            return None
        # What is somebody else's is asked after in the words that name them.
        what = "" if is_of_another_before(sentence[: event.start()]) else event[0]
        return Occasion("follow_up", about, what, sentence, near)
    return None


def is_of_another(text: str, about: str) -> bool:
    """Whether a sentence tells of such an occasion as somebody else's: 我姐下周要做手术."""
    plain = text.translate(SIMPLIFIED)
    language = "zh" if _HAN.search(plain) else "en"
    table = _ILL if about == "illness" else _EVENTS_ZH if language == "zh" else _EVENTS_EN
    pattern = table.get(language if about == "illness" else about, "")
    found = _found(pattern, plain) if pattern else None
    return found is not None and is_of_another_before(
        plain[: found.end() if about == "illness" else found.start()]
    )


def _is_ill(sentence: str, language: str) -> bool:
    # 孩子发烧了 is asked after as well; 同事感冒了 is talk.
    others = r"同事|老板|邻居|朋友|网友|明星" if language == "zh" else r"colleague|neighbou?r|boss"
    if _found(_ILL[language], sentence) is None or _NOT_ILL.search(sentence):
        return False
    return _found(others, sentence) is None


def _named_day(named: re.Match[str], sentence: str, day: DayRead | None) -> Occasion | None:
    if day is None:
        return None
    whose = (named["whose"] or "").strip()
    before = sentence[: named.start("day")]
    if not whose and _OTHERS_DAY.search(before) and not _OURS.search(before):
        return None
    own = _OWN_DAY.fullmatch(whose) is not None
    birthday = "生日" in named["day"] or named["day"].lower() == "birthday"
    about = ("own_" * own + "birthday") if birthday else "anniversary"
    what = f"{whose}的{named['day']}" if not own else named["day"]
    if named[0].isascii():
        what = re.sub(r"^(?:my|our)\b", "your", named[0].strip(), flags=re.IGNORECASE)
    return Occasion("day", about, what, sentence, day)


def promise_of_hers(text: str, at: datetime, zone: ZoneInfo) -> Occasion | None:
    """Return what she promises in a reply for a day ahead."""
    if len(text) > LONGEST:
        return None
    for sentence in filter(None, map(str.strip, re.split(r"[，,。！!？?\n]", text))):
        language = "zh" if _HAN.search(sentence) else "en"
        day = read_day(sentence, at, zone) if _found(_HERS[language], sentence) else None
        if day is not None and _is_ahead(day.day, at.astimezone(zone).date()):
            return Occasion("promise", "hers", "", sentence, day)
    return None


def tells_of(text: str, about: str) -> bool:
    """Whether a text speaks of such an occasion."""
    plain = text.translate(SIMPLIFIED)
    if about == "illness":
        return bool(_found(_ILL["zh"], plain) or _found(_ILL["en"], plain)) or bool(
            _found(r"好多了|退烧|好了|痊愈|\bbetter\b|recovered", plain)
        )
    zh, en, how = _EVENTS_ZH.get(about), _EVENTS_EN.get(about), _WENT.get(about)
    return any(
        pattern and _found(pattern, plain) for pattern in (zh, en and rf"\b(?:{en})\b", how)
    )


def tells_outcome(text: str) -> bool:
    """Whether a text says how something went, on its very day: 面试完了, it went well."""
    plain = text.translate(SIMPLIFIED)
    return _OUTCOME.search(plain) is not None and _AHEAD.search(plain) is None


def calls_off(text: str) -> bool:
    """Whether a text says that something is off, moved or done."""
    return _CALLED_OFF.search(text.translate(SIMPLIFIED)) is not None


def _found(pattern: str, text: str) -> re.Match[str] | None:
    return _compiled(pattern).search(text)


@cache
def _compiled(pattern: str) -> LatePattern:
    return LatePattern(pattern, re.IGNORECASE)
