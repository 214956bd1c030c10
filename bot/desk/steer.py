"""The commands that correct one memory: add, edit, pin, merge, reinforce, hide, bring back."""

import secrets
from typing import Final

from bot.desk.answers import one_sentence, with_undo_button
from bot.desk.command import Call
from bot.desk.documents import Bar, Bars, Document, Text
from bot.desk.look import brief, memory_line
from bot.desk.sealing import changes_or_refusal, vault_of
from bot.desk.words import COLOURS, EVENTS
from bot.texts import desk, desk_secrets, desk_steer
from memory.background.explicit import RememberRequest, plan_explicit_memories
from memory.background.judged import Judgement
from memory.background.merging import plan_merge
from memory.background.privacy import is_secret
from memory.background.sealing import plan_edit_sealed
from memory.background.steering import plan_edit, plan_pin, plan_reinforce
from memory.changes import Change
from memory.laws.law import Event, health_colour
from memory.manager import plan_hide, plan_restore
from memory.model import Memory, Message, Tier
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.views import law_context, view

LAW_QUANTITY: Final = {
    "tiers": desk.IMPORTANCE,
    "ebbinghaus": desk.STRENGTH,
    "weights": desk.WEIGHT,
    "network": desk.CONNECTEDNESS,
}
_MERGED_AT_LEAST: Final = 2


