"""Whom a clause is about that names nobody: whoever the one before it was about, as a rule.

Not always: what was only brought in goes on, what only people do is not done by a thing, and some
clauses begin anew.
"""

import re
from dataclasses import replace
from typing import Final

from memory.judgement.assertions import IS_SAID, Assertion
from memory.judgement.lexicon import STATES
from memory.judgement.subjects import NOBODY, Subject, Who, is_person
from memory.text.late_pattern import LatePattern
from memory.text.names import GOES_ON_ABOUT_CHILD, newborn
from memory.text.tokens import tagged_words

INTRODUCES: Final = LatePattern(
    r"(?:有|养了?|養了?|认识了?|[遇碰][到见]了?|来了)(?:一|[两二三四五0-9])?(?:[个個只位])(?P<zh>[\u4e00-\u9fff]{1,4})|\b(?:have|has|got"
    r"|['’]s got|there['’]?s) (?:a|an|one) (?:\w+ )?(?P<en>\w+)$"
)


_THEN_AT: Final = LatePattern(
    r"(?:and )?then (?:the |an? )?(?P<what>(?!back|home|up|on|off)\w{4,}) (?:in|at) "
)
"""Then reception in Chennai: something else is there, without a verb."""

_SPEAKS_LATER: Final = LatePattern(
    r"(?<![把让叫给对跟和为被帮带问教劝逼])[我俺](?![的们家爸妈哥姐弟妹])"
)

_APPOINTMENT: Final = LatePattern(
    r"[\u4e00-\u9fff]{2,4}(?:改|推迟|推到|延期|延到|提前|取消|挪|定在)"
)

_DAY_MOVED: Final = LatePattern(
    r"(?:又|就|给)?(?:改|推迟|推|延期|延|挪|提前)(?:成|到|至|为)?(?=[^，]{0,6}(?:[0-9一二三四五六七八九十]+[号日点]|周|星期|礼拜|月))"
)

_ACTED_ON: Final = LatePattern(r"(?:把|将|让|逼)[我俺](?!妈|爸|哥|姐|弟|妹|家|的)")
_NOW: Final = LatePattern(r"现在|如今|目前|只好|只能")
_GIVEN_UP: Final = LatePattern(r"(?:滴滴|外卖|快递|工地|厂里?|店里?|中介|出租)不[干做跑开送]了")

_ACTS: Final = LatePattern(
    r"(?:已经|刚|又|就|现在|如今|目前|只好|只能|后来|昨天|今天)*(?:[买提换租养收领捡订入开骑](?:了|着)(?:[一两几])?"
    r"[辆个個只隻条條份台部套间張张把]|(?<=[在好能前今])[住窝睡租待]在)"
)


def inherited(claim: Assertion, held: Assertion) -> Subject:
    """Return the subject of a clause that may leave it to the one before."""
    if claim.subject.who is not Who.NOBODY:
        return claim.subject
    if place := _THEN_AT.match(claim.folded):
        return Subject(Who.OTHER, (place["what"],))
    # 现在没它我饭都吃不下 speaks of the speaker, though not from its first word.
    if _SPEAKS_LATER.search(claim.folded):
        return Subject(Who.SPEAKER)
    if _begins_anew(claim, held):
        return NOBODY
    if claim.folded.startswith("who "):
        return held.subject if IS_SAID.search(held.folded) else Subject(Who.PRONOUN)
    return _carried_on(held)


def after_sentence(claim: Assertion, held: Assertion) -> Assertion:
    """Return the first clause of a sentence, with what the sentence before it brought in.

    我女儿昨天出生了！叫小满: name and weight are the child's, and nobody else's.
    """
    claim = replace(claim, context=held.folded)
    whose = newborn(held.folded) if claim.subject.who is Who.NOBODY else None
    if whose is None or not GOES_ON_ABOUT_CHILD.match(claim.folded):
        return claim
    child = Subject(Who.OTHER, (whose[1:] or "孩子",), own=True, person=True)
    child = child if whose else replace(child, own=False, theirs=True)
    return replace(claim, subject=child, topic=child)


