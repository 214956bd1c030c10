"""``/forget``: erases something for good, wherever it stands.

It shows every place (``docs/decisions/storage.md``), waits for the confirmation, pauses the
agent's conversations, erases outside and inside its memory, and searches the files again. No undo.
"""

import asyncio
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from bot.conversation.ledger.erasure import ErasureRequest, LedgerErasure, TextMatcher
from bot.desk.answers import (
    confirmation_code,
    first_names,
    first_of,
    lines_table,
    one_sentence,
    preview_table,
    to_confirm,
)
from bot.desk.command import Call, asker_of
from bot.desk.documents import Block, Document, Facts, Text
from bot.desk.parser import code_token
from bot.desk.people import member_meant
from bot.desk.services import order_noted
from bot.texts import desk_changes, transfer
from memory.changes import Change, Put, Tombstone
from memory.erasing.erasure import Erasure, former_state_without, plan_erasure
from memory.erasing.scope import (
    SHORTEST_NEEDLE,
    Everything,
    OneMemory,
    Target,
    TextMatch,
    comparable_text,
    has_words_of,
    lines_by_id,
    text_matcher,
)
from memory.errors import UnknownMemory
from memory.model import Memory, Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState, next_tombstone_id
from memory.stores.backups import StateCleaner
from memory.stores.disk import REAL_DISK
from memory.stores.exports import export_bytes

_ID: Final = re.compile("[0-9]{1,12}")

ALL_WORDS: Final = frozenset({"all", "everything", "全部", "所有", "一切"})


def target_of(call: Call) -> Target:
    """Return what was named: everything, one memory by its number, or whatever holds the words.

    Raises :class:`CommandRefused` for words that are too short, for the partner's own name, and
    for a memory that holds nothing of the caller's in a group; :class:`UnknownMemory` for an id
    that is not there.
    """
    given = call.given.text("what").strip()
    if given.lower() in ALL_WORDS:
        return Everything()
    number = given.lstrip("#＃")
    if _ID.fullmatch(number) and _is_an_id(call, given, int(number)):
        # A resumed erasure was checked before the program ended, and its memory may be gone.
        if not call.caller.resumed:
            _require_own(call, call.state.memory(int(number)))
        return OneMemory(int(number))
    if len(comparable_text(given)) < SHORTEST_NEEDLE:
        raise call.refusal(desk_changes.TOO_SHORT)
    # The partner's name stands in nearly every prompt and gist: erasing it would erase nearly all.
    if text_matcher([given])(call.settings.partner):
        raise call.refusal(desk_changes.IS_YOUR_NAME, name=call.settings.partner)
    return TextMatch(given, sealed=_matching_secrets(call, given))


def target_name(call: Call, target: Target) -> str:
    """Return how the confirming command names a target."""
    return f"#{target.memory_id}" if isinstance(target, OneMemory) else call.given.text("what")


def _is_an_id(call: Call, given: str, number: int) -> bool:
    """Return whether a number names a memory.

    ``#7`` always does. A bare ``7`` does only before the preview and if there is such a memory;
    else it is a word to erase.
    """
    # The confirming command writes an id with "#". A bare number in it is a word for certain, also
    # when a crash in between has left no memory of that number.
    bare = not given.startswith(("#", "＃"))
    return not (bare and (call.confirmed or number not in call.state.memories))


def _require_own(call: Call, memory: Memory) -> None:
    """Raise :class:`CommandRefused` if nothing of a memory is in the caller's own words."""
    if call.only_words_of and not has_words_of(memory, call.only_words_of):
        raise call.refusal(desk_changes.NOT_YOURS, id=memory.id)


def _matching_secrets(call: Call, words: str) -> frozenset[int]:
    """Return the ids of the sealed memories that hold the words and that the vault opens."""
    vault = call.writer.vault
    if vault is None or not call.private:
        return frozenset()
    matches = text_matcher([words])
    sealed = (m for m in call.state.memories.values() if m.sealed is not None)
    plain = (vault.open(m) for m in sealed if call.may_unseal(m.id))
    return frozenset(m.id for m in plain if isinstance(m, Memory) and matches(m.words.text))


