"""What it costs to wait, and a year with somebody she may write to.

    python -m benchmarks.initiative idle [--agents 10000] [--reminders 20]
    python -m benchmarks.initiative year [--data DIR] [--language cn|en] [--person NAME] [--seed 1]

    python -m benchmarks.initiative occasions [--data DIR] [--shown 60]

``idle``: finding what is due, and when to wake next, among the reminders of very many agents.

``year``: ten days of a person of MemoryBank, lived through at their own dates, and then a scripted
year: the partner tells of interviews, trips, fevers and birthdays, takes things back, forgets
others for good, and answers what she asks, ignores it, or tells her to stop. Everything she says
unasked is judged from the outside, by the hour it came and the words it has.

``occasions``: what five people's chats of a year (LifeBench, Chinese) give her to come back to.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from benchmarks.datasets import lifebench
from benchmarks.memorybank import people, recording
from bot.adapters import identities_of
from bot.conversation.ledger import Ledger
from memory.initiative.occasions import occasions_in
from memory.offline import OfflineModel
from memory.ports import Outcome
from prompts import Prompt
from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import TELEGRAM, Someone, two_chats

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 50
ZONE = ZoneInfo("Asia/Shanghai")
QUIET: Final = (22, 9)
MOST_A_DAY: Final = 2
TALK: Final = timedelta(minutes=30)
ANSWERED_WITHIN: Final = timedelta(hours=24)

Way = Literal["answers", "ignores", "refuses"]

LINES: Final[dict[str, tuple[str, ...]]] = {
    "cn": (
        "{day}下午我有个面试，有点紧张",
        "{day}我要去杭州出差",
        "{day}有个很重要的考试",
        "我答应{day}陪妈妈去买菜",
        "报告{day}要交",
        "我有点发烧，先睡了",
        "{day}要做体检",
        "{day}晚上有个聚会",
        "{day}我们公司有个比赛",
        "今天和爸妈去爬了山，看到了特别美的日出",
        "最近在学做饭，番茄炒蛋终于成功了",
        "今天好累，什么都不想做",
        "中午吃了一碗很好吃的牛肉面",
        "地铁上人真多",
        "周末在家看了一整天的书",
        "楼下新开了一家花店",
        "记住我最喜欢爬山",
        "记住我养了一只猫叫团子",
        "我妈妈的生日是{month}月{number}号",
        "我不喜欢吃辣",
    ),
    "en": (
        "I have an interview {day} and I am nervous",
        "I am flying to Leeds {day}",
        "there is a big exam {day}",
        "I promised my mum to call her {day}",
        "the report is due {day}",
        "I have a fever, going to bed early",
        "I am going to the dentist {day}",
        "my race is {day}",
        "I am giving a presentation {day}",
        "we climbed the hill with my parents today and saw a wonderful sunrise",
        "I made an omelette and it worked",
        "so tired today, nothing wants to be done",
        "had a very good soup for lunch",
        "the train was packed",
        "read a book all weekend at home",
        "a new flower shop opened downstairs",
        "remember that I love hiking",
        "remember that my cat is called Mochi",
        "my mum's birthday is on {number} {named}",
        "I do not like spicy food",
    ),
}
DAYS: Final = {
    "cn": ("明天", "后天", "下周三", "周五", "这周六"),
    "en": ("tomorrow", "on Friday", "next Wednesday", "on Saturday", "on Monday"),
}
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
ANSWERS: Final = {
    "cn": ("挺好的，谢谢你问", "还行吧", "一切顺利"),
    "en": ("it went well, thank you", "all right I guess", "all good"),
}
SAYS: Final = {
    "cn": {"may": "你可以主动找我", "stop": "别主动找我了", "secret": "{day}我和薇薇有个面试"},
    "en": {
        "may": "you can text me first",
        "stop": "leave me alone",
        "secret": "Vivian and I have an interview {day}",
    },
}
ERASED: Final = {"cn": "薇薇", "en": "Vivian"}


async def measure(agents: int, each: int) -> None:
    """Fill a ledger and print the times, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = await Ledger.open(Path(folder), identities_of())
        for agent in range(agents):
            times = {n: BEGIN + timedelta(minutes=agent + 1440 * n) for n in range(1, each + 1)}
            await ledger.wakes.plan(f"agent-{agent}", times)
        await ledger.close()
        started, used = time.perf_counter(), time.process_time()
        ledger = await Ledger.open(Path(folder), identities_of())
        opened, opened_cpu = time.perf_counter() - started, time.process_time() - used
        due, coming, found = [], [], await ledger.wakes.due(BEGIN)
        for n in range(ROUNDS):
            now = BEGIN + timedelta(days=1, minutes=n)
            started = time.perf_counter()
            found = await ledger.wakes.due(BEGIN + timedelta(days=1))
            due.append(time.perf_counter() - started)
            started = time.perf_counter()
            await ledger.wakes.next(now)
            coming.append(time.perf_counter() - started)
        await ledger.close()
    print(f"{agents} agents with {each} reminders each, {len(found)} due")
    print(f"due: {1000 * median(due):.2f} ms, next: {1000 * median(coming):.2f} ms")
    print(f"opened in {1000 * opened:.0f} ms, {1000 * opened_cpu:.0f} ms of them computing")


