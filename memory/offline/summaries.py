"""Talk by rule: what a stretch is called, where it is cut, a text in fewer characters."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from memory.offline.statements import sentences_of
from memory.offline.vocabulary import content_words, is_question
from memory.text.late_pattern import LatePattern
from memory.text.line_salience import ASIDE, NO_NEWS
from memory.text.names import NO_NAMES, names_told
from memory.text.passed_on import without_sent
from memory.text.tokens import keywords, stems, tagged_words, words
from prompts import Compress, PromptLine, Summarize
from prompts.rendering import one_line

SEGMENT_PAUSE: Final = timedelta(minutes=30)
"""After a longer silence a new segment begins."""

LONGEST_SEGMENT: Final = 12
"""The most lines of one segment, also if they are on one subject."""

# An aside of a line or two is not a new subject.
SHORTEST_SEGMENT: Final = 4
"""The fewest lines before a change of vocabulary begins a new segment."""

_MARKS: Final = re.compile(r"[\[\]［］【】〔〕=＝,，:：;；]")
_TITLE: Final = re.compile(r"《([^》]{1,20})》")

# Not at the beginning of a sentence, where every word has a capital.
_CAPITALISED: Final = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")


class _Segment(NamedTuple):
    first: int
    lines: tuple[PromptLine, ...]


def segment_lines(prompt: Summarize) -> str:
    """Return one SEGMENT line for each subject of a stretch; every line is in exactly one."""
    # That something came without words is nothing that was talked about.
    lines = [line._replace(text=without_sent(line.text)) for line in prompt.lines]
    return "\n".join(_segment_line(segment, prompt) for segment in _segments_of(lines))


def _segments_of(lines: Sequence[PromptLine]) -> list[_Segment]:
    segments: list[_Segment] = []
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _starts_segment(lines, start, index):
            segments.append(_Segment(start + 1, tuple(lines[start:index])))
            start = index
    return segments


def _starts_segment(lines: Sequence[PromptLine], start: int, index: int) -> bool:
    """Whether a new segment begins at ``index``."""
    if lines[index].at - lines[index - 1].at > SEGMENT_PAUSE:
        return True
    if index - start >= LONGEST_SEGMENT:
        return True
    if index - start < SHORTEST_SEGMENT or lines[index].role != "user":
        return False
    # The line and its answer: a short line alone shares no word with anything.
    ahead = _vocabulary(lines[index : index + 2])
    return bool(ahead) and not ahead & _vocabulary(lines[start:index])


def _vocabulary(lines: Sequence[PromptLine]) -> set[str]:
    return {word for line in lines for word in content_words(line.text)}


def _segment_line(segment: _Segment, prompt: Summarize) -> str:
    last = segment.first + len(segment.lines) - 1
    # Who talks is named in every other line, and is not what they talk about.
    people = " ".join({prompt.partner, *(line.speaker for line in prompt.lines)})
    about = topic_words(segment.lines, ignored=people)
    chinese = any(re.search("[一-鿿]", line.text) for line in segment.lines)
    named = about or keywords(segment.lines[0].text, 3)
    if is_only_polite(segment.lines):
        named = ("道谢", "道别") if chinese else ("thanks", "goodbye")
    joined = ("、" if chinese else ", ").join(_attribute_text(each) for each in named[:3])
    opening = one_line(segment.lines[0].text)[:LONGEST_PHRASE_ZH]
    phrase = (
        _attribute_text(telling_clause(segment.lines, about))[:LONGEST_PHRASE]
        or ("、" if chinese else " and ").join(_attribute_text(each) for each in named[:2])
        or _attribute_text(opening)
    )
    # The clause names the episode only: in the gist it would be found beside its own message.
    gist = f"{'聊了' if chinese else 'talked about '}{joined or _attribute_text(opening)}"
    attributes = [f"phrase={phrase.strip()}"] if phrase else []
    if about:
        attributes.append("keywords=" + ",".join(_attribute_text(each) for each in about))
    if names := _entity_names(segment.lines, prompt.focus):
        relation = "涉及" if chinese else "involves"
        attributes.append(
            "entities=" + ",".join(f"{_attribute_text(name)}:{relation}" for name in names)
        )
    return f"[SEGMENT:{segment.first}-{last} {' '.join(attributes)}] {gist}"


def _entity_names(lines: Sequence[PromptLine], focus: Sequence[str]) -> tuple[str, ...]:
    """Return up to 4 names a segment speaks of: names in focus, titles, people and pets."""
    text = "\n".join(line.text for line in lines)
    own = "\n".join(line.text for line in lines if line.role == "user")
    found = [name for name in focus if name and name in text]
    found += _TITLE.findall(own)
    found += names_told(own)
    found += (name for name in _CAPITALISED.findall(own) if name.casefold() not in NO_NAMES)
    return tuple(dict.fromkeys(name for name in found if _attribute_text(name)))[:4]


def _attribute_text(text: str) -> str:
    """Return a text that fits into an attribute: without brackets, commas and equals signs."""
    return _MARKS.sub(" ", one_line(text)).strip()


_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")
_CLAUSE: Final = re.compile(r"[^，,、]+[，,、]*")
STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")
_BRACKETS: Final = re.compile(r"[\[\]［］【】〔〕]")


def compressed_lines(prompt: Compress) -> str:
    """Return text, phrase and keywords, none longer than before."""
    target = int(prompt.characters) if prompt.characters.isdecimal() else len(prompt.text)
    text = shorten(prompt.text, target)
    phrase = shorten(prompt.phrase, min(len(prompt.phrase), max(target, 1)))
    kept = [word for word in prompt.keywords if word.lower() in text.lower()]
    named = kept or list(prompt.keywords[: (len(prompt.keywords) + 1) // 2])
    return (
        f"[TEXT] {text}\n[PHRASE] {phrase}\n[KEYWORDS] {','.join(map(_without_brackets, named))}"
    )


def shorten(text: str, target: int) -> str:
    """Return at most ``target`` characters of ``text``: its most telling sentences, in order.

    Where none fits, one of them as far as it says something by itself; where nothing does, all of
    it: a text cut within a clause (my locker at the) tells nothing. The date of an episode is kept
    if it takes at most half of the room.
    """
    text = _without_brackets_but_stamp(text)
    if len(text) <= target:
        return text
    stamp = found[0] if (found := STAMP.match(text)) and 2 * len(found[0]) <= target else ""
    room = target - len(stamp)
    sentences = _SENTENCE.findall(STAMP.sub("", text))
    # Of what was talked about each part is a subject by itself.
    subjects = _CLAUSE.findall(STAMP.sub("", text)) if _A_TALK.match(text) else ()
    told = _densest_parts(sentences, room) or _densest_parts(subjects, room)
    told = told or next(filter(None, (_beginning(each, room) for each in sentences)), "")
    short = told.strip().rstrip("，,、；;")
    return stamp + short if short else text


def _beginning(sentence: str, room: int) -> str:
    """Return the longest beginning of a sentence that fits and can stand alone; "" if none."""
    clauses = _CLAUSE.findall(sentence)
    for count in range(len(clauses) - 1, 0, -1):
        short = "".join(clauses[:count]).strip().rstrip("，,、；;")
        if 0 < len(short) <= room and _stands_alone(short):
            return short
    return ""


def _stands_alone(short: str) -> bool:
    """Whether a text may end here: by now it says what of whom."""
    told = any(tag.startswith(("v", "ul")) for _, tag in tagged_words(short))
    return told and not _OPEN.search(short)


_A_TALK: Final = LatePattern(r"(?:\[[-\d: ]+\] *)?(?:聊了|talked about )")
"""How the gist of an episode begins."""

_OPEN: Final = LatePattern(r"(?:[的是在把被和跟与给从向往或让a-z]|时候?|之?[前后])$")


def _densest_parts(parts: Sequence[str], room: int) -> str:
    """Return as many parts as fit, those with most content per character first, in order."""
    taken: set[int] = set()
    for index in sorted(range(len(parts)), key=lambda i: (-_density(parts[i]), i)):
        if sum(len(parts[i]) for i in taken) + len(parts[index]) <= room:
            taken.add(index)
    return "".join(parts[index] for index in sorted(taken))


def _density(part: str) -> float:
    # At most 4 characters a word count, so that a long address does not outweigh a sentence.
    return sum(min(len(word), 4) for word in words(part)) / max(len(part), 1)


def _without_brackets(text: str) -> str:
    return _BRACKETS.sub("", one_line(text))


def _without_brackets_but_stamp(text: str) -> str:
    line = one_line(text)
    stamp = found[0] if (found := STAMP.match(line)) else ""
    return stamp + _BRACKETS.sub("", line[len(stamp) :])


def topic_words(
    lines: Sequence[PromptLine], limit: int = 4, *, ignored: str = ""
) -> tuple[str, ...]:
    """Return the words that tell what ``lines`` are about; the partner's words count double.

    ``ignored`` is what those who talk are called, which tells nothing. How something is or is done
    (随时, 更好) tells less than what it is, and thanks or a farewell tell nothing.
    """
    # Each word once a line, so that one line full of repetitions decides nothing.
    nothing = set(content_words(ignored)) | _FILLERS
    counted, vague = Counter[str](), set(_VAGUE_EN)
    han = [re.search("[一-鿿]", line.text) is not None for line in lines]
    for line, foreign in zip(lines, [2 * sum(han) > len(han) and not x for x in han], strict=True):
        said = " ".join(part for part in sentences_of(line.text) if not _is_courtesy(part))
        vague.update(word for word, tag in tagged_words(said) if tag.startswith(_VAGUE_TAGS))
        # One who says a line in English among Chinese ones does not name what all talk about.
        vague.update(content_words(said) if foreign else ())
        for word in dict.fromkeys(content_words(said)):
            if word not in nothing:
                counted[word] += 2 if line.role == "user" else 1
    ranked = sorted(counted, key=lambda word: (word in vague, -counted[word], -min(len(word), 4)))
    # Movies and movie are one thing.
    one_of_each = {tuple(stems(word)): word for word in reversed(ranked)}
    return tuple(word for word in ranked if one_of_each[tuple(stems(word))] == word)[:limit]


_FILLERS: Final = frozenset({"im", "ive", "btw", "hey", "嗨", "哈哈"})
_VAGUE_TAGS: Final = ("d", "a", "t", "f", "m", "r", "c", "p", "z", "i", "l")
"""Adverbs, adjectives, times, places, numbers, set phrases: jieba's tags."""


