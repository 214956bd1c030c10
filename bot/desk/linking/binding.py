"""The commands that decide which memory a chat has, declared once."""

from typing import Final

from bot.desk.command import Argument, Example, Policy, Spec
from bot.desk.linking import link, unlink
from bot.texts import desk_link as words

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
