"""Reading what an English clause says of its speaker.

Each pattern fits a whole clause without its lead-in. The notation is that of
:func:`memory.offline.statements.rules`; a dot is any character but a comma.
"""

import re
from datetime import datetime
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline import statements
from memory.offline.persons import to_third_person
from memory.offline.understood import is_understood
from memory.offline.vocabulary import WORDS_EN
from memory.text.dates import date_mentions
from memory.text.slot_cues import Slot

ANYTHING: Final = "[^,]"

_NAMED: Final = re.compile(
    r"(?:it'?s )?(?:named|called|(?:his|her|its) name is) [^,]{1,30}", re.IGNORECASE
)

_SUCH: Final = re.compile(
    r"(?:like|such as|especially|including|particularly) (?:(?!\byou\b).){2,60}", re.IGNORECASE
)

_NO_NAME: Final = (
    rf"{WORDS_EN['MOOD']}|same|nobody|nothing|any\w+|every\w+|some\w+|all|still|right|out|over|not|just|good|ok(?:ay)?|hello|hey|hi|mum|mom|dad"
    r"|\w+(?:ing|ed|ish|ese|less|ful|ous)|(?!(?:adr|br|viv|gill|jul|dam|lill|dor|fab|kill|cill|mar|sebast|christ)ian)\w{2,}ian|(?:cold|hot|warm|cool|wet|dry|grey|gray|dark|quiet|busy|noisy|crazy|manic|chaos|dull|dead|empty|lovely|nice|messy|sleepy|lazy|hungry|home|sunny|rain\w*|wind\w*|snow\w*|cloud\w*|fog\w*|mist\w*|storm\w*|chilly|frost\w*|icy|breezy|humid|muggy|winter|spring|summer|autumn|night|morning)"
    r"|dutch|greek|swiss|welsh|french|german|muslim|catholic|vegan|geordie|scouse|\w+day|virgo|leo|aries|libra|scorpio|capricorn|gemini|taurus|pisces"
)

_PHRASES: Final = {
    **WORDS_EN,
    "AM": "I am|I'm",
    "HAVE": "I have|I've|I",
    "JOB": rf"(?:[\w-]+ ){{0,3}}?(?:{WORDS_EN['TRADE']})",
    "THING": rf"(?!(?:{WORDS_EN['NOTHING']})\b)(?:(?!\b(?:{WORDS_EN['OTHERS']})\b)[^,]){{2,80}}",
    "REST": rf"(?!(?:{WORDS_EN['TRIFLE']})\b)(?:(?!\b(?:{WORDS_EN['OTHERS']})\b)[^,]){{2,60}}",
    "NO_NAME": _NO_NAME,  # I'm Irish, Sunny here: with a capital, and no name
    "NAME": r"(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2}",
    "STUDYING": "(?:learning|studying|practi[cs]ing)(?! (?:a new|some|new|hard|a lot|about))",
    "COUNT": r"an?|one|two|three|four|five|six|\d",
}


def _english_rules(sort: statements.StatementSort, patterns: str) -> tuple[statements.Rule, ...]:
    return statements.rules(sort, patterns, _PHRASES, ANYTHING)


INTRODUCTION: Final = _english_rules(
    statements.StatementSort(slot=Slot.NAME, kind=Kind.IDENTITY),
    r"""
    (AM|this is) (?!(NO_NAME)\b)<NAME>
    ((hi+|hey+|hello) )?(?!(NO_NAME)\b)<NAME> (this side|here)
    """,
)
"""Apply only where people are getting acquainted: elsewhere "I'm Fine" is no name."""

_IDENTITY: Final = (
    *_english_rules(
        statements.StatementSort(slot=Slot.NAME, kind=Kind.IDENTITY),
        "my (full |first )?(name is|name's) <NAME>",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.NAME, kind=Kind.IDENTITY),
        r"AM <(?-i:[A-Z])[a-z]+ (?-i:[A-Z])[\w'’]+>( but NAME is fine)?",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.NICKNAME, kind=Kind.IDENTITY),
        r"(you can |please |just )*call me (?!\w+day\b)<NAME>( from now on| instead)?",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.AGE, kind=Kind.IDENTITY),
        r"AM (HOW )?<\d{1,3}>( years old)?",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.BIRTHDAY, kind=Kind.IDENTITY),
        "my birthday is (on )?(?!today|tomorrow|coming|soon|near)<.{3,30}>",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.HOME, kind=Kind.IDENTITY),
        r"I (HOW )?live in (?!an? |this|that|the (moment|present))<.{2,40}>",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.HOME, kind=Kind.IDENTITY, moved=True),
        "(HAVE|we) (HOW )?moved (house )?(from .{2,20} )?to (?!an? |the )<.{2,40}>",
    ),
    *_english_rules(
        statements.StatementSort(slot=Slot.WORK, kind=Kind.IDENTITY),
        r"""
        I (HOW )?work (as|at|for|in) (?!home|the (moment|morning|evening)|a company)<.{2,50}>
        AM (an?|the) <JOB>( (at|in|from|for) (?!tonight|today|now).{2,30})?
        (I've|I have) been an? <JOB|\w+(er|or|ist)> (for|since) .{2,30}
        my (job|profession|occupation|major) is (?!DULL\b)<.{2,40}>
        """,
    ),
    *_english_rules(
        statements.StatementSort(kind=Kind.IDENTITY),
        r"""
        (AM|I come|I was born|I grew up) (HOW )?(from|in) <(?-i:[A-Z]).{1,40}>
        AM <single|left-handed|colou?r-?blind|retired>
        """,
    ),
)

