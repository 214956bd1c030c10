"""A year of somebody's life as they tell it, the same for every law: seeded and without a clock.

What is told is invented here. When it comes up again follows what diaries and chats look like:
each thing has its own pace, and the gaps are exponential, so long silences happen to every thing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from random import Random
from typing import Final

from memory.model import Kind, Topic

BORN: Final = datetime(2026, 1, 1, 1, tzinfo=UTC)
DAYS: Final = 365
LONG_DAYS: Final = 3 * DAYS

IDENTITY: Final = (
    ("名字", "主人叫林晓"),
    ("生日", "主人的生日是五月十七日"),
    ("工作", "主人在医院做药剂师"),
    ("城市", "主人住在苏州平江路附近"),
    ("花生", "主人对花生过敏"),
    ("妹妹", "主人的妹妹在成都读研究生"),
    ("猫", "主人养了一只叫团子的猫"),
    ("母亲", "主人的母亲有高血压"),
    ("车", "主人开一辆白色的电动车"),
    ("大学", "主人是学化学的"),
    ("血型", "主人的血型是AB型"),
    ("老家", "主人的老家在绍兴"),
    ("导师", "主人很敬重大学导师周老师"),
    ("结婚", "主人的结婚纪念日是十月八日"),
)
TASTES: Final = (
    "拉面",
    "爵士乐",
    "羽毛球",
    "美式咖啡",
    "科幻小说",
    "早起",
    "蓝色",
    "徒步",
    "火锅",
    "围棋",
)
MOODS: Final = ("很累", "有点烦", "心情很好", "睡不着", "感冒了", "很紧张")
CAUSES: Final = (
    "加班",
    "下雨",
    "考核",
    "搬货",
    "牙疼",
    "堵车",
    "聚餐",
    "看球",
    "熬夜",
    "盘点",
    "培训",
    "换季",
)
ERRANDS: Final = ("看牙", "交房租", "接妹妹", "体检", "给母亲寄药", "考驾照", "退快递")
STREETS: Final = (
    "观前街 平江路 山塘街 桃花坞 葑门 学士街 凤凰街 干将路 临顿路 道前街 东北街 西园路"
)
PLACES: Final = (
    "花店 便利店 菜市场 图书馆 天桥 邮局 公园 面馆 书报亭 修鞋摊 理发店 停车场 旧货店 水果摊 药房 "
    "码头 钟楼 茶馆 琴行 裁缝铺 咖啡馆 体育馆 电影院 展览馆 早餐店 洗衣房 快递站"
)
SIGHTS: Final = (
    "有人拉琴 排了长队 下了小雨 有只橘猫 在修路 灯坏了 放着老歌 在打折 换了招牌 开了桂花 堆着落叶 "
    "有人下棋 卖起了汤圆 贴着寻狗启事 风很大 没有人 挂了灯笼 在拍照 摆满绿植 停电了 飘着面包香"
)


class Sort(Enum):
    """What a told thing is to the one who tells it."""

    IDENTITY = "identity"
    TASTE = "taste"
    PROMISE = "promise"
    MOOD = "mood"
    CHATTER = "chatter"


IMPORTANT: Final = frozenset({Sort.IDENTITY, Sort.TASTE, Sort.PROMISE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that is told: while when it is true, and every time it comes up.

    ``kind`` and ``confidence`` are what the monitor takes it for, not always rightly. ``replaces``
    is what it puts an end to; whether that is noticed, ``noticed`` says. What is not ``learnt``
    stays in the chat of its day.
    """

    number: int
    sort: Sort
    text: str
    about: str
    kind: Kind
    confidence: float
    said: tuple[datetime, ...]
    true_until: datetime
    topic: Topic = Topic.MEMORY
    replaces: int | None = None
    noticed: bool = True
    learnt: bool = True

    def is_true(self, at: datetime) -> bool:
        """Whether it has been told and still holds."""
        return self.said[0] <= at < self.true_until


def a_year(seed: int, days: int = DAYS) -> tuple[Thing, ...]:
    """Return everything that is told within a year, or so many days, numbered."""
    rng = Random(seed)
    end = BORN + timedelta(days=days)
    things: list[Thing] = []
    for part in (_identity, _tastes, _promises, _moods, _chatter):
        things.extend(part(rng, len(things), end))
    return tuple(things)