def erasure_preview(
    call: Call, target: Target, erasure: Erasure | None, outside: Mapping[str, int]
) -> tuple[Block, ...]:
    """Return what would be erased, and every place it stands in."""
    everything = isinstance(target, Everything) and not call.only_words_of
    title = desk_changes.ALL_WILL_GO if everything else desk_changes.WILL_GO
    blocks: list[Block] = [Text(call.say(title), title=True)]
    if call.only_words_of:
        own = call.only_words_of == call.caller.person
        blocks.append(Text(call.say(desk_changes.ONLY_YOURS if own else transfer.ONLY_THEIRS)))
    elif isinstance(target, TextMatch) and not call.private:
        blocks.append(Text(call.say(transfer.WORDS_ONLY, name=target.text)))
    blocks.append(Text(call.say(desk_changes.NO_UNDO)))
    manifest = Text(call.say(desk_changes.MANIFEST), title=True), _manifest(call, erasure, outside)
    files = Text(call.say(desk_changes.FILES))
    return (*blocks, *_what_goes(call, target, erasure), *manifest, files)


def _what_goes(call: Call, target: Target, erasure: Erasure | None) -> Iterator[Block]:
    """Yield the memories, the names and the lines that go, the first of each."""
    going = erasure.memories if erasure else ()
    visible = [call.state.memories[each] for each in going if each in call.state.memories]
    listed = [memory for memory in visible if memory.nature.tier is not Tier.ENTITY]
    yield from first_of(call, listed, partial(preview_table, call, name="erased"))
    names = [memory.words.text for memory in visible if memory.nature.tier is Tier.ENTITY]
    if names:
        yield Text(call.say(desk_changes.NAMES_TOO, names=first_names(names)))
    # What was said elsewhere is not shown to a group, and all that was ever said to nobody.
    if erasure is None or isinstance(target, Everything) or not call.private:
        return
    known = lines_by_id(call.state)
    said = sorted((known[m] for m in erasure.messages if m in known), key=lambda each: each.at)
    if said:
        yield Text(call.say(desk_changes.SAID_TOO))
    yield from first_of(call, said, partial(lines_table, call, name="lines"))


def _manifest(call: Call, erasure: Erasure | None, outside: Mapping[str, int]) -> Facts:
    """Return the number of records in each place; those outside are shown even when it is 0."""
    inside = {"messages": len(erasure.messages), **erasure.places} if erasure else {}
    if erasure and (cut := inside.get("memories", 0) - len(erasure.memories)) > 0:
        inside |= {"memories": len(erasure.memories), "cut": cut}
    return Facts(
        tuple(
            (name, call.say(transfer.PLACE_NAMES[name]), str(count))
            for name, count in {**inside, **outside}.items()
            if count or name in outside
        )
    )


def erasure_receipt(
    call: Call, erasure: Erasure | None, outside: Mapping[str, int], left: int
) -> Document:
    """Return what was erased; ``left`` is the number of places that still hold something."""
    count = len(erasure.memories) if erasure else 0
    lines: list[Block] = [
        Text(call.say(desk_changes.ERASED, count=count), title=True),
        _manifest(call, erasure, outside),
        Text(call.say(desk_changes.SCANNED_CLEAN if not left else desk_changes.LEFT, files=left)),
        Text(call.say(desk_changes.TOMBSTONE)),
        Text(call.say(transfer.COPIES_ELSEWHERE)),
    ]
    if call.services is not None and call.services.disk is not REAL_DISK:
        lines.append(Text(call.say(transfer.COPIES_OF_DATABASE)))
    return Document(tuple(lines))


