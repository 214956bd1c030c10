"""Pairs of an older and a newer thing told of one matter: which of the two is found first.

The pairs are made from public data by the ids below, which were looked through by hand; no word of
the data stands here. In RealMem a *change* is a turn of the category "Dynamic Updating" beside the
session it changes, a *stage* the oldest and the newest session of one attribute that a turn needs.
In LifeBench a *matter* is the first and the last event of a question about how something went on,
if the first was over when the last began.
Each pair is asked for at the end of the life by words both have, which favour neither.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.datasets import Life, Question, lifebench, realmem, realmem_people, records_asked
from memory.text.tokens import STOP_WORDS, script_runs, segmented_words, tokens

CHANGES: Final[Mapping[str, str]] = {
    "Adeleke_Okonjo": "9:2",
    "Ethan_Hunt": "9:4 62:2 62:6 70:2 78:2 87:0 103:0 120:0 122:4",
    "Kenta_Tanaka": "8:0 42:4 60:2 68:0 81:0 101:0 105:2 177:6 189:2",
    "Lin_Wanyu": "31:4 51:0 162:0 172:2",
    "Oliver_Smith": "31:2 59:20 62:0 62:4 150:0",
    "Sarah_Miller": "81:0 130:0 130:2 148:2 165:0 181:0 195:0 201:0 203:0 238:2 253:0",
}
"""Turns of RealMem that change what was laid down before, as session:turn."""

NO_STAGES: Final[Mapping[str, str]] = {
    "Adeleke_Okonjo": "117:2 121:0 129:2 151:2",
    "Ethan_Hunt": "60:0 128:0 134:4 175:0",
    "Kenta_Tanaka": "90:0 103:0 162:0",
    "Lin_Wanyu": "93:0 178:0",
    "Oliver_Smith": "42:0 120:2",
    "Sarah_Miller": "39:0 77:0",
}
"""Turns that need two sessions of one attribute, which are about different matters."""

MATTERS: Final[Mapping[str, str]] = {
    "fenghaoran": "5 16 24 28 54 70 87 90 92 93 94 115 141 146 153 178",
    "leimingxuan": "2 22 30 54 94 95 97 117 120 122 124 128 130 149 154 156 161 163 186 192 224",
    "maxiulan": "23 24 31 33 43 55 83 93 117 124 126 134 165 181 185 218",
    "songyajing": "4 12 13 16 20 66 68 70 82 95 116 117 119 120",
    "yuxiaowen": "5 22 23 26 35 38 67 87 91 96 97 98 119 121 124 159 184",
}
"""Questions of LifeBench, by number, about a matter that went on over days."""

LEAST_WORDS: Final = 3
MOST_WORDS: Final = 6
"""Words of which a pair is asked for."""


def newer_en(data: Path) -> list[Life]:
    """Read RealMem with the questions whose gold is a pair; a unit is a session."""
    return [
        replace(life, questions=tuple(_pairs_of(life, person)))
        for life, person in zip(realmem(data), realmem_people(data), strict=True)
    ]


def newer_zh(data: Path) -> list[Life]:
    """Read LifeBench with the pairs as its questions; a unit is an event of any record."""
    return [_matters(life, data) for life in lifebench(data, "event")]


def newer_above(life: Life, question: Question, found: Sequence[str]) -> bool:
    """Whether the newer of a pair was found, and before the older one."""
    older, newer = sorted(question.gold, key=_in_order_told(life).index)
    return newer in found and newer in found[: found.index(older) if older in found else None]


def _pairs_of(life: Life, person: dict[str, Any]) -> Iterator[Question]:
    changes, others = CHANGES.get(life.name, "").split(), NO_STAGES.get(life.name, "").split()
    sessions = {each["session_uuid"]: n for n, each in enumerate(person["dialogues"])}
    spread = Counter(
        stem
        for sitting in life.sittings
        for stem in set(tokens("\n".join(each.text for each in sitting)))
    )
    stages: set[frozenset[str]] = set()
    for question in life.questions:
        number, place = map(int, question.message_id.split(":"))
        turns = person["dialogues"][number]["dialogue_turns"]
        used = turns[place + 1].get("memory_used") if place + 1 < len(turns) else None
        told = [m for m in used or () if sessions.get(m["session_uuid"], number) < number]
        told.sort(key=lambda each: sessions[each["session_uuid"]])
        if question.message_id in changes:
            here = life.unit_of[question.message_id]
            words = _both(told[-1]["content"], question.text, spread)
            yield _asked_at_end({told[-1]["session_uuid"], here}, words)
        elif question.message_id not in others and (pair := _one_attribute(told)):
            old, new = pair
            words = _both(old["content"], re.sub("【.*?】", "", new["content"]), spread)
            units = frozenset({old["session_uuid"], new["session_uuid"]})
            if len(words.split()) >= LEAST_WORDS and units not in stages:
                stages.add(units)
                yield _asked_at_end(units, words, "stage")


def _one_attribute(told: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the oldest and the newest memory of the attribute most of them are about."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for memory in told:
        for name in re.findall("【(.*?)】", memory["content"]):
            by_name.setdefault(name, []).append(memory)
    several = [each for each in by_name.values() if _session(each[0]) != _session(each[-1])]
    longest = max(several, key=len, default=None)
    return (longest[0], longest[-1]) if longest else ()


def _session(memory: dict[str, Any]) -> str:
    return str(memory["session_uuid"])


def _both(old: str, new: str, spread: Mapping[str, int]) -> str:
    """Return the rarest words of a newer text whose stems stand in an older one as well."""
    known = set(tokens(old))
    words: dict[str, str] = {}
    for word in re.findall(r"[\w’'-]+", new):
        for stem in tokens(word)[:1]:
            if stem in known and spread[stem]:
                words.setdefault(stem, word)
    rarest = sorted(words, key=lambda stem: (spread[stem], stem))[:MOST_WORDS]
    return " ".join(words[stem] for stem in rarest)


def _asked_at_end(gold: Iterable[str], words: str, category: str = "change") -> Question:
    return Question(text=words, gold=frozenset(gold), category=category, undated=True)


def _in_order_told(life: Life) -> list[str]:
    return list(dict.fromkeys(life.unit_of[message.id] for message in life.messages))


def _chinese_words(text: str) -> Iterator[str]:
    runs = (run for script, run in script_runs(text) if script == "dense")
    return (word for run in runs for word in segmented_words(run) if len(word) > 1)


def _matters(life: Life, data: Path) -> Life:
    order = _in_order_told(life)
    said: dict[str, set[str]] = {unit: set() for unit in order}
    times: dict[str, list[datetime]] = {unit: [] for unit in order}
    for message in life.messages:
        times[life.unit_of[message.id]].append(message.at)
        said[life.unit_of[message.id]].update(_chinese_words(message.text))
    spread = Counter(word for each in said.values() for word in each)
    questions = []
    numbers = [int(number) for number in MATTERS[life.name].split()]
    for events in records_asked(data, life, numbers):
        first, *_, last = sorted(events, key=order.index)
        # While one goes on that began before it, neither is the older.
        if times[last][0] <= times[first][-1]:
            continue
        shared = (said[first] & said[last]) - STOP_WORDS
        words = sorted(shared, key=lambda word: (spread[word], word))[:MOST_WORDS]
        if len(words) >= LEAST_WORDS:
            questions.append(_asked_at_end({first, last}, " ".join(words), "matter"))
    return replace(life, questions=tuple(questions))
