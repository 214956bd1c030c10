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

# While she runs.
NOT_WRITABLE: Final = Sentence(
    zh="我现在什么都存不下来（磁盘满了，或者不让我写），所以先不回答：你的话等能存了再说。"
    "请告诉管理的人：腾出空间，再看看 xiaoxiang doctor。",
    en="I cannot store anything now (the disk is full, or does not let me write), so I do not "
    "answer yet. Please tell whoever runs me: free some space, then see xiaoxiang doctor.",
)
DAMAGE_FOUND: Final = Sentence(
    zh="我打开文件时发现有损坏，能救的已经救回来了。/status 里有说明；停下程序后运行 xiaoxiang "
    "repair 可以看还能找回什么。",
    en="Some of my files were damaged; what could be saved is saved. /status says more. Stop the "
    "program and run xiaoxiang repair to see what else can be brought back.",
)
DAMAGE: Final = Sentence(zh="损坏", en="damage")
SET_ASIDE: Final = Sentence(
    zh="{agent}：放在一边的文件 {count} 个 → xiaoxiang repair",
    en="{agent}: {count} files set aside → xiaoxiang repair",
)
RECORDS_WERE_HEALED: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录翻转了一个位，已经原样改回来",
    en="{agent}: one bit flipped in {count} records of the journal, and was turned back",
)
LEDGER_WAS_HEALED: Final = Sentence(
    zh="收发记录：改回了 {count} 个翻转的位", en="the ledger: {count} flipped bits turned back"
)
WRITE_FAILED: Final = Sentence(
    zh="{at} 有东西没能写进磁盘", en="something could not be written to the disk at {at}"
)
