"""The plain ways of speaking of oneself in English.

Each pattern fits a whole clause, its lead-in taken off. The notation is that of
:func:`memory.offline.statements.rules`; a dot is any character but a comma.
"""

import re
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.lexicon_en import WORDS_EN
from memory.offline.statements import Rule, StatementSort, rules

ANYTHING: Final = "[^,]"
_NAMED: Final = re.compile(
    r"(?:it'?s )?(?:named|called|(?:his|her|its) name is) [^,]{1,30}", re.IGNORECASE
)
_SUCH: Final = re.compile(
    r"(?:like|such as|especially|including|particularly) (?:(?!\byou\b).){2,60}", re.IGNORECASE
)
_PHRASES: Final = {
    **WORDS_EN,
    "AM": "I am|I'm",
    "HAVE": "I have|I've|I",
    "JOB": rf"(?:[\w-]+ ){{0,3}}?(?:{WORDS_EN['TRADE']})",
    "THING": rf"(?!(?:{WORDS_EN['NOTHING']})\b)(?:(?!\b(?:{WORDS_EN['OTHERS']})\b)[^,]){{2,80}}",
    "REST": rf"(?!(?:{WORDS_EN['TRIFLE']})\b)(?:(?!\b(?:{WORDS_EN['OTHERS']})\b)[^,]){{2,60}}",
    "NAME": r"(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2}",
    "STUDYING": "(?:learning|studying|practi[cs]ing)(?! (?:a new|some|new|hard|a lot|about))",
    "COUNT": r"an?|one|two|three|four|five|six|\d",
}


def _english_rules(sort: StatementSort, patterns: str) -> tuple[Rule, ...]:
    return rules(sort, patterns, _PHRASES, ANYTHING)


INTRODUCTION: Final = _english_rules(
    StatementSort(slot="name", kind=Kind.IDENTITY), r"(AM|this is) (?!MOOD\b)<NAME>"
)
"""Hold only where people are making each other's acquaintance."""

_IDENTITY: Final = (
    *_english_rules(
        StatementSort(slot="name", kind=Kind.IDENTITY), "my (full |first )?(name is|name's) <NAME>"
    ),
    *_english_rules(
        StatementSort(slot="nickname", kind=Kind.IDENTITY),
        "(you can |please |just )?call me <NAME>",
    ),
    *_english_rules(
        StatementSort(slot="age", kind=Kind.IDENTITY), r"AM (HOW )?<\d{1,3}>( years old)?"
    ),
    *_english_rules(
        StatementSort(slot="birthday", kind=Kind.IDENTITY),
        "my birthday is (on )?(?!today|tomorrow|coming|soon|near)<.{3,30}>",
    ),
    *_english_rules(
        StatementSort(slot="home", kind=Kind.IDENTITY),
        r"I (HOW )?live in (?!an? |this|that|the (moment|present))<.{2,40}>",
    ),
    *_english_rules(
        StatementSort(slot="home", kind=Kind.IDENTITY, moved=True),
        "(HAVE|we) (HOW )?moved (house )?(from .{2,20} )?to (?!an? |the )<.{2,40}>",
    ),
    *_english_rules(
        StatementSort(slot="job", kind=Kind.IDENTITY),
        r"""
        I (HOW )?work (as|at|for|in) (?!home|the (moment|morning|evening)|a company)<.{2,50}>
        AM (an?|the) <JOB>( (at|in|from|for) .{2,30})?
        my (job|profession|occupation|major) is (?!DULL\b)<.{2,40}>
        """,
    ),
    *_english_rules(
        StatementSort(kind=Kind.IDENTITY),
        r"""
        (AM|I come|I was born|I grew up) (HOW )?(from|in) <(?-i:[A-Z]).{1,40}>
        AM <single|left-handed|colou?r-?blind|retired>
        """,
    ),
)

_TASTE: Final = (
    *_english_rules(
        StatementSort(
            slot="taste", kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, stopped=True
        ),
        r"""
        I (don't|do not) (HOW )?(like|love|enjoy|eat|drink|play) <THING> any ?(more|longer)
        I no longer (like|love|enjoy|eat|drink|play|watch) <THING>
        HAVE (HOW )?(stopped|quit|given up|gave up) (?!my|it|this)<.{3,40}>
        """,
    ),
    *_english_rules(
        StatementSort(
            slot="taste", kind=Kind.LASTING_PREFERENCE, topic=Topic.PREFERENCE, tail=_SUCH
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
        StatementSort(tail=_NAMED),
        r"HAVE (got |have |own )?COUNT <([\w-]+ ){0,3}(PET|FAMILY)( (named|called) .{2,30})?>",
    ),
    *_english_rules(
        StatementSort(),
        r"""
        my <([\w-]+ )?(PET|FAMILY)('s name is|'s called| is called| is named| are called) .{2,40}>
        my <([\w-]+ )?(PET|FAMILY) is (\d{1,3}( years old)?|an? JOB)>
        my <([\w-]+ )?FAMILY (lives? in|works? (as|at|for|in)) .{2,40}>
        I <(?!feel|am|was)REST every PERIOD>
        """,
    ),
    *_english_rules(
        StatementSort(sensitivity=Sensitivity.SENSITIVE),
        r"""
        AM ((severely|very|highly|also) )?allergic to <.{3,40}>
        I (have|was diagnosed with|suffer from) <([\w-]+ )?ILLNESS>
        (AM|I got|we got|I just got) <pregnant|divorced|engaged|married|laid off>( last \w+)?
        """,
    ),
    *_english_rules(
        StatementSort(kind=Kind.SKILL),
        r"""
        I (can )?speak (?!to|with|about|in|up)<\w+( and \w+)?( fluently)?>
        I (can )?play (the )?<guitar|piano|violin|cello|drums|flute|saxophone|ukulele|bass|chess>
        """,
    ),
)

_NOW_AND_NEXT: Final = (
    *_english_rules(
        StatementSort(kind=Kind.TEMPORARY),
        "(AM|I've been|I have been|I('ve)? started) (HOW )?STUDYING (to |how to )?<REST>",
    ),
    *_english_rules(
        StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
        "AM (HOW )?(preparing|studying) for <.{3,40}>",
    ),
    *_english_rules(
        StatementSort(kind=Kind.PASSING_PREFERENCE, topic=Topic.PREFERENCE),
        r"""
        (I've|I have) always wanted to <REST>
        I want to <(become|learn|be) REST>
        """,
    ),
    *_english_rules(StatementSort(topic=Topic.PROMISE), "HAVE (HOW )?decided to <REST>"),
)

RULES: Final = (*_IDENTITY, *_TASTE, *_LIFE, *_NOW_AND_NEXT)

DATED_PLAN: Final = _english_rules(
    StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"([\w ]{3,20} )?(AM|I'll|I will|I have|I've got|I need to) ((going|planning) to )?<REST>",
)
"""Hold only of a clause that names a day to come (tomorrow, next week)."""

OPEN_PLAN: Final = _english_rules(
    StatementSort(kind=Kind.TEMPORARY, topic=Topic.PROMISE),
    r"(AM planning (to|on)|AM planning a trip to|I plan to) <REST>",
)
"""Hold of a plan without a day."""