_VAGUE_WORDS_EN: Final = """
always especially finally usually often take took got give gave find found feel feeling feels try
tried trying learn learned learning interesting beautiful amazing wonderful delicious help
helpful happy glad look looking start started keep enjoy enjoyed recommend advice suddenly called
call told tell tells said says say asked ask live lives living lived came come coming went going
put stuck yeah lol btw related difficult different important special run understood ready
absolutely definitely totally
"""
_VAGUE_EN: Final = frozenset(_VAGUE_WORDS_EN.split())


def is_only_polite(lines: Sequence[PromptLine]) -> bool:
    """Whether the partner greeted, thanked or took leave in these lines, and nothing else."""
    said = [
        part for line in lines if line.role == "user" for part in _CLAUSE_TOLD.findall(line.text)
    ]
    # 谢谢，我升职了 is thanks and something to tell.
    return bool(said) and all(
        (_is_courtesy(part.strip()) and not is_question(part)) or not content_words(part)
        for part in said
    )


def _is_courtesy(sentence: str) -> bool:
    """Whether a sentence thanks, greets, takes leave or promises to come back, and no more."""
    return bool(_COURTESY.match(sentence) or ASIDE.search(sentence) or _LEAVES.search(sentence))


_COURTESY: Final = LatePattern(
    r"(?:(?:你好|您好|嗨|早上好|晚上好|谢谢|好的|嗯|哈哈|再见|晚安)"
    rf"|(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|yes|bye)\b){NO_NEWS}",
    re.IGNORECASE,
)

