"""How an erasure is shown: what will go and where it stands, and afterwards that it is gone."""

from collections.abc import Mapping
from typing import Final

from bot.desk.command import Call
from bot.desk.documents import Block, Document, Facts, Table, Text
from bot.desk.look import brief
from bot.texts import Sentence, desk, desk_erase
from memory.manager.erasing import Erasure
from memory.manager.reach import Everything, Target
from memory.model import Tier

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
    "former": desk_erase.IN_FORMER,
    "undos": desk_erase.IN_UNDOS,
    "seen": desk_erase.IN_SEEN,
    "households": desk_erase.IN_FOCUS,
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
