"""What is said when memories are taken along or brought in."""

from typing import Final

from bot.texts.sentence import Sentence

WRITTEN: Final = Sentence(zh="写好了 {file}（{bytes} 字节）", en="wrote {file} ({bytes} bytes)")
WOULD_TAKE_IN: Final = Sentence(
    zh="会带进来 {new} 条；{known} 条这里已经记得，{refused} 条不能带（抹去过或封存的）。",
    en="{new} would come in; {known} are known here, {refused} cannot come (erased or sealed).",
)
TAKEN_IN: Final = Sentence(
    zh="带进来了 {new} 条；{known} 条本来就记得，{refused} 条没有带（抹去过或封存的）。",
    en="{new} came in; {known} were known here, {refused} did not (erased or sealed).",
)
WHOLE: Final = Sentence(
    zh="这里还什么都不记得，所以是原样搬来：编号、设置、最近的对话都一样。",
    en="Nothing was known here, so it is all as it was: ids, settings, recent conversation.",
)
SAY_YES: Final = Sentence(
    zh="这只是预览。确定的话加上 --yes。", en="This is a preview. To do it, add --yes."
)
TITLE: Final = Sentence(zh="小祥记得的（{agent}）", en="What Xiaoxiang remembers ({agent})")
MADE: Final = Sentence(
    zh="{at} 导出，{count} 条。完整的数据在同名的 .json 里。",
    en="Exported {at}, {count} memories. The complete data is in the .json of the same name.",
)
BRINGS_UP: Final = Sentence(zh="想到", en="brings up")
SEALED: Final = Sentence(zh="（封存的）", en="(sealed)")
