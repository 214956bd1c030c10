"""What is said to somebody who tells something: by what it was, and never the same twice.

The occasion is read from the words, bad news before good; an opening of that occasion is taken
that was not said lately.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from memory.offline.claimed import ClauseSubject, subject_of
from memory.offline.vocabulary import EN, WORDS_EN, WORDS_ZH, ZH, is_question
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_EN, PERSONS_ZH

BAD_NEWS: Final = frozenset(
    {
        "crisis",
        "grief",
        "breakup",
        "quarrel",
        "illness",
        "others_ill",
        "failure",
        "worry",
        "tired",
        "trouble",
        "hitch",
        "angry",
        "lonely",
        "sad",
    }
)
"""The occasions at which nothing cheerful may be said."""

GRAVE_NEWS: Final = frozenset({"crisis", "grief", "breakup", "failure", "sad", "lonely"})
"""The occasions after which the tone stays gentle for a while."""

ASKED_FOR: Final = frozenset({"joke", "play", "time", "her", "hers", "company", "reassure"})
"""The occasions at which something is asked of her."""

LISTENING: Final = "listening"

# Bad news first, as the files have them: what is both is met as bad.
_OCCASIONS: Final = tuple(
    (name, LatePattern("|".join((*words, *EN.occasions[name])), re.IGNORECASE))
    for name, words in ZH.occasions.items()
)


_WORDS: Final = dict(_OCCASIONS)

_TOLD_HER: Final = ("reassure", "teasing", "hers", "her", "affection")

_TO_HER: Final = LatePattern(
    r"(?:小祥|那|哎|诶|[，,\s])*你(?!知道)|(?:do|are|will|would|don['’]?t|aren['’]?t|have) you\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 7)  # at every reply the lines that she still sees are read again
def occasion_of(said: str) -> str:
    """Return what somebody tells of, the gravest first; :data:`LISTENING` if nothing is clear."""
    found = _first_occasion(said)
    if found in BAD_NEWS - {"crisis"} and _TO_HER.match(said):
        # Do you get sick of me is asked of her, and no news.
        found = next((name for name in _TOLD_HER if _WORDS[name].search(said)), found)
    if found in {"illness", "breakup", "grief"}:
        return _of_whom(found, said)
    if found in _MAY_BE_MIXED and (mixed := _both_at_once(said)):
        return mixed
    laughs = _LAUGHS.search(said) is not None
    if laughs and found in {"trouble", "weather"}:
        # Who laughs at it is in no trouble, and a joke that is 冷 is no weather.
        return LISTENING if found == "trouble" else "laugh"
    if found == "thanks" and _THANKS_ANOTHER.search(said):
        # 真是谢谢他了: it is not she who is thanked, and seldom meant so.
        return LISTENING
    if found in _CHEERFUL and _SHADOWED.search(said) and not laughs:
        # She got married, and not to me: what is denied somewhere is no plain good news.
        return LISTENING
    return found if found != LISTENING else _mood_of(said)


def mourns_for(told: Sequence[str]) -> bool:
    """Whether what was told of somebody tells of their death: of a pet, 芝麻走了 does as well."""
    pet = any(_PET.search(each) for each in told)
    return any(occasion_of(each) == "grief" or (pet and _LEFT.search(each)) for each in told)


_PET: Final = LatePattern(rf"{WORDS_ZH['PET']}|\b(?:{WORDS_EN['PET']})\b", re.IGNORECASE)

_LEFT: Final = LatePattern(r"[走没](?=了(?:$|[。！，,]))|骨灰|\bput \w+ down\b", re.IGNORECASE)


_MAY_BE_MIXED: Final = frozenset(
    {"worry", "trouble", "tired", "sad", "angry", "failure", "lonely", "apology"}
    | {"relief", "joy", "pride", LISTENING}
)

_GLAD_TEARS: Final = LatePattern(
    r"(?:高兴|开心|激动|感动|幸福|笑)[^，,。]{0,4}(?:哭|泪|抹眼)|喜极而泣"
    r"|\b(?:happy|joyful|glad) tears\b|\btears of (?:joy|laughter)\b"
    r"|\bcry(?:ing)? (?:with )?(?:laugh\w*|joy|happiness)\b",
    re.IGNORECASE,
)
"""Who weeps for joy is not comforted."""

_GLAD: Final = (
    r"高兴|开心|兴奋|期待|欣慰|骄傲|自豪|暖|甜|好笑|感动|喜"
    r"|happy|glad|lovely|excited|proud|relie(?:f|ved)|over the moon|sweet"
)
_SORE: Final = (
    r"害怕|怕|紧张|难过|心酸|酸|愁|心疼|舍不得|慌|失落|内疚"
    r"|sad|scared|terrified|nervous|guilty|hurts?|sore|worried|anxious"
)
_AT_ONCE: Final = LatePattern(
    rf"(?:{_SORE}|想哭)[^，,。]{{0,3}}[，,]?又[^，,。]{{0,4}}(?:{_GLAD})"
    rf"|(?:{_GLAD})[^，,。]{{0,3}}[，,]?又[^，,。]{{0,4}}(?:{_SORE}|想哭)"
    r"|\b(?:cry\w*|cried) and laugh|\blaugh\w* and cr(?:y|ied)"
    rf"|[又既](?:{_GLAD})[^，,。]{{0,3}}又[^，,。]{{0,3}}(?:{_SORE})"
    rf"|[又既](?:{_SORE})[^，,。]{{0,3}}又[^，,。]{{0,3}}(?:{_GLAD})"
    rf"|\b(?:{_GLAD})\b.{{0,16}}\b(?:and|but|yet)\b.{{0,16}}\b(?:{_SORE})\b"
    rf"|\b(?:{_SORE})\b.{{0,16}}\b(?:and|but|yet)\b.{{0,16}}\b(?:{_GLAD})\b|\bbittersweet\b",
    re.IGNORECASE,
)
_NOT_BAD: Final = LatePattern(
    r"(?:还行|还不错|不错|挺好|顺利|还可以|没问题)"
    r"|\b(?:fine|went (?:well|ok(?:ay)?)|not bad|great)\b",
    re.IGNORECASE,
)
_TURNS: Final = LatePattern(
    r"[，,。.；;!！]|但是?|可是|不过|\b(?:but|though|although)\b", re.IGNORECASE
)


def _both_at_once(said: str) -> str:
    """Return what a line is of that is both glad and sore: joy if it weeps for joy, else mixed."""
    if _GLAD_TEARS.search(said):
        return "joy"
    return "mixed" if not _SCORNS.search(said) and _is_mixed(said) else ""


_SCORNS: Final = LatePattern(
    r"太[好棒]了?[，,！!]*又|呵呵|真[是可].{0,3}(?:棒|好)啊?[，,]"
    r"|\b(?:great|brilliant|wonderful|fantastic|lovely|perfect)[,.!]* (?:another|no|now|just)\b",
    re.IGNORECASE,
)
"""太好了，又停电了 is no good news."""


def _is_mixed(said: str) -> bool:
    """Whether one half of a line is good and the other is not: 技术还行，英语说得一塌糊涂."""
    if _AT_ONCE.search(said):
        return True
    halves = [half for half in _TURNS.split(said) if half.strip()]
    if len(halves) == 1:
        return False
    moods = [_first_occasion(half) for half in halves]
    good = any(
        mood in _CHEERFUL_NEWS or (mood == LISTENING and _NOT_BAD.search(half))
        for mood, half in zip(moods, halves, strict=True)
    )
    return good and any(mood in _MIXED_WITH for mood in moods)


_CHEERFUL_NEWS: Final = frozenset({"joy", "pride", "relief"})

_MIXED_WITH: Final = frozenset({"worry", "trouble", "sad", "failure", "lonely", "apology"})


def _first_occasion(said: str) -> str:
    return next((name for name, words in _OCCASIONS if words.search(said)), LISTENING)


def _of_whom(found: str, said: str) -> str:
    """Return the occasion of an illness or a breakup, which may be another's."""
    if found == "grief":
        return "trouble" if _SAYS_ANOTHER.match(said) else found
    if found == "illness" and _OF_ANOTHER.search(said):
        return "others_ill"
    return "trouble" if found == "breakup" and _OF_PARENTS.search(said) else found


