"""What ``/forget`` is about, as it was written."""

from typing import Final

from bot.desk.command import Call
from bot.texts import desk_erase
from memory.manager.own_words import has_words_of
from memory.manager.reach import (
    SHORTEST_NEEDLE,
    Everything,
    OneMemory,
    Target,
    TextMatch,
    comparable_text,
    text_matcher,
)
from memory.model import Memory

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
