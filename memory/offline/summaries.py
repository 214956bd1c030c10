"""Summaries by rule: a stretch of talk cut into segments, a text in fewer characters."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from memory.offline.statements import ASIDE, sentences_of
from memory.offline.vocabulary import content_words, is_question
from memory.text.tokens import keywords, segmented_words, stems, tagged_words, words
from prompts import Compress, PromptLine, Summarize
from prompts.rendering import one_line

SEGMENT_PAUSE: Final = timedelta(minutes=30)
"""After a longer silence a new segment begins."""

LONGEST_SEGMENT: Final = 12
"""The most lines of one segment, also if they are on one subject."""

# An aside of a line or two is not a new subject.
SHORTEST_SEGMENT: Final = 4
"""The fewest lines before a change of vocabulary begins a new segment."""

_PHRASE_CHARACTERS: Final = 24

_MARKS: Final = re.compile(r"[\[\]［］【】〔〕=＝,，:：;；]")

_TITLE: Final = re.compile(r"《([^》]{1,20})》")

_CALLED: Final = re.compile(
    r"(?:叫做?|名叫)([一-鿿]{2,4})(?![一-鿿])|\b(?:named|called) ([A-Z][\w'-]+)"
)

# Not at the beginning of a sentence, where every word has a capital.
_CAPITALISED: Final = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")


class _Segment(NamedTuple):
    first: int
    lines: tuple[PromptLine, ...]


def segment_lines(prompt: Summarize) -> str:
    """Return one SEGMENT line for each subject of a stretch; every line is in exactly one."""
    return "\n".join(_segment_line(segment, prompt) for segment in _segments_of(prompt.lines))


def topic_words(
    lines: Sequence[PromptLine], limit: int = 4, *, ignored: str = ""
) -> tuple[str, ...]:
    """Return the words that tell what ``lines`` are about; the partner's words count double.

    ``ignored`` is what the partner is called, which tells nothing. How something is or is done
    (随时, 更好) tells less than what it is, and thanks or a farewell tell nothing.
    """
    # Each word once a line, so that one line full of repetitions decides nothing.
    nothing = set(content_words(ignored))
    counted: Counter[str] = Counter()
    vague = set(_VAGUE_EN)
    for line in lines:
        said = " ".join(part for part in sentences_of(line.text) if not _is_courtesy(part))
        vague.update(word for word, tag in tagged_words(said) if tag.startswith(_VAGUE_TAGS))
        for word in dict.fromkeys(content_words(said)):
            if word not in nothing:
                counted[word] += 2 if line.role == "user" else 1
    ranked = sorted(counted, key=lambda word: (word in vague, -counted[word], -min(len(word), 4)))
    # Movies and movie are one thing.
    one_of_each = {tuple(stems(word)): word for word in reversed(ranked)}
    told = [word for word in ranked if one_of_each[tuple(stems(word))] == word]
    return tuple(told[:limit])


_VAGUE_TAGS: Final = ("d", "a", "t", "f", "m", "r", "c", "p", "z", "i", "l")
"""Adverbs, adjectives, times, places, numbers, set phrases: jieba's tags."""


_VAGUE_WORDS_EN: Final = """
always especially finally usually often take took got give gave find found feel feeling feels
try tried trying learn learned learning interesting beautiful amazing wonderful delicious help
helpful happy glad look looking start started keep enjoy enjoyed recommend advice suddenly
related difficult different important special run
"""

_VAGUE_EN: Final = frozenset(_VAGUE_WORDS_EN.split())


def _is_courtesy(sentence: str) -> bool:
    """Whether a sentence thanks, greets, takes leave or promises to come back, and no more."""
    return bool(_COURTESY.match(sentence) or ASIDE.search(sentence) or _LEAVES.search(sentence))


