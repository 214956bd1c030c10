"""Every command, declared once: help, menus, argument errors, shell and docs come from here."""

from dataclasses import replace
from typing import Final, Literal

from bot.desk import erase, govern, helping, history, look, overview, pictures, showing, steer, why
from bot.desk.arguments import (
    DRY,
    EVENT,
    FADING,
    GRADE,
    ID,
    IDS,
    LAW,
    LIMIT,
    MODE,
    NEW_TEXT,
    PAGE,
    PINNED,
    STANDING,
    TEXT,
    TIER,
)
from bot.desk.command import Argument, Example, Handler, Policy, Spec
from bot.texts import Sentence
from bot.texts import desk_help as h

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


def _steers(  # noqa: PLR0913 - the fields of a declaration
    name: str,
    chinese: tuple[str, ...],
    line: Sentence,
    run: Handler,
    *arguments: Argument,
    parent: Literal["", "memory"] = "memory",
    options: tuple[Argument, ...] = (),
    examples: tuple[Example, ...] = (),
) -> Spec:
    return Spec(
        name=name,
        parent=parent,
        chinese=chinese,
        policy=Policy.STEER,
        help=line,
        run=run,
        arguments=arguments,
        options=options,
        examples=examples,
    )


STEERS: Final = (
    _steers(
        "remember",
        ("记住",),
        h.REMEMBER,
        steer.add,
        TEXT,
        parent="",
        examples=(Example("/记住 我对花生过敏", "/remember I am allergic to peanuts"),),
    ),
    _steers("add", ("添加",), h.REMEMBER, steer.add, TEXT),
    _steers(
        "edit",
        ("改正", "改"),
        h.EDIT,
        steer.edit,
        ID,
        TEXT,
        examples=(Example("/记忆 改 #42 我住在上海", "/memory edit #42 I live in Shanghai"),),
    ),
    _steers("pin", ("钉住",), h.PIN, steer.pin, ID),
    _steers("unpin", ("取下",), h.UNPIN, steer.unpin, ID),
    _steers(
        "merge",
        ("合并",),
        h.MERGE,
        steer.merge_them,
        IDS,
        NEW_TEXT,
        examples=(Example("/记忆 合并 #3 #4 每天喝咖啡", "/memory merge #3 #4 coffee daily"),),
    ),
    _steers(
        "reinforce",
        ("强化", "记牢"),
        h.REINFORCE,
        steer.reinforce,
        ID,
        EVENT,
        examples=(Example("/记忆 强化 #42", "/memory reinforce #42"),),
    ),
    _steers(
        "sensitivity",
        ("敏感度",),
        h.SENSITIVITY,
        steer.sensitivity,
        ID,
        GRADE,
        examples=(Example("/记忆 敏感度 #42 2", "/memory sensitivity #42 2"),),
    ),
    _steers("forget", ("放下",), h.HIDE, steer.hide, ID),
    _steers("restore", ("找回",), h.RESTORE, steer.restore, ID),
    _steers("cleanup", ("整理",), h.CLEANUP, govern.cleanup, options=(DRY,)),
    _steers("law", ("规律",), h.LAW, govern.law, LAW),
    _steers("mode", ("模式",), h.MODE, govern.mode, replace(MODE, required=False)),
    _steers("pause", ("暂停",), h.PAUSE, govern.pause),
    _steers("resume", ("继续",), h.RESUME, govern.resume),
    _steers("undo", ("撤销",), h.UNDO, govern.undo, parent=""),
)

ERASES: Final = (
    Spec(
        name="forget",
        parent="",
        chinese=("忘掉", "忘记"),
        policy=Policy.ERASE,
        help=h.ERASE,
        run=erase.forget,
        arguments=(Argument(name="what", shown=h.A_WHAT, kind="words"),),
        examples=(
            Example("/忘掉 #42", "/forget #42"),
            Example("/忘掉 花生", "/forget peanuts"),
            Example("/忘掉 全部", "/forget all"),
        ),
    ),
)

SPECS: Final[tuple[Spec, ...]] = (*LOOKS, *STEERS, *ERASES)
