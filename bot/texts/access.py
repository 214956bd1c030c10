"""What someone hears whom she does not know."""

from typing import Final

from bot.texts.sentence import Sentence

STRANGER: Final = Sentence(
    zh="你好，我是小祥。我只和主人允许的人聊天，抱歉啦。（你的编号：{person}）",
    en="Hello, I am Xiaoxiang. I only talk with people my owner knows, sorry. (Your id: {person})",
)