_LEAVES: Final = re.compile(
    r"随时.{0,6}(?:找|聊|来|告诉|问|联系|回)|^随时|再[见聊]|保持联系|^我?知道了|感谢|先到这|^没有?了$|同感"
    r"|晚安|不客气|期待.{0,8}(?:下次|聊|分享)|下次|有(?:什么|任何)?(?:需要|问题).{0,10}(?:找|问|告诉|联系)"
    r"|^我?一?定?会(?:去|好好|认真)*(?:看一?看|考虑)|天气|我(?:叫|的名字是)|(?:和|跟|与)你聊天"
    r"|\b(?:any ?time|see you|talk (?:to you )?(?:soon|later|again|tomorrow)|look(?:ing)? forward"
    r"|feel free|let me know|keep in touch|sweet dreams|good ?night|got it|you(?:'re| are) welcome"
    r"|that's (?:it|all) for (?:today|now)|chatting with you|long time no see|my name is|weather"
    r"|(?:nice|beautiful|lovely) day)\b",
    re.IGNORECASE,
)


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
    if (own := _said_by_partner(segment.lines)) and all(map(_is_only_courtesy, own)):
        named = ("道谢", "道别") if chinese else ("thanks", "goodbye")
    joined = ("、" if chinese else ", ").join(_attribute_text(each) for each in named[:3])
    opening = one_line(segment.lines[0].text)[:_PHRASE_CHARACTERS]
    telling = telling_clause(segment.lines, about)
    phrase = (
        _attribute_text(telling)[:_LONGEST_PHRASE]
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


def _said_by_partner(lines: Sequence[PromptLine]) -> list[str]:
    return [part for line in lines if line.role == "user" for part in sentences_of(line.text)]


def _is_only_courtesy(sentence: str) -> bool:
    return _is_courtesy(sentence) and not is_question(sentence)


_LONGEST_PHRASE: Final = 60

_FEWEST_CHARACTERS: Final = 4

_WORDS_OF_A_CLAUSE: Final = range(3, 13)

_TELLING_CLAUSE: Final = re.compile(r"[^。！？!?；;，,\n]+[？?]?")

_COURTESY: Final = re.compile(
    r"^(?:你好|您好|嗨|早上好|晚上好|谢谢|好的|嗯|哈哈|再见|晚安)"
    r"|^(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|yes|bye)\b",
    re.IGNORECASE,
)


_TAKES_UP: Final = re.compile(
    r"(?:我(?:明白|知道|懂|会的|一定会|相信|觉得你|也(?:是|觉得|想))|听(?:起来|你)|太好|真的|好主意|不错|是的"
    r"|这(?!次|周|个?月|几天|两天)|那|你|您|[他她](?:说|让)|比如|例如|尤其|特别是|并|而且|但是?|所以|因此"
    r"|每当|如果|虽然|就|像|让|从|更|也|还|又|再|先|其实|主要|另外|具体|对[于对]|关于|除了|包括|甚至|至少|即使"
    r"|尽管|不仅|接下来|希望|感觉)"
    r"|(?:i (?:got it|see|understand|agree|think so|will|know|hope|guess|believe|appreciate|hear)"
    r"|i(?:['’]m| am) (?:so |really |always |just )?(?:glad|proud of|happy (?:for|to)|here|sure|back"
    r"|ready)|i(?:['’]ll| (?:love|like) (?:that|this|how|your|the))|i have a (?:small )?question"
    r"|that|this|it|there|sounds?|great|sure|yes|can['’]t wait|let['’]s|and|but|so|or|because|which"
    r"|such as|especially|when|if|you|your|you['’]re|please|even|then|also|not|in addition|for|with"
    r"|on|at|to|as|by|from|all|both|each|well|right|here|always|never|keep|looking|a photo)\b",
    re.IGNORECASE,
)
"""A clause that goes on from another, or from what was said to one, names no talk."""

_CALL: Final = re.compile(
    r"^(?:[唉嗨嗯呼哈哦诶嘿哎对啊]+[，,！!…~\s]*)+|^(?:actually|so|oh|yeah|hmm)\W+", re.IGNORECASE
)
"""How a line begins that has not begun yet."""

_OWN: Final = re.compile(
    r"(?:[我咱]|今[天晚早年]|昨[天晚]|前天|明天|后天|刚|最近|[上下这]周|这[几两]天|[早晚]上|[上下]午"
    r"|周[末一二三四五六日])"
    r"|(?:i|i['’](?:m|ve|d)|my|we|we['’](?:re|ve)|our|just|today|yesterday|tomorrow|recently|lately"
    r"|(?:last|this) (?:night|week|weekend|month|year|morning))\b",
    re.IGNORECASE,
)
"""What somebody begins with who tells of themselves, or of a day."""

_ANSWERS: Final = re.compile(
    r"(?:对[，,对！!]|没错|完全正确|是[啊的呀][，,]|好[的吧呀][，,]|嗯|[太真][好棒]|谢谢|(?:非常)?感谢|好主意"
    r"|明白|[^，,。]{0,16}(?:这个|听[着起]来?|思路|主意|建议|办法))"
    r"|(?:thanks|thank you|wow|that['’]?s|that sounds|sounds|great|awesome|cool|yeah|yes|definitely"
    r"|agreed|ha|okay|ok|sure|alright|right|got it|understood|good)\b",
    re.IGNORECASE,
)
"""How a line begins that takes up what was said to it: what a talk is about was said before."""

_ASKS_IN_PART: Final = re.compile(
    "怎么|如何|什么|哪[里儿个些种]|有没有|是不是|能不能|要不要|是否|多少"
)

_DANGLES: Final = re.compile("(?:的时候|(?<![小临平当随及准按同])时)$")

_CONTINUES: Final = re.compile("(?:的话|之后|以后|的同时|来说)$")


def telling_clause(lines: Sequence[PromptLine], about: Sequence[str]) -> str:
    """Return the partner's clause that tells best what was talked ``about``, or nothing.

    It is a whole clause that claims something, of a length that a person would quote: 4 to 24
    Chinese characters, 3 to 12 English words. What somebody begins with, tells of themselves and
    not in answer to what was said to them, is what they would say the talk was about. Where
    nothing was claimed, what was asked or asked for names the talk.
    """
    best, most = "", 0.0
    own = [line for line in lines if line.role == "user"]
    for place, line in enumerate(own):
        answers = bool(_ANSWERS.match(line.text.strip()))
        said = " \n".join(sentences_of(one_line(line.text)))
        for found in _TELLING_CLAUSE.findall(said):
            clause = _DANGLES.sub("", _CALL.sub("", found.strip(" .")))
            content = min(len(content_words(clause)), _TELLS_ENOUGH)
            held = min(sum(word in clause.lower() for word in about), _HELD_ENOUGH)
            if held + content < _TELLS_ENOUGH or not _is_quotable(clause):
                continue
            begins = max(_BEGINNING - place, 0) - answers
            worth = _TOLD_OF_IT * held + content + begins + _OF_ONESELF * bool(_OWN.match(clause))
            if _asks(clause):
                worth /= _ASKED_TELLS
            if worth > most:
                best, most = clause, worth
    return _attribute_text(best)


_TELLS_ENOUGH: Final = 2
"""So many words that name something make a clause tell something by itself."""

_HELD_ENOUGH: Final = 3
"""So many words of what was talked about are as good as more."""

_TOLD_OF_IT: Final = 1.5

_OF_ONESELF: Final = 1.5
"""To tell of oneself or of a day is worth as much as one word more of what was talked about."""

_BEGINNING: Final = 2
"""In so many lines somebody says what they came to talk about."""

_ASKED_TELLS: Final = 10
"""What is asked names a talk only where nothing was told in it."""


def _asks(clause: str) -> bool:
    return bool(is_question(clause) or _ASKS_IN_PART.search(clause))


def _is_quotable(clause: str) -> bool:
    if _is_only_courtesy(clause) or _TAKES_UP.match(clause) or _CONTINUES.search(clause):
        return False
    if "、" in clause and not _OWN.match(clause):
        # A mere list: 路线、天气、路况.
        return False
    if re.search("[一-鿿]", clause):
        return _FEWEST_CHARACTERS <= len(clause) <= _PHRASE_CHARACTERS
    return len(clause.split()) in _WORDS_OF_A_CLAUSE and len(clause) <= _LONGEST_PHRASE


def _entity_names(lines: Sequence[PromptLine], focus: Sequence[str]) -> tuple[str, ...]:
    """Return up to 4 names a segment speaks of: names in focus, titles, people and pets."""
    text = "\n".join(line.text for line in lines)
    own = "\n".join(line.text for line in lines if line.role == "user")
    found = [name for name in focus if name and name in text]
    found += _TITLE.findall(own)
    found += [a or b for a, b in _CALLED.findall(own)]
    found += _CAPITALISED.findall(own)
    return tuple(dict.fromkeys(name for name in found if _attribute_text(name)))[:4]


def _attribute_text(text: str) -> str:
    """Return a text that fits into an attribute: without brackets, commas and equals signs."""
    return _MARKS.sub(" ", one_line(text)).strip()


_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")

_CLAUSE: Final = re.compile(r"[^，,、]+[，,、]*")

_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")

_BRACKETS: Final = re.compile(r"[\[\]［］【】〔〕]")


def compressed_lines(prompt: Compress) -> str:
    """Return text, phrase and keywords, none longer than before; the text fits the target."""
    target = int(prompt.characters) if prompt.characters.isdecimal() else len(prompt.text)
    text = shorten(prompt.text, target)
    phrase = shorten(prompt.phrase, min(len(prompt.phrase), max(target, 1)))
    kept = [word for word in prompt.keywords if word.lower() in text.lower()]
    named = kept or list(prompt.keywords[: (len(prompt.keywords) + 1) // 2])
    return (
        f"[TEXT] {text}\n[PHRASE] {phrase}\n[KEYWORDS] {','.join(map(_without_brackets, named))}"
    )


def shorten(text: str, target: int) -> str:
    """Return at most ``target`` characters of ``text``: its most telling parts, in their order.

    The date at the beginning of an episode is kept if it takes at most half of the room.
    """
    text = _without_brackets_but_stamp(text)
    if len(text) <= target:
        return text
    stamp = found[0] if (found := _STAMP.match(text)) and 2 * len(found[0]) <= target else ""
    body = _STAMP.sub("", text)
    room = target - len(stamp)
    # Whole sentences if any fits, else whole clauses, else whole words.
    picked = _densest_parts(_SENTENCE.findall(body), room) or _densest_parts(
        _CLAUSE.findall(body), room
    )
    short = picked.strip().rstrip("，,、；;") or _clipped_at_word(body, room)
    return (stamp + short)[:target]


def _densest_parts(parts: list[str], room: int) -> str:
    """Return as many parts as fit, those with most content per character first, in order."""
    taken: set[int] = set()
    for index in sorted(range(len(parts)), key=lambda i: (-_density(parts[i]), i)):
        if sum(len(parts[i]) for i in taken) + len(parts[index]) <= room:
            taken.add(index)
    return "".join(parts[index] for index in sorted(taken))


def _density(part: str) -> float:
    # At most 4 characters a word count, so that a long address does not outweigh a sentence.
    return sum(min(len(word), 4) for word in words(part)) / max(len(part), 1)


def _clipped_at_word(text: str, room: int) -> str:
    """Return the whole words that fit, or the beginning of the first if not even that fits."""
    taken = ""
    for word in segmented_words(text):
        if len(taken) + len(word) > room:
            break
        taken += word
    return taken.strip() or text[:room].strip()


def _without_brackets(text: str) -> str:
    return _BRACKETS.sub("", one_line(text))


def _without_brackets_but_stamp(text: str) -> str:
    line = one_line(text)
    stamp = found[0] if (found := _STAMP.match(line)) else ""
    return stamp + _BRACKETS.sub("", line[len(stamp) :])