def _begins_anew(claim: Assertion, held: Assertion) -> bool:
    """Tell whether a clause without a subject is not about the one before it."""
    # 还是改成周工吧 asks for something, whatever was spoken of before; 面试改到周五了 tells of an
    # appointment, whoever rang; 房东把我撵了，现在住…: whoever is acted upon goes on; 车报废了，
    # 提了辆新的: no thing and nobody else does that.
    return bool(
        re.search(r"(?<!要不)改[成叫为].+吧$", claim.folded)
        or _APPOINTMENT.match(claim.folded)
        or _DAY_MOVED.match(claim.folded)
        or (_ACTED_ON.search(held.folded) and _NOW.match(claim.folded))
        or (not held.subject.person and _ACTS.match(claim.folded))
        or (_GIVEN_UP.fullmatch(held.folded) and _NOW.match(claim.folded))
        or (_is_mere_thing(held) and _HUMAN_ACTS.match(claim.folded))
    )


# What only people do: 航班被取消，改20号去了 is about who flies.
_HUMAN_ACTS: Final = LatePattern(
    r"(?:已经|刚|又|就|也|现在|如今|目前|最近|只好|只能|后来|昨天|今天|所以|终于|总算|重新|干脆|索性|自己|我?正式|在)*"
    r"(?:(?:考|改(?![善良进])|报(?!废|错|警)|[买卖](?!得|不)|学|辞|签|租|订|办|戒|读(?!不)|娶|嫁|迷上|爱上|入坑|入手"
    r"|盘(?:了|下)|接(?:了|手)|进(?:了?[厂城])|当(?:了|上)?|做(?:了|上|起)|住(?:进|到|上|在)|搬(?:进|到|去|回)|改?骑|养(?:了|"
    r"着|上)?"
    r"|换(?!来)|开(?:了|上)|跟(?![不])|到[\u4e00-\u9fff]{2,8}[当做上打]|去[\u4e00-\u9fff]{2,8}[当做上打]|"
    r"在[\u4e00-\u9fff]{2,8}(?:当|做|租|买|带|上班|打工|工作|干活|读书|上学|念书|生活|住)"
    r"|被(?:赶|撵|调|裁|辞|开除|分|安置)|回(?:[\u4e00-\u9fff]{0,4}(?:老家|村|国|县|乡)))[\u4e00-\u9fff0-9a-z]"
    r"|(?:退学|休学|辍学|失业|下岗|离职|转学)了|换(?:了|成|个|辆|台|部|吃|听|看|练|去|电)|回[\u4e00-\u9fff]{2,4}了$|"
    r"入了[\u4e00-\u9fffa-z])"
)

_DOES_THINGS: Final = LatePattern(
    r"[猫狗鸟鸽鱼兔鼠龟马牛羊猪鸡鸭鹅虎狼熊象]|公司|单位|学校|[店厂院校社队团组部行局馆司方班]$|(?<!老)家$|政府|银行|品牌"
)

_IS_OVER: Final = LatePattern(
    r"(?:毕业|倒闭|倒|黄|关|关门|收|散|退|停|解散|破产|转让|卖|拆|到期|不上|不读|不念|念不下去|读不下去|干不下去|不行|凉)(?:了|掉了?)?$"
)


def _is_mere_thing(held: Assertion) -> bool:
    """Tell whether a clause is about what does nothing more: no person, animal, firm or name.

    A firm or a school that is over does nothing any more.
    """
    subject = held.subject
    if (
        subject.who is not Who.OTHER
        or subject.person
        or subject.theirs
        or not 0 < len(subject.words) <= _MOST_OF_THING
    ):
        return False
    tags = [tagged_words(word) for word in subject.words]
    acts = any(map(_DOES_THINGS.search, subject.words)) and not _IS_OVER.search(held.folded)
    named = any(len(each) != 1 or each[0][1] not in _OF_THINGS for each in tags)
    return not named and not acts and not any(map(is_person, subject.words))


_MOST_OF_THING: Final = 2
"""So many words name a thing: 外卖 and 电瓶车."""

_OF_THINGS: Final = frozenset({"n", "nz", "ns", "vn", "v", "eng"})


def _carried_on(held: Assertion) -> Subject:
    """Return whom a clause leaves to be understood by the next one."""
    # "has a son and lives…", told of the speaker, goes on about the speaker.
    if held.subject.who in {Who.NOBODY, Who.SPEAKER} and re.search(r"\bhas\b", held.folded):
        return held.subject
    # 我有个哥，当飞行员的: who was just brought in goes on.
    if found := INTRODUCES.search(held.folded):
        word = found["zh"] or found["en"]
        brought = is_person(word) or word[-1] in "人员生者手工师徒"
        return Subject(Who.OTHER, (word,), own=True, person=True) if brought else NOBODY
    # 压力好大，失眠: of my state I go on to speak of myself.
    return Subject(Who.SPEAKER) if held.subject.head in STATES else held.subject
