"""What she says about reminders: kept, asked back, listed, and when their hour has come.

The sentences come first, then what puts a time, a rule or a whole reminder into words.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.texts import Sentence, say
from memory.initiative.reminder_forms import for_whom
from memory.initiative.reminders import DueReminder
from memory.model import Language
from memory.reminder import Reminder
from memory.text.times import Missing

# The command.
REMINDERS: Final = Sentence(
    zh="看、改、推迟、结束提醒", en="list, change, snooze and end reminders"
)
A_REQUEST: Final = Sentence(zh="做什么 编号 时间", en="WHAT NUMBER TIME")

# Kept in talk.
KEPT: Final = Sentence(
    zh="好，{when}提醒你：{what}。", en="All right, I will remind you {when}: {what}."
)
KEPT_FOR: Final = Sentence(
    zh="好，{when}我在这里提醒{name}：{what}。", en="I will remind {name} here {when}: {what}."
)
KEPT_FIRST: Final = Sentence(zh="{rule}，第一次是{when}", en="{rule}, first {when}")
HEARD_LATE: Final = Sentence(
    zh="{what}：你说的是{when}，我现在才看到，已经过了，这就提醒你。",
    en="{what}: that was for {when}, and I see it only now. It has passed, so I remind you right "
    "away.",
)
AS_BEFORE: Final = Sentence(zh="以后照旧：{rule}。", en=" From then on: {rule}.")
WITHOUT_MATTER: Final = Sentence(zh="到点了", en="it is time")
BY_THE_EDIT: Final = Sentence(
    zh="你改了那句话，前面说好的那次不算了。",
    en="You changed that message, so what I said of it before no longer holds.",
)
ENDED_BY_THE_EDIT: Final = Sentence(
    zh="你改了那句话，说好的提醒不算了：{what}。",
    en="You changed that message, so its reminder no longer holds: {what}.",
)
TAKE_BACK: Final = Sentence(zh="撤销", en="Undo")

NO_REMINDER_SET: Final = Sentence(
    zh="（提醒其实还没有设。要我提醒，就说哪天、几点、什么事，比如“明天早上八点提醒我吃药”。）",
    en="(In fact no reminder is set. Tell me the day, the hour and the matter, as in “remind me "
    "at 8 am tomorrow to take my pills”, and I will set it.)",
)

# Asked back.
ASK: Final[dict[str, Sentence]] = {
    "time": Sentence(
        zh="好，{what}。什么时候提醒你？", en="All right: {what}. When shall I remind you?"
    ),
    "hour": Sentence(
        zh="好，{what}。那天几点提醒你？", en="All right: {what}. At what time of that day?"
    ),
    "half": Sentence(
        zh="{what}：是上午还是下午？", en="{what}: in the morning or in the afternoon?"
    ),
    "day": Sentence(zh="好，{what}。哪一天提醒你？", en="All right: {what}. On which day?"),
    "past": Sentence(
        zh="{what}：那个时间已经过了。改到什么时候？",
        en="{what}: that time has passed. When shall it be instead?",
    ),
    "several": Sentence(
        zh="{what}：你说了不止一个时间，按哪一个？",
        en="{what}: you named more than one time. Which one is it?",
    ),
    "unread": Sentence(
        zh="{what}：时间我没有全看懂。请完整地再说一次，哪天、几点？",
        en="{what}: I did not understand all of the time. Please say it once more, day and hour.",
    ),
    "event": Sentence(
        zh="好，{what}。那是哪天几点？我从那时算起。",
        en="All right: {what}. When is that, on which day and at what time? I count from it.",
    ),
    "zone": Sentence(
        zh="{what}：那是别处的钟点，我换算不了。按你这里的钟点，是哪天、几点？",
        en="{what}: that is a clock elsewhere, which I cannot convert. By your own clock, on "
        "which day and at what time?",
    ),
}
NO_SUCH_DAY: Final = Sentence(
    zh="{what}：没有“{day}”这一天。哪一天提醒你？",
    en="{what}: there is no such day as {day}. On which day shall I remind you?",
)
REMIND_OF: Final = Sentence(zh="我来提醒你", en="I will remind you")

# Days and rules in words.
NEAR_DAYS: Final[dict[str, Sentence]] = {
    "today": Sentence(zh="今天", en="today"),
    "tomorrow": Sentence(zh="明天", en="tomorrow"),
    "after": Sentence(zh="后天", en="the day after tomorrow"),
}
WEEKDAYS: Final[dict[str, Sentence]] = {
    "MO": Sentence(zh="周一", en="Monday"),
    "TU": Sentence(zh="周二", en="Tuesday"),
    "WE": Sentence(zh="周三", en="Wednesday"),
    "TH": Sentence(zh="周四", en="Thursday"),
    "FR": Sentence(zh="周五", en="Friday"),
    "SA": Sentence(zh="周六", en="Saturday"),
    "SU": Sentence(zh="周日", en="Sunday"),
}
NTH: Final[dict[str, Sentence]] = {
    "1": Sentence(zh="第一个", en="the first"),
    "2": Sentence(zh="第二个", en="the second"),
    "3": Sentence(zh="第三个", en="the third"),
    "4": Sentence(zh="第四个", en="the fourth"),
    "-1": Sentence(zh="最后一个", en="the last"),
}
EVERY: Final[dict[str, Sentence]] = {
    "MINUTELY": Sentence(zh="每 {n} 分钟", en="every {n} minutes"),
    "HOURLY": Sentence(zh="每 {n} 小时", en="every {n} hours"),
    "DAILY": Sentence(zh="每 {n} 天", en="every {n} days"),
    "WEEKLY": Sentence(zh="每 {n} 周", en="every {n} weeks"),
    "MONTHLY": Sentence(zh="每 {n} 个月", en="every {n} months"),
    "YEARLY": Sentence(zh="每 {n} 年", en="every {n} years"),
}
EACH: Final[dict[str, Sentence]] = {
    "MINUTELY": Sentence(zh="每分钟", en="every minute"),
    "HOURLY": Sentence(zh="每小时", en="every hour"),
    "DAILY": Sentence(zh="每天", en="every day"),
    "WEEKLY": Sentence(zh="每周", en="every week"),
    "MONTHLY": Sentence(zh="每月", en="every month"),
    "YEARLY": Sentence(zh="每年", en="every year"),
}
WORKDAYS: Final = Sentence(zh="每个工作日", en="every weekday")
BY_THE_MOON: Final = Sentence(
    zh="每年农历 {month} 月 {day} 日", en="every year on day {day} of month {month} by the moon"
)
LAST_DAY: Final = Sentence(zh="最后一天", en="the last day")
ON_DAYS: Final = Sentence(zh="{each}的{days}", en="{each} on {days}")
DAY_OF_MONTH: Final = Sentence(zh="{day} 号", en="day {day}")
DAY_OF_YEAR: Final = Sentence(zh="{month} 月 {day} 日", en="{month}-{day}")
TO_THE_END: Final = Sentence(zh="{rule}，到 {end} 为止", en="{rule} until {end}")
SO_OFTEN: Final = Sentence(zh="{rule}，共 {count} 次", en="{rule}, {count} times")

# The hour has come.
RINGS: Final = Sentence(zh="⏰ 提醒：{what}", en="⏰ Reminder: {what}")
RINGS_FOR: Final = Sentence(zh="⏰ 提醒{name}：{what}", en="⏰ Reminder for {name}: {what}")
NOTHING_NAMED: Final = Sentence(
    zh="到点了：你让我这时候提醒你。", en="It is time: you asked me to remind you now."
)
WAS_LATE: Final = Sentence(
    zh="（本该 {when} 说的，那时我不在，晚了。）",
    en="(This was for {when}. I was not running then, so it is late.)",
)
WAS_MISSED: Final = Sentence(
    zh="（错过了 {count} 次，只补这一次，原定 {when}。）",
    en="({count} times were missed while I was not running; this stands for all of them, the "
    "last was for {when}.)",
)
DONE: Final = Sentence(zh="办好了", en="Done")
LATER: Final = Sentence(zh="过会儿再说", en="Later")
TOMORROW: Final = Sentence(zh="明天再说", en="Tomorrow")

# What is on, asked in talk.
LISTED: Final = Sentence(zh="我会提醒你：", en="I am going to remind you:")
PLANNED: Final = Sentence(zh="你跟我说过：", en="You told me of this:")
NONE_THEN: Final = Sentence(zh="那时没有提醒。", en="There are no reminders then.")

NOTHING_THEN: Final = Sentence(
    zh="那时候的安排我没有记着，也没有提醒。",
    en="I have no plan of yours noted for then, and no reminder.",
)

# The desk.
TITLE: Final = Sentence(zh="提醒", en="Reminders")
NONE: Final = Sentence(
    zh="现在没有提醒。直接说就行，比如“明天早上八点提醒我吃药”。",
    en="No reminders at the moment. Just tell me, as in “remind me at 8 am tomorrow to take my "
    "pills”.",
)
NEXT: Final = Sentence(zh="下一次", en="NEXT")
MATTER: Final = Sentence(zh="事情", en="WHAT")
RULE: Final = Sentence(zh="重复", en="REPEATS")
HOW: Final = Sentence(
    zh="/提醒 推迟 {one} 明天早上九点 · /提醒 改 {one} 每天八点 · /提醒 结束 {one}",
    en="/reminders later {one} tomorrow at 9 am · /reminders change {one} every day at 8 am · "
    "/reminders end {one}",
)
ENDED: Final = Sentence(zh="不再提醒：{what}。", en="Ended: {what}.")
OF_SOMEBODY_ELSE: Final = Sentence(
    zh="没有结束。只有要的人和群管理员能改它：{what}",
    en="Not ended. Only who asked for it, and the group's admins, can change it: {what}",
)
NOT_YOURS_TO_MOVE: Final = Sentence(
    zh="没有改。只有要的人和群管理员能改它：{what}",
    en="Not moved. Only who asked for it, and the group's admins, can change it: {what}",
)
NOT_SET: Final = Sentence(
    zh="好，那就不提醒了：{what}。什么也没有记。", en="All right, nothing is set: {what}."
)
ENDED_BEFORE: Final = Sentence(
    zh="这条早就结束了：{what}。", en="That one had ended already: {what}."
)
ENDED_ALL: Final = Sentence(
    zh="{count} 条提醒都取消了：{what}。", en="All {count} reminders are cancelled: {what}."
)
IS_DONE: Final = Sentence(zh="好，办好了：{what}。", en="Good, that is done: {what}.")
DONE_AND_NEXT: Final = Sentence(
    zh="好，这次办好了：{what}。下一次{when}。", en="Good, done this time: {what}. Next {when}."
)
MOVED: Final = Sentence(zh="好，{when}再提醒你：{what}。", en="I will remind you {when}: {what}.")
STILL_THEN: Final = Sentence(
    zh="还没有改：{what}，仍在{when}。要改到哪天几点？",
    en="Nothing is moved yet: {what}, still {when}. When shall it be instead?",
)
WHICH_TO_MOVE: Final = Sentence(
    zh="要改哪一条提醒？现在一条也没有改。（/提醒 看全部）",
    en="Which reminder shall I move? None is moved yet. (/reminders lists them)",
)
NONE_TO_MOVE: Final = Sentence(
    zh="没有这样的提醒，所以什么也没有改。（/提醒 看全部）",
    en="There is no such reminder, so nothing was changed. (/reminders lists them)",
)
IS_OVER: Final = Sentence(
    zh="{what}：它的时间都过去了。推迟到什么时候？/提醒 推迟 编号 时间",
    en="{what}: all of its times have passed. Until when? /reminders later NUMBER TIME",
)
NOT_THERE: Final = Sentence(
    zh="没有 #{which} 这条提醒。/提醒 看全部。",
    en="There is no reminder #{which}; see /reminders.",
)
NOT_YOURS: Final = Sentence(
    zh="这条提醒是别人的，只有本人和群管理员能动。",
    en="That reminder is somebody else's: only they and the group's admins may change it.",
)
NOT_READ: Final = Sentence(
    zh="没看懂时间“{when}”。像这样写：明天早上九点，半小时后，每周一三五晚上八点。",
    en="I cannot read the time “{when}”. Write it like: tomorrow at 9 am, in half an hour, every "
    "Monday at 8 pm.",
)
WHICH_TO_END: Final = Sentence(
    zh="要结束哪一条提醒？现在一条也没有结束。（/提醒 看全部）",
    en="Which reminder shall I end? None has ended yet. (/reminders lists them)",
)
WHICH_ONE: Final = Sentence(
    zh="是哪一条？写上编号，比如 /提醒 结束 3。",
    en="Which one? Give its number: /reminders end 3.",
)
ANOTHER_ZONE: Final = Sentence(
    zh="有 {count} 条提醒还按 {former} 的钟点走，现在的时区是 {zone}。要改成这里的钟点吗？",
    en="{count} reminders still go by the clock of {former}; the time zone is {zone} now. Shall "
    "they go by the clock here?",
)
MOVE_ZONE: Final = Sentence(zh="按这里的钟点", en="By the clock here")
ZONE_MOVED: Final = Sentence(
    zh="改好了：{count} 条提醒按 {zone} 的钟点走。",
    en="{count} reminders go by the clock of {zone}.",
)


_NEAR: Final = {0: "today", 1: "tomorrow", 2: "after"}
_WORKDAYS: Final = "MO,TU,WE,TH,FR"


def matter_text(reminder: Reminder, language: Language, *, named: bool = False) -> str:
    """Return what a reminder is about, with who asked for it if ``named``."""
    what = reminder.text or say(language, WITHOUT_MATTER)
    return f"{reminder.speaker}: {what}" if named and reminder.speaker else what


def telling(
    *, coming: bool, group: bool
) -> Callable[[datetime, str, str, Language, datetime], str]:
    """Return what words a reminder: one to come, there where a group reads it, or one too late."""
    return (kept_here_text if group else kept_text) if coming else heard_late_text


def kept_text(at: datetime, rule: str, what: str, language: Language, now: datetime) -> str:
    """Return what is said of a reminder that was kept: exactly when, and of what."""
    when = time_text(at, rule, language, now)
    return say(language, KEPT, when=when, what=what or say(language, WITHOUT_MATTER))


def kept_here_text(at: datetime, rule: str, what: str, language: Language, now: datetime) -> str:
    """Return it in a group, where whom it is for reads it."""
    name, matter = for_whom(what)
    told = say(language, KEPT_FOR, when=time_text(at, rule, language, now), name=name, what=matter)
    return told if name else kept_text(at, rule, what, language, now)


def heard_late_text(at: datetime, rule: str, what: str, language: Language, now: datetime) -> str:
    """Return what is said of a reminder whose hour had passed before she was told of it."""
    when, what = moment_text(at, language, now), what or say(language, WITHOUT_MATTER)
    told = say(language, HEARD_LATE, when=when, what=what)
    return told + say(language, AS_BEFORE, rule=rule_text(rule, language)) if rule else told


def asked_back_text(missing: Missing, what: str, language: Language) -> str:
    """Return the question for what is missing of a time."""
    return say(language, ASK[missing], what=what or say(language, REMIND_OF))


def ringing_text(due: DueReminder, language: Language, now: datetime) -> str:
    """Return what a due reminder says; a late one says so, and how many it stands for."""
    one = due.reminder
    what = one.text or say(language, NOTHING_NAMED)
    if one.private or not one.speaker:
        line = say(language, RINGS, what=what)
    else:
        name, what = for_whom(what)
        line = say(language, RINGS_FOR, name=name or one.speaker, what=what)
    if not due.is_late(now):
        return line
    when = moment_text(due.at, language, now.astimezone(ZoneInfo(one.zone)))
    if due.missed:
        return f"{line}\n{say(language, WAS_MISSED, when=when, count=due.missed + 1)}"
    return f"{line}\n{say(language, WAS_LATE, when=when)}"


def time_text(at: datetime, rule: str, language: Language, now: datetime) -> str:
    """Return a time in words: one instant, or a rule with its first one."""
    first = moment_text(at, language, now)
    if not rule:
        return first
    return say(language, KEPT_FIRST, rule=rule_text(rule, language), when=first)


def moment_text(at: datetime, language: Language, now: datetime) -> str:
    """Return an instant as a clock on the wall of ``now`` shows it, with day and weekday."""
    local = at.astimezone(now.tzinfo)
    names = list(WEEKDAYS.values())
    weekday = say(language, names[local.weekday()])
    near = _NEAR.get((local.date() - now.date()).days)
    hour = f"{local:%H:%M}"
    day = f"{local:%Y-%m-%d}"
    if near is None:
        return f"{day}（{weekday}）{hour}" if language == "zh" else f"{weekday} {day} at {hour}"
    named = say(language, NEAR_DAYS[near])
    if language == "zh":
        return f"{named}（{day} {weekday}）{hour}"
    return f"{named} ({weekday} {day}) at {hour}"


def rule_text(rule: str, language: Language) -> str:
    """Return a rule in words: 每周（周一、周三）08:00."""
    return " · ".join(_one_rule_text(each, language) for each in rule.split("|"))


def _one_rule_text(rule: str, language: Language) -> str:
    moon = re.match(r"LUNAR:(\d+)-(\d+)", rule)
    parts = dict(each.partition("=")[::2] for each in rule.split(";"))
    if moon:
        said = say(language, BY_THE_MOON, month=moon[1], day=moon[2])
    else:
        said = _each_text(parts, language)
    hours = [f"{int(h):02}:{int(parts['BYMINUTE']):02}" for h in _listed_in(parts, "BYHOUR")]
    if hours:
        said += f" {'、'.join(hours)}" if language == "zh" else f" at {', '.join(hours)}"
    if "UNTIL" in parts:
        end = f"{parts['UNTIL'][:4]}-{parts['UNTIL'][4:6]}-{parts['UNTIL'][6:8]}"
        return say(language, TO_THE_END, rule=said, end=end)
    if "COUNT" in parts:
        return say(language, SO_OFTEN, rule=said, count=int(parts["COUNT"]))
    return said


def _each_text(parts: dict[str, str], language: Language) -> str:
    frequency, number = parts["FREQ"], int(parts.get("INTERVAL", "1"))
    plain: Sentence = EACH[frequency]
    each = say(language, plain)
    if number > 1:
        each = say(language, EVERY[frequency], n=number)
    if parts.get("BYDAY") == _WORKDAYS and number == 1:
        return say(language, WORKDAYS)
    days = [_weekday_text(day, language) for day in _listed_in(parts, "BYDAY")]
    if "BYMONTH" in parts:
        day = parts["BYMONTHDAY"]
        days = [say(language, DAY_OF_YEAR, month=parts["BYMONTH"], day=day)]
    else:
        days += [_day_text(day, language) for day in _listed_in(parts, "BYMONTHDAY")]
    if not days:
        return each
    joined = "、".join(days) if language == "zh" else ", ".join(days)
    return say(language, ON_DAYS, each=each, days=joined)


def _listed_in(parts: dict[str, str], name: str) -> list[str]:
    return parts[name].split(",") if name in parts else []


def _weekday_text(day: str, language: Language) -> str:
    name = say(language, WEEKDAYS[day[-2:]])
    if len(day) == len("MO"):
        return name
    joint = "" if language == "zh" else " "
    return f"{say(language, NTH[day[:-2]])}{joint}{name}"


def _day_text(day: str, language: Language) -> str:
    return say(language, LAST_DAY) if day == "-1" else say(language, DAY_OF_MONTH, day=day)
