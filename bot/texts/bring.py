"""What ``xiaoxiang bring`` says: what a file holds, what was brought, and why one was refused."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from bot.texts import Sentence


class BringFlaw(Enum):
    """What is wrong with a file that was given to ``bring``; the sentence says what to do."""

    TOO_LARGE = Sentence(
        zh="太大了（最多 {limit}）。分成几份再带来。", en="too large (at most {limit}); split it."
    )
    EMPTY_FILE = Sentence(zh="是空的。重新导出一份。", en="empty; export it again.")
    PACKED = Sentence(
        zh="是压缩包。先解开，再给里面的文件。",
        en="an archive; unpack it and name the file inside.",
    )
    ENCODING = Sentence(
        zh="不是 UTF-8 文字。是文字的话，用编辑器另存为 UTF-8；是数据库的话，先导出成文字。",
        en="not UTF-8 text; save text as UTF-8, and export a database as text first.",
    )
    FOREIGN = Sentence(
        zh="不是认得的角色卡或聊天记录。docs/zh/bringing.md 里有认得的格式。",
        en="no card or chat of a known kind; docs/bringing.md lists them.",
    )
    TELEGRAM = Sentence(
        zh="是 Telegram 的导出。用 xiaoxiang memory import 文件 --agent 名字 导入。",
        en="an export of Telegram; take it in by xiaoxiang memory import FILE --agent ID.",
    )
    BROKEN = Sentence(
        zh="坏了或不完整（{place}）。重新导出一份。",
        en="damaged or incomplete ({place}); export it again.",
    )
    DATE = Sentence(
        zh="{place}：没有日期，或者日期不对。改好它，或重新导出。",
        en="{place}: its date is missing or impossible; correct it or export again.",
    )
    DAY_OR_MONTH = Sentence(
        zh="看不出日期里先写日还是先写月。加上 --dates dmy 或 --dates mdy。",
        en="its dates may begin with the day or the month; add --dates dmy or --dates mdy.",
    )
    NAME = Sentence(
        zh="{place} 的名字过长、空着或有控制字符。改好名字再带来。",
        en="{place} has a name that is too long, empty or holds control characters; correct it.",
    )
    NOBODY = Sentence(
        zh="里面没有人说话。换一份带来。", en="nobody says anything in it; bring another."
    )


KINDS: Final[Mapping[str, Sentence]] = {
    "card": Sentence(zh="角色卡", en="character card"),
    "lorebook": Sentence(zh="世界书", en="world book"),
    "sillytavern": Sentence(zh="SillyTavern 聊天", en="SillyTavern chat"),
    "chatgpt": Sentence(zh="ChatGPT 导出", en="ChatGPT export"),
    "claude": Sentence(zh="Claude 导出", en="Claude export"),
    "whatsapp": Sentence(zh="WhatsApp 聊天", en="WhatsApp chat"),
    "qq_wechat": Sentence(zh="QQ／微信聊天", en="QQ or WeChat chat"),
    "wechat_table": Sentence(
        zh="微信聊天（WeChatMsg 的 CSV）", en="WeChat chat (CSV of WeChatMsg)"
    ),
    "memory_entries": Sentence(zh="记忆条目（JSON）", en="memory entries (JSON)"),
    "tinydb": Sentence(zh="记忆库（TinyDB）", en="memory base (TinyDB)"),
}

REFUSED: Final = Sentence(
    zh="{file}：{why}什么都没有变。", en="{file}: {why} Nothing was changed."
)
CHAT: Final = Sentence(
    zh="{file}：{kind}，{count} 句话（{known} 句已经有了或抹去过），{start} 到 {end}。",
    en="{file}: {kind}, {count} messages ({known} known or erased), {start} to {end}.",
)
SPEAKER: Final = Sentence(zh="  {name}：{count} 句（{role}）", en="  {name}: {count} ({role})")
YOU: Final = Sentence(zh="你", en="you")
OTHER: Final = Sentence(zh="对方", en="the other side")
MORE_SPEAKERS: Final = Sentence(zh="  还有 {count} 个人", en="  and {count} more")
WHO_ARE_YOU: Final = Sentence(
    zh="其中哪一个是你？加上 --me 名字。", en="Which of them are you? Add --me NAME."
)
NO_SUCH_SPEAKER: Final = Sentence(
    zh="{file}：里面没有叫 {name} 的人。不加 --me 再来一次，看有谁。",
    en="{file}: nobody in it is called {name}; leave --me out to see who is.",
)
CARD: Final = Sentence(
    zh="{file}：{kind}“{name}”，人设 {length} 字，世界书 {entries} 条"
    "（{known} 条已经有了或抹去过，{skipped} 条停用、空着或像密码，不带）。",
    en="{file}: {kind} “{name}”, persona of {length} characters, world book of {entries}"
    " ({known} known or erased, {skipped} switched off, empty or secret: left out).",
)
ENTRY: Final = Sentence(zh="  · 条目：{text}", en="  · entry: {text}")
WOULD_WRITE: Final = Sentence(
    zh="人设会写到 {persona}，先看看再用。", en="The persona would be written to {persona}."
)
PERSONA_WRITTEN: Final = Sentence(
    zh="人设写好了：{persona}。看过以后，在 .env 里写 PERSONA_FILE={persona}，重新启动。",
    en="Persona written: {persona}. Look at it, set PERSONA_FILE={persona} in .env, start again.",
)
PERSONA_EXISTS: Final = Sentence(
    zh="{persona} 已经在了，不会覆盖。用 --persona 另给一个。什么都没有变。",
    en="{persona} exists and is not overwritten; name another by --persona. Nothing was changed.",
)
SAY_YES: Final = Sentence(
    zh="还什么都没有变。看过了就加上 --yes。", en="Nothing was changed yet; add --yes to do it."
)
BROUGHT: Final = Sentence(zh="带进来 {count}。", en="Brought in: {count}.")
WAY_BACK: Final = Sentence(
    zh="之前的样子存成了备份：xiaoxiang memory /restore_backup 1 --agent {agent} 可以回去。",
    en="The state before is backed up; to go back: "
    "xiaoxiang memory /restore_backup 1 --agent {agent}",
)
KNOWN_OTHERWISE: Final = Sentence(
    zh="{file}：有 {count} 句带进来过，记成了另一个人说的（那次的 --me 不一样）。什么都没有变。"
    "要改过来：先用 xiaoxiang memory /restore_backup --agent {agent} 回到那之前的备份，再带一次。",
    en="{file}: {count} messages were brought in before as somebody else's (with another --me). "
    "Nothing was changed. To put it right, go back to the backup made before that with "
    "xiaoxiang memory /restore_backup --agent {agent}, then bring it again.",
)
KNOWN_ON_OTHER_DAYS: Final = Sentence(
    zh="{file}：有 {count} 句带进来过，日和月是反的（那次的 --dates 不一样）。什么都没有变。"
    "要改过来：先用 xiaoxiang memory /restore_backup --agent {agent} 回到那之前的备份，再带一次。",
    en="{file}: {count} messages were brought in before with day and month the other way round "
    "(with other --dates). Nothing was changed. To put it right, go back to the backup made "
    "before that with xiaoxiang memory /restore_backup --agent {agent}, then bring it again.",
)
PERSONA_DESCRIPTION: Final = Sentence(zh="你是{name}。", en="You are {name}.")
PERSONALITY: Final = Sentence(zh="性格", en="Personality")
SCENARIO: Final = Sentence(zh="场景", en="Scenario")
GREETING: Final = Sentence(zh="第一次见面时说的话", en="What you said when you first met")
EXAMPLES: Final = Sentence(zh="说话的样子", en="How you talk, by example")
NOTES: Final = Sentence(zh="作者的要求", en="What the author asks of you")
YOUR_PARTNER: Final = Sentence(zh="主人", en="your partner")
