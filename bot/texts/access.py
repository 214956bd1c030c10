"""What someone hears whom she does not know."""

from typing import Final

from bot.texts.sentence import Sentence

STRANGER: Final = Sentence(
    zh="你好，我是小祥。我只和主人允许的人聊天，抱歉啦。（你的编号：{person}）",
    en="Hello, I am Xiaoxiang. I only talk with people my owner knows, sorry. (Your id: {person})",
)
PAIRED: Final = Sentence(
    zh="认好了，从现在起你就是我的主人。", en="Done: from now on you are my owner."
)