KEY_BYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePlanner:
    """Plans one erasure as it was asked for, in the state, in backups, and outside of both."""

    target: Target
    sought: ErasureRequest
    key_hex: str

    def plan(self, state: MemoryState, now: datetime) -> Erasure | None:
        """Return what it takes away from a state. Raises :class:`UnknownMemory`."""
        return plan_erasure(
            state, self.target, now, key_hex=self.key_hex, person=self.sought.person
        )

    def backup_plan(self, erasure: Erasure | None) -> StateCleaner:
        """Return what removes it from a former state, given what was found in the present one."""
        return partial(
            former_state_without, target=self.target, found=erasure, person=self.sought.person
        )

    def code(self, erasure: Erasure | None, seen: int = 0, known: int = 0) -> str:
        """Return the code that confirms exactly what was shown, up to which message.

        Of all, memories from the number ``known`` on are left out: what was said before is learnt
        from afterwards, and the confirmation would not fit.
        """
        shown: list[object] = [self.sought.agent_id, self.sought.person, self.target, seen, known]
        if erasure is not None:
            told = zip(erasure.memories, erasure.said, strict=True)
            shown += [each for each in told if not known or each[0] < known]
            # Not the messages when everything goes: in a group somebody writes at any moment, and
            # the confirmation would never fit.
            shown.append(() if isinstance(self.target, Everything) else erasure.messages)
        numbers = [str(each) for each in (seen, known) if each]
        return "-".join((confirmation_code(repr(shown)), *numbers))


async def erase_for_good(call: Call) -> Document:
    """Show every place in which something stands; once confirmed, erase it from all of them.

    Only the confirmed erasure pauses the agent's conversations, for as long as it takes.
    """
    member = member_meant(call)
    target = Everything() if member else target_of(call)
    # As if that member had given the order: what others said stays.
    call = replace(call, only_words_of=member or call.only_words_of)
    if not call.confirmed:
        return await _preview_document(call, target)
    async with call.caller.paused():
        return await _carry_out(call, target)


async def _preview_document(call: Call, target: Target) -> Document:
    planner, erasure, outside = await _survey(call, target)
    if erasure is None and not any(outside.values()):
        return one_sentence(call, desk_changes.NOTHING_OF_IT)
    blocks = erasure_preview(call, target, erasure, outside)
    erasing = call.services.ledger.erasure if call.services else None
    seen = await erasing.number_of(call.caller.message) if erasing else 0
    known = call.writer.state.next_id if seen and isinstance(target, Everything) else 0
    words, code = f"/forget {target_name(call, target)}", planner.code(erasure, seen, known)
    return to_confirm(call, blocks, words, code, person=asker_of(call))


async def _carry_out(call: Call, target: Target) -> Document:
    """Erase what was confirmed, and return the receipt."""
    async with call.writer.erasing() as erase:
        # A write that was under way when the conversations were paused is queued before this
        # empty one, so that it is in the state once this one is done.
        await call.writer.steer(no_changes)
        planner, erasure, outside = await _survey(call, target)
        if call.caller.resumed and erasure is None and not outside.get("files"):
            await _clean_outside(call, planner, None)
            return one_sentence(call, desk_changes.FINISHED)
        shown = await _was_shown(call, planner, erasure)
        if not shown or not (erasure or any(outside.values())):
            return await _preview_document(call, target)
        # Outside first: the code depends on the state, so that after a crash in between the same
        # confirmation is still valid and the erasure is carried out again.
        words = f"{target_name(call, target)} {code_token(call.confirmed)}"
        services = None if call.caller.message else call.services
        async with order_noted(services, call.agent_id, words):
            await _clean_outside(call, planner, erasure)
            whole = call.writer.state
            await erase(lambda state: _confirmed_changes(call, planner, state, (whole, erasure)))
        if erasure and any(map(call.writer.state.memories.__contains__, erasure.memories)):
            raise call.refusal(desk_changes.CHANGED_MEANWHILE)
        return erasure_receipt(call, erasure, outside, await _count_left(call, planner, erasure))


