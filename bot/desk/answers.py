"""The shapes of answers that many commands give."""

from hashlib import blake2b

from bot.desk.command import Call
from bot.desk.documents import Block, Button, Buttons, Document, Text
from bot.desk.reading import code_token
from bot.texts import Sentence, desk_steer
from memory.manager.undo import last_step


def one_sentence(call: Call, sentence: Sentence, /, **values: str | int) -> Document:
    """Return one sentence."""
    return Document((Text(call.say(sentence, **values)),))


def with_undo_button(call: Call, line: str, *more: Block) -> Document:
    """Return what was done, and the button that takes it back, if this step can be.

    What changed nothing leaves no step, and the button would take back another one.
    """
    blocks: list[Block] = [Text(line)] if line else []
    newest = last_step(call.writer.state)
    if newest is None or call.state.undos.get(newest.id) == newest:
        return Document((*blocks, *more))
    undo = Buttons((Button(call.say(desk_steer.UNDO), "/undo"),))
    return Document((*blocks, *more, undo))


def to_confirm(call: Call, blocks: tuple[Block, ...], command: str, code: str) -> Document:
    """Return a preview and the button that says: exactly this."""
    label = call.say(desk_steer.CONFIRM)
    stale = (Text(call.say(desk_steer.PREVIEW_CHANGED)),) if call.confirmed else ()
    return Document((*stale, *blocks, Buttons((Button(label, f"{command} {code_token(code)}"),))))


def confirmation_code(*parts: str) -> str:
    """Return the code that confirms exactly this and nothing else."""
    told = "\0".join(parts).encode("utf-8", "backslashreplace")
    return blake2b(told, digest_size=4).hexdigest()
