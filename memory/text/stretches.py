"""Where a message is cut: a long one into passages, a breathless one into its clauses.

Passages are of one size, so that length never decides what is found. The commas that people leave
out are put in, so that what a clause says of its speaker stands or falls by itself, whatever else
is told in the same breath.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import Final

from memory.text.late_pattern import LatePattern
from memory.text.names import APPOSED_EN
from memory.text.tokens import LONG_TEXT, script_runs, segmented_words

_STRETCH_WORDS: Final = 55
_LONGEST_STRETCH: Final = 80
"""The words of a stretch of a long message, about and at most; what has no more stays whole."""

_SENTENCE: Final = re.compile(r"[^。！？!?…\n]*?(?:[。！？!?…]+[”』」\"’)）]*|\n+|\.(?=\s)|$)\s*")
_CLAUSE: Final = re.compile(r"[^，,；;：:、]*(?:[，,；;：:、]+|$)\s*")
_WORDS_ONLY: Final = bytes(each if chr(each).isalnum() else 32 for each in range(128)) + b" " * 128
"""Makes a space of every ASCII character that is in no word."""

_WORD_OR_PART: Final = re.compile(r"\s*\S{1,40}\s*|\s+")


def stretches(text: str) -> tuple[str, ...]:
    """Return a message as passages of one size: whole, or cut at sentences if it is long.

    Over 80 words are cut into stretches of some 30 to 80; joined, they are the message. What no
    sentence ends is cut at its clauses, else between words. A document (``LONG_TEXT``) is not.

    >>> stretches("短短一句。")
    ('短短一句。',)
    """
    if len(text) > LONG_TEXT or _has_few_words(text):
        return (text,)
    return _cut(text)


_MOST_KNOWN: Final = 1 << 15
_KNOWN_ENDS: Final[dict[bytes, tuple[int, ...]]] = {}
"""Where the stretches of long messages end, by the digest of each: every night asks for all."""


def _cut(text: str) -> tuple[str, ...]:
    key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    ends = _KNOWN_ENDS.get(key)
    if ends is None:
        ends = tuple(accumulate(map(len, _stretches_of(text))))
        if len(_KNOWN_ENDS) >= _MOST_KNOWN:
            _KNOWN_ENDS.clear()
        _KNOWN_ENDS[key] = ends
    return tuple(text[start:end] for start, end in pairwise((0, *ends)))


def _stretches_of(text: str) -> tuple[str, ...]:
    pieces = [(piece, words) for piece, words in _pieces(text) if piece]
    total = sum(words for _, words in pieces)
    if total <= _LONGEST_STRETCH:
        return (text,)
    wanted = total / max(round(total / _STRETCH_WORDS), 2)
    found: list[str] = []
    held, length, read = "", 0, 0
    for piece, words in pieces:
        # Where an equal share ends, so that no short end is left over.
        ended = read + words / 2 > wanted * (len(found) + 1)
        if held and (ended or length + words > _LONGEST_STRETCH):
            found.append(held)
            held, length = "", 0
        held, length, read = held + piece, length + words, read + words
    return (*found, held)


def _has_few_words(text: str) -> bool:
    """Whether a text surely stays whole: seen without a segmenter, for most messages do."""
    # No word is shorter than a character with what parts it from the next.
    if len(text) <= _LONGEST_STRETCH:
        return True
    # Whatever is not ASCII becomes a question mark and counts as if it were a word.
    plain = text.encode("ascii", "replace")
    others = plain.count(b"?") - text.count("?") - text.count("，")
    return others + len(plain.translate(_WORDS_ONLY).split()) <= _LONGEST_STRETCH


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield sentences and how many words they have; of too long ones clauses, or single words."""
    for sentence in _SENTENCE.findall(text):
        words = _count_words(sentence)
        if words <= _LONGEST_STRETCH // 2:
            yield sentence, words
            continue
        for clause in _CLAUSE.findall(sentence):
            words = _count_words(clause)
            if words <= _LONGEST_STRETCH // 2:
                yield clause, words
            else:
                yield from ((part, _count_words(part)) for part in _WORD_OR_PART.findall(clause))


def _count_words(text: str) -> int:
    """Return about how many words a text has; of Chinese, those of the segmenter."""
    runs = list(script_runs(text))
    dense = sum(len(segmented_words(run)) for script, run in runs if script == "dense")
    return dense + sum(script == "word" for script, _ in runs)


