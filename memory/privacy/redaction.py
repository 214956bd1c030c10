"""How private a text is, and taking secret values out of what is kept.

The rules set the least sensitivity of a text; a model may only find it more private. A secret
that is known is looked for elsewhere only if it is long enough to be recognised: masking every 42
because it is somebody's PIN would cost more than it hides (docs/decisions/secrets.md).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.changes import Change, DiaryLine, Drop, Put, Undo
from memory.model import Language, Memory, Message, Sensitivity
from memory.privacy.shapes import Place
from memory.privacy.talk import MASK, places_in
from memory.privacy.vault import UnsealFailure, Vault
from memory.state import MemoryState
from memory.text.late_pattern import LatePattern
from memory.text.requests import NotKept, not_to_be_kept
from memory.views import prompt_memory
from prompts import PromptMemory

REDACTED: Final = MASK

_SHORTEST_TELLING: Final = 4
"""A shorter secret without a digit is a word like any other: masked only where it was told."""

# What an address is, in both languages; \b will not do, to which Chinese characters are letters.
_SENSITIVE: Final = re.compile(
    r"(?<!\d)1[3-9]\d{9}(?!\d)|\+\d{1,3}[ -]?\d[\d -]{6,20}\d|门牌|家庭住址|家庭地址"
    r"|(?<!\d)\d{1,4}(?:号楼|室|栋|幢|单元)|[路街道巷弄]\s?\d{1,5}\s?[号號弄]|手机号|手機號"
    r"|电话号码|電話號碼"
    r"|(?<!\d)\d{1,6}\s{1,3}[A-Za-z]{1,30}(?:\s[A-Za-z]{1,30})?\s{1,3}"
    r"(?:street|st|avenue|ave|road|rd|lane|drive|boulevard|blvd|court|terrace)(?![a-z])"
    r"|phone number|home address"
    r"|过敏|抑郁|焦虑症|艾滋|怀孕|流产|癌|确诊|病历"
    r"|(?<![a-z])(?:allerg(?:y|ies|ic)|depression|hiv|pregnant|cancer|diagnosed)(?![a-z])"
    r"|工资|薪水|月薪|年薪|存款|负债|贷款|(?<![a-z])(?:salary|savings|debts?|mortgage)(?![a-z])",
    re.IGNORECASE,
)


def sensitivity_of(text: str) -> Sensitivity:
    """Return the least sensitivity ``text`` has: 3 for keys and numbers of money and identity.

    2 for addresses, telephone numbers, health and income; 0 otherwise. Never raises.
    """
    if is_secret(text):
        return Sensitivity.SECRET
    return Sensitivity.SENSITIVE if _SENSITIVE.search(text) else Sensitivity.PUBLIC


def masked(text: str) -> str:
    """Return ``text`` with the secret values in it masked; any other text as it is."""
    return without_places(text, places_in(text))


def secrets_in(text: str) -> tuple[str, ...]:
    """Return the secret values in a text, as far as they would be known again elsewhere."""
    return recognizable(text, places_in(text))


def is_secret(text: str) -> bool:
    """Tell whether a text must be sealed: keys, and numbers of money and identity."""
    return bool(places_in(text))


def without_places(text: str, places: Sequence[Place]) -> str:
    """Return a text with the given parts of it masked."""
    for start, end in reversed(places):
        text = text[:start] + REDACTED + text[end:]
    return text


def recognizable(text: str, places: Sequence[Place]) -> tuple[str, ...]:
    """Return those parts of a text that would be known again where they stand elsewhere."""
    values = (text[start:end].strip() for start, end in places)
    return tuple(value for value in values if _is_recognizable(value))


def _is_recognizable(value: str) -> bool:
    return len(value) >= _SHORTEST_TELLING or (len(value) > 1 and any(map(str.isdigit, value)))


def without_unkept(
    messages: Sequence[Message], before: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """Return messages without the words that whoever said them asks not to be kept.

    They never reach the diary or a model, so nothing can be learnt of them or told again.
    """
    unkept = _unkept_ids((*before, *messages))
    return tuple(_blotted(each) if each.id in unkept else each for each in messages)


def asks_not_to_keep(said: Sequence[Message], before: Sequence[Message]) -> bool:
    """Tell whether anybody asks that something not be kept, or has just asked it for this."""
    wishes = (wish for each, wish in _wishes((*before[-1:], *said)) if each in said)
    return any(wishes) or without_unkept(said, before) != tuple(said)


def lines_not_kept(said: Sequence[Message], before: Sequence[Message]) -> tuple[Message, ...]:
    """Return the lines before a turn that its first message asks not to be kept, if it does."""
    wishes = [wish for each, wish in _wishes((*before[-1:], said[0])) if each is said[0]]
    return _lines_meant((*before, said[0])) if set(wishes) & _OF_BEFORE else ()


_OF_BEFORE: Final = frozenset({NotKept.BEFORE, NotKept.BOTH})


def _unkept_ids(lines: Sequence[Message]) -> set[str]:
    unkept: set[str] = set()
    # Of several in a group each means their own lines.
    for own, wish in _wishes(lines):
        place = lines.index(own)
        after = [x.id for x in lines[place + 1 :] if _is_by(x, own)]
        unkept |= {own.id} if wish in {NotKept.THIS, NotKept.BOTH} else set()
        unkept |= {x.id for x in _lines_meant(lines[: place + 1])} if wish in _OF_BEFORE else set()
        unkept |= {*after[:1]} if wish is NotKept.NEXT else set()
    return unkept


def _lines_meant(lines: Sequence[Message]) -> tuple[Message, ...]:
    """Return which lines the last of them means by what was said before it.

    All that its speaker sent in a row, before any answer of hers; one where it says so.
    """
    own, found = lines[-1], list[Message]()
    for line in reversed(lines[:-1]):
        first = found[-1].at if found else line.at
        # What was sent while she answered the line before it does not take up her answer.
        answered = line.role == "assistant" and line.at < first
        if answered or first - line.at > _IN_A_ROW or (found and _ONE_LINE.search(own.text)):
            break
        found += [line] if _is_by(line, own) else []
    return tuple(reversed(found))


def _is_by(line: Message, other: Message) -> bool:
    return line.role == "user" and line.speaker == other.speaker


_IN_A_ROW: Final = timedelta(minutes=10)
"""Lines that come so soon after another may be one thing told in several."""

_ONE_LINE: Final = LatePattern(
    r"(?i)(?:[那这上前]|最后|刚才?说?的?)一?[句条]"
    r"|\b(?:that|this|the) (?:last )?(?:one|line|bit|part|message|sentence)\b"
)


def _wishes(lines: Sequence[Message]) -> Iterator[tuple[Message, NotKept | None]]:
    """Yield what people said, and what each line asks not to be kept."""
    for line, earlier in zip(lines, (None, *lines), strict=False):
        if line.role != "user":
            continue
        hers = earlier.text if earlier is not None and earlier.role == "assistant" else ""
        answers = _RECALLS_NOTHING.fullmatch(line.text) and _ASKS_TO_RECALL.search(hers)
        yield line, None if answers else not_to_be_kept(line.text)


_RECALLS_NOTHING: Final = LatePattern(r"(?i)\W*do ?(?:n['’]?t|not) remember (?:that|this)\W*")
_ASKS_TO_RECALL: Final = LatePattern(r"(?i)\b(?:remember|recall|forgot|forgotten)\b[^.!?]*\?")
"""After this, "don't remember that" says what they themselves recall."""


def _blotted(message: Message) -> Message:
    return replace(message, text=REDACTED, quoted=REDACTED if message.quoted else "")


SHORTEST_KNOWN: Final = 6
"""The fewest characters by which a secret is known again in other talk."""

_TABLES: Final = (
    "memories", "windows", "diary", "turns", "tasks",
    "previous_texts", "corrections", "receipts", "undos", "reminders", "intentions",
)  # fmt: skip
"""Where words of people are kept."""


def known_secrets(state: MemoryState, vault: Vault | None) -> tuple[str, ...]:
    """Return the values in the vault of an agent that may not stand anywhere else, longest first.

    Empty without a key: what is sealed cannot be compared with anything then.
    """
    if vault is None or not vault.can_seal:
        return ()
    sealed = (memory for memory in state.memories.values() if memory.sealed is not None)
    plain = (vault.open(memory) for memory in sealed)
    texts = (memory.words.text for memory in plain if isinstance(memory, Memory))
    return longest_first(value for text in texts for value in values_of(text))


def values_of(text: str) -> tuple[str, ...]:
    """Return what of a text that is sealed may not stand anywhere else."""
    values = (text, *secrets_in(text))
    return longest_first(value for value in values if len(value) >= SHORTEST_KNOWN)


def longest_first(values: Iterable[str]) -> tuple[str, ...]:
    """Return values in the order in which they can be masked one after another."""
    # A value inside a longer one would leave the rest of the longer one standing.
    return tuple(sorted(set(values), key=lambda value: (-len(value), value)))


def redacted(text: str, values: Sequence[str]) -> str:
    """Return a text with every one of ``values`` masked."""
    for value in values:
        if value not in text:
            continue
        if value.isdecimal():
            # 3061 is a code; the 3061 in 130617 is none.
            text = re.sub(rf"(?<!\d){value}(?!\d)", REDACTED, text)
        else:
            text = text.replace(value, REDACTED)
    return text


def redaction_changes(values: Sequence[str], state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds one of ``values``, with these masked.

    A step that would bring one back when it is undone is forgotten.
    """
    # An entry for undo holds records as they were; masked, it would no longer restore them.
    for name in _TABLES:
        for record in getattr(state, name).values():
            if not any(redacted(text, values) != text for text in _texts_in(record)):
                continue
            forgotten = isinstance(record, Undo)
            yield Drop(Undo, record.id) if forgotten else Put(redacted_record(record, values))


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text in a record; of a memory, of which there are many, where texts stand."""
    if isinstance(value, Memory):
        yield from (value.words.text, value.words.phrase, value.origin.quote)
        yield from value.words.keywords
        yield from (passage.text for passage in value.passages)
    elif isinstance(value, DiaryLine):
        yield from (value.message.text, value.message.quoted)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts_in(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _texts_in(getattr(value, field.name))


def redacted_record(value: Any, values: Sequence[str]) -> Any:
    """Return a record, or a part of one, with every one of ``values`` masked in its texts."""
    # Not isinstance: enumerations are strings too, and "***" is none of their members.
    if value.__class__ is str:
        return redacted(value, values)
    if isinstance(value, tuple):
        return tuple(redacted_record(each, values) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(
            value, **{name: redacted_record(each, values) for name, each in inside.items()}
        )
    return value


class _Named(NamedTuple):
    """A word of our own for a kind of secret, or for what it opens, and how people say it."""

    said: re.Pattern[str]
    words: Mapping[Language, str]


def _named(said: str, zh: str, en: str) -> _Named:
    return _Named(re.compile(said, re.IGNORECASE), {"zh": zh, "en": en})


_KINDS: Final = (
    _named(r"(?<![a-z])pin(?![a-z])", "PIN", "PIN"),
    _named(r"助记词|seed phrase|recovery phrase", "助记词", "seed phrase"),
    _named(r"验证码|校验码|verification code|one-time code", "验证码", "verification code"),
    _named(r"身份证|identity (?:card|number)|(?<![a-z])ssn", "身份证号", "identity number"),
    _named(r"护照|passport", "护照号", "passport number"),
    _named(r"卡号|card number|银行账号|account number|iban", "卡号", "card number"),
    _named(r"api ?key|密钥|私钥|private key|(?<![a-z])token", "密钥", "key"),
    _named(r"密[码碼]|口令|pass ?(?:word|code|phrase)|(?<![a-z])pwd", "密码", "password"),
    _named(r"(?<![a-z])code(?![a-z])", "密码", "code"),
)  # fmt: skip

_THINGS: Final = (
    _named(r"wi-?fi|无线|路由器|router", "Wi-Fi", "Wi-Fi"),
    _named(r"支付宝|alipay", "支付宝", "Alipay"),
    _named(r"微信|wechat", "微信", "WeChat"),
    _named(r"邮箱|e-?mail", "邮箱", "e-mail"),
    _named(r"银行|bank|信用卡|credit card|debit card", "银行", "bank"),
    _named(r"手机|phone", "手机", "phone"),
    _named(r"电脑|computer|laptop", "电脑", "computer"),
    _named(r"保险[箱柜]|(?<![a-z])safe(?![a-z])", "保险箱", "safe"),
    _named(r"门锁|大门|家门|门禁|door|gate", "门锁", "door"),
)


def secret_label(text: str, language: Language) -> str:
    """Return of what kind the secret in a text is, and of what: in words of ours, not its own.

    Only what stands before a value that is known to be one is read; empty if none is.

    >>> secret_label("我家Wi-Fi密码是 hunter2024", "zh")
    'Wi-Fi密码'
    """
    before, mask, _ = masked(text).partition(REDACTED)
    if not mask:
        return ""
    kind = next((each for each in _KINDS if each.said.search(before)), None)
    if kind is None:
        return ""
    thing = next((each for each in _THINGS if each.said.search(before)), None)
    between = "" if language == "zh" else " "
    return between.join(each.words[language] for each in (thing, kind) if each)


def sealed_labels(
    query: str, state: MemoryState, vault: Vault | None, language: Language
) -> dict[int, str]:
    """Return by their ids what sealed memories are of, as far as a question names a secret so.

    Of two passwords, who names what one opens means that one.
    """
    kinds = [each for each in _KINDS if each.said.search(query)]
    things = [each.words[language] for each in _THINGS if each.said.search(query)]
    if vault is None or not kinds:
        return {}
    found: dict[int, str] = {}
    for memory in state.memories.values():
        if memory.sealed is None or not memory.is_active:
            continue
        plain = vault.open(memory)
        label = (
            "" if isinstance(plain, UnsealFailure) else secret_label(plain.words.text, language)
        )
        if any(each.words[language] in label for each in kinds):
            found[memory.id] = label
    named = {key: label for key, label in found.items() if any(x in label for x in things)}
    return named or found


_SEALED_NOTE: Final[Mapping[Language, str]] = {
    "zh": "{label}，已封存，/memory show {id} 可看",
    "en": "{label}, sealed; /memory show {id} shows it",
}


def sealed_notes(
    query: str, state: MemoryState, vault: Vault | None, zone: ZoneInfo
) -> list[PromptMemory]:
    """Return notes of what is sealed where it is asked for: that it is, and where to read it."""
    language = state.agent_info.settings.language
    labels = sealed_labels(query, state, vault, language)
    notes = {key: _SEALED_NOTE[language].format(label=x, id=key) for key, x in labels.items()}
    notes = notes or _shut_notes(query, state, vault, language)
    return [
        prompt_memory("", state.memories[key], zone)._replace(text=text, speaker="")
        for key, text in notes.items()
    ]


_SHUT_NOTE: Final[Mapping[Language, str]] = {
    "zh": "{label}：有封存着的（#{id}），但打不开，因为{why}；xiaoxiang doctor 有说明",
    "en": "{label}: something is sealed (#{id}), but it does not open: {why}; "
    "xiaoxiang doctor says more",
}

WHY_SHUT: Final[Mapping[UnsealFailure, Mapping[Language, str]]] = {
    UnsealFailure.NO_KEY: {"zh": "钥匙不在", "en": "its key is not there"},
    UnsealFailure.OTHER_KEY: {
        "zh": "它是用另一把钥匙封的",
        "en": "it was sealed with another key",
    },
    UnsealFailure.TAMPERED: {"zh": "它和封存时不一样了", "en": "it is not as it was sealed"},
}
"""Why a sealed memory stays shut, in words for its owner."""


def _shut_notes(
    query: str, state: MemoryState, vault: Vault | None, language: Language
) -> dict[int, str]:
    """Return notes of the last that was sealed and stays shut, if a question names a secret.

    Whether it is the one that is asked for nobody can tell, but to say there is none is untrue.
    """
    kind = next((each for each in _KINDS if each.said.search(query)), None)
    sealed = [m for m in state.memories.values() if m.sealed is not None and m.is_active]
    for memory in reversed(sealed if kind else []):
        opened = UnsealFailure.NO_KEY if vault is None else vault.open(memory)
        if kind and isinstance(opened, UnsealFailure):
            why, label = WHY_SHUT[opened][language], kind.words[language]
            return {memory.id: _SHUT_NOTE[language].format(label=label, id=memory.id, why=why)}
    return {}
