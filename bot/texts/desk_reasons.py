"""How a memory was found, and what was learnt."""

from typing import Final

from bot.texts.sentence import Sentence

FOUND_WORD: Final = Sentence(zh="词“{what}”", en="word “{what}”")
FOUND_DATE: Final = Sentence(zh="日子“{what}”", en="date “{what}”")
FOUND_SPEAKER: Final = Sentence(zh="说话的人“{what}”", en="speaker “{what}”")
FOUND_PATH: Final = Sentence(zh="由 {what} 想到", en="by way of {what}")
FOUND_BESIDE: Final = Sentence(zh="前后说起，{what}", en="said beside it, {what}")

LEARNT_ADDED: Final = Sentence(zh="记住 {ids}", en="learnt {ids}")
LEARNT_AS_TOLD: Final = Sentence(zh="按你说的记住 {ids}", en="remembered as told {ids}")
LEARNT_UPDATED: Final = Sentence(zh="更新 {ids}", en="updated {ids}")
LEARNT_BOOSTED: Final = Sentence(zh="用到并记牢 {ids}", en="used and firmer {ids}")
LEARNT_MENTIONED: Final = Sentence(zh="又提起 {ids}", en="mentioned again {ids}")
LEARNT_DELETED: Final = Sentence(zh="放下 {ids}", en="put away {ids}")
LEARNT_NEGATED: Final = Sentence(zh="不再如此 {ids}", en="no longer so {ids}")
LEARNT_MERGED: Final = Sentence(zh="合并 {ids}", en="merged {ids}")