_SAYS_ANOTHER: Final = LatePattern(
    r"[他她][^，,我]{0,3}说[他她]?(?:的)?老?[伴公婆爸妈]"
    r"|(?:he|she) (?:said|says|told me) (?:his|her)\b",
    re.IGNORECASE,
)
"""Whose loss is another's is told of it, and mourns little."""


_THANKS_ANOTHER: Final = LatePattern(
    r"谢谢?(?:[他她它]们?|老板|领导|公司)|\bthanks to (?:him|her|them)\b|\bthanks a (?:lot|bunch),"
)


def _mood_of(said: str) -> str:
    """Return what a line sounds like that names nothing: its faces, else how it exclaims."""
    felt = next((mood for mood, faces in _FACES if faces.search(said)), LISTENING)
    return "joy" if felt == LISTENING and _EXCLAIMS.search(said) else felt


_LAUGHS: Final = LatePattern(r"哈哈|笑死|\b(?:lol|lmao|(?:ha){2,}h?)\b|[😂🤣]", re.IGNORECASE)

_FACES: Final = (
    ("laugh", _LAUGHS),
    ("joy", LatePattern("[😍🥰🎉🥳😆😄]")),
    ("tired", LatePattern("😮‍💨|[😪🥱😴]")),
    ("sad", LatePattern("[😭😢💔🥺😞😔🥲😿😩😫😖]")),
    ("angry", LatePattern("[😤😡🤬😠]")),
)