def with_commas(sentence: str) -> str:
    """Return a sentence with a comma wherever another clause begins without one.

    >>> with_commas("I only eat halal so the smoothie was out")
    'I only eat halal, so the smoothie was out'
    >>> with_commas("我有哮喘不能装修他偏要刷漆")
    '我有哮喘不能装修，他偏要刷漆'
    """
    if _LATIN.search(sentence):
        sentence = APPOSED_EN.sub(lambda m: m[0].replace(",", ""), sentence)
        sentence = _SOFT_LAUGH_EN.sub(", ", sentence)
        sentence = _LEADS_MAIN_EN.sub(r"\g<told>,", _DASH.sub(", ", sentence))
        sentence = _with_and_parted(_BUT_EN.sub(",", _JOINT_EN.sub(",", sentence)))
        sentence = _WHICH_I_EN.sub(_told_of_place, _with_reasons_apart(sentence))
    if len(sentence) > _LONGEST_ROW:
        sentence = _SPACE_ZH.sub("，", sentence)
    return _JOINT_ZH.sub("，", _RUN_ON_ZH.sub(_with_parts_told, sentence))


def _with_parts_told(found: re.Match[str]) -> str:
    """Return a run of Chinese without a comma, with one wherever somebody else or a day begins.

    Whoever says or thinks what follows may be the one it is told by: 他说我是老师 stays whole.
    """
    told, *parts = _BEGINS_ZH.split(found[0])
    for part in parts:
        last = told.rpartition("，")[2]
        apart = part.startswith("我") or _TELLS_ZH.match(last)
        told += f"，{part}" if apart and not _LEADS_ON_ZH.search(told) else part
    return told


def hangs_on(clause: str) -> bool:
    """Tell whether a condition says nothing of what comes of it: it is about another clause.

    >>> hangs_on("if I can"), hangs_on("if it rains I stay in"), hangs_on("要是有空的话")
    (True, False, True)
    """
    return _HANGS.search(clause) is not None


_LATIN: Final = LatePattern("[A-Za-z] ")

_SOFT_LAUGH_EN: Final = LatePattern(r"(?<=\w) (?:lol|haha+),? (?=anyways?\b)", re.IGNORECASE)
"""Who goes on with "anyway" has not been jesting."""

_DASH: Final = LatePattern(r"(?<=\S)\s+[-–—]+(?=\s)")

_PRONOUN_EN: Final = (
    r"(?:i|we|he|she|they|it|you|i['’]?(?:m|ve|ll|d)|(?:we|they|you)['’](?:re|ve|ll|d)"
    r"|(?:he|she|it|that|there)['’]?s|theyre)"
)

_MEETS_EN: Final = (
    rf"(?:{_PRONOUN_EN}|my|our|his|her|their|your|the|this|that|these|those|there|an?|no|some"
    r"|when|whenever|if|now|today|tonight|tomorrow|yesterday|then|of course|please|don['’]t"
    r"|believe|even|nobody|no one|everyone|everybody|people|at this point|\w{3,}ly|\w+['’]s)"
)
"""With these a clause begins: a subject, when it is so, or how sure it is."""

_FINITE_EN: Final = (
    r"(?:am|is|are|was|were|has|have|had|will|would|can|could|did|does|said|says|came|went|got|gets"
    r"|just|only|still|never|kept|keeps|left|took|made|makes|told|sent|gave|ate|ran|rang|lives?"
    r"|works?|likes?|loves?|hates?|\w+n['’]t|\w{3,}ed)"
)

_JOINT_EN: Final = LatePattern(
    r"(?<=[\w'’)])"
    # So, because and while lead in a clause; so tired, because of it and for a while do not.
    r"(?:(?<!\b(?:am|is))(?<!['’]m)(?<!\b(?:be|im))(?<!\b(?:was|are|not))(?<!\b(?:feel|look|just))"
    rf"(?=\s+so\s+(?:{_MEETS_EN}|(?:[\w'’-]+\s+){{1,4}}?(?:{_FINITE_EN}|do|does))\b)"
    r"|(?=\s+(?:because|cos|coz|cuz)\s+(?!of\b))|(?=\s+plus\s+(?:i|my|we|our)\b)"
    rf"|(?<!\ba)(?<!\bthe)(?=\s+(?:while|whereas|although)\s+{_MEETS_EN}\b)"
    r"|(?=\s+(?:lol|lmao|anyways?)\s+[a-z])"
    # In "the photo i have a copy of" and "he said i have a cold" nothing begins.
    r"|(?<!\b(?:that|when|what|wish|said|says|told|like))(?<!\b(?:if|as|so))(?<!\b(?:and|but|now|cos|who|say))(?<!\b(?:because|whether|suppose))"
    r"(?<!\b(?:think|since|where|while|known|guess))"
    r"(?=\s(?:i have|i['’]?ve got|i['’]?m|i am)\s(?:an?|braces|asthma)\s))",
    re.IGNORECASE,
)

