"""What the commands of the shell say: the terminal chat, the replay, the doctor and the key."""

from typing import Final

from bot.texts import Sentence

# The terminal chat.
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

# The replay.
REPLAYED: Final = Sentence(
    zh="{file}：{turns} 轮对话，{known} 轮以前就记得；{nights} 个夜晚；现在有 {memories} 条记忆。",
    en="{file}: {turns} turns, {known} known before; {nights} nights; {memories} memories now.",
)
"""What a replay did."""

# The doctor. Whatever is wrong is said together with what to do about it.
FOLDER_GOOD: Final = Sentence(zh="数据目录 {folder} 可以写", en="data folder {folder} is writable")
FOLDER_BAD: Final = Sentence(
    zh="数据目录 {folder} 写不进去：改它的权限，或用 DATA_DIR 换一个",
    en="data folder {folder} is not writable: fix its permissions, or set another one as DATA_DIR",
)
ENV_OPEN: Final = Sentence(
    zh="{file} 里有密钥，别的用户也能读：chmod 600 {file}",
    en="{file} holds keys, and other users can read it: chmod 600 {file}",
)
AGENT_GOOD: Final = Sentence(
    zh="记忆 {agent} 完好，有 {count} 条", en="memory {agent} is intact, {count} memories"
)
AGENT_BAD: Final = Sentence(
    zh="记忆 {agent} 读不出来：{why}", en="memory {agent} cannot be read: {why}"
)
KEY_GOOD: Final = Sentence(
    zh="钥匙 {file} 在，秘密可以封存", en="key file {file} is there, so secrets can be sealed"
)
KEY_AWAY: Final = Sentence(
    zh="钥匙 {file} 不在：封存的记忆打不开，但都还在。放回来，或用 xiaoxiang key new 造一把",
    en="key file {file} is missing: sealed memories cannot be opened, but nothing is lost. "
    "Put it back, or make one with: xiaoxiang key new",
)
KEY_BAD: Final = Sentence(zh="钥匙用不了：{why}", en="the key cannot be used: {why}")
NO_KEY: Final = Sentence(
    zh="没有设置钥匙（MEMORY_KEY_FILE），密码之类的秘密不会被记住；造一把：xiaoxiang key new",
    en="no key is set (MEMORY_KEY_FILE), so secrets such as passwords are not kept; "
    "make one with: xiaoxiang key new",
)
KEY_MADE: Final = Sentence(
    zh="钥匙造好了。设置 MEMORY_KEY_FILE={file}，并另存一份：丢了它，封存的记忆就再也打不开。",
    en="The key is made. Set MEMORY_KEY_FILE={file} and keep a copy somewhere else: without "
    "it, sealed memories can never be opened again.",
)
ROTATED: Final = Sentence(
    zh="换好了：{sealed} 条封存的记忆用上了新钥匙，旧的已丢掉。以前的备份要用旧钥匙的副本打开。",
    en="Done: {sealed} sealed memories use the new key, and the former key is gone. Backups "
    "made before need your copy of the former key.",
)
SOME_SHUT: Final = Sentence(
    zh="{sealed} 条换好了，{shut} 条打不开，所以旧钥匙还留在文件里。",
    en="{sealed} use the new key; {shut} could not be opened, so the former keys were kept "
    "in the file.",
)
NO_MODEL: Final = Sentence(
    zh="没有设置语言模型，用离线模式（要用模型：设置 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL）",
    en="no language model is set, so this is offline mode (to use one: LLM_BASE_URL, "
    "LLM_API_KEY, LLM_MODEL)",
)
EMBEDDER_GOOD: Final = Sentence(
    zh="向量模型 {name} 有回应，可以按意思找", en="embedding model {name} answers"
)
EMBEDDER_BAD: Final = Sentence(
    zh="向量模型 {name} 没有回应，暂时只按字词找：检查 EMBEDDING_BASE_URL、"
    "EMBEDDING_API_KEY、EMBEDDING_MODEL",
    en="embedding model {name} does not answer, so search goes by words: check "
    "EMBEDDING_BASE_URL, EMBEDDING_API_KEY, EMBEDDING_MODEL",
)
MODEL_GOOD: Final = Sentence(zh="语言模型 {name} 有回应", en="language model {name} answers")
MODEL_BAD: Final = Sentence(
    zh="语言模型 {name} 没有回应（{why}）：检查 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL 和网络",
    en="language model {name} does not answer ({why}): check LLM_BASE_URL, LLM_API_KEY, LLM_MODEL "
    "and the network",
)

NOT_CONFIGURED: Final = Sentence(
    zh="还没有设置任何聊天平台。在 .env 里写上 {ways}，"
    "再运行 xiaoxiang run。只想在终端里聊：xiaoxiang chat",
    en="No chat platform is configured. Put {ways} into .env and start xiaoxiang run again."
    " To talk in the terminal: xiaoxiang chat",
)
OR: Final = Sentence(zh="，或者 ", en=", or ")
