"""The declarations of all commands: help, menus, argument errors, the shell and docs read them.

To add a command, write its function in its family's module, declare it beside that (as
``people.PEOPLE``), list it here and run ``make pages``, which writes ``docs/commands.md``. Older
declarations stand here alone. The order is that of ``/help``.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.conversation.messages import CHINESE_NAMES
from bot.desk import (
    agent_settings,
    edits,
    erase,
    initiative,
    link,
    memory_details,
    memory_export,
    memory_import,
    operator_commands,
    overview,
    page,
    parameters,
    parser,
    people,
    pictures,
    reminders,
    search,
    undo,
    unlink,
)
from bot.desk.command import Argument, Example, Handler, Policy, Spec, in_a_thread
from bot.desk.help import show_help
from bot.texts import Sentence, desk_link
from bot.texts import desk_help as h
from memory.laws.registry import Laws


def _steer_spec(
    name: str, chinese: tuple[str, ...], line: Sentence, run: Handler, *given: Argument
) -> Spec:
    """Return the declaration of a verb that changes memory; ``given`` are its arguments."""
    return Spec(
        name=name, chinese=chinese, policy=Policy.STEER, help=line, run=run, arguments=given
    )


def _own_spec(name: str, policy: Policy, line: Sentence, run: Handler, *given: Argument) -> Spec:
    """Return the declaration of a command that stands without ``/memory``."""
    return Spec(
        name=name,
        parent="",
        chinese=CHINESE_NAMES[name],
        policy=policy,
        help=line,
        run=run,
        arguments=given,
    )


def _look_spec(name: str, chinese: str, line: Sentence, run: Handler) -> Spec:
    """Return the declaration of a verb that shows something and is given nothing."""
    return Spec(name=name, chinese=(chinese,), policy=Policy.LOOK, help=line, run=run)


LOOK_SPECS: Final = (
    Spec(
        name="memory",
        parent="",
        chinese=CHINESE_NAMES["memory"],
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
        options=(
            parser.TIER,
            parser.STANDING,
            parser.PINNED,
            parser.FADING,
            parser.PAGE,
            parser.LIMIT,
            parser.MODE,
        ),
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
        options=(parser.LIMIT, parser.MODE, parser.DEEP),
        examples=(Example("/记忆 搜索 花生", "/memory search peanuts"),),
    ),
    Spec(
        name="recall",
        chinese=("回想", "想起"),
        policy=Policy.LOOK,
        help=h.RECALL,
        run=search.recall,
        arguments=(Argument(name="query", shown=h.A_QUERY, kind="words", required=False),),
        options=(parser.RELATION, parser.DEPTH),
        examples=(Example("/记忆 回想 妈妈", "/memory recall mother --depth 3"),),
    ),
    Spec(
        name="show",
        chinese=("看",),
        policy=Policy.LOOK,
        help=h.SHOW,
        run=memory_details.show,
        arguments=(parser.ID,),
        examples=(Example("/记忆 看 #42", "/memory show #42"),),
        steers=True,
    ),
    Spec(
        name="health",
        chinese=("健康",),
        policy=Policy.LOOK,
        help=h.HEALTH,
        run=in_a_thread(overview.health),
        options=(parser.PAGE, parser.LIMIT),
    ),
    _look_spec("fading", "淡忘", h.FADING, in_a_thread(overview.fading)),
    Spec(
        name="associations",
        chinese=("联想",),
        policy=Policy.LOOK,
        help=h.ASSOCIATIONS,
        run=in_a_thread(memory_details.associations),
        arguments=(parser.ID,),
        examples=(Example("/记忆 联想 #42", "/memory associations #42"),),
    ),
    pictures.GRAPH,
    pictures.CURVE,
    Spec(
        name="review",
        chinese=("回顾", "历史"),
        policy=Policy.LOOK,
        help=h.REVIEW,
        run=in_a_thread(overview.review),
        options=(parser.PAGE, parser.LIMIT),
    ),
    _look_spec("metrics", "指标", h.METRICS, in_a_thread(overview.show_metrics)),
    memory_export.SPEC,
    Spec(
        name="why",
        parent="",
        chinese=CHINESE_NAMES["why"],
        policy=Policy.LOOK,
        help=h.WHY,
        run=search.why,
        arguments=(Argument(name="back", shown=h.A_BACK, kind="number", required=False),),
        examples=(Example("/为什么", "/why"), Example("/为什么 2", "/why 2")),
        steers=True,
    ),
    Spec(
        name="help",
        parent="",
        chinese=CHINESE_NAMES["help"],
        policy=Policy.LOOK,
        help=h.HELP,
        run=show_help,
        arguments=(Argument(name="about", shown=h.A_COMMAND, kind="words", required=False),),
        examples=(Example("/帮助 列表", "/help list"),),
    ),
)

ANSWER_SPECS: Final = (
    people.STOP,
    people.AGAIN,
    reminders.SPEC,
)

BIND_SPECS: Final = (
    initiative.SPEC,
    page.SPEC,
    replace(
        _own_spec("link", Policy.BIND, desk_link.LINK, link.link, parser.LINK_CODE),
        examples=(Example("/关联", "/link"), Example("/关联 AB2C-9XYZ", "/link AB2C-9XYZ")),
    ),
    unlink.SPEC,
)

STEER_SPECS: Final = (
    replace(
        _own_spec("remember", Policy.STEER, h.REMEMBER, edits.add, parser.TEXT),
        examples=(Example("/记住 我对花生过敏", "/remember I am allergic to peanuts"),),
        word_for_word=True,
    ),
    replace(_steer_spec("add", ("添加",), h.REMEMBER, edits.add, parser.TEXT), word_for_word=True),
    replace(
        _steer_spec("edit", ("改正", "改"), h.EDIT, edits.edit, parser.ID, parser.TEXT),
        examples=(Example("/记忆 改 #42 我住在上海", "/memory edit #42 I live in Shanghai"),),
        also=("correct", "change", "fix", "修改", "更正"),
    ),
    _steer_spec("pin", ("钉住",), h.PIN, edits.pin, parser.ID),
    _steer_spec("unpin", ("取下",), h.UNPIN, edits.unpin, parser.ID),
    replace(
        _steer_spec(
            "merge",
            ("合并",),
            h.MERGE,
            edits.merge_memories,
            parser.IDS,
            parser.NEW_TEXT,
        ),
        examples=(Example("/记忆 合并 #3 #4 每天喝咖啡", "/memory merge #3 #4 coffee daily"),),
    ),
    replace(
        _steer_spec(
            "reinforce",
            ("强化", "记牢"),
            h.REINFORCE,
            edits.reinforce,
            parser.ID,
            parser.EVENT,
        ),
        examples=(Example("/记忆 强化 #42", "/memory reinforce #42"),),
    ),
    replace(
        _steer_spec(
            "sensitivity",
            ("敏感度",),
            h.SENSITIVITY,
            edits.set_sensitivity,
            parser.ID,
            parser.GRADE,
        ),
        examples=(Example("/记忆 敏感度 #42 2", "/memory sensitivity #42 2"),),
    ),
    replace(
        _steer_spec("forget", ("放下",), h.HIDE, edits.hide, parser.ID),
        examples=(Example("/记忆 放下 #42", "/memory forget #42"),),
        # "delete" hides as well: whoever wants to erase is told of /forget by the answer.
        also=("hide", "delete", "remove", "删除", "删掉", "删"),
    ),
    _steer_spec("restore", ("找回",), h.RESTORE, edits.restore, parser.ID),
    replace(
        _steer_spec(
            "import", ("导入", "带进来"), h.IMPORT, memory_import.import_file, parser.FILE
        ),
        options=(parser.ME,),
        examples=(Example("/记忆 导入", "/memory import"),),
    ),
    replace(
        _steer_spec("cleanup", ("整理",), h.CLEANUP, agent_settings.cleanup),
        options=(parser.DRY,),
    ),
    _steer_spec("rebuild", ("重建",), h.REBUILD, agent_settings.rebuild),
    replace(
        _steer_spec("law", ("规律",), h.LAW, parameters.law, parser.LAW, *parser.SETTING),
        examples=(parser.SET_A_PARAMETER,),
    ),
    replace(
        _steer_spec("settings", ("设置",), h.SETTINGS, parameters.settings, *parser.SETTING),
        examples=(Example("/记忆 设置 时区 Asia/Tokyo", "/memory settings zone Asia/Tokyo"),),
        also=("setting", "set", "config"),
    ),
    _steer_spec(
        "mode",
        ("模式",),
        h.MODE,
        agent_settings.choose_mode,
        replace(parser.MODE, required=False),
    ),
    _steer_spec("pause", ("暂停",), h.PAUSE, agent_settings.pause),
    _steer_spec("resume", ("继续",), h.RESUME, agent_settings.resume),
    replace(
        _steer_spec("notice", ("提示",), h.NOTICE, agent_settings.switch_notices, parser.SWITCH),
        examples=(Example("/记忆 提示 关", "/memory notice off"),),
    ),
    replace(
        _steer_spec("diary", ("日记",), h.DIARY, agent_settings.diary, parser.DIARY),
        options=(parser.PAGE, parser.LIMIT),
        examples=(
            Example("/记忆 日记 2026-03-04", "/memory diary 2026-03-04"),
            Example("/记忆 日记 90", "/memory diary 90"),
        ),
    ),
    _own_spec("reset", Policy.STEER, h.RESET, agent_settings.reset),
    _own_spec("undo", Policy.STEER, h.UNDO, undo.undo, parser.STEP),
)

ERASE_SPECS: Final = (
    replace(
        _own_spec(
            "forget",
            Policy.ERASE,
            h.ERASE,
            erase.erase_for_good,
            Argument(name="what", shown=h.A_WHAT, kind="words"),
        ),
        examples=(
            # First what anybody may give, a member of a group as well.
            Example("/忘掉 花生", "/forget peanuts"),
            Example("/忘掉 #42", "/forget #42"),
            Example("/忘掉 全部", "/forget all"),
        ),
    ),
)

OPERATE_SPECS: Final = (
    replace(
        _steer_spec("system", ("设定",), h.SYSTEM, edits.lay_down, parser.NEW_TEXT),
        policy=Policy.OPERATE,
        examples=(Example("/记忆 设定 我们都叫老板掌柜", "/memory system We call the boss Cap"),),
    ),
    people.PEOPLE,
    _own_spec("status", Policy.OPERATE, h.STATUS, operator_commands.status),
    _own_spec("agents", Policy.OPERATE, h.AGENTS, operator_commands.agents),
    _own_spec("limits", Policy.OPERATE, h.LIMITS, operator_commands.limits),
    replace(
        _own_spec("clock", Policy.OPERATE, h.CLOCK, operator_commands.clock, parser.VERDICT),
        examples=(Example("/时钟 对", "/clock right"),),
    ),
    replace(
        _own_spec("backup", Policy.OPERATE, h.BACKUP, operator_commands.backup, parser.EVERY),
        examples=(Example("/备份", "/backup"), Example("/备份 全部", "/backup all")),
    ),
    replace(
        _own_spec(
            "restore_backup",
            Policy.OPERATE,
            h.RESTORE_BACKUP,
            operator_commands.restore_backup,
            Argument(name="number", shown=h.A_NUMBER, kind="number", required=False),
        ),
        examples=(Example("/恢复备份 1", "/restore_backup 1"),),
    ),
)

SPECS: Final[tuple[Spec, ...]] = (
    *LOOK_SPECS,
    *ANSWER_SPECS,
    *STEER_SPECS,
    *ERASE_SPECS,
    *BIND_SPECS,
    *OPERATE_SPECS,
)


@lru_cache(maxsize=8)
def specs_of(laws: Laws) -> tuple[Spec, ...]:
    """Return every command as a program with these laws has it: they are what LAW may be."""
    law = replace(parser.LAW, choices={each.name: each.also for each in laws.each})
    return tuple(
        replace(spec, arguments=tuple(law if a is parser.LAW else a for a in spec.arguments))
        if parser.LAW in spec.arguments
        else spec
        for spec in SPECS
    )
