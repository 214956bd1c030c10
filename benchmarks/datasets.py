"""Reading public data sets of a folder elsewhere as lives: what was said, and what is asked.

Formats and traps are described in that folder's README. Nothing of it is written anywhere.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from memory.model import Message, Role

SHANGHAI: Final = ZoneInfo("Asia/Shanghai")
CATEGORIES: Final = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
}  # fmt: skip
_DATED: Final = re.compile(
    r"\d{4}|[\d一二两三四五六七八九十]+[年月日号]|[上下本这]个?[周月]|周[一二三四五六日末]|星期"
    r"|[今昨明去前]天|[今去前]年|年[初中底末]|季度|[春夏秋冬][天季]|最近|近期|[元除国五端中]{1}[旦夕庆一午秋]|春节|假期"
)
Level = Literal["turn", "chat", "event", "session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and the units (turns, chats or events) that answer it.

    ``message_id`` is the message that asks, where somebody of the life does, and ``context`` what
    was said in that talk before. Asked when so many ``sittings`` are over; None: at the end.
    """

    text: str
    gold: frozenset[str]
    category: str
    undated: bool
    message_id: str = ""
    context: tuple[Message, ...] = ()
    sittings: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One memory's worth of messages in sittings, and the questions about them.

    ``unit_of`` maps a message id to the unit the questions' gold is counted in. ``partner`` is the
    name by which questions speak of whoever lives this life, where no line says it.
    """

    name: str
    level: Level
    zone: ZoneInfo
    sittings: tuple[tuple[Message, ...], ...]
    unit_of: dict[str, str]
    questions: tuple[Question, ...]
    partner: str = ""

    @property
    def messages(self) -> Iterator[Message]:
        return (message for sitting in self.sittings for message in sitting)


def locomo(data: Path) -> list[Life]:
    """Read the ten conversations of LoCoMo; a unit is a turn."""
    with (data / "locomo" / "locomo10.json").open(encoding="utf-8") as file:
        return [_conversation(sample) for sample in json.load(file)]


def lifebench(data: Path, level: Literal["chat", "event"]) -> list[Life]:
    """Read the five people of LifeBench-zh; a unit is a chat, or an event of any record."""
    folders = sorted(p for p in (data / "lifebench_zh").iterdir() if (p / "QA").is_dir())
    return [_person(folder, level) for folder in folders]


def memorybank(data: Path, languages: Sequence[str] = ("cn", "en")) -> list[Life]:
    """Read the fifteen people of MemoryBank, in both languages; a unit is a round.

    Nobody has written down what answers their questions: the gold of each is empty.
    """
    folder = data / "memorybank"
    found = []
    for language in languages:
        text = (folder / language / f"memory_bank_{language}.json").read_text(encoding="utf-8")
        people = json.loads(text)
        questions = probing_questions(data, language)
        found += [_companion(people[name], questions.get(name.strip(), [])) for name in people]
    return found


def probing_questions(data: Path, language: str) -> dict[str, list[str]]:
    """Return what MemoryBank asks about each person, by their names."""
    path = data / "memorybank" / language / f"probing_questions_{language}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: asked for line in lines if line for name, asked in json.loads(line).items()}


def _companion(person: dict[str, Any], asked: list[str]) -> Life:
    sittings = []
    unit_of: dict[str, str] = {}
    for day, rounds in sorted(person["history"].items()):
        at = datetime.fromisoformat(day).replace(hour=20, tzinfo=SHANGHAI)
        sitting = []
        for number, said in enumerate(rounds):
            for half, (speaker, role, text) in enumerate(_both(person["name"], said)):
                key = f"{day}:{number}:{half}"
                unit_of[key] = f"{day}:{number}"
                when = at + timedelta(minutes=number, seconds=30 * half)
                sitting.append(Message(id=key, at=when, speaker=speaker, role=role, text=text))
        if sitting:
            sittings.append(tuple(sitting))
    return Life(
        name=person["name"],
        level="turn",
        zone=SHANGHAI,
        sittings=tuple(sittings),
        unit_of=unit_of,
        questions=tuple(
            Question(text=text, gold=frozenset(), category="", undated=not _DATED.search(text))
            for text in asked
        ),
    )


def realmem(data: Path) -> list[Life]:
    """Read the people of RealMem; a unit is a session, and a question a turn that needs memory."""
    return [_project(person) for person in realmem_people(data)]


def realmem_people(data: Path) -> list[dict[str, Any]]:
    """Read the people of RealMem as they are written."""
    return [_load(path) for path in sorted((data / "realmem").glob("*.json.gz"))]


def _project(person: dict[str, Any]) -> Life:
    sittings: list[tuple[Message, ...]] = []
    questions: list[Question] = []
    unit_of: dict[str, str] = {}
    last = datetime.min.replace(tzinfo=UTC)
    for number, session in enumerate(person["dialogues"]):
        day = datetime.fromisoformat(session["current_time"][:10]).replace(hour=9, tzinfo=UTC)
        last = max(day, last + timedelta(minutes=30))
        sitting = []
        for place, turn in enumerate(session["dialogue_turns"]):
            key, last = f"{number}:{place}", last + timedelta(minutes=1)
            unit_of[key] = session["session_uuid"]
            role: Role = "assistant" if turn["speaker"].lower() == "assistant" else "user"
            text = turn["content"]
            sitting.append(Message(id=key, at=last, speaker=turn["speaker"], role=role, text=text))
            if turn.get("is_query"):
                answer: dict[str, Any] = next(iter(session["dialogue_turns"][place + 1 :]), {})
                gold = frozenset(answer.get("memory_session_uuids") or ())
                questions.append(
                    Question(
                        text=text,
                        gold=gold,
                        category=turn.get("category_name") or "",
                        undated=True,
                        message_id=key,
                        context=tuple(sitting[:-1]),
                        sittings=len(sittings),
                    )
                )
        if sitting:
            sittings.append(tuple(sitting))
    return Life(
        name=person["person_name"],
        level="session",
        zone=ZoneInfo("UTC"),
        sittings=tuple(sittings),
        unit_of=unit_of,
        questions=tuple(questions),
    )


def told_before(life: Life) -> Life:
    """Return a life with only the gold that was told before each question, and what has any."""
    units = [{life.unit_of[m.id] for m in sitting} for sitting in life.sittings]
    known = [frozenset[str]().union(*units[:number]) for number in range(len(units) + 1)]
    kept = [
        replace(each, gold=gold)
        for each in life.questions
        if (gold := each.gold & known[len(units) if each.sittings is None else each.sittings])
    ]
    return replace(life, questions=tuple(kept))


def madial(data: Path, language: Literal["zh", "en"]) -> list[Life]:
    """Read MADial: what a companion should think of at a turn of a talk; a unit is a memory."""
    folder = data / "madial"
    told = json.loads((folder / f"{language}-memory.json").read_text(encoding="utf-8"))
    talks = json.loads((folder / f"{language}-dialogue.json").read_text(encoding="utf-8"))
    people: dict[int, list[tuple[str, dict[str, Any]]]] = {}
    for key, memory in (pair for each in told for pair in each.items()):
        people.setdefault(memory.get("user-id", 1), []).append((key, memory))
    return [
        _told(f"madial {person}", memories, talks, person)
        for person, memories in sorted(people.items())
    ]


def _told(
    name: str,
    memories: Sequence[tuple[str, dict[str, Any]]],
    talks: Iterable[dict[str, Any]],
    person: int,
) -> Life:
    sittings: list[tuple[Message, ...]] = []
    for place, (key, memory) in enumerate(sorted(memories, key=lambda each: each[1]["time"])):
        at = datetime.fromisoformat(memory["time"]).replace(hour=20, tzinfo=SHANGHAI)
        at += timedelta(seconds=place)
        text = memory["event"]
        sittings.append((Message(id=key, at=at, speaker="主人", role="user", text=text),))
    ids = {message.id for (message,) in sittings}
    questions = []
    for number, talk in enumerate(each for each in talks if each.get("user-id", 1) == person):
        gold = frozenset(map(str, talk["relevant-id"])) & ids
        for turn in talk["test-turn"]:
            lines = [
                _line(f"{number}:{n}", text) for n, text in enumerate(talk["dialogue"][:turn])
            ]
            said = [line for line in lines if line is not None]
            if gold and said:
                questions.append(
                    Question(
                        text=said[-1].text,
                        gold=gold,
                        category="",
                        undated=True,
                        context=tuple(said[:-1]),
                    )
                )
    return Life(
        name=name,
        level="turn",
        zone=SHANGHAI,
        sittings=tuple(sittings),
        unit_of={i: i for i in ids},
        questions=tuple(questions),
    )


def _line(key: str, text: str) -> Message | None:
    """Read a line of a dialogue, <name>:"what they say"; None for a mark of its begin or end."""
    if text.strip() in {"<BOD>", "<EOD>"}:
        return None
    # Some lines have lost who said them: those of the assistant.
    found = re.match(r"(?:<([A-Za-z]+)>\s*[:：])?\s*(.*)", text.strip(), re.DOTALL)
    speaker, said = (found[1] or "Assistant", found[2]) if found else ("Assistant", text)
    role: Role = "assistant" if speaker == "Assistant" else "user"
    at = datetime(2024, 1, 1, tzinfo=UTC)
    return Message(id=key, at=at, speaker=speaker, role=role, text=said.strip(' "“”<>'))


def _both(name: str, said: dict[str, str]) -> Iterator[tuple[str, Role, str]]:
    yield name, "user", said["query"]
    yield "小祥", "assistant", said["response"]


def _conversation(sample: dict[str, Any]) -> Life:
    said = sample["conversation"]
    numbers = sorted(int(key[8:]) for key in said if re.fullmatch(r"session_\d+", key))
    sittings = tuple(
        tuple(_turns(said[f"session_{n}"], said[f"session_{n}_date_time"])) for n in numbers
    )
    ids = {message.id for sitting in sittings for message in sitting}
    questions = []
    for asked in sample["qa"]:
        gold = frozenset(_turn_ids(asked["evidence"])) & ids
        if gold:
            category = CATEGORIES[asked["category"]]
            undated = not re.search(
                r"\d{4}|January|February|March|April|May |June|July|August|"
                r"September|October|November|December",
                asked["question"],
            )
            questions.append(
                Question(text=asked["question"], gold=gold, category=category, undated=undated)
            )
    return Life(
        name=sample["sample_id"],
        level="turn",
        zone=ZoneInfo("UTC"),
        sittings=sittings,
        unit_of={i: i for i in ids},
        questions=tuple(questions),
    )


def _turns(session: list[dict[str, Any]], when: str) -> Iterator[Message]:
    start = datetime.strptime(when.upper(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    for index, turn in enumerate(session):
        caption = turn.get("blip_caption", "")
        yield Message(
            id=turn["dia_id"],
            at=start + timedelta(minutes=index),
            speaker=turn["speaker"],
            role="user",
            text=turn["text"] + (f" [{caption}]" if caption else ""),
        )


def _turn_ids(evidence: list[str]) -> Iterator[str]:
    for text in evidence:
        for session, turn in re.findall(r"D:?(\d+):(\d+)", text):
            yield f"D{int(session)}:{int(turn)}"


def _load(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def records_asked(data: Path, life: Life, numbers: Iterable[int]) -> Iterator[frozenset[str]]:
    """Yield the events that answer some questions of LifeBench, by number, if several do."""
    asked = _load(data / "lifebench_zh" / life.name / "QA" / "QA_clean.json.gz")
    for number in numbers:
        keys = (f"{each['type']}:{each['id']}" for each in asked[number]["evidence"])
        found = frozenset(
            e for key in keys if (e := life.unit_of.get(key, life.unit_of.get(f"{key}:0")))
        )
        if len(found) > 1:
            yield found


KINDS: Final = ("agent_chat", "calendar", "call", "note", "photo", "push", "sms")


def _person(folder: Path, level: Literal["chat", "event"]) -> Life:
    kinds = KINDS if level == "event" else ("agent_chat",)
    unit_of: dict[str, str] = {}
    events: dict[str, str] = {}
    days: dict[str, list[Message]] = {}
    for kind in kinds:
        records = _load(folder / "phone_data" / f"{kind}.json.gz")
        chats_of_day: dict[str, int] = {}
        for record in records:
            day = (record.get("date") or record["datetime"])[:10]
            key = f"{kind}:{record['phone_id']}"
            event = str(record["event_id"])
            events[key] = event if event != "0" else f"0@{day}"
            place = chats_of_day[day] = chats_of_day.get(day, -1) + 1
            for message in _messages(kind, key, record, day, place):
                unit_of[message.id] = key if level == "chat" else events[key]
                days.setdefault(day, []).append(message)
    questions = []
    for asked in _load(folder / "QA" / "QA_clean.json.gz"):
        keys = {f"{e['type']}:{e['id']}" for e in asked.get("evidence", [])} & events.keys()
        gold = frozenset(keys if level == "chat" else (events[key] for key in keys))
        if gold:
            text = asked["question"]
            undated = not _DATED.search(text)
            questions.append(
                Question(text=text, gold=gold, category=asked["question_type"], undated=undated)
            )
    return Life(
        name=folder.name,
        level=level,
        zone=SHANGHAI,
        sittings=tuple(tuple(sorted(days[d], key=lambda m: m.at)) for d in sorted(days)),
        unit_of=unit_of,
        questions=tuple(questions),
        partner=_name_asked_about(question.text for question in questions),
    )


def _name_asked_about(questions: Iterable[str]) -> str:
    """Return how most questions about somebody begin: with a name of three characters."""
    names = Counter(
        text[:3] for text in questions if re.match(r"[^在从当我你\d]{3}[在的与和对是]", text)
    )
    return names.most_common(1)[0][0] if names else ""


def _messages(
    kind: str, key: str, record: dict[str, Any], day: str, place: int
) -> Iterator[Message]:
    if kind != "agent_chat":
        at = datetime.fromisoformat(record["datetime"]).replace(tzinfo=SHANGHAI)
        yield Message(id=key, at=at, speaker=_who(record), role="user", text=_text(kind, record))
        return
    start = datetime.fromisoformat(day).replace(tzinfo=SHANGHAI)
    start += timedelta(hours=8) + timedelta(hours=1) * place
    for index, turn in enumerate(record["conversation"].values()):
        for half, (role, name) in enumerate((("user", "主人"), ("assistant", "小祥"))):
            if role in turn and turn[role].get("content"):
                said: Role = "user" if role == "user" else "assistant"
                at = start + timedelta(minutes=2 * index + half)
                text = turn[role]["content"]
                yield Message(
                    id=f"{key}:{2 * index + half}", at=at, speaker=name, role=said, text=text
                )


def _who(record: dict[str, Any]) -> str:
    if record.get("message_type") == "接收":
        return str(record.get("contactName") or "")
    return str(record.get("source") or "主人") if record["type"] == "push" else "主人"


def _text(kind: str, record: dict[str, Any]) -> str:
    """Write a record of a phone as the sentence it would be told in."""
    if kind == "sms":
        side = "收到" if record.get("message_type") == "接收" else "发给"
        return f"短信{side}{record.get('contactName', '')}：{record['message_content']}"
    if kind == "call":
        side = "接到" if record.get("direction") == 1 else "打给"
        return f"通话{side}{record.get('contactName', '')}，{record.get('call_result', '')}"
    if kind == "photo":
        place = record.get("location") or {}
        where = "".join(str(place.get(name) or "") for name in ("city", "district", "poi"))
        return f"照片：{record['caption']} {where} {' '.join(record.get('imageTag') or [])}"
    if kind == "calendar":
        return f"日程：{record['title']}，{record.get('description', '')}"
    return f"{record['title']}：{record.get('content', '')}"
