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
EXPORT_TITLE: Final = Sentence(zh="小祥记得的（{agent}）", en="What Xiaoxiang remembers ({agent})")
EXPORTED_AT: Final = Sentence(
    zh="{at} 导出，{count} 条。完整的数据在同名的 .json 里。",
    en="Exported {at}, {count} memories. The complete data is in the .json of the same name.",
)
BRINGS_UP: Final = Sentence(zh="想到", en="brings up")
TAKE_ALONG: Final = Sentence(
    zh="你的全部记忆，{count} 条，都在这里",
    en="All I know of you, {count} memories, to take along",
)
KEEP_SAFE: Final = Sentence(
    zh="一份给人读（.md），一份完整的数据（.json，带校验，可以再带回来）。里面是私事，收好它；"
    "之后用 /forget 抹去的，抹不到你带走的文件里。",
    en="A page to read (.md) and the complete data (.json, with a checksum, to be brought back). "
    "It is private: keep it safe. What /forget erases later stays in the files you took.",
)
STAYS_SEALED: Final = Sentence(
    zh="封存的还是封着的：没有钥匙谁也打不开。", en="What is sealed stays sealed without its key."
)
ONLY_TO_ITS_OWN: Final = Sentence(
    zh="全部记忆只交给它的主人，不会发到群里。请私聊我，发 /memory export 带走你自己的；"
    "群的记忆由管理这台机器的人用 xiaoxiang export 带走。",
    en="All I know goes to the one it belongs to, never into a group. Write /memory export to me "
    "in private for yours; for a group's, whoever runs this machine uses xiaoxiang export.",
)
NOT_HANDED_OVER: Final = Sentence(
    zh="{file}（{size}）在这里发不出来。在终端里可以拿到：xiaoxiang export --agent {agent}",
    en="{file} ({size}) cannot be sent here. In the shell: xiaoxiang export --agent {agent}",
)
SEALED: Final = Sentence(zh="（封存的）", en="(sealed)")
