"""What is asked and told of what one must not eat, take or touch, in whatever words it comes."""

import re
from typing import Final

from memory.text.late_pattern import LatePattern

_HARMED_ZH: Final = (
    "[吃喝碰用服沾抹闻](?![你我他她它]|手机|电脑|钱|力|惯|亏|苦|功|意)|接触|注射|打(?:针|疫苗|麻)"
)

_DOSE_EN: Final = (
    r"(?:any |some |an? |the )?(?:\w+(?:illin|profen|mycin|cetamol)|aspirin|antibiotics?|tablets?"
    r"|pills?|med(?:s|icines?|ication)|painkillers?|(?:pea)?nuts?|milk|(?:shell)?fish|prawns?"
    r"|eggs?|dairy|gluten|wheat)"
)

ASKS_WHAT_HARMS: Final = (
    r"过敏|忌口|忌讳什么|(?:^|[^你您他她它])(?:能不能|可不可以|可以|能|不敢)(?:[吃喝碰]|打针)"
    rf"|(?:^|[^你您他她它])(?:不可以|不能|没法|不该|不宜)(?:{_HARMED_ZH})"
    r"|[要得该]?(?:避开|忌|避免|当心|小心|注意)(?:什么|哪|啥|的(?:药|食物|东西))"
    rf"|(?:什么|哪些|啥)(?:药|吃的|食物|东西)?.{{0,3}}[我俺][^，,]{{0,3}}(?:不能|不可以|得避|要避|忌|不该)"
    rf"|(?:什么|哪些|啥)(?:药|吃的|食物|东西).{{0,6}}(?:不能|不可以|得避|要避|避开|不该)"
    r"|allerg|intoleran"
    r"|\b(?:must|should|can|may|am)(?:n?['’]?t|not)? i (?:not |never )?(?:allowed to |able to )?"
    rf"(?:eat|drink|touch|(?:take|have|use) {_DOSE_EN}"
    r"|(?:avoid|stay away from|steer clear of|be careful (?:with|of))(?=\W*$))\b"
    r"|\b(?:must|should|can|may)(?:n?['’]?t i|not i| i not) (?:take|have|use)(?=\W*$)"
    r"|\bi (?:(?:can|must|should|may)(?:n?['’]?t|not| not| never) (?:eat|drink|touch|take|have"
    r"|use)|(?:have|need|ought) to avoid|should (?:avoid|stay away|steer clear))\b"
    r"(?=[^,.]{0,12}\W*$)"
)
"""What is not to be eaten, taken or touched: 我不能用什么药, "what meds should I avoid"."""

TELLS_WHAT_HARMS: Final = (
    rf"过敏|(?:不能|不可以|不准|不许|别|忌|没法|禁)[^，,。我你]{{0,3}}(?:{_HARMED_ZH})"
    r"|不耐|忌口|忌食|禁忌|素食|吃素|清真|犯哮喘|起疹|休克"
    r"|allerg|intoleran|vegan|vegetarian|co?eliac|halal|kosher|anaphyla|epipen"
    r"|\b(?:can(?:['’]?t|not| not)|must(?:n['’]?t| not)|should(?:n['’]?t| not)"
    r"|not (?:allowed |supposed )?to|don['’]?t|never) (?:eat|drink|touch|take|have|use)\b"
    r"(?! (?:it|that|this|the (?:bus|train|car)|time|care)\b)"
)

_HARMS: Final = LatePattern(ASKS_WHAT_HARMS, re.IGNORECASE)

_TELLS_HARM: Final = LatePattern(TELLS_WHAT_HARMS, re.IGNORECASE)


def asks_what_harms(asked: str) -> bool:
    """Whether a question is after what its speaker must not eat, take or touch."""
    return _HARMS.search(asked) is not None and _OF_WHOM.search(asked) is None


_OF_WHOM: Final = LatePattern(
    r"[你他她它]|^那?[老小阿](?![时便])[一-鿿](?!总|是)"
    r"|^(?:and |so )?(?:is|does|has|was|can|could|did) (?!i\b|there\b|it\b|my\b)\w+",
    re.IGNORECASE,
)


def asks_what_harms_another(asked: str) -> bool:
    """Whether a question is after what somebody else must not eat: "is chloe allergic to nuts"."""
    return _HARMS.search(asked) is not None and not asks_what_harms(asked)


def tells_what_harms(told: str) -> bool:
    """Whether a text tells what somebody must not eat, take or touch."""
    return _TELLS_HARM.search(told) is not None


def denies_harm(told: str) -> bool:
    """Whether a text tells that something does no harm after all: 医生说我不过敏，那次是误诊."""
    return _NO_HARM.search(told) is not None and _OF_THE_REST.search(told) is None


_OF_THE_REST: Final = LatePattern(
    r"(?:别的|其他|其它|其余|另外)[^，。]{0,6}不|\b(?:anything|nothing|something) else\b",
    re.IGNORECASE,
)
"""Who is allergic to nothing else is allergic to what was told."""

_NO_HARM: Final = LatePattern(
    r"不(?:再|会|是)?过敏|没有?过敏|误诊|脱敏|不(?:用|必)(?:再)?忌口|测错|查错"
    r"|\b(?:not|no longer|never|isn['’]?t|wasn['’]?t) (?:really |actually )?"
    r"(?:allergic|intolerant)"
    r"|\b(?:outgrew|outgrown|misdiagnos\w*)\b"
    r"|\b(?:biopsy|bloods?|tests?|results?|chart|diagnosis|allergy|skin prick)\b[^.!?]{0,16}"
    r"\b(?:wrong|a mistake|an error|clear|negative|normal)\b",
    re.IGNORECASE,
)


RESULTS_ZH: Final = "[^，,。！!我俺咱你]{0,6}(?:结果|报告)[^，,。！!我俺咱你]{0,4}(?:出来|到|下来)"

AWAITED: Final = LatePattern(
    rf"(?i)\W*(?:{RESULTS_ZH}|(?:the |her |his |their )?(?:test |scan |biopsy )?"
    r"(?:results?|report)(?:['’]s|['’]re| is| are| came| come)? (?:just )?(?:in|back)\b)"
)
"""What was awaited is there: of whom it is was told before, maybe hours ago."""

ILL_ZH: Final = (
    "(?:炎|癌|瘤|[^没生看犯毛]病|症|血[压糖脂]高|高血[压糖脂]|贫血|骨折|结石|息肉|囊肿|结节|溃疡|突出|感染"
    "|[阴阳良恶]性)"
)
"""The ends of what an illness is called: 浅表性胃炎."""
