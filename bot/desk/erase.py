"""``/forget``: erase for good, everywhere. Shown first, confirmed, carried out, and checked."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final

from bot.conversation.ledger.forgetting import Sought, Tells
from bot.desk.answers import said, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.look import brief
from bot.desk.targets import name_of, target_of
from bot.texts import Sentence, desk, desk_erase
from memory.changes import Change
from memory.errors import UnknownMemory
from memory.manager.erasing import Erasure, plan_erasure
from memory.manager.reach import Everything, OneMemory, Target, Wording, teller
from memory.model import Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState

SHOWN: Final = 20
KEY_BYTES: Final = 16

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is to be erased, as it was asked for: in memory, and outside of it."""

    target: Target
    sought: Sought
    key_hex: str

    def plan(self, state: MemoryState, now: datetime) -> Erasure | None:
        """Return what it takes away of a state; raises :class:`UnknownMemory`."""
        return plan_erasure(
            state, self.target, now, key_hex=self.key_hex, person=self.sought.person
        )

    def code(self, erasure: Erasure | None) -> str:
        """Return the name of what is shown, to be given back to confirm exactly that.

        It names the memories and the messages that go. Where all goes, it names the memories only:
        in a group somebody says something every moment.
        """
        told: list[object] = [self.sought.agent_id, self.sought.person, self.target]
        if erasure is not None:
            told.append(erasure.memories)
            told.append(() if isinstance(self.target, Everything) else erasure.messages)
        return blake2b(repr(told).encode("utf-8", "replace"), digest_size=4).hexdigest()


async def forget(call: Call) -> Document:
    """Show every place something stands in; confirmed, let it stand in none.

    Only the confirmed erasure lets the conversations stand still, for as long as it takes.
    """
    target = target_of(call)
    if not call.confirmed:
        return await _shown(call, target)
    async with call.asking.still():
        return await _erased(call, target)


async def _shown(call: Call, target: Target) -> Document:
    aim, erasure, outside = await _found(call, target)
    if erasure is None and not any(outside.values()):
        return said(call, desk_erase.NOTHING_OF_IT)
    blocks = _preview(call, target, erasure, outside)
    return to_confirm(call, blocks, f"/forget {name_of(call, target)}", aim.code(erasure))


async def _erased(call: Call, target: Target) -> Document:
    """Erase what was confirmed: outside first, so that a crash finds the code still valid."""
    async with call.writer.erasing() as erase:
        await call.writer.steer(
            _nothing
        )  # what was being written a moment ago is in the state now
        aim, erasure, outside = await _found(call, target)
        if call.asking.again and erasure is None:
            await _outside_cleaned(call, aim)
            return said(call, desk_erase.FINISHED)
        if call.confirmed != aim.code(erasure) or not (erasure or any(outside.values())):
            return await _shown(call, target)
        await _outside_cleaned(call, aim)
        whole = call.writer.state
        await erase(lambda state: _again(call, aim, state, (whole, erasure)))
        return await _receipt(call, aim, erasure, outside)


def _nothing(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
    del state, index
    return ()


async def _found(call: Call, target: Target) -> tuple[Aim, Erasure | None, Mapping[str, int]]:
    """Return what there is to erase, in memory and outside of it."""
    state, key = call.writer.state, secrets.token_hex(KEY_BYTES)
    erasure = None
    if not (isinstance(target, OneMemory) and target.memory_id not in state.memories):
        plan = partial(plan_erasure, key_hex=key, person=call.whose)
        erasure = await asyncio.to_thread(plan, state, target, call.now)
    sought = Sought(
        agent_id=call.agent_id,
        tells=_tells(target, erasure),
        person=call.whose,
        before=call.asking.message,
    )
    outside = await call.premises.count(sought) if call.premises else {}
    return Aim(target=target, sought=sought, key_hex=key), erasure, outside


def _tells(target: Target, erasure: Erasure | None) -> Tells:
    if isinstance(target, Everything):
        return _anything
    words = (target.words,) if isinstance(target, Wording) else ()
    return teller(erasure.needles if erasure else words)


async def _outside_cleaned(call: Call, aim: Aim) -> None:
    if call.premises is not None:
        await call.premises.forget(aim.sought)


def _anything(text: str) -> bool:
    return bool(text)


def _again(
    call: Call, aim: Aim, state: MemoryState, planned: tuple[MemoryState, Erasure | None]
) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown."""
    whole, erasure = planned
    if erasure is None:
        return ()
    if state is whole:
        return erasure.changes
    try:
        anew = aim.plan(state, call.now)
    except UnknownMemory:
        return ()
    return anew.changes if anew and aim.code(anew) == aim.code(erasure) else ()


def _preview(
    call: Call, target: Target, erasure: Erasure | None, outside: Mapping[str, int]
) -> tuple[Block, ...]:
    everything = isinstance(target, Everything) and not call.whose
    title = desk_erase.ALL_WILL_GO if everything else desk_erase.WILL_GO
    blocks: list[Block] = [Text(call.say(title), title=True)]
    if call.whose:
        blocks.append(Text(call.say(desk_erase.ONLY_YOURS)))
    blocks.append(Text(call.say(desk_erase.NO_UNDO)))
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


async def _receipt(
    call: Call, aim: Aim, erasure: Erasure | None, outside: Mapping[str, int]
) -> Document:
    """Return what was done, after looking whether anything is left."""
    state = call.writer.state
    if erasure and any(each in state.memories for each in erasure.memories):
        raise call.refusal(desk_erase.CHANGED_MEANWHILE)
    left = 0
    if call.premises is not None:
        left = await call.premises.left(aim.sought, erasure.texts if erasure else ())
    count = len(erasure.memories) if erasure else 0
    lines: list[Block] = [
        Text(call.say(desk_erase.ERASED, count=count), title=True),
        _manifest(call, erasure, outside),
        Text(call.say(desk_erase.SCANNED_CLEAN if not left else desk_erase.LEFT, files=left)),
        Text(call.say(desk_erase.TOMBSTONE)),
    ]
    return Document(tuple(lines))
