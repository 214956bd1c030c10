"""Every command, declared once: help, menus, argument errors, shell and docs come from here."""

from dataclasses import replace
from typing import Final, Literal

from bot.desk import backup, govern, operate, sealing, steer, undoing
from bot.desk.arguments import (
    DRY,
    EVENT,
    EVERY,
    FILE,
    GRADE,
    ID,
    IDS,
    LAW,
    ME,
    MODE,
    NEW_TEXT,
    STEP,
    SWITCH,
    TEXT,
)
from bot.desk.command import Argument, Example, Handler, Policy, Spec
from bot.desk.erasing import erase
from bot.desk.linking.binding import BIND_SPECS
from bot.desk.looking import LOOK_SPECS
from bot.desk.transfer import bring
from bot.texts import Sentence
from bot.texts import desk_help as h


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
        steer.add,
        TEXT,
        parent="",
        examples=(Example("/记住 我对花生过敏", "/remember I am allergic to peanuts"),),
    ),
    _steer_spec("add", ("添加",), h.REMEMBER, steer.add, TEXT),
    _steer_spec(
        "edit",
        ("改正", "改"),
        h.EDIT,
        steer.edit,
        ID,
        TEXT,
        examples=(Example("/记忆 改 #42 我住在上海", "/memory edit #42 I live in Shanghai"),),
        also=("correct", "change", "fix", "修改", "更正"),
    ),
    _steer_spec("pin", ("钉住",), h.PIN, steer.pin, ID),
    _steer_spec("unpin", ("取下",), h.UNPIN, steer.unpin, ID),
    _steer_spec(
        "merge",
        ("合并",),
        h.MERGE,
        steer.merge_memories,
        IDS,
        NEW_TEXT,
        examples=(Example("/记忆 合并 #3 #4 每天喝咖啡", "/memory merge #3 #4 coffee daily"),),
    ),
    _steer_spec(
        "reinforce",
        ("强化", "记牢"),
        h.REINFORCE,
        steer.reinforce,
        ID,
        EVENT,
        examples=(Example("/记忆 强化 #42", "/memory reinforce #42"),),
    ),
    _steer_spec(
        "sensitivity",
        ("敏感度",),
        h.SENSITIVITY,
        sealing.set_sensitivity,
        ID,
        GRADE,
        examples=(Example("/记忆 敏感度 #42 2", "/memory sensitivity #42 2"),),
    ),
    _steer_spec(
        "forget",
        ("放下",),
        h.HIDE,
        steer.hide,
        ID,
        examples=(Example("/记忆 放下 #42", "/memory forget #42"),),
        also=("hide", "delete", "remove", "删除", "删掉", "删"),
    ),
    _steer_spec("restore", ("找回",), h.RESTORE, steer.restore, ID),
    _steer_spec(
        "import",
        ("导入", "带进来"),
        h.IMPORT,
        bring.import_file,
        FILE,
        options=(ME,),
        examples=(Example("/记忆 导入", "/memory import"),),
    ),
    _steer_spec("cleanup", ("整理",), h.CLEANUP, govern.cleanup, options=(DRY,)),
    _steer_spec("law", ("规律",), h.LAW, govern.choose_law, LAW),
    _steer_spec("mode", ("模式",), h.MODE, govern.choose_mode, replace(MODE, required=False)),
    _steer_spec("pause", ("暂停",), h.PAUSE, govern.pause),
    _steer_spec("resume", ("继续",), h.RESUME, govern.resume),
    _steer_spec(
        "notice",
        ("提示",),
        h.NOTICE,
        govern.switch_notices,
        SWITCH,
        examples=(Example("/记忆 提示 关", "/memory notice off"),),
    ),
    _steer_spec("reset", ("重置", "重新开始"), h.RESET, govern.reset, parent=""),
    _steer_spec("undo", ("撤销",), h.UNDO, undoing.undo, STEP, parent=""),
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
            ("status", ("状态",), h.STATUS, operate.status),
            ("agents", ("所有记忆",), h.AGENTS, operate.agents),
            ("limits", ("用量",), h.LIMITS, operate.limits),
        )
    ),
    Spec(
        name="backup",
        parent="",
        chinese=("备份",),
        policy=Policy.OPERATE,
        help=h.BACKUP,
        run=backup.backup,
        arguments=(EVERY,),
        examples=(Example("/备份", "/backup"), Example("/备份 全部", "/backup all")),
    ),
    Spec(
        name="restore_backup",
        parent="",
        chinese=("恢复备份",),
        policy=Policy.OPERATE,
        help=h.RESTORE_BACKUP,
        run=backup.restore_backup,
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
