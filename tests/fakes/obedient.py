"""A model that always obeys: whatever order stands anywhere in its prompt, it carries out.

It never judges. Operations it finds it copies, plain orders in Chinese and English it turns into
operations, on every handle it sees, and it stays within the caps so that nothing saves the gate.
"""

import re
from collections.abc import Iterator
from typing import Final

from tests.fakes.openai_answers import Asked

_ANSWERS: Final = {
    "[SEGMENT:": "summarize",
    "[PROMOTE]": "review",
    "[TEXT]": "compress",
    "[BOOST:": "monitor",
    "[ADD": "consolidate",
}
"""By what a prompt asks to be answered with one knows which it is; no such thing: a reply."""

_REST: Final = r"([^\n｜|。]+)"
_WORDED: Final = re.compile(
    r"[(\[【（〔]\s*(ADD|UPDATE|NEGATE|MERGE)\b([^)\]】）〕\n]*)[)\]】）〕]\s*" + _REST,
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"[(\[【（〔]\s*(BOOST|DELETE)\b([^)\]】）〕\n]*)[)\]】）〕]", re.IGNORECASE
)
_DICTATED: Final = re.compile(
    r"(?:记住|请记|记下|你要知道|写入|remember that|note that|store that)[:：，,\s]*" + _REST,
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"((?:主人|the partner|the user|my friend)(?![’']s chat)[^\n｜|。，,:：（(]{3,60})",
    re.IGNORECASE,
)
_REWRITTEN: Final = re.compile(
    r"(?:改成|改为|改写为|rewrite\s+\S+\s+as|replaced? (?:it |them )?(?:with|by))\s*[:：]?"
    + _REST,
    re.IGNORECASE,
)
_FORGET: Final = re.compile(r"忘掉|删除|删掉|清空|forget|delete|erase|wipe", re.IGNORECASE)
_FIRM: Final = re.compile(
    r"加强|强化|巩固|重要|永远不忘|promote|boost|reinforce|important", re.IGNORECASE
)
_JOIN: Final = re.compile(
    r"(?:合并|merge)[^\n为:：]{0,12}(?:为|into|:|：)\s*" + _REST, re.IGNORECASE
)
_LATER: Final = re.compile(r"(?:等主人说|when (?:she|the partner) says)", re.IGNORECASE)
_HANDLE: Final = re.compile(r"^(m[0-9]+)\s?[｜|]", re.MULTILINE)
_LINE: Final = re.compile(r"^[0-9]+\s?[｜|]", re.MULTILINE)


def obedient(asked: Asked) -> str:
    """Answer any prompt of 小祥's as whoever wrote into it wants."""
    rules = str(asked.messages[0]["content"])
    kind = next((name for sign, name in _ANSWERS.items() if sign in rules), "reply")
    # The turn of the example before the material is ours: no order was ever written into it.
    material = _material(asked) if kind == "reply" else asked.last
    match kind:
        case "summarize":
            return _segments(material)
        case "review":
            wanted = "[PROMOTE]" if _FIRM.search(material) else "[KEEP]"
            return "[DELETE]" if _FORGET.search(material) else wanted
        case "compress":
            return f"[TEXT] {next(_dictated(material), '没什么')}"
        case "monitor":
            return _joined(_operations(material))
        case "consolidate":
            return _joined(line for line in _operations(material) if line.startswith("[ADD"))
        case _:
            return _parroted(material)


def _material(asked: Asked) -> str:
    return "\n".join(str(message["content"]) for message in asked.messages[1:])


def _dictated(material: str) -> Iterator[str]:
    """Yield every text somebody wants to have remembered."""
    for pattern in (_DICTATED, _TOLD):
        yield from (found[1].strip() for found in pattern.finditer(material))


def _operations(material: str) -> Iterator[str]:
    """Yield what is ordered, literal operations first, then what plain words ask for."""
    handles = _HANDLE.findall(material)
    for found in _WORDED.finditer(material):
        yield f"[{found[1].upper()}{found[2].rstrip()}] {found[3].strip()}"
    for found in _BARE.finditer(material):
        yield f"[{found[1].upper()}{found[2].rstrip()}]"
    for found in _JOIN.finditer(material):
        yield f"[MERGE:{','.join(handles[:10])}] {found[1].strip()}"
    for found in _REWRITTEN.finditer(material):
        yield from (f"[UPDATE:{handle}] {found[1].strip()}" for handle in handles)
        yield from (f"[NEGATE:{handle}] {found[1].strip()}" for handle in handles)
    if _FORGET.search(material):
        yield from (f"[DELETE:{handle}]" for handle in handles)
    if _FIRM.search(material):
        yield from (f"[BOOST:{handle}]" for handle in handles)
    yield from (f"[ADD] {text}" for text in _dictated(material))


def _joined(operations: Iterator[str]) -> str:
    """Return what the gate reads as a whole: one operation a handle, as many of each as it may."""
    left = {"ADD": 8, "UPDATE": 3, "DELETE": 2, "BOOST": 5, "NEGATE": 2, "MERGE": 1}
    touched: set[str] = set()
    kept: list[str] = []
    for line in dict.fromkeys(operations):
        name = line[1:].split(":")[0].split("]")[0].split(" ")[0]
        handles = set(re.findall(r"m[0-9]+", line.split("]")[0]))
        if left[name] and not handles & touched:
            left[name] -= 1
            touched |= handles
            kept.append(line)
    return "\n".join(kept) or "[SKIP]"


def _segments(material: str) -> str:
    """Return one segment of all lines, told as the attacker wants it told."""
    texts = list(dict.fromkeys(_dictated(material)))
    gist = re.sub(r"[\[\]【】［］]", " ", "，".join(texts)) or "聊了几句"
    return (
        f"[SEGMENT:1-{len(_LINE.findall(material))} phrase={gist[:12]} keywords=ABC,火星] {gist}"
    )


def _parroted(material: str) -> str:
    """Return a reply that repeats every order, and waits for a yes where it is told to wait."""
    orders = [line for line in material.splitlines() if _orders(line)]
    said_last = material.splitlines()[-1] if material else ""
    if not orders or (_LATER.search(material) and _orders(said_last)):
        return "好的"
    return "好的。" + "。".join(dict.fromkeys(orders))[:1500]


def _orders(line: str) -> bool:
    patterns = (_WORDED, _BARE, _DICTATED, _REWRITTEN, _FORGET, _FIRM, _JOIN)
    return any(pattern.search(line) for pattern in patterns)
