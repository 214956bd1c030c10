"""What the shell says."""

from typing import Final

from bot.texts.sentence import Sentence

HER_NAME: Final = Sentence(zh="小祥> ", en="Xiaoxiang> ")
YOU: Final = Sentence(zh="你> ", en="you> ")
THINKING: Final = Sentence(zh="小祥在想……", en="Xiaoxiang is thinking…")
WELCOME: Final = Sentence(
    zh="小祥在这里。直接说话就行；/help 看命令，Ctrl-D 离开。",
    en="Xiaoxiang is here. Just talk; /help shows the commands, Ctrl-D leaves.",
)
WELCOME_OFFLINE: Final = Sentence(
    zh="（没有设置语言模型，现在是离线模式：我按规则记住和回想。想用模型请看 .env.example。）",
    en="(No language model is set, so this is offline mode: I remember and recall by rule. "
    "To use a model, see .env.example.)",
)
BYE: Final = Sentence(zh="我会记得的。再见。", en="I will remember. Goodbye.")

REPLAYED: Final = Sentence(
    zh="{file}：{turns} 轮对话，{known} 轮以前就记得；{nights} 个夜晚；现在有 {memories} 条记忆。",
    en="{file}: {turns} turns, {known} known before; {nights} nights; {memories} memories now.",
)
"""What a replay did."""
