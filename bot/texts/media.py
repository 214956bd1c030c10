"""What is said about what is no text."""

from typing import Final

from bot.texts.sentence import Sentence

PICTURE_QUESTION: Final = Sentence(
    zh="用一两句话说清这张图里有什么；图里有字就照抄。只描述，不评论。",
    en="Say in a sentence or two what this picture shows; copy any words in it. Only describe.",
)
SENT_A_PICTURE: Final = Sentence(zh="（发来一张图片）", en="(sent a picture)")
PICTURE_SHOWS: Final = Sentence(zh="图片里：{seen}", en="the picture shows: {seen}")
UNSEEN_PICTURE: Final = Sentence(
    zh="（发来一张图片，我还看不了）", en="(sent a picture I cannot see yet)"
)
UNHEARD_VOICE: Final = Sentence(
    zh="（发来一段语音，我还听不了）", en="(sent a voice note I cannot hear yet)"
)
UNKNOWN_ATTACHMENT: Final = Sentence(
    zh="（发来一样我还打不开的东西）", en="(sent something I cannot open yet)"
)
FORWARDED: Final = Sentence(zh="（转发了一段话）", en="(forwarded something)")
