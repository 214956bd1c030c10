"""Every command, declared once: help, menus, argument errors, shell and docs come from here."""

from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal

from bot.desk import (
    agent_settings,
    command_help,
    edits,
    erase,
    link,
    memory_details,
    memory_export,
    memory_import,
    operator_commands,
    overview,
    pictures,
    search,
    undo,
    unlink,
)
from bot.desk.arguments import (
    DRY,
    EVENT,
    EVERY,
    FADING,
    FILE,
    GRADE,
    ID,
    IDS,
    LAW,
    LIMIT,
    ME,
    MODE,
    NEW_TEXT,
    PAGE,
    PINNED,
    STANDING,
    STEP,
    SWITCH,
    TEXT,
    TIER,
)
from bot.desk.command import Argument, Example, Handler, Policy, Spec, in_a_thread
from bot.texts import Sentence
from bot.texts import desk_help as h
from bot.texts import desk_link as words
from memory.laws.registry import Laws

LOOK_SPECS: Final = (
    Spec(
        name="memory",
        parent="",
        chinese=("记忆",),
        policy=Policy.LOOK,
        help=h.OVERVIEW,
        run=in_a_thread(overview.overview),
        examples=(Example("/memory", "/memory"),),
    ),
    Spec(
        name="list",
        chinese=("列表", "全部"),
        policy=Policy.LOOK,
        help=h.LIST,
        run=in_a_thread(search.list_memories),
        options=(TIER, STANDING, PINNED, FADING, PAGE, LIMIT, MODE),
        examples=(Example("/记忆 列表 核心", "/memory list core"),),
        also=("ls", "all"),
    ),
    Spec(
        name="search",
        chinese=("搜索", "找"),
        policy=Policy.LOOK,
        help=h.SEARCH,
        run=search.search,
        arguments=(Argument(name="query", shown=h.A_QUERY, kind="words"),),
        options=(LIMIT, MODE),
        examples=(Example("/记忆 搜索 花生", "/memory search peanuts"),),
    ),
    Spec(
        name="show",
        chinese=("看",),
        policy=Policy.LOOK,
        help=h.SHOW,
        run=memory_details.show,
        arguments=(ID,),
        examples=(Example("/记忆 看 #42", "/memory show #42"),),
    ),
    Spec(
        name="health",
        chinese=("健康",),
        policy=Policy.LOOK,
        help=h.HEALTH,
        run=in_a_thread(overview.health),
        options=(PAGE, LIMIT),
    ),
    Spec(
        name="fading",
        chinese=("淡忘",),
        policy=Policy.LOOK,
        help=h.FADING,
        run=in_a_thread(overview.fading),
    ),
    Spec(
        name="associations",
        chinese=("联想",),
        policy=Policy.LOOK,
        help=h.ASSOCIATIONS,
        run=in_a_thread(memory_details.associations),
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
        run=in_a_thread(overview.review),
        options=(PAGE, LIMIT),
    ),
    Spec(
        name="metrics",
        chinese=("指标",),
        policy=Policy.LOOK,
        help=h.METRICS,
        run=in_a_thread(overview.show_metrics),
    ),
    Spec(
        name="export",
        chinese=("导出", "带走"),
        policy=Policy.LOOK,
        help=h.EXPORT,
        run=memory_export.export,
        examples=(Example("/记忆 导出", "/memory export"),),
    ),
    Spec(
        name="why",
        parent="",
        chinese=("为什么",),
        policy=Policy.LOOK,
        help=h.WHY,
        run=search.why,
        arguments=(Argument(name="back", shown=h.A_BACK, kind="number", required=False),),
        examples=(Example("/为什么", "/why"), Example("/为什么 2", "/why 2")),
    ),
    Spec(
        name="help",
        parent="",
        chinese=("帮助",),
        policy=Policy.LOOK,
        help=h.HELP,
        run=command_help.show_help,
        arguments=(Argument(name="about", shown=h.A_COMMAND, kind="words", required=False),),
        examples=(Example("/帮助 列表", "/help list"),),
    ),
)

BIND_SPECS: Final = (
    Spec(
        name="link",
        parent="",
        chinese=("关联",),
        policy=Policy.BIND,
        help=words.LINK,
        run=link.link,
        arguments=(Argument(name="code", shown=words.A_CODE, kind="words", required=False),),
        examples=(Example("/关联", "/link"), Example("/关联 AB2C-9XYZ", "/link AB2C-9XYZ")),
    ),
    Spec(
        name="unlink",
        parent="",
        chinese=("解除关联",),
        policy=Policy.BIND,
        help=words.UNLINK,
        run=unlink.unlink,
        arguments=(
            Argument(
                name="way",
                shown=words.A_WAY,
                kind="choice",
                required=False,
                choices={"empty": ("空白",), "copy": ("副本",)},
            ),
            Argument(name="which", shown=words.A_NUMBER, kind="number", required=False),
        ),
        examples=(Example("/解除关联", "/unlink"),),
    ),
)


def _steer_spec(  # noqa: PLR0913 - the fields of a declaration
    name: str,
    chinese: tuple[str, ...],
    line: Sentence,
    run: Handler,
    *arguments: Argument,
    parent: Literal["", "memory"] = "memory",
    options: tuple[Argument, ...] = (),
    examples: tuple[Example, ...] = (),
    also: tuple[str, ...] = (),
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
        also=also,
    )


