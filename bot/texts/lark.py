"""What is said only on Lark, or about it."""

from typing import Final

from bot.texts.sentence import Sentence

STICKER: Final = Sentence(zh="（发来一个表情）", en="(sent a sticker)")
FILE: Final = Sentence(
    zh="（发来一个文件：{name}，我还打不开）", en="(sent a file I cannot open yet: {name})"
)
PLACE: Final = Sentence(zh="（发来一个位置：{name}）", en="(sent a place: {name})")
PERSON_CARD: Final = Sentence(zh="（分享了一个人的名片）", en="(shared somebody's card)")
CHAT_CARD: Final = Sentence(zh="（分享了一个群）", en="(shared a group)")
CARD: Final = Sentence(zh="（转来一张卡片）", en="(forwarded a card)")
EVERYBODY: Final = Sentence(zh="所有人", en="everybody")
SOMEBODY: Final = Sentence(zh="某人", en="somebody")