_TASTE: Final = (
    *_english_rules(
        statements.StatementSort(
            slot=Slot.TASTE, kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, stopped=True
        ),
        r"""
        I (don't|do not) (HOW )?(like|love|enjoy|eat|drink|play) <THING> any ?(more|longer)
        I no longer (like|love|enjoy|eat|drink|play|watch) <THING>
        HAVE (HOW )?(stopped|quit|given up|gave up) (?!my|it|this)<.{3,40}>
        """,
    ),
    *_english_rules(
        statements.StatementSort(
            slot=Slot.TASTE, kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, tail=_SUCH
        ),
        r"""
        I (HOW )*(don't|do not|can't|cannot) (HOW )*(like|enjoy|stand|eat|drink|smoke) <THING>
        I (HOW )*(like|love|enjoy|adore|prefer|hate|dislike|despise) <THING>
        AM (HOW )*(fond of|into|interested in|passionate about) <THING>
        AM (HOW )*(afraid of|scared of|terrified of) <THING>
        AM (HOW )*a (big |huge |great )?fan of <THING>
        my (absolute |all-time )?<favou?rite .{2,30}? (is|are) THING>
        my (hobby|hobbies|interests?) (is|are|include) <.{3,60}>
        """,
    ),
)

_LIFE: Final = (
    *_english_rules(
        statements.StatementSort(tail=_NAMED),
        r"HAVE (got |have |own )?COUNT <([\w-]+ ){0,3}(PET|FAMILY)( (named|called) .{2,30})?>",
    ),
    *_english_rules(
        statements.StatementSort(),
        r"""
        my <([\w-]+ )?(PET|FAMILY)('s name is|'s called| is called| is named| are called) .{2,40}>
        my <([\w-]+ )?(PET|FAMILY) is (\d{1,3}( years old)?|an? JOB)>
        my <([\w-]+ )?FAMILY (lives? in|works? (as|at|for|in)) .{2,40}>
        I <(?!feel|am|was)REST every PERIOD>
        """,
    ),
    *_english_rules(
        statements.StatementSort(sensitivity=Sensitivity.SENSITIVE),
        r"""
        AM ((severely|very|highly|also) )?allergic to <(?!nothing\b).{3,40}>
        I (have|was diagnosed with|suffer from) <([\w-]+ )?ILLNESS>
        (AM|I got|we got|I just got) <pregnant|divorced|engaged|married|laid off>( last \w+)?
        """,
    ),
    *_english_rules(
        statements.StatementSort(kind=Kind.SKILL),
        r"""
        I (can )?speak (?!to|with|about|in|up)((a bit of|some) )?<\w+( and \w+)?( fluently)?>
        I (can )?play (the )?<guitar|piano|violin|cello|drums|flute|saxophone|ukulele|bass|chess>
        """,
    ),
)

_NOW_AND_NEXT: Final = (
    *_english_rules(
        statements.StatementSort(kind=Kind.TEMPORARY),
        "(AM|I've been|I have been|I('ve)? started) (HOW )?STUDYING (to |how to )?<REST>",
    ),
    *_english_rules(
        statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
        "AM (HOW )?(preparing|studying) for <.{3,40}>",
    ),
    *_english_rules(
        statements.StatementSort(kind=Kind.PASSING_PREFERENCE, topic=Topic.PREFERENCE),
        r"""
        (I've|I have) always wanted to <REST>
        I want to <(become|learn|be) REST|.{3,50} (before|by the time) I('m| am| turn) .{2,20}>
        """,
    ),
    *_english_rules(
        statements.StatementSort(topic=Topic.PROMISE), "HAVE (HOW )?decided to <REST>"
    ),
)

RULES: Final = (*_IDENTITY, *_TASTE, *_LIFE, *_NOW_AND_NEXT)

DATED_PLAN: Final = _english_rules(
    statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"([\w ]{3,20} )?(AM|I'll|I will|I have|I've got|I need to) ((going|planning) to )?<REST>",
)
"""Apply only to a clause that names a day to come (tomorrow, next week)."""

OPEN_PLAN: Final = _english_rules(
    statements.StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"(AM planning (to|on)|AM planning a trip to|I plan to) <REST>",
)
"""Apply to a plan without a day."""

_LEAD: Final = re.compile(
    r"^(?:well|so|actually|by the way|btw|hi+(?:ya)?|hello|hey+a?|also|and|but|yes|yeah|yep"
    r"|no|nope|oh|honestly|to be honest|you know|plus"
    r"|okay|ok|sure|anyway|of course|besides|in fact|because"
    r"|though|there|lately|recently|these days|personally|xiaoxiang)\b[,!.\s]*",
    re.IGNORECASE,
)

