"""What is said about pictures and voice."""

from typing import Final

from bot.texts.sentence import Sentence

QUESTION: Final = Sentence(
    zh="用一两句话说清这张图里有什么；图里有字就照抄。只描述，不评论。",
    en="Say in a sentence or two what this picture shows; copy any words in it. Only describe.",
)
SENT_A_PICTURE: Final = Sentence(zh="（发来一张图片）", en="(sent a picture)")
SEEN: Final = Sentence(zh="图片里：{seen}", en="the picture shows: {seen}")