_LEAVES: Final = LatePattern(
    r"随时.{0,6}(?:找|聊|来|告诉|问|联系|回)|^随时|[再天][见聊]|保持联系|^我?知道了|感谢|先到这|^没有?了$|同感"
    r"|晚安|不客气|期待.{0,8}(?:下次|聊|分享)|下次|有(?:什么|任何)?(?:需要|问题).{0,10}(?:找|问|告诉|联系)"
    r"|^我?一?定?会(?:去|好好|认真)*(?:看一?看|考虑)|天气|我(?:叫|的名字是)|(?:和|跟|与)你聊天"
    r"|\b(?:any ?time|see you|see ya|talk (?:to you )?(?:soon|later|again|tomorrow)|feel free"
    r"|look(?:ing)? forward|let me know|keep in touch|sweet dreams|good ?night|got it|weather"
    r"|you(?:'re| are) welcome|that's (?:it|all) for (?:today|now)|chatting with you|my name is"
    r"|long time no see|(?:nice|beautiful|lovely) day)\b",
    re.IGNORECASE,
)


LONGEST_PHRASE: Final = 60
"""In letters: the longest English clause that a person would quote."""
LONGEST_PHRASE_ZH: Final = 24
_FEWEST_CHARACTERS: Final = 4
_WORDS_OF_A_CLAUSE: Final = range(3, 13)
_CLAUSE_TOLD: Final = LatePattern(r"(?:[^。！？!?；;，,\n]|(?<=\d),(?=\d{3}))+[？?]?")
_CALL: Final = LatePattern(
    r"^(?:[唉嗨嗯呼哈哦诶嘿哎对啊][，,！!…~\s]*)+|^(?:actually|so|oh|yeah|hmm)\W+", re.IGNORECASE
)
"""How a clause begins that has not begun yet."""