_LEADS_MAIN_EN: Final = LatePattern(
    r"\b(?:(?:and|but|so) )?(?:since|because|cos|coz|as) "
    r"(?P<told>(?:(?:i|we)(?:['’]\w+| am| have| are)|im|ive)\b[^,.!?;]{3,60}?)"
    rf"(?<!\b(?:and|but))(?<!\b(?:so|if))(?<!\b(?:that|when|what))(?=\s{_PRONOUN_EN}\s)",
    re.IGNORECASE,
)
"""As I've a van they charge me: the reason is told before what comes of it."""

_BUT_EN: Final = LatePattern(
    r"(?<=\w)(?<!\ball)(?<!\bnothing)(?<!\banything)(?<!\beveryone)(?=\s+but\s+(?:the|my|our|his|her|their|i|we)\b)"
    r"|(?<=\w)(?=\s+(?:and|but)\s+(?:he|she|they)\s+(?:just|only|still|never|said|\w+ed)\b)",
    re.IGNORECASE,
)

_AND_EN: Final = LatePattern(
    r"(?<=\S)\s+(?:and|but)\s+(?:(?:i(?:['’](?:m|ve|ll|d))?|im|ive|we(?:['’](?:re|ve))?|today|tonight|yesterday|now|then|even"
    r"|meanwhile|in the meantime|nobody|there['’]s|there (?:is|are|was|were)|what|whats"
    r"|s?hes gonna|do you)\b"
    r"|(?:he|she|they|it|you)(?:['’](?:d|ll))?\s"
    r"(?!(?:is|are|has|have|lives?|works?|likes?|loves?|hates?|plays?|can|was|were)\b)"
    rf"|(?:the|this|that|my|our|an?|one|some|his|her|their|your|\w+['’]s)(?:\s+[\w'’-]+){{0,3}}?"
    rf"(?:\s+{_FINITE_EN}|['’]s\s+\w+)\b)",
    re.IGNORECASE,
)
"""And joins words as well: a clause needs its verb, on both sides."""

_HAS_VERB_EN: Final = LatePattern(
    rf"\b(?:{_FINITE_EN}|i|we|i['’]?(?:m|ve)|we['’](?:re|ve)|\w+['’]s)\s", re.IGNORECASE
)


def _with_and_parted(sentence: str) -> str:
    """Return "I'm a Sikh, and I" for "I'm a Sikh and I"; "my wife and I" is one."""
    parts: list[str] = []
    end = 0
    for found in _AND_EN.finditer(sentence):
        before = sentence[end : found.start()]
        last = _LAST_CLAUSE_EN.search(before)
        joined = _AND_ME.match(found[0]) and _NAMED_LAST.search(before)
        apart = last and not joined and _HAS_VERB_EN.search(f"{last[0]} ")
        parts += [before, "," if apart else ""]
        end = found.start()
    return "".join((*parts, sentence[end:]))


def _with_reasons_apart(sentence: str) -> str:
    """Return "I couldn't moan, I'm a piper" for "I couldn't moan since I'm a piper".

    A reason that is asked for, denied, or given by somebody else is left where it is.
    """
    if sentence.rstrip().endswith("?"):
        return sentence
    parts: list[str] = []
    end = 0
    for found in _REASON_EN.finditer(sentence):
        before = sentence[end : found.start()]
        last = _LAST_CLAUSE_EN.search(before)
        if last and last[0].strip() and not _VEILS_REASON_EN.search(last[0]):
            parts += [before, ", "]
            end = found.end()
    return "".join((*parts, sentence[end:]))