@dataclass
class CountingModel:
    """Words what she is given by rule, and notes the days on which it was asked."""

    clock: FakeClock
    days: list[date] = field(default_factory=list)
    rules: OfflineModel = field(default_factory=OfflineModel)
    name: str = "counting"

    async def complete(self, prompt: Prompt) -> Outcome:
        self.days.append(self.clock.now().astimezone(ZONE).date())
        return await self.rules.complete(prompt)

    def stream(self, prompt: Prompt) -> Any:
        return self.rules.stream(prompt)


@dataclass
class Year:
    """One partner's year, and what was seen of her from the outside."""

    ann: Someone
    way: Way
    language: str
    chance: random.Random
    model: CountingModel
    said: list[tuple[datetime, str]] = field(default_factory=list)
    lines: list[datetime] = field(default_factory=list)
    written: list[datetime] = field(default_factory=list)
    refused: list[tuple[datetime, datetime]] = field(default_factory=list)
    erased_since: datetime | None = None
    wakes: int = 0

    @property
    def now(self) -> datetime:
        return self.ann.clock.now()

    async def writes(self, text: str) -> None:
        """Let the partner say something, and note when both sides spoke."""
        self.written.append(self.now)
        await self.ann.says(TELEGRAM, text)
        self.lines.append(self.now)

    async def looks(self) -> None:
        """Let the program look for what is due, and note what it says."""
        await self.ann.settled()
        before = len(self.ann.screens.finals(TELEGRAM))
        await self.ann.looks_what_is_due()
        for text in self.ann.screens.finals(TELEGRAM)[before:]:
            self.said.append((self.now, text))

    async def passes(self, end: datetime) -> None:
        """Let time pass, waking when the program would; the partner answers as they do."""
        wakes = self.ann.app.reminding.ledger.wakes
        await self.looks()
        while self.now < end:
            coming = await wakes.next(self.now)
            then = min(end, coming or end)
            self.wakes += coming is not None and coming <= end
            self.ann.clock.tick(seconds=max((then - self.now).total_seconds(), 1.0))
            before = len(self.said)
            await self.looks()
            if len(self.said) > before and self.answers():
                self.ann.clock.tick(minutes=self.chance.randint(3, 90))
                await self.writes(self.chance.choice(ANSWERS[self.language]))

    def answers(self) -> bool:
        match self.way:
            case "answers":
                return self.chance.random() < 0.75
            case "refuses":
                return self.chance.random() < 0.4
            case "ignores":
                return False

    async def night(self) -> None:
        for agent_id in list(self.ann.app.agents._open):
            await self.ann.app.nights.run(agent_id)

    async def lives(self, days: int) -> None:
        """Live so many days: nights at four, talk on most of them."""
        says = SAYS[self.language]
        for number in range(days):
            midnight = self.now.astimezone(ZONE).replace(hour=0, minute=0, second=0)
            await self.passes(midnight + timedelta(hours=4))
            await self.night()
            hour = self.chance.choice((8, 12, 13, 18, 20, 22))
            await self.passes(midnight + timedelta(hours=hour, minutes=self.chance.randint(0, 59)))
            await self.special(number, says)
            if self.chance.random() < (0.25 if self.way == "ignores" else 0.6):
                for _ in range(self.chance.randint(1, 3)):
                    await self.writes(self.line())
                    self.ann.clock.tick(minutes=self.chance.randint(1, 4))
            await self.passes(midnight + timedelta(days=1))

    async def special(self, number: int, says: dict[str, str]) -> None:
        """Let, on some days, something be allowed, stopped, or erased for good."""
        if number == 0:
            await self.writes(says["may"])
        elif number % 40 == 20:
            await self.writes(says["secret"].format(day=self.chance.choice(DAYS[self.language])))
            await self.ann.told(TELEGRAM, f"/forget {ERASED[self.language]}")
            await self.ann.presses(TELEGRAM)
            self.erased_since = self.erased_since or self.now
        elif self.way == "refuses" and number % 120 == 60:
            await self.writes(says["stop"])
            self.refused.append((self.now, self.now + timedelta(days=30)))
        elif self.way == "refuses" and number % 120 == 90:
            await self.writes(says["may"])

    def line(self) -> str:
        text = self.chance.choice(LINES[self.language])
        month = self.chance.randint(1, 12)
        return text.format(
            day=self.chance.choice(DAYS[self.language]),
            month=month,
            number=self.chance.randint(1, 28),
            named=MONTHS[month - 1],
        )

    def verdict(self, days: int) -> Iterator[str]:
        """Yield what was seen, judged without any of the program's own rules."""
        hours = [at.astimezone(ZONE) for at, _ in self.said]
        a_day = Counter(at.date() for at in hours)
        talking = [
            at for at, _ in self.said if any(TALK > at - e >= timedelta(0) for e in self.lines)
        ]
        answered = sum(
            any(timedelta(0) < e - at <= ANSWERED_WITHIN for e in self.written)
            for at, _ in self.said
        )
        longest = most = 0
        for at, _ in self.said:
            since = max((e for e in self.written if e < at), default=None)
            most = sum(1 for e, _ in self.said if e <= at and (since is None or e > since))
            longest = max(longest, most)
        gone = re.compile("|".join(ERASED.values()))
        stopped = [at for at, _ in self.said if any(a <= at < b for a, b in self.refused)]
        silent = set(self.model.days) - {at.date() for at in hours}
        share = answered / len(self.said) if self.said else 0.0
        week = 7 * len(self.said) / days
        yield f"{len(self.said)} unasked, {week:.1f} a week, {share:.0%} answered"
        yield f"in quiet hours {sum(h.hour >= QUIET[0] or h.hour < QUIET[1] for h in hours)}"
        yield f"over two a day {sum(n > MOST_A_DAY for n in a_day.values())}"
        yield f"into running talk {len(talking)}, most in a row unanswered {longest}"
        named = sum(bool(gone.search(text)) for _, text in self.said)
        yield f"after 'stop' {len(stopped)}, naming what was erased {named}"
        yield f"model asked {len(self.model.days)} times, on days without a message {len(silent)}"
        yield f"woken {self.wakes} times, {self.wakes / days:.2f} a day"


