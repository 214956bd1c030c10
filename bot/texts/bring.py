"""What is said when memories are brought in, and why a file is not."""

from typing import Final

from bot.texts.sentence import Sentence

SEND_FILE: Final = Sentence(
    zh="把文件发给我，说明写 /memory import（或者回复那个文件发 /memory import）。"
    "可以是我导出的 .json，也可以是 Telegram 的聊天记录 result.json。"
    "在终端里：/memory import 路径",
    en="Send me the file with the caption /memory import, or answer the file with it: the .json I "
    "exported, or Telegram's result.json. In a terminal: /memory import PATH",
)
NOT_THERE: Final = Sentence(
    zh="拿不到这个文件：不在了，或者大过 20 MB。更大的用 xiaoxiang import。",
    en="The file cannot be had: gone, or over 20 MB. Larger ones: xiaoxiang import.",
)
FILE_REFUSED: Final = Sentence(
    zh="这个文件我没有带进来：{why}。什么都没有变。",
    en="I did not take this file in: {why}. Nothing was changed.",
)
FLAW_AT: Final = Sentence(zh="{why}（第 {place} 条）", en="{why} (entry {place})")
FLAW_DETAIL: Final = Sentence(zh="{why}（详情：{detail}）", en="{why} ({detail})")

TOO_LARGE: Final = Sentence(zh="太大了", en="it is too large")
ARCHIVE: Final = Sentence(zh="是压缩包，先解开", en="it is packed; unpack it first")
NOT_JSON: Final = Sentence(zh="不是 JSON", en="it is not JSON")
FOREIGN: Final = Sentence(
    zh="不是小祥的导出，也不是 Telegram 的聊天记录",
    en="it is neither an export of Xiaoxiang nor of a Telegram chat",
)
CHANGED: Final = Sentence(
    zh="坏了或者被改过，校验对不上", en="it is damaged or was changed: the checksum does not hold"
)
FUTURE: Final = Sentence(
    zh="是更新版本的程序写的，先升级", en="a newer program made it; update this one"
)
UNREADABLE: Final = Sentence(zh="里面有读不懂的东西", en="it holds something unreadable")
UNDATED: Final = Sentence(zh="没写是什么时候导出的", en="it does not say when it was made")
MISCOUNTED: Final = Sentence(zh="编号对不上", en="it counts its memories wrongly")
ACCOUNT: Final = Sentence(
    zh="是整个账号的导出，请只导出一个聊天", en="it is a whole account; export one chat"
)
EMPTY: Final = Sentence(zh="里面没有人说话", en="nobody wrote anything in it")
TOO_MANY: Final = Sentence(zh="超过二十万条消息", en="over 200,000 messages")
WRONG: Final = Sentence(
    zh="有一条不是 Telegram 写的样子", en="an entry is not as Telegram writes one"
)
NO_DATE: Final = Sentence(
    zh="有一条没有时间，用新版 Telegram 再导出一次",
    en="an entry has no time; export again with a newer Telegram",
)
TWICE: Final = Sentence(zh="同一条出现了两次", en="an entry is there twice")

WHO_ARE_YOU: Final = Sentence(
    zh="这段聊天里哪一位是你？别人说的话不会当成你的。",
    en="Which of them is you? What others said is never taken for yours.",
)
NO_SUCH_PERSON: Final = Sentence(zh="这里面没有“{name}”。", en="There is no “{name}” in it.")
NAME: Final = Sentence(zh="名字", en="name")
SAID: Final = Sentence(zh="几条", en="messages")
IS_ME: Final = Sentence(zh="我是 {name}", en="I am {name}")

FROM_EXPORT: Final = Sentence(
    zh="{agent} 的导出，{when}：会这样带进来",
    en="An export of {agent}, {when}: this would come in",
)
FROM_CHAT: Final = Sentence(
    zh="Telegram 聊天“{name}”：会这样带进来", en="The Telegram chat “{name}”: this would come in"
)
NEW: Final = Sentence(zh="新的", en="new")
KNOWN: Final = Sentence(zh="这里已经有", en="known here")
CONFLICTS: Final = Sentence(zh="和这里说法不同", en="told otherwise here")
CANNOT: Final = Sentence(zh="不能带（抹去过或封存的）", en="cannot come (erased or sealed)")
SPAN: Final = Sentence(zh="时间", en="from … to")
PEOPLE: Final = Sentence(zh="谁说的", en="said by")
YOU: Final = Sentence(zh="你是", en="you are")
HERE: Final = Sentence(zh="这里", en="here")
THERE: Final = Sentence(zh="文件里", en="in the file")
BOTH_STAND: Final = Sentence(
    zh="说法不同的会都留着，你再决定哪条对：",
    en="Where they differ both stand, for you to decide:",
)
IMPORT_PARTS: Final = Sentence(
    zh="会分成 {count} 段，在后台慢慢读完，变成情境。别人说的话不会当成你的事实。",
    en="It is read over in {count} stretches in the background, and becomes episodes. What others "
    "said does not become a fact about you.",
)
NOTHING_NEW: Final = Sentence(
    zh="里面没有新的：{known} 条这里已经有，{refused} 条不能带（抹去过或封存的）。",
    en="Nothing new in it: {known} are known here, {refused} cannot come (erased or sealed).",
)
IMPORT_IS_SAFE: Final = Sentence(
    zh="确认之后才带，要么全部、要么一点不带；之前会先备份。",
    en="It comes in when you confirm, all of it or nothing; a backup is made first.",
)
IMPORTED: Final = Sentence(
    zh="带进来了 {count} 条。之前的样子存成了备份，主人可以用 /restore_backup 1 回去。",
    en="{count} came in. What was before is backed up: an owner can go back by /restore_backup 1.",
)
