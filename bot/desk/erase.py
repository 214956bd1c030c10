"""``/forget``: erase for good, everywhere. Shown first, confirmed, carried out, and checked."""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot.conversation.ledger.erasure import ErasureRequest, TextMatcher
from bot.desk.answers import brief, confirmation_code, one_sentence, to_confirm
from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.texts import Sentence, desk, desk_erase
from memory.changes import Change, Put, Tombstone
from memory.erasing.erasure import Erasure, former_state_without, next_tombstone_id, plan_erasure
from memory.erasing.scope import (
    SHORTEST_NEEDLE,
    Everything,
    OneMemory,
    Target,
    TextMatch,
    comparable_text,
    has_words_of,
    text_matcher,
)
from memory.errors import UnknownMemory
from memory.model import Memory, Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.backups import StateCleaner
from memory.stores.exports import export_bytes

ALL_WORDS: Final = frozenset({"all", "everything", "全部", "所有", "一切"})


def target_of(call: Call) -> Target:
    """Return what was named: everything, one memory by its number, or whatever tells the words."""
    given = call.given.text("what").strip()
    if given.lower() in ALL_WORDS:
        return Everything()
    number = given.lstrip("#＃")
    if number.isascii() and number.isdigit() and _is_an_id(call, given, int(number)):
        if not call.caller.resumed:
            _require_own(call, call.state.memory(int(number)))
        return OneMemory(int(number))
    if len(comparable_text(given)) < SHORTEST_NEEDLE:
        raise call.refusal(desk_erase.TOO_SHORT)
    if text_matcher([given])(call.settings.partner):
        raise call.refusal(desk_erase.IS_YOUR_NAME, name=call.settings.partner)
    return TextMatch(given, sealed=_matching_secrets(call, given))


def target_name(call: Call, target: Target) -> str:
    """Return how a target is named in a command."""
    return f"#{target.memory_id}" if isinstance(target, OneMemory) else call.given.text("what")


def _is_an_id(call: Call, given: str, number: int) -> bool:
    """Tell whether a number names a memory; a bare one does if there is one, before it is shown.

    What was shown is confirmed under its whole name: a crash may find it gone already.
    """
    bare = not given.startswith(("#", "＃"))
    return not (bare and (call.confirmed or number not in call.state.memories))


def _require_own(call: Call, memory: Memory) -> None:
    """Refuse a memory nothing of which is theirs who asks."""
    if call.only_words_of and not has_words_of(memory, call.only_words_of):
        raise call.refusal(desk_erase.NOT_YOURS, id=memory.id)


def _matching_secrets(call: Call, words: str) -> frozenset[int]:
    """Return the secrets that tell the words, as far as their owner's vault opens them."""
    vault = call.writer.vault
    if vault is None or not call.private:
        return frozenset()
    tells = text_matcher([words])
    plain = (vault.open(m) for m in call.state.memories.values() if m.sealed is not None)
    return frozenset(m.id for m in plain if isinstance(m, Memory) and tells(m.words.text))


MOST_SHOWN: Final = 20

PLACE_NAMES: Final[dict[str, Sentence]] = {
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
    "previous_texts": desk_erase.IN_FORMER,
    "undos": desk_erase.IN_UNDOS,
    "remembered_ids": desk_erase.IN_SEEN,
    "agent_infos": desk_erase.IN_FOCUS,
    "ledger": desk_erase.IN_LEDGER,
    "backups": desk_erase.IN_BACKUPS,
    "history": desk_erase.IN_HISTORY,
    "files": desk_erase.IN_FILES,
}


def erasure_preview(
    call: Call, target: Target, erasure: Erasure | None, outside: Mapping[str, int]
) -> tuple[Block, ...]:
    """Return what would go, and every place it stands in."""
    everything = isinstance(target, Everything) and not call.only_words_of
    title = desk_erase.ALL_WILL_GO if everything else desk_erase.WILL_GO
    blocks: list[Block] = [Text(call.say(title), title=True)]
    if call.only_words_of:
        blocks.append(Text(call.say(desk_erase.ONLY_YOURS)))
    blocks.append(Text(call.say(desk_erase.NO_UNDO)))
    going = erasure.memories if erasure else ()
    seen = [call.state.memories[each] for each in going if each in call.state.memories]
    told = [memory for memory in seen if memory.nature.tier is not Tier.ENTITY]
    if told:
        rows = tuple((f"#{m.id}", brief(m.words.text, 60)) for m in told[:MOST_SHOWN])
        columns = (call.say(desk.ID), call.say(desk.TEXT))
        blocks.append(Table(("id", "text"), columns, rows, name="erased"))
    if len(told) > MOST_SHOWN:
        blocks.append(Text(call.say(desk_erase.AND_MORE, count=len(told) - MOST_SHOWN)))
    blocks.append(Text(call.say(desk_erase.MANIFEST), title=True))
    blocks.append(_manifest(call, erasure, outside))
    blocks.append(Text(call.say(desk_erase.FILES)))
    return tuple(blocks)


def _manifest(call: Call, erasure: Erasure | None, outside: Mapping[str, int]) -> Facts:
    inside = {"messages": len(erasure.messages), **erasure.places} if erasure else {}
    places = {**inside, **outside}
    return Facts(
        tuple(
            (name, call.say(PLACE_NAMES[name]), str(count))
            for name, count in places.items()
            if count or name in outside
        )
    )


def erasure_receipt(
    call: Call, erasure: Erasure | None, outside: Mapping[str, int], left: int
) -> Document:
    """Return what was erased, and in how many places something is ``left``."""
    count = len(erasure.memories) if erasure else 0
    lines: list[Block] = [
        Text(call.say(desk_erase.ERASED, count=count), title=True),
        _manifest(call, erasure, outside),
        Text(call.say(desk_erase.SCANNED_CLEAN if not left else desk_erase.LEFT, files=left)),
        Text(call.say(desk_erase.TOMBSTONE)),
    ]
    return Document(tuple(lines))


KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureScope:
    """What is to be erased, as it was asked for: in memory, and outside of it."""

    target: Target
    sought: ErasureRequest
    key_hex: str

    def plan(self, state: MemoryState, now: datetime) -> Erasure | None:
        """Return what it takes away of a state; raises :class:`UnknownMemory`."""
        return plan_erasure(
            state, self.target, now, key_hex=self.key_hex, person=self.sought.person
        )

    def backup_plan(self, erasure: Erasure | None) -> StateCleaner:
        """Return what takes it out of a former state, given what was found in the present one."""
        return partial(
            former_state_without, target=self.target, found=erasure, person=self.sought.person
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
        return confirmation_code(repr(told))


async def erase_for_good(call: Call) -> Document:
    """Show every place something stands in; confirmed, let it stand in none.

    Only the confirmed erasure lets the conversations stand still, for as long as it takes.
    """
    target = target_of(call)
    if not call.confirmed:
        return await _preview_document(call, target)
    async with call.caller.paused():
        return await _carry_out(call, target)


async def _preview_document(call: Call, target: Target) -> Document:
    aim, erasure, outside = await _survey(call, target)
    if erasure is None and not any(outside.values()):
        return one_sentence(call, desk_erase.NOTHING_OF_IT)
    blocks = erasure_preview(call, target, erasure, outside)
    return to_confirm(call, blocks, f"/forget {target_name(call, target)}", aim.code(erasure))


async def _carry_out(call: Call, target: Target) -> Document:
    """Erase what was confirmed: outside first, so that a crash finds the code still valid."""
    async with call.writer.erasing() as erase:
        # What was being written when all came to rest is in the state once something else is.
        await call.writer.steer(_no_changes)
        aim, erasure, outside = await _survey(call, target)
        if call.caller.resumed and erasure is None and not outside.get("files"):
            await _clean_outside(call, aim, None)
            return one_sentence(call, desk_erase.FINISHED)
        if call.confirmed != aim.code(erasure) or not (erasure or any(outside.values())):
            return await _preview_document(call, target)
        await _clean_outside(call, aim, erasure)
        whole = call.writer.state
        await erase(lambda state: _confirmed_changes(call, aim, state, (whole, erasure)))
        state = call.writer.state
        if erasure and any(each in state.memories for each in erasure.memories):
            raise call.refusal(desk_erase.CHANGED_MEANWHILE)
        return erasure_receipt(call, erasure, outside, await _count_left(call, aim, erasure))


def _no_changes(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
    del state, index
    return ()


async def _survey(
    call: Call, target: Target
) -> tuple[ErasureScope, Erasure | None, Mapping[str, int]]:
    """Return what there is to erase, in memory and outside of it."""
    state, key = call.writer.state, secrets.token_hex(KEY_BYTES)
    erasure = None
    if not (isinstance(target, OneMemory) and target.memory_id not in state.memories):
        plan = partial(plan_erasure, key_hex=key, person=call.only_words_of)
        erasure = await asyncio.to_thread(plan, state, target, call.now)
    sought = ErasureRequest(
        agent_id=call.agent_id,
        matches=_matcher_of(target, erasure),
        person=call.only_words_of,
        before=call.caller.message,
    )
    aim = ErasureScope(target=target, sought=sought, key_hex=key)
    if call.services is None:
        return aim, erasure, {}
    unheld = await _words_only_in_files(call, target) if erasure is None else ()
    return (
        aim,
        erasure,
        await call.services.count_outside(sought, aim.backup_plan(erasure), unheld),
    )


async def _words_only_in_files(call: Call, target: Target) -> tuple[str, ...]:
    """Return the words that are meant, if nothing present tells them: a former state may."""
    if call.only_words_of or not isinstance(target, TextMatch):
        return ()
    present = await asyncio.to_thread(export_bytes, call.writer.state, call.agent_id, call.now)
    return () if target.text.encode("utf-8", "replace") in present else (target.text,)


def _matcher_of(target: Target, erasure: Erasure | None) -> TextMatcher:
    if isinstance(target, Everything):
        return _any_text
    words = (target.text,) if isinstance(target, TextMatch) else ()
    return text_matcher(erasure.needles if erasure else words)


async def _clean_outside(call: Call, scope: ErasureScope, erasure: Erasure | None) -> None:
    if call.services is not None:
        await call.services.erase_outside(scope.sought, scope.backup_plan(erasure))


async def _count_left(call: Call, scope: ErasureScope, erasure: Erasure | None) -> int:
    """Look whether anything is left, and return in how many places."""
    if call.services is None:
        return 0
    told = (
        (scope.target.text,)
        if isinstance(scope.target, TextMatch) and not call.only_words_of
        else ()
    )
    return await call.services.count_left(scope.sought, erasure.texts if erasure else told)


def _any_text(text: str) -> bool:
    return bool(text)


def _confirmed_changes(
    call: Call,
    scope: ErasureScope,
    state: MemoryState,
    planned: tuple[MemoryState, Erasure | None],
) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown.

    Where only files and not the memory held it, they are cleaned of former states all the same.
    """
    whole, erasure = planned
    if erasure is None:
        tombstone = Tombstone(id=next_tombstone_id(state), at=call.now, key_hex=scope.key_hex)
        return (Put(tombstone),)
    if state is whole:
        return erasure.changes
    try:
        anew = scope.plan(state, call.now)
    except UnknownMemory:
        return ()
    return anew.changes if anew and scope.code(anew) == scope.code(erasure) else ()
