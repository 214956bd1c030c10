"""Every command, declared once: help, menus, argument errors, shell and docs come from here."""

from typing import Final

from bot.desk import helping, history, look, overview, pictures, showing, why
from bot.desk.command import Argument, Example, Policy, Spec
from bot.texts import desk_help as h

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

LOOKS: Final = (
    Spec(
        name="memory",
        parent="",
        chinese=("记忆",),
        policy=Policy.LOOK,
        help=h.OVERVIEW,
        run=overview.overview,
        examples=(Example("/memory", "/memory"),),
    ),
    Spec(
        name="list",
        chinese=("列表", "全部"),
        policy=Policy.LOOK,
        help=h.LIST,
        run=look.every,
        options=(TIER, STANDING, PINNED, FADING, PAGE, LIMIT, MODE),
        examples=(Example("/记忆 列表 核心", "/memory list core"),),
    ),
    Spec(
        name="search",
        chinese=("搜索", "找"),
        policy=Policy.LOOK,
        help=h.SEARCH,
        run=look.search,
        arguments=(Argument(name="query", shown=h.A_QUERY, kind="words"),),
        options=(LIMIT, MODE),
        examples=(Example("/记忆 搜索 花生", "/memory search peanuts"),),
    ),
    Spec(
        name="show",
        chinese=("看",),
        policy=Policy.LOOK,
        help=h.SHOW,
        run=showing.show,
        arguments=(ID,),
        examples=(Example("/记忆 看 #42", "/memory show #42"),),
    ),
    Spec(
        name="health",
        chinese=("健康",),
        policy=Policy.LOOK,
        help=h.HEALTH,
        run=overview.health,
        options=(PAGE, LIMIT),
    ),
    Spec(
        name="fading",
        chinese=("淡忘",),
        policy=Policy.LOOK,
        help=h.FADING,
        run=overview.fading,
    ),
    Spec(
        name="associations",
        chinese=("联想",),
        policy=Policy.LOOK,
        help=h.ASSOCIATIONS,
        run=showing.associations,
        arguments=(ID,),
        examples=(Example("/记忆 联想 #42", "/memory associations #42"),),
    ),
    Spec(
        name="graph",
        chinese=("图", "网络"),
        policy=Policy.LOOK,
        help=h.GRAPH,
        run=pictures.graph,
        arguments=(Argument(name="id", shown=h.A_ID, kind="memory", required=False),),
        examples=(Example("/记忆 图 #42", "/memory graph #42"),),
    ),
    Spec(
        name="curve",
        chinese=("曲线",),
        policy=Policy.LOOK,
        help=h.CURVE,
        run=pictures.curve,
        arguments=(Argument(name="ids", shown=h.A_IDS, kind="memories", required=False),),
        examples=(Example("/记忆 曲线 #3 #42", "/memory curve #3 #42"),),
    ),
    Spec(
        name="review",
        chinese=("回顾", "历史"),
        policy=Policy.LOOK,
        help=h.REVIEW,
        run=history.review,
        options=(PAGE, LIMIT),
    ),
    Spec(
        name="metrics",
        chinese=("指标",),
        policy=Policy.LOOK,
        help=h.METRICS,
        run=overview.counted,
    ),
    Spec(
        name="why",
        parent="",
        chinese=("为什么",),
        policy=Policy.LOOK,
        help=h.WHY,
        run=why.why,
        arguments=(Argument(name="back", shown=h.A_BACK, kind="number", required=False),),
        examples=(Example("/为什么", "/why"), Example("/为什么 2", "/why 2")),
    ),
    Spec(
        name="help",
        parent="",
        chinese=("帮助",),
        policy=Policy.LOOK,
        help=h.HELP,
        run=helping.helped,
        arguments=(Argument(name="about", shown=h.A_COMMAND, kind="words", required=False),),
        examples=(Example("/帮助 列表", "/help list"),),
    ),
)

SPECS: Final[tuple[Spec, ...]] = LOOKS
