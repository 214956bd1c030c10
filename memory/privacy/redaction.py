"""How private a text is, and taking secret values out of what is kept.

The rules set the least sensitivity of a text; a model may only find it more private. A secret
that is known is looked for elsewhere only if it is long enough to be recognised: masking every 42
because it is somebody's PIN would cost more than it hides (docs/decisions/secrets.md).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from memory.changes import Change, DiaryLine, Drop, Put, Undo
from memory.model import Memory, Sensitivity
from memory.privacy.vault import Vault
from memory.state import MemoryState

_SECRET_WORD: Final = re.compile(
    r"密码|口令|验证码|支付码|银行卡号?|卡号|信用卡号|身份证|护照号|社保号|私钥|助记词|安全码"
    r"|\b(?:passwords?|passcodes?|passphrase|pin(?:\s+(?:code|number))?|cvv|credit\s+card"
    r"|debit\s+card|card\s+number|bank\s+account|account\s+number|iban|ssn|social\s+security"
    r"|passport\s+(?:no|number)|private\s+key|seed\s+phrase|api[\s_-]?key|secret\s+key)\b",
    re.IGNORECASE,
)

_SECRET_VALUE: Final = re.compile(
    r"\d{3,}|[A-Za-z][A-Za-z0-9_@#$%^&*!-]*|[是为:：=]\s{0,9}\S|\b(?:is|was)\s{1,9}\S"
)
"""Something that could be the secret itself; 我忘了密码 holds none."""

# The 18 places of a Chinese identity number; the last may be an X.
_IDENTITY_NUMBER: Final = re.compile(r"(?<!\d)\d{17}[\dXx](?!\d)")

_CARD_NUMBER: Final = re.compile(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)")

# The prefixes by which OpenAI, Stripe, GitHub and Slack mark their keys.
_TOKEN: Final = re.compile(r"\b(?:sk|pk|ghp|xox[abp])[-_][A-Za-z0-9_-]{16,}")

_VALUE: Final = re.compile(
    r"(?P<before>(?:[是为:：=]|\b(?:is|was)\b)\s{0,9})[^\s，。,；;！!？?]"
    r"(?:[^，。,；;！!？?\n]*?(?=\s{1,3}(?:and|but)\b)|[^，。,；;！!？?\n]*)|"
    r"(?<![A-Za-z0-9_*])(?=[A-Za-z_@#$%^&*!-]*\d)[A-Za-z0-9_@#$%^&*!-]{3,}",
)

REDACTED: Final = "***"

_SHORTEST_TELLING: Final = 4
"""A shorter secret without a digit is a word like any other: masked only where it was told."""

_SENSITIVE: Final = re.compile(
    r"(?<!\d)1[3-9]\d{9}(?!\d)|\+\d{1,3}[ -]?\d[\d -]{6,20}\d|门牌|家庭住址"
    r"|(?<!\d)\d{1,4}(?:号楼|室)|手机号|电话号码"
    r"|\b\d{1,6}\s{1,3}\w{1,30}\s{1,3}(?:street|st|avenue|ave|road|rd)\b|phone number|home address"
    r"|过敏|抑郁|焦虑症|艾滋|怀孕|流产|癌|确诊|病历|\b(?:allerg(?:y|ies|ic)|depression|hiv|pregnant|cancer|diagnosed)\b"
    r"|工资|薪水|月薪|年薪|存款|负债|贷款|\b(?:salary|savings|debts?|mortgage)\b",
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
    return _masked_with_values(text)[0]


def secrets_in(text: str) -> tuple[str, ...]:
    """Return the secret values in a text, as far as they would be known again elsewhere."""
    return tuple(value for value in _masked_with_values(text)[1] if _is_recognizable(value))


def _is_recognizable(value: str) -> bool:
    """Tell whether a value says enough to be taken for the secret where it stands elsewhere."""
    telling = len(value) >= _SHORTEST_TELLING or (len(value) > 1 and any(map(str.isdigit, value)))
    return telling and not _SECRET_WORD.search(value)


def _masked_with_values(text: str) -> tuple[str, list[str]]:
    """Return a text without its secret values, and these."""
    values: list[str] = []

    def mask(found: re.Match[str]) -> str:
        before = found.groupdict().get("before") or ""
        values.append(found[0].removeprefix(before).strip())
        return before + REDACTED

    # Only in a text with a secret: a long number alone is no reason to mask it.
    if is_secret(text):
        for pattern in (_IDENTITY_NUMBER, _CARD_NUMBER, _TOKEN):
            text = pattern.sub(mask, text)
        if _SECRET_WORD.search(text):
            text = _VALUE.sub(mask, text)
    # A text that was masked before yields *** again, which is no value to look for elsewhere.
    return text, [value for value in values if value.strip("*")]


def is_secret(text: str) -> bool:
    """Tell whether a text must be sealed: keys, and numbers of money and identity."""
    if _IDENTITY_NUMBER.search(text) or _TOKEN.search(text):
        return True
    # Other numbers are as long as those of cards; the check digit tells them apart.
    if any(_has_check_digit(found[0]) for found in _CARD_NUMBER.finditer(text)):
        return True
    return bool(_SECRET_WORD.search(text) and _SECRET_VALUE.search(text))


def _has_check_digit(number: str) -> bool:
    """Tell whether a long number has the check digit of a payment card (Luhn).

    >>> _has_check_digit("4111 1111 1111 1111"), _has_check_digit("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(c) for c in number if c.isdigit()]
    doubled = (sum(divmod(2 * d, 10)) for d in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


SHORTEST_KNOWN: Final = 6
"""The fewest characters by which a secret is known again in other talk."""

_TABLES: Final = (
    "memories", "windows", "diary", "turns", "tasks",
    "previous_texts", "corrections", "receipts", "undos",
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
    return longest_first(
        value
        for memory in plain
        if isinstance(memory, Memory)
        for value in (memory.words.text, *secrets_in(memory.words.text))
        if len(value) >= SHORTEST_KNOWN
    )


def longest_first(values: Iterable[str]) -> tuple[str, ...]:
    """Return values in the order in which they can be masked one after another."""
    # A value inside a longer one would leave the rest of the longer one standing.
    return tuple(sorted(set(values), key=lambda value: (-len(value), value)))


def redacted(text: str, values: Sequence[str]) -> str:
    """Return a text with every one of ``values`` masked."""
    for value in values:
        text = text.replace(value, REDACTED)
    return text


def redaction_changes(values: Sequence[str], state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds one of ``values``, with these masked.

    A step that would bring one back when it is undone is forgotten.
    """
    # An entry for undo holds records as they were; masked, it would no longer restore them.
    for name in _TABLES:
        for record in getattr(state, name).values():
            if not any(value in text for text in _texts_in(record) for value in values):
                continue
            forgotten = isinstance(record, Undo)
            yield Drop(Undo, record.id) if forgotten else Put(_redacted_record(record, values))


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


def _redacted_record(value: Any, values: Sequence[str]) -> Any:
    # Not isinstance: enumerations are strings too, and "***" is none of their members.
    if value.__class__ is str:
        return redacted(value, values)
    if isinstance(value, tuple):
        return tuple(_redacted_record(each, values) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(
            value, **{name: _redacted_record(each, values) for name, each in inside.items()}
        )
    return value