_JOINS: Final = LatePattern("^(?:and|but|so) ", re.IGNORECASE)
_DANGLES: Final = LatePattern("(?:的时候|(?<![小临平当随及准按同])时)$")


def telling_clause(lines: Sequence[PromptLine], about: Sequence[str]) -> str:
    """Return the partner's clause that tells best what was talked ``about``, or nothing.

    It is a whole clause of a length that a person would quote: 4 to 24 Chinese characters, 3 to 12
    English words. What somebody begins with, tells of themselves, and does not say in answer, is
    what they would say the talk was about.
    """
    best, most = "", 0.0
    for place, line in enumerate(line for line in lines if line.role == "user"):
        early = max(_BEGINNING - place, 0) - bool(_ANSWERS.match(line.text.strip()))
        said = " \n".join(sentences_of(one_line(line.text)))
        for found in _CLAUSE_TOLD.findall(said):
            clause = _DANGLES.sub("", _CALL.sub("", found.strip(" .*_#")))
            worth = _worth(clause, about, early, most)
            if worth > most:
                best, most = clause, worth
    return _JOINS.sub("", best)


def _worth(clause: str, about: Sequence[str], early: int, least: float) -> float:
    """Return how well a clause names a talk; 0 if nobody would quote it, or it is no better."""
    if not _is_quotable(clause):
        return 0.0
    held = min(sum(word in clause.lower() for word in about), _HELD_ENOUGH)
    # A word that was talked about, and oneself or a day, are worth more than any other word.
    worth = 1.5 * (held + bool(_OWN.match(clause))) + early
    # To cut a clause into words is what costs.
    if worth + _TELLS_ENOUGH <= least:
        return 0.0
    content = min(len(content_words(clause)), _TELLS_ENOUGH)
    if held + content < _TELLS_ENOUGH:
        return 0.0
    return (worth + content) / (_SECOND_CHOICE if _names_little(clause) else 1)


_TELLS_ENOUGH: Final = 2
"""So many words that name something make a clause tell something by itself."""
_HELD_ENOUGH: Final = 3
"""So many words of what was talked about are as good as more."""
_BEGINNING: Final = 2
"""In so many lines somebody says what they came to talk about."""
_SECOND_CHOICE: Final = 10
"""What names little is taken only where nothing else names the talk."""