async def year(data: Path, language: str, person: str, way: Way, seed: int, days: int) -> None:
    """Live one year and print what was seen."""
    known = people(data, language)
    name = person or next(iter(known))
    told = list(recording(known[name]))
    clock = FakeClock(datetime.fromisoformat(told[0]["at"]).astimezone(UTC))
    used = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        async with two_chats(Path(folder), clock) as ann:
            model = CountingModel(clock)
            reminding = ann.app.reminding
            reminding.words = replace(reminding.words, model=model)
            life = Year(ann, way, language, random.Random(seed), model)
            for line in told:
                clock.set(max(clock.now(), datetime.fromisoformat(line["at"]).astimezone(UTC)))
                if line["role"] == "user":
                    await life.writes(line["text"])
            before = len(life.said)
            await life.lives(days)
            print(f"{name} ({language}), {way}: {'; '.join(life.verdict(days))}")
            if before:
                print(f"  before she was allowed: {before}")
            known_ones = (await ann.state(TELEGRAM)).intentions.values()
            kinds = Counter(each.kind for each in known_ones if each.said_at)
            seconds = time.process_time() - used
            print(f"  the last {sum(kinds.values())}: {dict(kinds)}; {seconds:.0f} s of CPU")


def occasions(data: Path, shown: int, seed: int) -> None:
    """Print how many occasions the chats of LifeBench give, and some of them, to be read."""
    said = (message for life in lifebench(data, "chat") for message in life.messages)
    lines = [(each.at, each.text) for each in said if each.role == "user"]
    found = [(at, one) for at, text in lines for one in occasions_in(text, at, ZONE)]
    print(f"{len(found)} occasions in {len(lines)} lines")
    for at, one in random.Random(seed).sample(found, min(shown, len(found))):
        day = one.day.day if one.day else "-"
        print(f"  {at:%Y-%m-%d} {one.kind} {one.about} {day}: {one.text}")


def main() -> None:
    options = argparse.ArgumentParser(description="What it costs to wait, and a year with her.")
    options.add_argument("what", choices=("idle", "year", "occasions"))
    options.add_argument("--agents", type=int, default=10_000)
    options.add_argument("--reminders", type=int, default=20)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--language", choices=("cn", "en"), default="cn")
    options.add_argument("--person", default="")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shown", type=int, default=60)
    options.add_argument("--days", type=int, default=365)
    options.add_argument("--way", choices=("answers", "ignores", "refuses"), default="")
    given = options.parse_args()
    if given.what == "idle":
        asyncio.run(measure(given.agents, given.reminders))
        return
    if given.what == "occasions":
        occasions(given.data, given.shown, given.seed)
        return
    ways: tuple[Way, ...] = (given.way,) if given.way else ("answers", "ignores", "refuses")
    for way in ways:
        asyncio.run(year(given.data, given.language, given.person, way, given.seed, given.days))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
