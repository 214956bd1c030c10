"""``/memory export``: everything of one agent as files, to its own partner and nobody else."""

import asyncio

from bot.desk.command import Call
from bot.desk.documents import Document, File, Text
from bot.desk.transfer.markdown import as_markdown
from bot.desk.words import kilobytes
from bot.texts import transfer
from memory.stores.transfer import export_bytes


async def export(call: Call) -> Document:
    """Hand over all that is remembered: a page to read, and complete data with a checksum."""
    if not call.private:
        raise call.refusal(transfer.ONLY_TO_ITS_OWN)
    files = await asyncio.to_thread(_files, call)
    title = call.say(transfer.TAKE_ALONG, count=len(call.state.memories))
    sealed = any(memory.sealed for memory in call.state.memories.values())
    notes = (Text(call.say(transfer.STAYS_SEALED)),) if sealed else ()
    return Document((Text(title, title=True), Text(call.say(transfer.KEEP_SAFE)), *notes, *files))


def _files(call: Call) -> tuple[File, ...]:
    stem = f"{call.agent_id}-{call.now.astimezone(call.zone):%Y%m%d-%H%M}"
    page = as_markdown(call.state, call.agent_id, call.now).encode("utf-8", "replace")
    data = export_bytes(call.state, call.agent_id, call.now)
    return _file(call, f"{stem}.md", page), _file(call, f"{stem}.json", data)


def _file(call: Call, name: str, data: bytes) -> File:
    size = kilobytes(len(data))
    alt = call.say(transfer.NOT_HANDED_OVER, file=name, size=size, agent=call.agent_id)
    return File(name=name, data=data, alt=alt)
