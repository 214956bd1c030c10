"""What ``xiaoxiang repair`` says, and what she says of damage that was found while she runs."""

from typing import Final

from bot.texts import Sentence

ALL_WELL: Final = Sentence(
    zh="没有发现损坏，也没有放在一边的文件。", en="Nothing is damaged, and nothing was set aside."
)
SAY_YES: Final = Sentence(
    zh="还什么都没有改。看过了，要动手就加 --yes。",
    en="Nothing was changed yet. To carry it out, add --yes.",
)
LEDGER_HEALED: Final = Sentence(
    zh="收发记录（ledger）：有 {count} 个位翻转了，可以原样改回来",
    en="the ledger: {count} flipped bits, each can be turned back exactly",
)
LEDGER_CHANGED: Final = Sentence(
    zh="收发记录（ledger）：有 {count} 页不是我们写的样子，但整体能用（可能是别的程序改过）",
    en="the ledger: {count} pages are not as we wrote them, but it can be used (another program "
    "may have changed it)",
)
LEDGER_BROKEN: Final = Sentence(
    zh="收发记录（ledger）坏了，不能用：读得出的行可以搬进一个新的",
    en="the ledger is broken: the rows that can be read can be brought into a new one",
)
LEDGER_REBUILT: Final = Sentence(
    zh="收发记录重建好了：搬来 {rows} 行，旧的留作 {file}",
    en="the ledger was rebuilt with {rows} rows; the old one is kept as {file}",
)
AGENT_UNREADABLE: Final = Sentence(
    zh="{agent}：文件都读不出完整的状态，只能从读得出的记录重新开始（也可以恢复备份）",
    en="{agent}: no whole state can be read; it can begin anew with the records that can (or "
    "restore a backup)",
)
JOURNAL_MISSING: Final = Sentence(
    zh="{agent}：journal 文件不见了，快照之后说的话没有了",
    en="{agent}: the journal is gone, and with it what was said after the snapshots",
)
RECORDS_LOST: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录读不出来",
    en="{agent}: {count} records of the journal cannot be read",
)
RECORDS_HEALED: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录翻转了一个位，可以原样改回来",
    en="{agent}: one bit flipped in {count} records of the journal, and can be turned back",
)
WOULD_BRING: Final = Sentence(
    zh="{agent}：放在一边的文件里能找回 {memories} 条记忆、{messages} 句话",
    en="{agent}: {memories} memories and {messages} messages can be brought back from what was "
    "set aside",
)
BROUGHT: Final = Sentence(
    zh="{agent}：从放在一边的文件里找回了 {memories} 条记忆、{messages} 句话",
    en="{agent}: {memories} memories and {messages} messages were brought back from what was set "
    "aside",
)