async def _was_shown(call: Call, planner: ErasurePlanner, erasure: Erasure | None) -> bool:
    """Whether what was confirmed is what goes: nothing else, and nothing said to her since."""
    seen, known = (*map(int, call.confirmed.split("-")[1:]), 0, 0)[:2]
    if call.confirmed != planner.code(erasure, seen, known):
        return False
    # An order without a message is noted only once this was asked.
    if not seen or call.services is None or (call.caller.resumed and not call.caller.message):
        return True
    erasing, state = call.services.ledger.erasure, call.writer.state
    if not isinstance(planner.target, Everything):
        return not await erasing.waits_since(planner.sought, seen)
    going = erasure.memories if erasure else ()
    fresh = [state.memories[each] for each in going if each >= known]
    if not await _tell_of_what_was_said(fresh, erasing, seen):
        return False
    person, turns = call.only_words_of, state.turns.values()
    unlearnt = {t.id for t in turns if not person or any(m.speaker_id == person for m in t.said)}
    return not await erasing.unheeded_since(planner.sought, seen, unlearnt)


async def _tell_of_what_was_said(
    fresh: Sequence[Memory], erasing: LedgerErasure, seen: int
) -> bool:
    """Whether memories made since a preview tell only of messages up to that number."""
    if any(not each.source_ids and each.nature.tier is not Tier.ENTITY for each in fresh):
        return False
    sources = {source for each in fresh for source in each.source_ids}
    return all([await erasing.number_of(each) <= seen for each in sources])


def no_changes(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
    """Change nothing: a write that only waits for those before it."""
    del state, index
    return ()


async def _survey(
    call: Call, target: Target
) -> tuple[ErasurePlanner, Erasure | None, Mapping[str, int]]:
    """Return what there is to erase: in the state, and the number of records outside of it."""
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
    planner = ErasurePlanner(target=target, sought=sought, key_hex=key)
    if call.services is None:
        return planner, erasure, {}
    unheld = await _words_only_in_files(call, target) if erasure is None else ()
    return (
        planner,
        erasure,
        await call.services.count_outside(sought, planner.backup_plan(erasure), unheld),
    )


async def _words_only_in_files(call: Call, target: Target) -> tuple[str, ...]:
    """Return the words to search the files for, if the present state does not hold them.

    A former state of the journal or a set-aside file may still do so.
    """
    if call.only_words_of or not isinstance(target, TextMatch):
        return ()
    present = await asyncio.to_thread(export_bytes, call.writer.state, call.agent_id, call.now)
    return () if target.text.encode("utf-8", "replace") in present else (target.text,)


def _matcher_of(target: Target, erasure: Erasure | None) -> TextMatcher:
    if isinstance(target, Everything):
        return bool
    words = (target.text,) if isinstance(target, TextMatch) else ()
    return text_matcher(erasure.needles if erasure else words)


async def _clean_outside(call: Call, planner: ErasurePlanner, erasure: Erasure | None) -> None:
    if call.services is not None:
        await call.services.erase_outside(planner.sought, planner.backup_plan(erasure))


async def _count_left(call: Call, planner: ErasurePlanner, erasure: Erasure | None) -> int:
    """Search again, and return the number of places that still hold something."""
    if call.services is None:
        return 0
    words = (
        (planner.target.text,)
        if isinstance(planner.target, TextMatch) and not call.only_words_of
        else ()
    )
    return await call.services.count_left(planner.sought, erasure.texts if erasure else words)


def _confirmed_changes(
    call: Call,
    planner: ErasurePlanner,
    state: MemoryState,
    planned: tuple[MemoryState, Erasure | None],
) -> tuple[Change, ...]:
    """Return the changes of the erasure, if it is still exactly the one that was shown."""
    whole, erasure = planned
    if erasure is None:
        # Only files held it. A tombstone makes the store rewrite them without former states.
        tombstone = Tombstone(id=next_tombstone_id(state), at=call.now, key_hex=planner.key_hex)
        return (Put(tombstone),)
    if state is whole:
        return erasure.changes
    try:
        anew = planner.plan(state, call.now)
    except UnknownMemory:
        return ()
    return anew.changes if anew and planner.code(anew) == planner.code(erasure) else ()
