"""Words by the forms that they are found by: bought by buy, children by child, 邊度 by 哪里.

And which number or word of a text may stand for another.
"""

import re
from difflib import SequenceMatcher
from typing import Final

_TEXT: Final = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun;
bend bent; bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought;
build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove
driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung;
hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lead led;
lean leant; leap leapt; learn learnt; leave left; lend lent; light lit; lose lost; make made;
mean meant; meet met; mistake mistook mistaken; overcome overcame; pay paid; ride rode ridden;
ring rang rung; rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt; speak spoke spoken;
spell spelt; spend spent; spill spilt; spin spun; spring sprang sprung; stand stood;
steal stole stolen; stick stuck; sting stung; strike struck; strive strove striven;
swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; weave wove woven; weep wept; win won; withdraw withdrew withdrawn;
write wrote written;
child children; man men; woman women; foot feet; tooth teeth; goose geese; mouse mice; wife wives;
knife knives; shelf shelves; loaf loaves; wolf wolves; thief thieves; half halves; scarf scarves
"""

BASE_FORMS: Final = {
    form: base for group in _TEXT.split(";") for base, *forms in [group.split()] for form in forms
}
"""The form that others are found by, of each other form. What is a common word of its own as well
(rose, bit, ground, lives) is left as it is."""

CANTONESE: Final = {
    "而家": "现在", "今日": "今天", "寻日": "昨天", "琴日": "昨天", "听日": "明天", "几时": "何时",
    "边度": "哪里", "边个": "哪个", "边位": "哪位", "几多": "多少", "点解": "为何", "点样": "怎样",
    "乜嘢": "什么", "咩嘢": "什么", "唔使": "不用", "钟意": "喜欢", "返工": "上班", "返学": "上学",
    "啱啱": "刚刚", "得闲": "有空", "倾偈": "聊天", "关係": "关系", "联係": "联系", "体係": "体系",
}  # fmt: skip
"""Words of Cantonese, of as many characters in Mandarin."""

CANTONESE_WORD: Final = re.compile(
    "而家|今日|寻日|(?<![钢提风])琴日|听日(?![本语文])|几时|几多|边度(?![假过])"
    "|(?<![旁那这右左路身周一两])边[个位](?![子置体])|点解(?![释决散开除说读析答题放])"
    "|(?<!有)点样(?![子品本])|[乜咩]嘢|唔使|(?<!分)钟意|返[工学]|啱啱|得闲|倾偈|[关联体]係"
)

CANTONESE_CHARACTERS: Final = (
    "喺咗唔嘅佢冇喇嘞咧咯喽囉啦嚟俾畀睇揸返搵揾攞啱噉咁俺係嗰咩乜嘢啲哋㗎嚹吖",
    "在了不的他没了了了了了了了来给给看开回找找拿刚这这我是那啥啥事些们啊了啊",
)

COUNTED: Final = re.compile(
    r"\d[\d,.:]*(?<![,.:])|[零〇一二两三四五六七八九十百千万亿]+整?(?![些样直起般定])"
)
"""A number, or a time of day in figures."""


def with_number(text: str, right: str) -> str | None:
    """Return a text with the number of ``right`` in the place of the one it may stand for.

    >>> with_number("the keys are in the second drawer, 2 of 10", "it's 3 of 10")
    'the keys are in the second drawer, 3 of 10'
    """
    written = [{each[0] for each in COUNTED.finditer(part)} for part in (text, right)]
    old = [each for each in COUNTED.finditer(text) if each[0] not in written[1]]
    new = next((each for each in COUNTED.finditer(right) if each[0] not in written[0]), None)
    if new is None:
        return None
    after = right[new.end() : new.end() + 1].strip()
    fitting = [
        each
        for each in old
        if len(old) == 1 or (after and text[each.end() : each.end() + 1] == after)
        if _is_alike(right, new, text, each)
    ]
    if len(fitting) != 1:
        return None
    return f"{text[: fitting[0].start()]}{new[0]}{text[fitting[0].end() :]}"


def _is_alike(right: str, new: re.Match[str], told: str, old: re.Match[str]) -> bool:
    """Whether one number may stand for another: 三千整 is neither the second nor a dozen.

    ``new`` stands in ``right`` and ``old`` in ``told``.
    """
    if told[: old.start()][-1:] in _NUMBERED:
        return False
    if (right[: new.start()][-1:] == "第") is not (told[: old.start()][-1:] == "第"):
        return False
    if new[0][0].isdigit() and old[0][0].isdigit():
        sizes = [len(each[0].replace(",", "").split(".")[0].split(":")[0]) for each in (new, old)]
        return abs(sizes[0] - sizes[1]) <= 1
    return new[0][0].isdigit() or old[0][0].isdigit() or _units(new[0]) == _units(old[0])


_NUMBERED: Final = frozenset("高初大老周期拜小")  # 高二 and 周三 count nothing


def _units(number: str) -> set[str]:
    return set(number) & set("百千万亿")


def most_alike(right: str, places: dict[str, tuple[int, int]]) -> tuple[int, int] | None:
    """Return the place of the one value that is meant: the only one, or one that looks alike.

    Values that stand within one another are one.
    """
    ranked = sorted(places, key=lambda each: (likeness(each, right), len(each)), reverse=True)
    if not ranked:
        return None
    start, end = places[ranked[0]]
    others = [each for each in ranked[1:] if places[each][1] <= start or end <= places[each][0]]
    return (start, end) if not others or likeness(ranked[0], right) >= _ALIKE else None


_ALIKE: Final = 0.5


def likeness(one: str, other: str) -> float:
    """Return how like one text looks to another, 0 to 1."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