_CHEERFUL: Final = frozenset({"joy", "pride", "birthday", "home", "plan", "relief", "meal"})

_SHADOWED: Final = LatePattern(
    r"(?<!忍)不(?!错|断|过|用|仅|但|只|敢相信)|没(?!想到|错|问题|事|什么|大碍|白|受|伤|有?[骂怪凶吼嫌])|无法|再也|却|别|如果|要是|假如|希望|可惜|除了我|但是?(?!很|也|总算|终于)|太[好棒]了?[，,！!]*又|罚款|废了|砍了|催婚|前任|前[男女]友"
    r"|\b(?:if|would|wish|not|never|no|nobody|without|except|but|sadly|unfortunately|instead|minus"
    r"|on at me|nagging|(?:my )?ex|just hard|(?:says?|said) i['’]?m)\b"
    r"|n['’]t\b(?! (?:wait|believe|laughed|shout|yell|judge|stop (?:smiling|laughing)))",
    re.IGNORECASE,
)


_OF_ANOTHER: Final = LatePattern(
    rf"[他她它]|{WORDS_ZH['FAMILY']}|[爷奶姥舅姑姨叔伯嫂婶侄甥孙]|人还?没醒|同[事学]|朋友|室友|[猫狗]"
    rf"|\b(?:he|she|vet|nan|gran|granny|nana|him|her|{WORDS_EN['FAMILY']}|uncle|aunt|cousin|nephew|niece"
    r"|little (?:boy|girl)|baby|friend|dog|cat)(?:'s)?\b",
    re.IGNORECASE,
)

_OF_PARENTS: Final = LatePattern(
    r"爸妈|父母|爹妈|\b(?:parents|mum and dad|mom and dad)\b", re.IGNORECASE
)

# He sent flowers! What is exclaimed and holds no bad word is met as good.
_EXCLAIMS: Final = LatePattern(
    r"^(?!.*(?:[不没坏丢骂哭痛疼烂惨糟气破被死滚]|\b(?:no|not|never|bad|hate|stop|help|lost|broke\w*"
    r"|stole\w*|hit|\w+n't)\b)).{2,}[!！]+$",
    re.IGNORECASE | re.DOTALL,
)


def only_exclaims(said: str, occasion: str) -> bool:
    """Whether nothing but a mark of exclamation made a line good news."""
    faces = any(faces.search(said) for _, faces in _FACES)
    return occasion == "joy" and _first_occasion(said) == LISTENING and not faces


_RECOVERS: Final = LatePattern(
    r"(?<![没不])(?<!没有)(?:醒过?来?了|(?:转|进)(?:到|回)?普通病房|脱离危险|下床了|退烧了|能(?:吃|说话|走|下地)了"
    r"|(?:稳|缓)(?:定|过)来?了)"
    r"|(?<!n['’]t )(?<!not )(?<!not yet )\b(?:awake|woke up|came (?:round|to)|come round|sat up"
    r"|sitting up|out of danger|off the ventilator|discharged|back on (?:his|her) feet)\b(?! yet)",
    re.IGNORECASE,
)


def recovers(said: str) -> bool:
    """Whether somebody who was ill is told to be better; said of others it may mean anything."""
    return _RECOVERS.search(said) is not None and not _NOT_YET.search(said)


