"""What a clause says in other words too: who is taller than I am, than whom I am shorter.

Only what follows by the meaning of the small words alone, and only where a clause is plainly built
so. Whatever is learnt is then held against it as against what was said.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.judgement import wording
from memory.judgement.assertions import Assertion
from memory.judgement.claims import claims_of
from memory.judgement.marks import Sense
from memory.judgement.referents import Spoken
from memory.judgement.units import is_past
from memory.model import Message
from memory.text.late_pattern import LatePattern


def told(claim: Assertion, message: Message, earlier: Sequence[Assertion]) -> Iterator[Spoken]:
    """Yield a clause as it was said, and what it says in other words."""
    yield Spoken(claim, message, earlier)
    for each in _retellings(claim):
        yield Spoken(each, message, earlier, retold=True)


def _retellings(claim: Assertion) -> Iterator[Assertion]:
    if claim.at is None or claim.zone is None:
        return
    for text in _retold(claim.folded):
        read = claims_of(text, wording.NO_NAMES, claim.at, claim.zone, learnt=False)
        senses = claim.senses - {Sense.EXCEPTION}
        yield from (_with_senses(each, senses) for each in read[:1])


def _with_senses(read: Assertion, senses: frozenset[Sense]) -> Assertion:
    return Assertion(
        folded=read.folded,
        units=read.units,
        senses=read.senses | senses,
        subject=read.subject,
        at=read.at,
        zone=read.zone,
    )


def _retold(folded: str) -> Iterator[str]:
    folded = _IS.sub(lambda found: " am" if found[1] == "m" else " is", folded)
    if found := _MORE_EN.match(folded):
        one, other = _OBJECT.get(found["one"], found["one"]), found["other"]
        other = _SUBJECT.get(other, other)
        how = _OPPOSITES[found["how"]]
        yield f"{other} {found['does']}{how}{found['what'] or ''} than {one}"
    if found := _MORE_ZH.match(folded):
        how = _OPPOSITES[found["how"]]
        yield f"{found['other']}比{found['one']}{how}{found['rest']}"
    if found := _TO_ME_ZH.match(folded):
        yield f"我被{found['who']}{found['did']}"
    if (found := _TO_ME_EN.match(folded)) and is_past(found["did"]):
        yield f"i was {found['did']} by {found['who']}{found['rest']}"
    if found := _BEATEN_ZH.search(folded):
        yield f"{found['who']}{found['what']}比我好"
    if found := _EXCEPT_ZH.search(folded):
        yield f"我不{found['does']}{found['what']}"
    if found := _EXCEPT_EN.search(folded):
        yield f"i do not {found['does']} {found['what']}"


def is_deed(wanted: Assertion, said: Iterable[Assertion]) -> bool:
    """Tell whether what somebody is said to be is what they go on doing: 还在跑保险."""
    by_deed = _IS_WHO_DOES.search(wanted.folded)
    return by_deed is not None and any(_GOES_ON.search(each.folded) for each in said)


_IS_WHO_DOES: Final = LatePattern(r"是[^，是]{2,12}的$")

_GOES_ON: Final = LatePattern(r"^(?!.*(?:[了过]$|想|要|没|不)).*(?:在|天天|每天)")


_IS: Final = LatePattern(r"(?<=\w)['’](m|s)(?= \w+ than\b)")

_PAIRS: Final = """
more:less better:worse taller:shorter older:younger bigger:smaller faster:slower earlier:later
richer:poorer heavier:lighter stronger:weaker easier:harder higher:lower
高:矮 大:小 多:少 好:差 快:慢 贵:便宜 重:轻 早:晚 长:短
"""

_OPPOSITES: Final = {
    one: other
    for pair in _PAIRS.split()
    for one, other in (pair.split(":"), reversed(pair.split(":")))
}

_OBJECT: Final = {"i": "me", "we": "us"}
_SUBJECT: Final = {"me": "i", "us": "we"}

_HOW_EN: Final = "|".join(sorted(each for each in _OPPOSITES if each.isascii()))
_HOW_ZH: Final = "|".join(sorted(each for each in _OPPOSITES if not each.isascii()))

_MORE_EN: Final = LatePattern(
    r"(?P<one>(?:my |our |the )?[\w'’]+(?: (?!is|am|are|was)\w+)?) "
    r"(?P<does>(?:is |am |are |was |\w+ )(?:a bit |much )?)"
    rf"(?P<how>{_HOW_EN})(?P<what> \w+)? than (?P<other>(?:my |our |the )?\w+)"
    r"(?: (?:do|does|is|am|are|did|was))?$"
)

_MORE_ZH: Final = LatePattern(
    rf"(?P<one>[\u4e00-\u9fff]{{1,6}})比(?P<other>[\u4e00-\u9fff]{{1,5}}?)(?P<how>{_HOW_ZH})"
    r"(?P<rest>[\u4e00-\u9fff0-9]{0,6})$"
)

_TO_ME_ZH: Final = LatePattern(
    r"(?P<who>(?:我的?)?[\u4e00-\u9fff]{1,4})把我(?![的们家爸妈哥姐弟妹儿女老])(?P<did>[\u4e00-\u9fff]{1,8}?)的?$"
)

_TO_ME_EN: Final = LatePattern(
    r"(?P<who>(?:my|our|the|an?) (?:\w+ )?\w+) (?P<did>\w+) me(?P<rest>(?: \w+){0,6})$"
)
"""What somebody did to me was done to me by them."""

_BEATEN_ZH: Final = LatePattern(
    r"(?:讲到|说到|论)(?P<what>[\u4e00-\u9fff]{1,4})[，, ]?我(?:真的?|还|可)?(?:输给|不如|比不上)"
    r"(?P<who>[\u4e00-\u9fff]{1,4})"
)

_EXCEPT_ZH: Final = LatePattern(
    r"除了(?P<what>[\u4e00-\u9fff]{1,4}?)(?:以?外)?[，, ]?(?:我|俺)?"
    r"(?:啥|什么|哪)[\u4e00-\u9fff]{0,2}?"
    r"(?:我|俺)?都(?P<does>[吃喝看玩会学])"
)

_EXCEPT_EN: Final = LatePattern(
    r"\bi (?:can )?(?P<does>eat|drink|play|watch|read|do|like|cook) "
    r"(?:any|every)(?:thing|\w* \w+)?(?: going)? "
    r"(?:except|bar|apart from|other than|but)(?: for)? (?:the )?(?P<what>\w+)$"
)