_REASON_EN: Final = LatePattern(
    r"(?<=[\w'’)]),?\s+(?:(?:and|but|maybe|perhaps|probably|especially|mostly|mainly|partly|even)\b,?\s+){0,2}"
    r"(?:(?:because|cos|coz|cuz)\s+(?=(?:i|im|ive|my)\b)|cause\s+(?=(?:i|im|ive)\b)"
    r"|(?:since|as|seeing (?:as|that)|given that|considering|whereas|although|though|only)\s+"
    r"(?=(?:i['’]?m|i am|i['’]?ve got|i have|i (?:don|can)['’]?t"
    r"|i (?:live(?! and\b)|own|hate|love|play|teach|coach|speak|open|study|became|took up|retired"
    r"|moved to)"
    r"|i work (?:as|at|for|in|the|part|full|from|nights|days|shifts)"
    r"|i was an? [^,.!?;]{3,40} for [\w ]{1,20} years"
    r"|my (?:\w+ ){1,3}?(?:is|has|lives|works|plays))\b))",
    re.IGNORECASE,
)
"""Who gives a reason of their own tells it, whatever it is the reason of."""

_VEILS_REASON_EN: Final = LatePattern(
    r"^\s*(?:(?:and|but|so) )?(?:do|does|did|is|are|am|was|were|can|could|would|will|should|what"
    r"|why|how|who)\b"
    r"|\b(?:if|unless|wish|hopes?|pretend\w*|imagine|dream\w*|asked|says?|said|tells?|told"
    r"|claim\w*|swears?|insist\w*)\b"
    r"|\b(?:he|she|they|you|people|everyone|everybody) (?:\w+ )?(?:thinks?|thought|reckons?"
    r"|believes?|assumes?|assumed)\b"
    r"|(?:\bnot|n['’]t)(?: (?:just|only|simply))?\s*$"
    r"|\b(?:(?:as|so|same|such|just|twice|ever|long)(?: [\w'’-]+)?|the|a|this|my|our|that)\s*$",
    re.IGNORECASE,
)

_WHICH_I_EN: Final = LatePattern(
    r"\b(?P<at>to|in|at|from|near|for|outside)"
    r" (?P<place>(?!(?:the |an? )?(?:town|place|village|city|street|house|building|country)\b)"
    r"(?:the )?[\w'’-]+(?: (?!where\b)[\w'’-]+){0,3}),? where"
    r" (?P<who>i|we|he|she|they|(?:my|our|his|her|their) [\w'-]+)"
    r" (?P<does>(?:live|stay|work|volunteer|teach)s?|stud(?:y|ies))\b"
    r"|\b(?:in )?(?P<what>[\w'’-]+), which (?P<speaker>i)"
    r" (?P<verb>speak|teach|play|study|love|hate)\b",
    re.IGNORECASE,
)


def _told_of_place(found: re.Match[str]) -> str:
    """Return "home to Tulsa, I live in Tulsa" for "home to Tulsa where I live".

    Where somebody else lives is told as well, lest it be taken for where the speaker does.
    """
    if found["what"]:
        return f"{found['what']}, {found['speaker']} {found['verb']} {found['what']}"
    at = "at" if found["place"].lower().startswith("the ") else "in"
    told = f"{found['who']} {found['does']} {at} {found['place']}"
    return f"{found['at']} {found['place']}, {told}"


_AND_ME: Final = LatePattern(r"\s+and\s+(?:i|we)$", re.IGNORECASE)

_NAMED_LAST: Final = LatePattern(r"(?:\b[A-Z][a-z]+|\b(?i:my|our) \w+|\b(?i:me|you))$")
"""Toby and I bond: nobody begins anew."""

_LAST_CLAUSE_EN: Final = LatePattern(r"(?:^|(?<=[,.!?;]))[^,.!?;]*$")


_JOINT_ZH: Final = LatePattern(
    r"(?<=[一-鿿]{5})(?=(?:他|她|他们|她们|人家)(?:偏|非|却|居然|竟|硬))"
)

_SPACE_ZH: Final = LatePattern(r"(?<=[一-鿿])\s+(?=[一-鿿])")

_LONGEST_ROW: Final = 30
"""A shorter line is a row of words about one person: 我做翻译的 会法语 大连人."""

_RUN_ON_ZH: Final = LatePattern("[一-鿿]{9,160}")