STEER_SPECS: Final = (
    _steer_spec(
        "remember",
        ("记住",),
        h.REMEMBER,
        edits.add,
        TEXT,
        parent="",
        examples=(Example("/记住 我对花生过敏", "/remember I am allergic to peanuts"),),
    ),
    _steer_spec("add", ("添加",), h.REMEMBER, edits.add, TEXT),
    _steer_spec(
        "edit",
        ("改正", "改"),
        h.EDIT,
        edits.edit,
        ID,
        TEXT,
        examples=(Example("/记忆 改 #42 我住在上海", "/memory edit #42 I live in Shanghai"),),
        also=("correct", "change", "fix", "修改", "更正"),
    ),
    _steer_spec("pin", ("钉住",), h.PIN, edits.pin, ID),
    _steer_spec("unpin", ("取下",), h.UNPIN, edits.unpin, ID),
    _steer_spec(
        "merge",
        ("合并",),
        h.MERGE,
        edits.merge_memories,
        IDS,
        NEW_TEXT,
        examples=(Example("/记忆 合并 #3 #4 每天喝咖啡", "/memory merge #3 #4 coffee daily"),),
    ),
    _steer_spec(
        "reinforce",
        ("强化", "记牢"),
        h.REINFORCE,
        edits.reinforce,
        ID,
        EVENT,
        examples=(Example("/记忆 强化 #42", "/memory reinforce #42"),),
    ),
    _steer_spec(
        "sensitivity",
        ("敏感度",),
        h.SENSITIVITY,
        edits.set_sensitivity,
        ID,
        GRADE,
        examples=(Example("/记忆 敏感度 #42 2", "/memory sensitivity #42 2"),),
    ),
    _steer_spec(
        "forget",
        ("放下",),
        h.HIDE,
        edits.hide,
        ID,
        examples=(Example("/记忆 放下 #42", "/memory forget #42"),),
        also=("hide", "delete", "remove", "删除", "删掉", "删"),
    ),
    _steer_spec("restore", ("找回",), h.RESTORE, edits.restore, ID),
    _steer_spec(
        "import",
        ("导入", "带进来"),
        h.IMPORT,
        memory_import.import_file,
        FILE,
        options=(ME,),
        examples=(Example("/记忆 导入", "/memory import"),),
    ),
    _steer_spec("cleanup", ("整理",), h.CLEANUP, agent_settings.cleanup, options=(DRY,)),
    _steer_spec("law", ("规律",), h.LAW, agent_settings.choose_law, LAW),
    _steer_spec(
        "mode", ("模式",), h.MODE, agent_settings.choose_mode, replace(MODE, required=False)
    ),
    _steer_spec("pause", ("暂停",), h.PAUSE, agent_settings.pause),
    _steer_spec("resume", ("继续",), h.RESUME, agent_settings.resume),
    _steer_spec(
        "notice",
        ("提示",),
        h.NOTICE,
        agent_settings.switch_notices,
        SWITCH,
        examples=(Example("/记忆 提示 关", "/memory notice off"),),
    ),
    _steer_spec("reset", ("重置", "重新开始"), h.RESET, agent_settings.reset, parent=""),
    _steer_spec("undo", ("撤销",), h.UNDO, undo.undo, STEP, parent=""),
)

ERASE_SPECS: Final = (
    Spec(
        name="forget",
        parent="",
        chinese=("忘掉", "忘记"),
        policy=Policy.ERASE,
        help=h.ERASE,
        run=erase.erase_for_good,
        arguments=(Argument(name="what", shown=h.A_WHAT, kind="words"),),
        examples=(
            Example("/忘掉 #42", "/forget #42"),
            Example("/忘掉 花生", "/forget peanuts"),
            Example("/忘掉 全部", "/forget all"),
        ),
    ),
)

OPERATE_SPECS: Final = (
    *(
        Spec(name=name, parent="", chinese=chinese, policy=Policy.OPERATE, help=line, run=run)
        for name, chinese, line, run in (
            ("status", ("状态",), h.STATUS, operator_commands.status),
            ("agents", ("所有记忆",), h.AGENTS, operator_commands.agents),
            ("limits", ("用量",), h.LIMITS, operator_commands.limits),
        )
    ),
    Spec(
        name="backup",
        parent="",
        chinese=("备份",),
        policy=Policy.OPERATE,
        help=h.BACKUP,
        run=operator_commands.backup,
        arguments=(EVERY,),
        examples=(Example("/备份", "/backup"), Example("/备份 全部", "/backup all")),
    ),
    Spec(
        name="restore_backup",
        parent="",
        chinese=("恢复备份",),
        policy=Policy.OPERATE,
        help=h.RESTORE_BACKUP,
        run=operator_commands.restore_backup,
        arguments=(Argument(name="number", shown=h.A_NUMBER, kind="number", required=False),),
        examples=(Example("/恢复备份 1", "/restore_backup 1"),),
    ),
)

SPECS: Final[tuple[Spec, ...]] = (
    *LOOK_SPECS,
    *STEER_SPECS,
    *ERASE_SPECS,
    *BIND_SPECS,
    *OPERATE_SPECS,
)


@lru_cache(maxsize=8)
def specs_of(laws: Laws) -> tuple[Spec, ...]:
    """Return every command as a program with these laws has it: they are what LAW may be."""
    choices = {law.name: law.also for law in laws.each}
    law = replace(LAW, choices=choices)
    return tuple(
        replace(spec, arguments=tuple(law if each is LAW else each for each in spec.arguments))
        if LAW in spec.arguments
        else spec
        for spec in SPECS
    )
