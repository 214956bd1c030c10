"""What is said to somebody who tells something: by what it was, and never the same twice.

The occasion is read from the words, bad news before good; an opening of that occasion is taken
that was not said lately. What was planned for today or yesterday is asked about by itself.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from memory.offline.vocabulary import EN, WORDS_EN, WORDS_ZH, ZH, Sayings, is_question
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.requests import asks_for_reminder
from prompts import PromptLine

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


def occasion_of(said: str) -> str:
    """Return what somebody tells of, the gravest first; :data:`LISTENING` if nothing is clear."""
    found = next((name for name, words in _OCCASIONS if words.search(said)), LISTENING)
    if found == "illness" and _OF_ANOTHER.search(said):
        return "others_ill"
    if found == "breakup" and _OF_PARENTS.search(said):
        return "trouble"
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
    ("sad", LatePattern("[😭😢💔🥺😞😔]")),
    ("angry", LatePattern("[😤😡🤬😠]")),
)


_CHEERFUL: Final = frozenset({"joy", "pride", "birthday", "home", "plan", "relief", "meal"})

_SHADOWED: Final = LatePattern(
    r"(?<!忍)不(?!错|断|过|用|仅|但|只|敢相信)|没(?!想到|错|问题|事|什么|大碍|白|受|伤)|无法|再也|却|别|如果|要是|假如|希望|可惜|除了我|但是?(?!很|也|总算|终于)|太[好棒]了?[，,！!]*又|罚款|废了|砍了|催婚|前任|前[男女]友"
    r"|\b(?:if|would|wish|not|never|no|nobody|without|except|but|sadly|unfortunately|instead|minus"
    r"|on at me|nagging|(?:my )?ex|just hard)\b"
    r"|n['’]t\b(?! (?:wait|believe|laughed|stop (?:smiling|laughing)))",
    re.IGNORECASE,
)


_OF_ANOTHER: Final = LatePattern(
    rf"[他她它]|{WORDS_ZH['FAMILY']}|[爷奶姥舅姑姨叔伯嫂婶侄甥孙]|人还?没醒|同[事学]|朋友|室友|[猫狗]"
    rf"|\b(?:he|she|they|him|her|{WORDS_EN['FAMILY']}|uncle|aunt|cousin|nephew|niece"
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


def opening(
    pool: Sequence[str], spare: Sequence[str], said_before: Sequence[str], now: datetime
) -> str:
    """Return one of ``pool`` that she did not say lately; one of ``spare`` if all of them were.

    ``said_before`` are her last replies, the eldest first; with the ``spare`` ones there are more
    openings than that. After a question of hers, one that asks nothing is preferred: nobody likes
    to be examined.
    """
    last_used = [_last_use(text, said_before) for text in pool]
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


def _last_use(text: str, said_before: Sequence[str]) -> int:
    """Return the place of the last reply with an opening as a sentence, -1 if none has."""
    stands = _filled_in(text).search
    return max((place for place, said in enumerate(said_before) if stands(said)), default=-1)


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


_CLAUSE: Final = LatePattern(r"[^，,。.！!？?；;\n]+")

_LEADING_ZH: Final = LatePattern(r"^(?:我们?|主人|要|会|得|打算|准备|就|是|有)+")

_LONGEST_EVENT: Final = 40


def thread(
    lines: Sequence[PromptLine], hers: Sequence[str], now: datetime, sayings: Sayings
) -> str:
    """Return a question about what the partner planned for today or yesterday, or nothing.

    It is asked once: what a line of ``hers`` has asked about is left alone.
    """
    zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    today = now.astimezone(zone).date()
    for line in reversed(lines):
        if line.role != "user" or line.at.astimezone(zone).date() >= today:
            continue
        for clause in _CLAUSE.findall(line.text):
            for each in date_mentions(clause, line.at, zone):
                day = each.days.first
                if day != each.days.last or day not in {today, today - timedelta(days=1)}:
                    continue
                if day <= line.at.astimezone(zone).date() or _plans_nothing(line.text):
                    continue
                event = _event(clause, each.start, each.end)
                if event and not any(event in said for said in hers):
                    asks = sayings.thread_today if day == today else sayings.thread_yesterday
                    return asks.format(event=event)
    return ""


def _plans_nothing(text: str) -> bool:
    # Nobody is asked how a funeral went.
    return is_question(text) or asks_for_reminder(text) or occasion_of(text) in BAD_NEWS


def _event(clause: str, start: int, end: int) -> str:
    """Return what a clause says is planned, without its date in Chinese; empty if too long."""
    if re.search("[一-鿿]", clause):
        event = _LEADING_ZH.sub("", f"{clause[:start]}{clause[end:]}".strip()).rstrip("是在")
        return event if 1 < len(event) <= _LONGEST_EVENT // 2 else ""
    said = clause.strip()
    return f"{said}." if len(said) <= 2 * _LONGEST_EVENT else ""