_KIN_BEGINS_ZH: Final = (
    "(?:老[公婆]|儿子|女儿|闺女|孩子)(?:今年|都|已经|才|刚|快)*"
    "(?:[在是叫]|[\\d一二三四五六七八九十]{1,2}岁|上[幼小初高大])"
)
"""老公在部队, 女儿五岁了: one of the speaker's comes in."""

_BEGINS_ZH: Final = LatePattern(
    "(?=今[天日]|[昨琴][天日晚]|刚才|今[早晚])"
    "|(?<=[一-鿿]{4})(?=我(?:[是有在对對住养養会會怕属姓叫妈爸]|老[婆公]|儿子|女儿|婆婆|乳糖|[^，我]吃"
    "|吃[^我]{1,4}就|只[吃喝]|从小|打小))"
    "|(?<=你好)(?=我叫)|(?<=你好[呀啊哦呐])(?=我叫)|(?<=我叫[一-鿿]{2})(?=今年)|(?<=我叫[一-鿿]{3})(?=今年)"
    f"|(?<=[一-鿿]{{5}})(?={_KIN_BEGINS_ZH}|小名[一-鿿]{{1,3}}$)"
)

_TELLS_ZH: Final = LatePattern(
    "(?:[我俺]|本人)[^，]{0,6}(?:[是有养養叫姓住会會怕爱愛对對卖賣教学學读讀做]|今年|过敏)[^，]{2,}"
    f"|你好|今年[一二三四五六七八九十]{{2}}|{_KIN_BEGINS_ZH}"
)
"""What may be told whole before a day is named: 我妈妈是阿美族人今天…, and not 我今天…."""

_LEADS_ON_ZH: Final = LatePattern(
    "[问問想知道要当當信骂罵笑夸记告让讓叫把被给給跟和对對的吃喝用穿看等去找帮陪见爱喜欢怕买卖住带接送养比]$"
    "|[说說讲講觉覺以认認如像猜梦夢嫌听聽]|知道|告诉|告訴|要是"
)

_HANGS: Final = LatePattern(
    r"^(?:如果|要是|假如|万一|除非)(?!.*(?:[就才会再]|[，,]))|^[^，,]{0,8}的话$"
    r"|^(?:(?:and|but|so|even|only) )*(?:if|unless)\b"
    r"(?!.*,|\s\S+ \S+.*\b(?:i|we|he|she|it|they|you|that"
    rf"|the \w+)(?:['’]?(?:m|ll|d|s|re)| (?:go|stay|{_FINITE_EN}))\b)",
    re.IGNORECASE,
)


def clauses_of(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence as they are read for what they say of their speaker."""
    held = ""
    for written in _CLAUSE_END.split(sentence):
        part = written.strip(' \t。！!.~～，,；;"“”…')
        if held:
            # "Rupert and I broke up" is one clause, "ME. i start on Monday" is two.
            joined = re.search(rf"{re.escape(held)}\s+and\s", sentence, re.IGNORECASE)
            together = joined and re.match(r"(?:i|we)\b", part, re.IGNORECASE)
            part = f"{held} and {part}" if together else part
            if not together:
                yield held
        held = part if _BARE_NAME.fullmatch(part) else ""
        if part and not held:
            yield part
    if held:
        yield held


_BARE_NAME: Final = LatePattern(
    r"(?!(?:yesterday|today|now|so|and|but|then|well|also|ok|yes|\w+ly)\b)(?-i:[A-Z])[a-z]+"
    r"|me|my \w+",
    re.IGNORECASE,
)


SENTENCE_END: Final = LatePattern(
    r"(?<=[。！？!?；;…])|\n+|(?<=[a-z0-9)][.])(?<!\bSt\.)(?<!\bDr\.)(?<!\bMr\.)\s+"
)

_CLAUSE_END: Final = LatePattern(
    r"[，,；;：。!！]+(?=\s|$|[^\d])|(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.]+(?=\s|$|[^\d])|[：:](?=\s)|\s[-–—]+\s|——"
    r"|\b(?:and|so|cos|because|then)\s+(?=(?:i|we|my|our|now|as|it)\b|i')|\bbut\s+"
    r"|(?<=了)(?=现在|如今)|(?<=[年月天岁]了)(?=[\u4e00-\u9fff]{3})|但是?|不过(?!敏)|所以|因为|后来|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
    r"|[\u2600-\u27bf\U0001f300-\U0001faff]+",
    re.IGNORECASE,
)