def _identity(rng: Random, first: int, end: datetime) -> Iterator[Thing]:
    for number, (about, text) in enumerate(IDENTITY, first):
        told = BORN + timedelta(days=rng.uniform(0, 200 if number % 5 == 4 else 25))
        yield Thing(
            number=number,
            sort=Sort.IDENTITY,
            text=text,
            about=about,
            kind=Kind.FACT if rng.random() < 0.1 else Kind.IDENTITY,
            confidence=0.9,
            said=_again(rng, told, end, pace=rng.choice((6, 12, 25, 50, 90))),
            true_until=end,
            topic=Topic.PERSONAL,
        )


def _tastes(rng: Random, first: int, end: datetime) -> Iterator[Thing]:
    number = first
    for about in TASTES:
        at = BORN + timedelta(days=rng.uniform(0, 60))
        former: int | None = None
        while at < end:
            until = min(at + timedelta(days=rng.uniform(60, 260)), end)
            liked = "喜欢" if (number - first) % 2 == 0 else "不再喜欢"
            yield Thing(
                number=number,
                sort=Sort.TASTE,
                text=f"{liked}{about}",
                about=about,
                kind=Kind.PASSING_PREFERENCE if rng.random() < 0.2 else Kind.LASTING_PREFERENCE,
                confidence=0.8,
                said=_again(rng, at, until, pace=rng.choice((8, 15, 30))),
                true_until=until,
                topic=Topic.PREFERENCE,
                replaces=former,
                noticed=rng.random() < 0.75,
            )
            former, number, at = number, number + 1, until


def _promises(rng: Random, first: int, end: datetime) -> Iterator[Thing]:
    at, number = BORN, first
    while (at := at + timedelta(days=rng.expovariate(1 / 12))) < end:
        due = at + timedelta(days=rng.uniform(3, 40))
        errand = rng.choice(ERRANDS)
        yield Thing(
            number=number,
            sort=Sort.PROMISE,
            text=f"{errand}约在{due:%Y-%m-%d}",
            about=errand,
            kind=Kind.FACT,
            confidence=0.8,
            said=_again(rng, at, due, pace=15),
            true_until=due,
            topic=Topic.PROMISE,
        )
        number += 1


def _moods(rng: Random, first: int, end: datetime) -> Iterator[Thing]:
    at, number = BORN, first
    while (at := at + timedelta(days=rng.expovariate(1 / 2))) < end:
        mood = rng.choice(MOODS)
        until = at + timedelta(days=rng.uniform(0.5, 3))
        yield Thing(
            number=number,
            sort=Sort.MOOD,
            text=f"{rng.choice(CAUSES)}之后{mood}",
            about=mood,
            kind=Kind.PASSING_PREFERENCE if rng.random() < 0.15 else Kind.TEMPORARY,
            confidence=0.7,
            said=_again(rng, at, until, pace=4),
            true_until=until,
            learnt=rng.random() < 0.6,
        )
        number += 1


def _chatter(rng: Random, first: int, end: datetime) -> Iterator[Thing]:
    at, number = BORN, first
    while (at := at + timedelta(days=rng.expovariate(3))) < end:
        place = rng.choice(STREETS.split()) + rng.choice(PLACES.split())
        sight = rng.choice(SIGHTS.split())
        again = rng.random() < 0.1
        yield Thing(
            number=number,
            sort=Sort.CHATTER,
            text=f"{place}{sight}",
            about=place,
            kind=rng.choices((Kind.TEMPORARY, Kind.FACT, Kind.PASSING_PREFERENCE), (65, 30, 5))[0],
            confidence=rng.uniform(0.5, 0.75),
            said=_again(rng, at, min(at + timedelta(days=30), end), pace=15 if again else 1000),
            true_until=end,
            learnt=rng.random() < 0.3,
        )
        number += 1


def _again(rng: Random, told: datetime, until: datetime, *, pace: float) -> tuple[datetime, ...]:
    """Return when a thing comes up: when told, then after gaps of ``pace`` days on average."""
    said = [told]
    while (at := said[-1] + timedelta(days=rng.expovariate(1 / pace))) < until:
        said.append(at)
    return tuple(said)
