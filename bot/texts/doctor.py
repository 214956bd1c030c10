"""What the doctor says."""

from typing import Final

from bot.texts.sentence import Sentence

FOLDER_GOOD: Final = Sentence(
    zh="数据目录 {folder} 可以写", en="data folder {folder} can be written"
)
FOLDER_BAD: Final = Sentence(
    zh="数据目录 {folder} 写不进去：改它的权限，或用 DATA_DIR 换一个",
    en="data folder {folder} cannot be written: mend its permissions or set another as DATA_DIR",
)
AGENT_GOOD: Final = Sentence(
    zh="记忆 {agent} 完好，有 {count} 条", en="memory {agent} is sound, {count} memories"
)
AGENT_BAD: Final = Sentence(
    zh="记忆 {agent} 读不出来：{why}", en="memory {agent} is unreadable: {why}"
)
NO_MODEL: Final = Sentence(
    zh="没有设置语言模型，用离线模式（要用模型：设置 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL）",
    en="no language model is set, so offline mode "
    "(to use one: LLM_BASE_URL, LLM_API_KEY, LLM_MODEL)",
)
MODEL_GOOD: Final = Sentence(zh="语言模型 {name} 有回应", en="language model {name} answers")
MODEL_BAD: Final = Sentence(
    zh="语言模型 {name} 没有回应（{why}）：检查 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL 和网络",
    en="language model {name} does not answer ({why}): check LLM_BASE_URL, LLM_API_KEY, LLM_MODEL "
    "and the network",
)
