"""``/why``: which memories an answer used, how they were found, from which day, whose words."""

from collections.abc import Iterator
from typing import Final

from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Cell, Document, Table, Text
from bot.desk.look import memory_line
from bot.desk.reasons import learnt_text, reasons_term
from bot.texts import desk
from memory.changes import Receipt, Used
from memory.model import Memory, Passage

BUTTONS_FOR: Final = 2
MOST_LINKED: Final = 5


async def why(call: Call) -> Document:
    """Show the receipt of an answer: the last one, or the one replied to.

    Never another one than was asked about.
    """
    receipt = await _asked_receipt(call)
    if receipt is None:
        return Document((Text(call.say(desk.NO_ANSWER_YET)),))
    used = [one for one in receipt.used if one.memory_id in call.state.memories]
    gone = len(receipt.used) - len(used)
    blocks: list[Block] = [
        Text(call.say(desk.WHY_TITLE, when=call.date_time(receipt.at)), title=True)
    ]
    if used:
        columns = tuple(
            map(call.say, (desk.ID, desk.TEXT, desk.SINCE, desk.SPEAKER, desk.FOUND_BY))
        )
        keys = ("id", "text", "at", "speaker", "reasons")
        rows = tuple(_used_row(call, one) for one in used)
        blocks.append(Table(keys, columns, rows, name="used"))
        blocks += [Text(line) for line in await _source_links(call, used)]
    else:
        blocks.append(Text(call.say(desk.USED_NOTHING)))
    if gone:
        blocks.append(Text(call.say(desk.USED_AND_GONE, count=gone)))
    told_of = learnt_text(call, receipt.learnt)
    if told_of:
        blocks.append(Text(call.say(desk.LEARNT_FROM_IT, what=told_of)))
    if used:
        blocks.append(Buttons(tuple(_used_buttons(call, used))))
    return Document(tuple(blocks))


async def _asked_receipt(call: Call) -> Receipt | None:
    receipts = call.state.receipts
    if call.reply_to and call.services is not None:
        turn = await call.services.turn_shown_as(call.conversation, call.reply_to)
        if turn not in receipts:
            raise call.refusal(desk.NOT_EXPLAINED)
        return receipts[turn]
    newest = sorted(receipts.values(), key=lambda each: (each.at, each.turn_id), reverse=True)
    back = max(call.given.number("back", 1), 1)
    return newest[back - 1] if len(newest) >= back else None


async def _source_links(call: Call, used: list[Used]) -> list[str]:
    """Return where the words stand that the answer used, as far as the platform has addresses."""
    if call.services is None:
        return []
    found = []
    for one in used[:MOST_LINKED]:
        link = await call.services.link_to(call.state.memory(one.memory_id).origin.turn_id)
        if link:
            found.append(call.say(desk.SAID_AT, id=one.memory_id, link=link))
    return found


def _used_row(call: Call, one: Used) -> tuple[Cell, ...]:
    memory = call.state.memory(one.memory_id)
    said = _source_passage(memory, one.source_ids)
    at = said.at if said else memory.origin.at
    speaker = (said.speaker if said else "") or memory.origin.speaker
    return (
        f"#{memory.id}",
        memory_line(call, memory),
        call.date_time(at),
        speaker,
        reasons_term(call, one.reasons),
    )


def _source_passage(memory: Memory, source_ids: tuple[str, ...]) -> Passage | None:
    wanted = set(source_ids)
    return next((p for p in memory.passages if wanted & set(p.source_ids)), None)


def _used_buttons(call: Call, used: list[Used]) -> Iterator[Button]:
    for one in used[:BUTTONS_FOR]:
        here = f"#{one.memory_id}"
        yield Button(f"{here} {call.say(desk.RIGHT)}", f"/memory reinforce {here} success")
        yield Button(f"{here} {call.say(desk.WRONG)}", f"/memory reinforce {here} failure")
        yield Button(f"{here} {call.say(desk.DO_HIDE)}", f"/memory forget {here}")
        yield Button(f"{here} {call.say(desk.DO_PIN)}", f"/memory pin {here}")
