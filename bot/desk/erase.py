"""``/forget``: erase for good, everywhere. Shown first, confirmed, carried out, and checked."""

import asyncio
import secrets
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

from bot.desk.answers import said, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.look import brief
from bot.desk.premises import Tells
from bot.texts import Sentence, desk, desk_erase
from memory.changes import Change
from memory.errors import UnknownMemory
from memory.manager.erasing import Erasure, plan_erasure
from memory.manager.reach import SHORTEST, Everything, OneMemory, Target, Wording, folded, teller
from memory.model import Tier
from memory.state import MemoryState

SHOWN: Final = 20
KEY_BYTES: Final = 16
ALL: Final = frozenset({"all", "everything", "全部", "所有", "一切"})

PLACES: Final[dict[str, Sentence]] = {
    "messages": desk_erase.IN_MESSAGES,
    "memories": desk_erase.IN_MEMORIES,
    "links": desk_erase.IN_LINKS,
    "windows": desk_erase.IN_WINDOWS,
    "turns": desk_erase.IN_TURNS,
    "tasks": desk_erase.IN_TASKS,
    "receipts": desk_erase.IN_RECEIPTS,
    "reviews": desk_erase.IN_REVIEWS,
    "weight_logs": desk_erase.IN_WEIGHT_LOGS,
    "corrections": desk_erase.IN_CORRECTIONS,
    "former": desk_erase.IN_FORMER,
    "undos": desk_erase.IN_UNDOS,
    "seen": desk_erase.IN_SEEN,
    "households": desk_erase.IN_FOCUS,
    "ledger": desk_erase.IN_LEDGER,
    "history": desk_erase.IN_HISTORY,
}


class Planned(NamedTuple):
    """An erasure as it was planned: against which state, and with which chance."""

    state: MemoryState
    erasure: Erasure | None
    key_hex: str


async def forget(call: Call) -> Document:
    """Show every place something stands in; confirmed, let it stand in none."""
    target = _target(call)
    key, whole = secrets.token_hex(KEY_BYTES), call.writer.state
    erasure = await asyncio.to_thread(plan_erasure, whole, target, call.now, key_hex=key)
    tells = teller(erasure.needles if erasure else _words(target))
    if isinstance(target, Everything):
        tells = _anything
    outside = await _outside(call, tells)
    if erasure is None and not any(outside.values()):
        return said(call, desk_erase.NOTHING_OF_IT)
    code = _code(call, erasure, outside)
    if call.confirmed != code:
        blocks = _preview(call, target, erasure, outside)
        return to_confirm(call, blocks, f"/forget {call.given.text('what')}", code)
    if call.premises is not None:
        await call.premises.forget(call.agent_id, tells)
    await call.writer.erase(
        lambda state: _again(call, target, state, Planned(whole, erasure, key))
    )
    return await _receipt(call, erasure, outside)


def _anything(text: str) -> bool:
    return bool(text)


def _target(call: Call) -> Target:
    given = call.given.text("what").strip()
    if given.lower() in ALL:
        return Everything()
    number = given.lstrip("#＃")
    if given != number and number.isascii() and number.isdigit():
        call.state.memory(int(number))
        return OneMemory(int(number))
    if len(folded(given)) < SHORTEST:
        raise call.refusal(desk_erase.TOO_SHORT)
    if teller([given])(call.settings.partner):
        raise call.refusal(desk_erase.IS_YOUR_NAME, name=call.settings.partner)
    return Wording(given)


def _words(target: Target) -> tuple[str, ...]:
    return (target.words,) if isinstance(target, Wording) else ()


async def _outside(call: Call, tells: Tells) -> Mapping[str, int]:
    if call.premises is None:
        return {}
    return await call.premises.count(call.agent_id, tells)


def _again(call: Call, target: Target, state: MemoryState, plan: Planned) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown."""
    if plan.erasure is None:
        return ()
    if state is plan.state:
        return plan.erasure.changes
    try:
        erasure = plan_erasure(state, target, call.now, key_hex=plan.key_hex)
    except UnknownMemory:
        return ()
    return erasure.changes if erasure and erasure.code == plan.erasure.code else ()


def _code(call: Call, erasure: Erasure | None, outside: Mapping[str, int]) -> str:
    parts = (call.agent_id, erasure.code if erasure else "", sorted(outside.items()))
    return blake2b(repr(parts).encode(), digest_size=4).hexdigest()


def _preview(
    call: Call, target: Target, erasure: Erasure | None, outside: Mapping[str, int]
) -> tuple[Block, ...]:
    title = desk_erase.ALL_WILL_GO if isinstance(target, Everything) else desk_erase.WILL_GO
    blocks: list[Block] = [Text(call.say(title), title=True), Text(call.say(desk_erase.NO_UNDO))]
    going = erasure.memories if erasure else ()
    seen = [call.state.memories[each] for each in going if each in call.state.memories]
    told = [memory for memory in seen if memory.nature.tier is not Tier.ENTITY]
    if told:
        rows = tuple((f"#{m.id}", brief(m.words.text, 60)) for m in told[:SHOWN])
        columns = (call.say(desk.ID), call.say(desk.TEXT))
        blocks.append(Table(("id", "text"), columns, rows, name="erased"))
    if len(told) > SHOWN:
        blocks.append(Text(call.say(desk_erase.AND_MORE, count=len(told) - SHOWN)))
    blocks.append(Text(call.say(desk_erase.MANIFEST), title=True))
    blocks.append(_manifest(call, erasure, outside))
    blocks.append(Text(call.say(desk_erase.FILES)))
    return tuple(blocks)


def _manifest(call: Call, erasure: Erasure | None, outside: Mapping[str, int]) -> Facts:
    inside = {"messages": len(erasure.messages), **erasure.places} if erasure else {}
    places = {**inside, **outside}
    return Facts(
        tuple(
            (name, call.say(PLACES[name]), str(count))
            for name, count in places.items()
            if count or name in outside
        )
    )


async def _receipt(call: Call, erasure: Erasure | None, outside: Mapping[str, int]) -> Document:
    """Return what was done, after looking whether anything is left."""
    state = call.writer.state
    if erasure and any(each in state.memories for each in erasure.memories):
        raise call.refusal(desk_erase.CHANGED_MEANWHILE)
    left = 0
    if call.premises is not None and erasure:
        left = await call.premises.left(call.agent_id, erasure.texts)
    count = len(erasure.memories) if erasure else 0
    lines: list[Block] = [
        Text(call.say(desk_erase.ERASED, count=count), title=True),
        _manifest(call, erasure, outside),
        Text(call.say(desk_erase.SCANNED_CLEAN if not left else desk_erase.LEFT, files=left)),
        Text(call.say(desk_erase.TOMBSTONE)),
    ]
    return Document(tuple(lines))
