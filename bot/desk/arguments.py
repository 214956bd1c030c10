"""The arguments and options of the commands, declared apart from them because several share one.

The registry imports this module as a namespace. The other names of a choice are what people type
in Chinese; they are understood in the shell as well.
"""

from typing import Final

from bot.desk.command import Argument
from bot.texts import desk_help as h
from memory.laws.registry import LAWS

ID: Final = Argument(name="id", shown=h.A_ID, kind="memory")
IDS: Final = Argument(name="ids", shown=h.A_IDS, kind="memories")
LIMIT: Final = Argument(name="limit", shown=h.A_LIMIT, kind="number")
PAGE: Final = Argument(name="page", shown=h.A_PAGE, kind="number")
MODE: Final = Argument(
    name="mode",
    shown=h.A_MODE,
    kind="choice",
    choices={"normal": ("普通",), "review": ("回顾",), "debug": ("调试",)},
)
TIER: Final = Argument(
    name="tier",
    shown=h.A_TIER,
    kind="choice",
    choices={
        "system": ("系统",),
        "core": ("核心",),
        "fact": ("事实",),
        "episode": ("情境",),
        "entity": ("名字",),
    },
)
STANDING: Final = Argument(
    name="standing",
    shown=h.A_STANDING,
    kind="choice",
    choices={
        "active": ("记得",),
        "archived": ("收起",),
        "deleted": ("放下",),
        "merged": ("并入",),
    },
)
PINNED: Final = Argument(name="pinned", shown=h.A_FLAG, kind="flag", choices={"钉住": ()})
FADING: Final = Argument(name="fading", shown=h.A_FLAG, kind="flag", choices={"淡忘": ()})

VERDICT: Final = Argument(
    name="verdict",
    shown=h.A_VERDICT,
    kind="choice",
    required=False,
    choices={"right": ("对", "yes", "是"), "wrong": ("不对", "no", "不是")},
)

TEXT: Final = Argument(name="text", shown=h.A_TEXT, kind="words")
NEW_TEXT: Final = Argument(name="text", shown=h.A_TEXT, kind="words", required=False)
EVENT: Final = Argument(
    name="event",
    shown=h.A_EVENT,
    kind="choice",
    required=False,
    choices={
        "manual": ("复习",),
        "success": ("对", "right"),
        "failure": ("不对", "wrong"),
        "access": ("用到",),
    },
)
LAW: Final = Argument(
    name="law",
    shown=h.A_LAW,
    kind="choice",
    required=False,
    choices={law.name: law.also for law in LAWS},
)
GRADE: Final = Argument(
    name="grade",
    shown=h.A_GRADE,
    kind="choice",
    choices={"0": ("公开",), "1": ("一般",), "2": ("敏感",), "3": ("机密",)},
)
STEP: Final = Argument(name="step", shown=h.A_STEP, kind="words", required=False)
SWITCH: Final = Argument(
    name="switch",
    shown=h.A_SWITCH,
    kind="choice",
    required=False,
    choices={"on": ("开", "打开"), "off": ("关", "关掉")},
)
DIARY: Final = Argument(name="diary", shown=h.A_DIARY, kind="words", required=False)
DEEP: Final = Argument(name="deep", shown=h.A_FLAG, kind="flag", choices={"翻日记": ()})
DRY: Final = Argument(name="dry-run", shown=h.A_FLAG, kind="flag", choices={"预览": ()})
EVERY: Final = Argument(
    name="which",
    shown=h.A_ALL,
    kind="choice",
    required=False,
    choices={"all": ("全部", "所有")},
)
FILE: Final = Argument(name="file", shown=h.A_FILE, kind="file", required=False)
ME: Final = Argument(name="me", shown=h.A_NAME, kind="word", required=False)