def _is_quotable(clause: str) -> bool:
    if _is_courtesy(clause) and not is_question(clause):
        return False
    if re.search("[一-鿿]", clause):
        return _FEWEST_CHARACTERS <= len(clause) <= LONGEST_PHRASE_ZH
    return len(clause.split()) in _WORDS_OF_A_CLAUSE and len(clause) <= LONGEST_PHRASE


def _names_little(clause: str) -> bool:
    """Whether a clause asks, goes on from what was said before it, or only lists."""
    return bool(
        is_question(clause)
        or _ASKS_IN_PART.search(clause)
        or _TAKES_UP.match(clause)
        or _LEADS_ON.search(clause)
        # 路线、天气、路况
        or ("、" in clause and not _OWN.match(clause))
    )


_ASKS_IN_PART: Final = LatePattern(
    "怎么|如何|什么|哪[里儿个些种]|有没有|是不是|能不能|要不要|是否|多少"
)
_LEADS_ON: Final = LatePattern("(?:的话|之后|以后|的同时|来说)$")
_TAKES_UP: Final = LatePattern(
    r"(?:我(?:明白|知道|懂|会的|一定会|相信|觉得你|也(?:是|觉得|想))|听(?:起来|你)|太好|真的|好主意|不错|是的"
    r"|这(?!次|周|个?月|几天|两天)|那|你|您|[他她](?:说|让)|比如|例如|尤其|特别是|并|而且|但是?|所以|因此|每当|如果"
    r"|虽然|就|像|让|从|更|也|还|又|再|先|其实|主要|另外|具体|对[于对]|关于|除了|包括|甚至|至少|即使|尽管|不仅"
    r"|接下来|希望|感觉)"
    r"|(?:i (?:got it|see|understand|(?:totally )?agree|think so|will|know|hope|guess|believe"
    r"|appreciate|hear)|i(?:['’]m| am) (?:so |really |always |just )?(?:glad|proud of|inspired by"
    r"|happy (?:for|to)|here|sure|back|ready)|i['’](?:ll|d love to)"
    r"|i have (?:an?|some) (?:small )?(?:question|problem|trouble)s?"
    r"|i (?:love|like) (?:that|this|how|your|the)|that|this|it|there|sounds?|great|sure|yes"
    r"|can['’]t wait|let['’]s|and|but|so|or|because|which|such as|especially|when|if|you"
    r"|your|you['’]re|please|even|then|also|not|in addition|for|with|on|at|to|as|by|from|all|both"
    r"|each|well|right|here|always|never|keep|looking|a photo)\b",
    re.IGNORECASE,
)
"""How a clause begins that goes on from another, or from what was said to one."""

_OWN: Final = LatePattern(
    r"(?:[我咱](?!觉得|认为|感觉|需要|想[问请了知听])|今[天晚早年]|昨[天晚]|前天|明天|后天|刚|最近|[上下这]周"
    r"|这[几两]天|[早晚]上|[上下]午|周[末一二三四五六日])"
    r"|(?:i(?! (?:think|feel like|need)\b)|i['’](?:m|ve|d)|my|we|we['’](?:re|ve)|our|just|today"
    r"|yesterday|tomorrow|recently|lately|(?:last|this) (?:night|week|weekend|month|year|morning)"
    r")\b",
    re.IGNORECASE,
)
"""How a clause begins that tells of oneself, or of a day."""

_ANSWERS: Final = LatePattern(
    r"(?:对[，,对！!]|没错|完全正确|是[啊的呀][，,]|好[的吧呀][，,]|嗯|[太真][好棒]|谢谢|(?:非常)?感谢|好主意|明白"
    r"|[^，,。]{0,16}(?:这个|听[着起]来?|思路|主意|建议|办法))"
    r"|(?:thanks|thank you|wow|that['’]?s|that sounds|sounds|great|awesome|cool|yeah|yes"
    r"|definitely|agreed|ha|okay|ok|sure|alright|right|got it|understood|good)\b",
    re.IGNORECASE,
)
"""How a line begins that takes up what was said to it: what a talk is about was said before."""
