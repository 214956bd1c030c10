"""Tamper with sealed memories in every way, and count what is opened: must be nothing.

``python -m benchmarks.tamper [--count 20000]``: bits flipped, boxes swapped between memories and
agents, versions taken back, texts cut and lengthened, passages exchanged. Putting back a whole
former record, version and all, is no forgery and not counted: nothing in the folder can tell.
"""

import argparse
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Final

from memory.model import Memory, Sealed
from memory.privacy.vault import Keys, UnsealFailure, Vault
from tests.builders import a_memory

KEYS: Final = Keys([bytes(range(32))])
AGENTS: Final = ("ann", "ben")


def sealed_memories(count: int = 50) -> dict[str, list[Memory]]:
    """Return sealed memories of two agents, two versions of each."""
    found: dict[str, list[Memory]] = {}
    for agent in AGENTS:
        vault = Vault(KEYS, agent)
        first = [vault.seal(a_memory(n, f"密码是{agent}{n}"), "zh") for n in range(1, count + 1)]
        found[agent] = [*first, *(vault.seal(memory, "zh") for memory in first)]
    return found


def box(memory: Memory) -> Sealed:
    assert memory.sealed is not None
    return memory.sealed


def with_box(memory: Memory, **changes: object) -> Memory:
    return replace(memory, sealed=replace(box(memory), **changes))  # type: ignore[arg-type]


def flipped(memory: Memory, other: Memory, chance: Random) -> Memory:
    raw = bytearray(b64decode(box(memory).box))
    for _ in range(chance.randint(1, 3)):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return with_box(memory, box=b64encode(bytes(raw)).decode())


def respelt(memory: Memory, other: Memory, chance: Random) -> Memory:
    text = box(memory).box
    place = chance.randrange(len(text))
    return with_box(memory, box=text[:place] + chance.choice("A/=b \n\0é") + text[place + 1 :])


def swapped(memory: Memory, other: Memory, chance: Random) -> Memory:
    return replace(memory, sealed=other.sealed)


def taken_back(memory: Memory, other: Memory, chance: Random) -> Memory:
    return with_box(memory, version=box(memory).version + chance.choice((-1, 1, 7)))


def cut(memory: Memory, other: Memory, chance: Random) -> Memory:
    text = box(memory).box
    return with_box(memory, box=text[: chance.randrange(len(text))])


def lengthened(memory: Memory, other: Memory, chance: Random) -> Memory:
    return with_box(memory, box=box(memory).box + b64encode(chance.randbytes(3)).decode())


def renamed(memory: Memory, other: Memory, chance: Random) -> Memory:
    return replace(memory, id=memory.id + chance.randint(1, 9))


def bared(memory: Memory, other: Memory, chance: Random) -> Memory:
    return replace(memory, passages=memory.passages * chance.choice((0, 2)))


WAYS: Final[tuple[Callable[[Memory, Memory, Random], Memory], ...]] = (
    flipped, respelt, swapped, taken_back, cut, lengthened, renamed, bared,
)  # fmt: skip


def tampered(count: int, seed: int = 7) -> Counter[str]:
    """Return how many of ``count`` tampered memories were refused, and how many opened, by way."""
    chance = Random(seed)
    memories = sealed_memories()
    told: Counter[str] = Counter()
    while told.total() < count:
        agent = chance.choice(AGENTS)
        memory, other = (
            chance.choice(memories[agent]),
            chance.choice(memories[chance.choice(AGENTS)]),
        )
        way = chance.choice(WAYS)
        bad = way(memory, other, chance)
        if bad in (memory, other):  # a whole record as it really was is no forgery
            continue
        opened = Vault(KEYS, agent).open(bad)
        told["refused" if isinstance(opened, UnsealFailure) else f"OPENED by {way.__name__}"] += 1
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    count = parser.parse_args().count
    began = perf_counter()
    told = tampered(count)
    print(dict(told), f"{perf_counter() - began:.1f} s")
    raise SystemExit(0 if told == {"refused": count} else 1)


if __name__ == "__main__":
    main()
