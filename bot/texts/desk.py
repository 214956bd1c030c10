"""What the desk says about memories."""

from typing import Final

from bot.texts.sentence import Sentence

NOTHING: Final = Sentence(zh="还没有记忆。", en="No memories yet.")
NOTHING_FOUND: Final = Sentence(
    zh="没有找到和“{query}”有关的记忆。", en="Nothing found for “{query}”."
)
LISTED: Final = Sentence(zh="{shown} / {total} 条记忆", en="{shown} of {total} memories")

ID: Final = Sentence(zh="编号", en="id")
TEXT: Final = Sentence(zh="内容", en="memory")
PHRASE: Final = Sentence(zh="短语", en="phrase")
KEYWORDS: Final = Sentence(zh="关键词", en="keywords")
TIER: Final = Sentence(zh="层级", en="tier")
KIND: Final = Sentence(zh="类别", en="kind")
TOPIC: Final = Sentence(zh="主题", en="topic")
LEVEL: Final = Sentence(zh="留存", en="level")
STANDING: Final = Sentence(zh="状态", en="standing")
SENSITIVITY: Final = Sentence(zh="敏感度", en="sensitivity")
PINNED: Final = Sentence(zh="钉住", en="pinned")
IMPORTANCE: Final = Sentence(zh="重要性", en="importance")
STRENGTH: Final = Sentence(zh="强度", en="strength")
WEIGHT: Final = Sentence(zh="权重", en="weight")
CONNECTEDNESS: Final = Sentence(zh="连接度", en="connectedness")
RETENTION: Final = Sentence(zh="保留", en="retention")
SINCE: Final = Sentence(zh="从", en="since")
SPEAKER: Final = Sentence(zh="谁说的", en="who said it")
QUOTE: Final = Sentence(zh="原话", en="in their words")
SOURCES: Final = Sentence(zh="来自消息", en="from messages")
SCORE: Final = Sentence(zh="分数", en="score")
WHY: Final = Sentence(zh="为什么", en="why")
LINKED_TO: Final = Sentence(zh="想到", en="brings up")
FORGOTTEN: Final = Sentence(zh="[曾记得] 已经忘了的事", en="[once known] something forgotten")

SYSTEM: Final = Sentence(zh="系统", en="system")
CORE: Final = Sentence(zh="核心", en="core")
FACT: Final = Sentence(zh="事实", en="fact")
EPISODE: Final = Sentence(zh="情境", en="episode")
ENTITY: Final = Sentence(zh="名字", en="entity")
YES: Final = Sentence(zh="是", en="yes")
NO: Final = Sentence(zh="否", en="no")