_NOT_YET: Final = LatePattern(
    r"还没|没有?醒|\b(?:hasn|haven|isn|didn|won)['’]?t\b|\b(?:is|was) not\b", re.IGNORECASE
)


def is_anothers_plan(said: str) -> bool:
    """Whether what is ahead is somebody else's, or only what somebody says will be."""
    whom = subject_of(_TURNS.split(said)[0])
    return (
        whom in {ClauseSubject.OTHER, ClauseSubject.THEIRS} or _PROMISED.search(said) is not None
    )


_PROMISED: Final = LatePattern(
    r"(?:老板|领导|工头|房东|[他她]们?|公司|HR|客户|甲方)[^，,我]{0,2}(?:说|讲|答应|通知)|\b(?:says|said|reckons|promised)\b",
    re.IGNORECASE,
)


_ANOTHER: Final = LatePattern(
    rf"(?:{PERSONS_ZH}|[他她]们?|班主任|HR|工头|房东|甲方|前台|护士|大夫|对方)"
    rf"|\b(?:he|she|they|hr|gaffer|landlady|supervisor|lads?|date|kid|mate|mrs|mr|miss"
    rf"|{PERSONS_EN})(?:['’]?s)?\b",
    re.IGNORECASE,
)

_HAPPENED: Final = LatePattern(
    r"[了过]|说|让|叫|居然|竟然|突然|又|还"
    r"|\b(?:\w{2,}ed|was|were|has|had|said|told|took|left|gave|came|went|put|sent|made|read|got|hid"
    r"|says?|keeps?)\b",
    re.IGNORECASE,
)


def may_have_moved(said: str) -> bool:
    """Whether somebody did or said something in it, which may have been welcome or not.

    What such news means no list of words knows (他把钥匙放桌上就走了; she read my essay out): it
    is better to ask than to guess.
    """
    return _ANOTHER.search(said) is not None and _HAPPENED.search(said) is not None


def opening(
    pool: Sequence[str], spare: Sequence[str], said_before: Sequence[str], now: datetime
) -> str:
    """Return one of ``pool`` that she did not say lately; one of ``spare`` if all of them were.

    ``said_before`` are her last replies, the eldest first; with the ``spare`` ones there are more
    openings than that. After a question of hers, one that asks nothing is preferred: nobody likes
    to be examined.
    """
    last_used = _last_uses(tuple(pool), said_before)
    latest = max(last_used)
    # On from the one said last, or from the minute of the day, so that a pool is gone through
    # before anything comes again.
    start = last_used.index(latest) + 1 if latest >= 0 else int(now.timestamp()) // 60
    order = [(start + step) % len(pool) for step in range(len(pool))]
    fresh = [place for place in order if last_used[place] < 0]
    if not fresh:
        oldest = pool[min(order, key=lambda place: last_used[place])]
        return opening(spare, (), said_before, now) if spare else oldest
    if said_before and is_question(said_before[-1]):
        fresh = [place for place in fresh if not is_question(pool[place])] or fresh
    return pool[fresh[0]]


def _last_uses(pool: tuple[str, ...], said_before: Sequence[str]) -> list[int]:
    """Return for each opening the place of the last reply with it as a sentence, or -1."""
    found = [-1] * len(pool)
    for place, said in enumerate(said_before):
        for number in _openings_in(said, pool):
            found[number] = place
    return found


@lru_cache(maxsize=1 << 8)  # it is asked of a reply at each of the thirty turns after it
def _openings_in(said: str, pool: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places of the openings that stand in a reply as a sentence."""
    return tuple(number for number, text in enumerate(pool) if _filled_in(text).search(said))


_NAME: Final = LatePattern(r"[，,]\s*\{name\}(?=\W)|\{name\}[，,]\s*|\s?\{name\}")

_FILLED: Final = LatePattern(rf"(?:{_NAME.pattern})|\{{\w+\}}")


@lru_cache(maxsize=1_024)
def _filled_in(text: str) -> LatePattern:
    """Return what an opening looks like with anything for its placeholders, or nothing."""
    fixed = (re.escape(part) for part in _FILLED.split(text))
    return LatePattern(r"(?:^|[。？！.?!]\s*)" + ".*?".join(fixed), re.IGNORECASE)


def named(sentence: str, name: str) -> str:
    """Return a sentence with the name it calls the partner by, or without any."""
    if name:
        return sentence.replace("{name}", name)
    bare = _NAME.sub("", sentence)
    return bare[:1].upper() + bare[1:]
