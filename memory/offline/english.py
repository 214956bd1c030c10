"""The plain ways of speaking of oneself in English.

A pattern is matched against a whole clause, its lead-in taken off.
"""

import re
from typing import Final

from memory.model import Kind, Sensitivity, Topic
from memory.offline.statements import Rule, Slot

_THING: Final = (
    r"(?P<v>(?!(?:you|your|it|its|that|this|them|him|her|these|those|how|what|when|where"
    r"|the idea|to hear"
    r"|to talk|to know|to ask|talking|hearing|chatting|so|us|myself)\b)(?:(?!\b(?:you|your"
    r"|yours|me|it|him|her|them|because)\b).){2,80})"
)
_HOW: Final = (
    r"(?:(?:really|also|absolutely|especially|still|do|always|just|truly|particularly|very much"
    r"|mostly|usually|kind of) )*"
)
_PET: Final = (
    "cats?|kittens?|dogs?|pupp(?:y|ies)|rabbits?|bunny|bunnies|hamsters?|parrots?|turtles?"
    "|tortoises?|fish|goldfish|birds?|guinea pigs?|lizards?|snakes?|horses?|pony|chickens?"
)
_FAMILY: Final = (
    "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|parents"
    "|sisters?|brothers?|sons?|daughters?"
    "|kids?|children|child|twins?|grandma|grandpa|grandmother|grandfather|roommate|flatmate"
)
_JOB: Final = (
    r"(?:[\w-]+ ){0,3}?(?:engineer|teacher|doctor|nurse|student|designer|writer|lawyer"
    r"|programmer|developer|accountant|driver|chef|cook"
    r"|journalist|editor|painter|artist|musician|singer|actor|actress|photographer|manager"
    r"|soldier|farmer|professor|researcher|scientist"
    r"|translator|consultant|analyst|architect|dentist|vet|pharmacist|therapist|psychologist"
    r"|plumber|electrician|carpenter|pilot|librarian"
    r"|baker|barista|waiter|waitress|salesperson|freelancer|entrepreneur|intern|paramedic"
    r"|firefighter|police officer|social worker|tutor"
    r"|postdoc|undergrad|freshman|sophomore|vegetarian|vegan|pescatarian|night owl|early bird"
    r"|only child|single (?:mom|dad|mother|father))"
)
_ILLNESS: Final = (
    "diabetes|asthma|depression|anxiety disorder|adhd|autism|cancer|migraines?|epilepsy"
    "|arthritis|insomnia|high blood pressure|celiac disease|anemia|lupus|eczema"
)
_NAMED: Final = re.compile(
    r"(?:it'?s )?(?:named|called|(?:(?:his|her|its) )name is) [^,]{1,30}", re.IGNORECASE
)
_SUCH: Final = re.compile(
    r"(?:like|such as|especially|including|particularly) (?:(?!\byou\b).){2,60}", re.IGNORECASE
)


def _rule(pattern: str, slot: Slot, kind: Kind, topic: Topic = Topic.PERSONAL) -> Rule:
    return Rule(pattern=re.compile(pattern, re.IGNORECASE), slot=slot, kind=kind, topic=topic)


def _private(pattern: str) -> Rule:
    return Rule(
        pattern=re.compile(pattern, re.IGNORECASE),
        slot="other",
        kind=Kind.FACT,
        sensitivity=Sensitivity.SENSITIVE,
    )


def _taste(pattern: str, *, stopped: bool = False) -> Rule:
    return Rule(
        pattern=re.compile(pattern, re.IGNORECASE),
        slot="taste",
        kind=Kind.LASTING_PREFERENCE,
        topic=Topic.PREFERENCE,
        stopped=stopped,
        tail=None if stopped else _SUCH,
    )


def _having(pattern: str) -> Rule:
    return Rule(
        pattern=re.compile(pattern, re.IGNORECASE), slot="other", kind=Kind.FACT, tail=_NAMED
    )