_END: Final = re.compile(
    r"(?:,?\s*\b(?:too|as well|though|actually|haha|lol|by the way|btw|very much|so much|a lot"
    r"|these days|nowadays|now|right now)\b)?"
    r"[\s.!~☀-➿️\U0001f000-\U0001faff]*$",
    re.IGNORECASE,
)

_BIRTHDAY: Final = re.compile(
    r"(?:(?P<when>today|tomorrow) is my birthday|(?:it's|it is) my birthday (?P<w>today"
    r"|tomorrow)|my birthday is (?P<x>today|tomorrow))",
    re.IGNORECASE,
)

# A member of a list is short and is no clause of its own.
_LISTED: Final = re.compile(
    r"(?!(?:I|you|it|that|this|what|how|so|but|which|thanks|please|he|she|they|we|because)\b"
    r"|(?:my|our|his|her|their|the) .*\b(?:me|us|it|them|him|is|are|was|were|has|have|had|does"
    r"|did|made|makes?|thinks?|says?|said|hates?|loves?|likes?|wants?|\w+ed)\b)"
    r"[\w'-]+(?: [\w'-]+){0,4}",
    re.IGNORECASE,
)

_CARRIED: Final = re.compile(
    r"(?:live|work|love|hate|enjoy|have (?:an?|two|three)|am|come from)\b.+", re.IGNORECASE
)


def read_clause(
    clause: statements.StatedClause, subject: str, at: datetime, *, carried: bool, greets: bool
) -> statements.Statement | None:
    """Return what a clause says of its speaker, whom ``subject`` names, or None.

    ``at``, ``carried`` and ``greets`` are as in :mod:`memory.offline.chinese`.
    """
    # Phones type the curly apostrophe; the patterns know the straight one only.
    words = _END.sub("", _without_lead(clause.text.replace("’", "'")))
    if day := _BIRTHDAY.fullmatch(words):
        return _birthday_statement(day["when"] or day["w"] or day["x"], subject, at)
    if carried and _CARRIED.fullmatch(words):
        words = f"I {words}"
    ahead = any(
        day.days.first > at.date() for day in date_mentions(words, at, statements.zone_of(at))
    )
    plans = DATED_PLAN if ahead else OPEN_PLAN
    if not is_understood(words):
        return None
    for rule in (*(INTRODUCTION if greets else ()), *RULES, *plans):
        if found := rule.fullmatch(words):
            text = to_third_person(found[0], subject) + _continued(rule, clause.after)
            # "My friend is Ann" would be a friend of hers; "Ann here" says no word of a name.
            if rule in INTRODUCTION:
                links = " is" if found[0].endswith(("here", "side")) else "'s name is"
                text = f"{subject}{links} {found['v']}"
            elif rule.sort.slot is Slot.NICKNAME:
                text = f"{subject} is called {found['v']}"
            return statements.statement_by(rule, found["v"], text)
    return None


def _continued(rule: statements.Rule, after: tuple[str, ...]) -> str:
    """Return the following clauses that belong to the statement: a list going on, an example."""
    parts = [_END.sub("", part) for part in after]
    if rule.sort.tail is None or not parts:
        return ""
    if rule.sort.tail.fullmatch(parts[0]):
        return ", " + parts[0]
    if rule.sort.kind is not Kind.LASTING_PREFERENCE or not all(
        _LISTED.fullmatch(p) for p in parts
    ):
        return ""
    return "".join(", " + re.sub(r"\bmy\b", "their", part, flags=re.IGNORECASE) for part in parts)


def _birthday_statement(when: str, subject: str, at: datetime) -> statements.Statement | None:
    """Return the birthday by its date; a day to come keeps its year.

    Without the year it would be read as the day's last return.
    """
    for day in date_mentions(when, at, statements.zone_of(at)):
        first = day.days.first
        date = f"{first:%B} {first.day}"
        coming = f"{when} ({first}) is {subject}'s birthday"
        text = coming if first > at.date() else f"{subject}'s birthday is {date}"
        return statements.Statement(text=text, value=date, slot=Slot.BIRTHDAY, kind=Kind.IDENTITY)
    return None


def _without_lead(text: str) -> str:
    while (shorter := _LEAD.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text


def as_said_to(said: str) -> str:
    """Return a speaker's own words as they are said back to them: everyone calls you Ollie."""
    for old, new in (
        (r"\bI(?:'m| am)\b", "you are"),
        (r"\bI was\b", "you were"),
        (r"\b(?:I|we)\b", "you"),
        (r"\b(?:my|our)\b", "your"),
        (r"\b(?:my|our)sel(f|ves)\b", r"yoursel\1"),
        (r"\bme\b|(?-i:\bus\b)", "you"),  # and not the US
    ):
        said = re.sub(old, new, said, flags=re.IGNORECASE)
    return said