async def add(call: Call) -> Document:
    """Keep what the partner asks to be remembered, word for word."""
    text = call.given.text("text")
    vault = vault_of(call) if is_secret(text) else None
    message = Message(
        id=f"desk:{secrets.token_hex(8)}",
        at=call.now,
        speaker=call.settings.partner,
        role="user",
        text=text,
        speaker_id="" if call.private else call.caller.person,
    )
    kept: list[Judgement] = []

    def plan(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
        asked = [RememberRequest(text, message)]
        kept[:] = [plan_explicit_memories(asked, state, call.now, index=index, vault=vault)]
        return kept[0].changes

    await call.writer.steer(plan)
    labels = kept[0].learnt if kept else ()
    known = next((label.split("#")[-1] for label in labels if label.startswith("MENTION")), "")
    if known:
        return one_sentence(call, desk_steer.KNOWN_ALREADY, id=known)
    new = next((label.split("#")[-1] for label in labels), "")
    if not new:
        raise call.refusal(desk_steer.NOTHING_TO_KEEP)
    if vault is not None:
        return with_undo_button(call, call.say(desk_secrets.SEALED, id=new))
    return with_undo_button(call, call.say(desk_steer.KEPT, id=new, text=brief(text)))


async def edit(call: Call) -> Document:
    """Let a memory say something else."""
    memory, text = call.memory(), call.given.text("text")
    vault = vault_of(call) if memory.sealed is not None or is_secret(text) else None

    def plan(state: MemoryState) -> tuple[Change, ...]:
        if vault is None:
            return plan_edit(state, memory.id, text, call.now)
        return changes_or_refusal(call, plan_edit_sealed(state, memory.id, text, call.now, vault))

    changes = await call.writer.steer(lambda state, _: plan(state))
    if not changes:
        return one_sentence(call, desk_steer.SAYS_SO_ALREADY, id=memory.id)
    if vault is not None:
        return with_undo_button(call, call.say(desk_secrets.EDITED_SEALED, id=memory.id))
    line = call.say(
        desk_steer.EDITED, id=memory.id, before=memory_line(call, memory), after=brief(text)
    )
    return with_undo_button(call, line)


async def pin(call: Call) -> Document:
    """Let no law take a memory."""
    return await _set_pinned(call, pinned=True)


async def unpin(call: Call) -> Document:
    """Let a memory fade again as its law wants."""
    return await _set_pinned(call, pinned=False)


async def merge_memories(call: Call) -> Document:
    """Make one memory of several that say one thing."""
    ids, text = call.given.numbers("ids"), call.given.text("text")
    memories = [call.state.memory(each) for each in ids]
    if any(memory.sealed is not None for memory in memories):
        raise call.refusal(desk_secrets.SEALED_NOT_MERGED)
    if not _can_be_merged(memories):
        raise call.refusal(desk_steer.NOT_MERGED)
    made: list[int] = []

    def plan(state: MemoryState, index: NetworkIndex) -> tuple[Change, ...]:
        made[:] = [state.next_id]
        return plan_merge(ids, state, call.now, text=text, index=index).changes

    await call.writer.steer(plan)
    one = call.writer.state.memory(made[0])
    named = " ".join(f"#{each}" for each in ids)
    line = call.say(desk_steer.MERGED, ids=named, id=one.id, text=brief(one.words.text))
    return with_undo_button(call, line)


async def reinforce(call: Call) -> Document:
    """Let an event happen to a memory, and show what it did: before → after."""
    memory = call.memory()
    event = Event(call.given.text("event") or Event.MANUAL.value)
    await call.writer.steer(lambda state, _: plan_reinforce(state, memory.id, event, call.now))
    after = call.writer.state.memory(memory.id)
    title = call.say(desk_steer.REINFORCED, id=memory.id, event=call.say(EVENTS[event]))
    blocks = (Text(title, title=True), _before_and_after(call, memory, after))
    return with_undo_button(call, "", *blocks)


async def hide(call: Call) -> Document:
    """Put a memory away softly: it can come back for 30 days."""
    memory = call.memory()
    changes = await call.writer.steer(lambda state, _: plan_hide(state, memory.id, call.now))
    if not changes:
        return one_sentence(call, desk_steer.HIDDEN_ALREADY, id=memory.id)
    return with_undo_button(
        call,
        call.say(desk_steer.HIDDEN, id=memory.id, text=memory_line(call, memory)),
        Text(call.say(desk_steer.HIDDEN_IS_NOT_ERASED, id=memory.id)),
    )


async def restore(call: Call) -> Document:
    """Bring back what was hidden, archived, merged, or shortened."""
    memory = call.memory()
    changes = await call.writer.steer(lambda state, _: plan_restore(state, memory.id, call.now))
    if not changes:
        return one_sentence(call, desk_steer.LACKS_NOTHING, id=memory.id)
    back = call.writer.state.memory(memory.id)
    return with_undo_button(
        call, call.say(desk_steer.IS_BACK, id=memory.id, text=memory_line(call, back))
    )


async def _set_pinned(call: Call, *, pinned: bool) -> Document:
    memory = call.memory()
    await call.writer.steer(lambda state, _: plan_pin(state, memory.id, call.now, pinned=pinned))
    sentence = desk_steer.PINNED if pinned else desk_steer.UNPINNED
    return with_undo_button(call, call.say(sentence, id=memory.id, text=memory_line(call, memory)))


def _can_be_merged(memories: list[Memory]) -> bool:
    facts = all(m.nature.tier in {Tier.FACT, Tier.CORE} and m.is_active for m in memories)
    one_speaker = len({memory.origin.speaker for memory in memories}) == 1
    return len(memories) >= _MERGED_AT_LEAST and facts and one_speaker


def _before_and_after(call: Call, before: Memory, after: Memory) -> Bars:
    """Return how much was retained before and is after, and the quantity of the law."""
    bars = []
    for key, name, memory in (
        ("before", desk_steer.WAS_BEFORE, before),
        ("after", desk_steer.IS_AFTER, after),
    ):
        state = call.state if memory is before else call.writer.state
        seen = view(memory, state, call.now)
        context = law_context(memory.id, state, call.now)
        amount = {
            "tiers": f"{seen.importance:g}",
            "ebbinghaus": str(seen.strength),
            "weights": f"{seen.weight:.3f}",
            "network": f"{seen.connectedness:.2f}",
        }[call.settings.law]
        quantity = call.say(LAW_QUANTITY[call.settings.law])
        bars.append(
            Bar(
                key=key,
                label=call.say(name),
                share=seen.retention,
                value=f"{quantity} {amount} · {memory.trace.stability_hours:.0f} h",
                colour=COLOURS[health_colour(memory, context, call.settings)],
            )
        )
    return Bars(tuple(bars), name="compared")