_NAME: Final = r"(?P<v>(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2})"
_NUMBER: Final = r"(?:an?|one|two|three|four|five|six|\d)"
_REST: Final = r"(?:(?!\b(?:you|your|it|him|her|them)\b)[^,]){2,60}"

INTRODUCTION: Final = _rule(
    rf"(?:I am|I'm|this is) (?!(?:Happy|Sad|Tired|Fine|Sorry|Glad|Good|Ok|So)\b){_NAME}",
    "name",
    Kind.IDENTITY,
)
"""Holds only where people are making each other's acquaintance."""

RULES: Final[tuple[Rule, ...]] = (
    _rule(rf"my (?:full |first )?name(?: is|'s) {_NAME}", "name", Kind.IDENTITY),
    _rule(rf"(?:you can |please |just )?call me {_NAME}", "nickname", Kind.IDENTITY),
    _rule(r"(?:I am|I'm) (?:now )?(?P<v>\d{1,3})(?: years old)?", "age", Kind.IDENTITY),
    _rule(
        r"my birthday is (?:on )?(?P<v>(?!today|tomorrow|coming|soon|near)[^,]{3,30})",
        "birthday",
        Kind.IDENTITY,
    ),
    _rule(
        r"I (?:now |currently )?live in (?P<v>(?!a |an |this|that|the (?:moment"
        r"|present))[^,]{2,40})",
        "home",
        Kind.IDENTITY,
    ),
    Rule(
        pattern=re.compile(
            r"(?:I|I've|I have|we) (?:just "
            r"|recently )?moved (?:house )?(?:from [^,]{2,20} )?to (?P<v>(?!a |an "
            r"|the )[^,]{2,40})",
            re.IGNORECASE,
        ),
        slot="home",
        kind=Kind.IDENTITY,
        moved=True,
    ),
    _rule(
        r"(?:I am|I'm|I come|I was born|I grew up) (?:originally )?(?:from"
        r"|in) (?P<v>(?-i:[A-Z])[^,]{1,40})",
        "other",
        Kind.IDENTITY,
    ),
    _rule(
        r"I (?:now |currently )?work (?:as|at|for|in) (?P<v>(?!home|the (?:moment|morning"
        r"|evening)|a company)[^,]{2,50})",
        "job",
        Kind.IDENTITY,
    ),
    _rule(
        rf"(?:I am|I'm) (?:an?|the) (?P<v>{_JOB})(?: (?:at|in|from|for) [^,]{{2,30}})?",
        "job",
        Kind.IDENTITY,
    ),
    _rule(
        r"my (?:job|profession|occupation|major) is (?P<v>(?!(?:very|so|quite|too|really|not"
        r"|pretty|stable|stressful|boring|hard|fine|great|good)\b)[^,]{2,40})",
        "job",
        Kind.IDENTITY,
    ),
    _taste(
        rf"I (?:don't|do not|no longer) (?:really )?(?:like|love|enjoy|eat|drink|play"
        rf"|want) {_THING} (?:any ?more|any longer)",
        stopped=True,
    ),
    _taste(rf"I no longer (?:like|love|enjoy|eat|drink|play|watch) {_THING}", stopped=True),
    _taste(
        r"I(?:'ve| have)? (?:just |finally )?(?:stopped|quit|given up|gave up) (?P<v>(?!my|it"
        r"|this)[^,]{3,40})",
        stopped=True,
    ),
    _taste(
        rf"I (?:really )?(?:don't|do not|can't|cannot) (?:really )?(?:like|enjoy|stand|eat"
        rf"|drink|smoke) {_THING}"
    ),
    _taste(rf"I {_HOW}(?:like|love|enjoy|adore|prefer|hate|dislike|despise) {_THING}"),
    _taste(
        rf"(?:I am|I'm) {_HOW}(?:a (?:big |huge |great )?fan of|fond of|into|interested in"
        rf"|passionate about|afraid of|scared of|terrified of) {_THING}"
    ),
    _taste(rf"my (?:absolute |all-time )?(?P<v>favou?rite [^,]{{2,30}}? (?:is|are) {_REST})"),
    _taste(r"my (?:hobb(?:y|ies)|interests?) (?:is|are|include) (?P<v>[^,]{3,60})"),
    _having(
        rf"I(?:'ve| have)?(?: got| have| own)? {_NUMBER} (?P<v>(?:[\w-]+ ){{0,3}}(?:{_PET}"
        rf"|{_FAMILY})(?: (?:named|called) [^,]{{2,30}})?)"
    ),
    _rule(
        rf"my (?P<v>(?:[\w-]+ )?(?:{_PET}|{_FAMILY})(?:'s)? (?:name is|is (?:called|named)"
        rf"|is \d{{1,3}}(?: years old)?|are called|lives? in|works? (?:as|at|for|in)"
        rf"|is an? {_JOB})(?: [^,]{{2,40}})?)",
        "other",
        Kind.FACT,
    ),
    _private(r"(?:I am|I'm) (?:severely |very |highly |also )?allergic to (?P<v>[^,]{3,40})"),
    _private(rf"I (?:have|was diagnosed with|suffer from) (?P<v>(?:[\w-]+ )?(?:{_ILLNESS}))"),
    _private(
        r"(?:I am|I'm|I got|we got|I just got) (?P<v>pregnant|divorced|engaged|married"
        r"|laid off)(?: (?:last|this) \w+)?"
    ),
    _rule(
        r"(?:I am|I'm) (?P<v>single|left-handed|colou?r-?blind|retired)", "other", Kind.IDENTITY
    ),
    _rule(
        r"I (?:can )?(?:speak|play) (?P<v>(?!with|in|to|about|some|a lot"
        r"|games)(?:the )?[\w]+(?: (?:and|guitar|fluently))?(?: [\w]+)?)",
        "other",
        Kind.SKILL,
    ),
    _rule(
        r"(?:I am|I'm|I've been|I have been|I've started|I started) (?:currently "
        r"|now )?(?:learning|studying|practi[cs]ing)(?: to| how to)? (?P<v>(?!a new|some new"
        r"|new|hard|a lot|about)[^,]{3,40})",
        "other",
        Kind.TEMPORARY,
    ),
    _rule(
        r"(?:I am|I'm) (?:currently )?(?:preparing|studying) for (?P<v>[^,]{3,40})",
        "other",
        Kind.TEMPORARY,
        Topic.PROMISE,
    ),
    _rule(
        rf"I(?:'ve| have) always wanted to (?P<v>{_REST})|I want to (?P<w>(?:become|learn"
        rf"|be) {_REST})",
        "other",
        Kind.PASSING_PREFERENCE,
        Topic.PREFERENCE,
    ),
    _rule(
        rf"I (?P<v>(?!feel|am|was){_REST} every (?:day|morning|evening|night|week|weekend|month"
        rf"|year|sunday|monday|tuesday|wednesday|thursday|friday|saturday))",
        "other",
        Kind.FACT,
    ),
    _rule(
        rf"I(?:'ve| have)? (?:finally )?decided to (?P<v>{_REST})",
        "other",
        Kind.FACT,
        Topic.PROMISE,
    ),
)

DATED_PLAN: Final = _rule(
    rf"(?:[\w ]{{3,20}} )?(?:I am|I'm|I'll|I will|I have|I've got|I need to"
    rf"|I plan to) (?:(?:going|planning) to )?(?P<v>(?!try|be fine|let|talk|see|watch a movie"
    rf"|go for a walk|take a walk){_REST})",
    "other",
    Kind.TEMPORARY,
    Topic.PROMISE,
)
"""Holds only of a clause that names a day to come (tomorrow, next week)."""

OPEN_PLAN: Final = _rule(
    rf"(?:I am|I'm) planning (?:to|a trip to|on) (?P<v>(?!try|look|check){_REST})"
    rf"|I plan to (?P<w>(?!try|look|check){_REST})",
    "other",
    Kind.TEMPORARY,
    Topic.PROMISE,
)
