"""What is said about commands as such; what a command answers lies in the area of its family."""

from typing import Final

from bot.texts.sentence import Sentence

UNKNOWN_COMMAND: Final = Sentence(
    zh="我不认识 /{name} 这个命令，发 /help（/帮助）可以看到我会的。",
    en="I do not know the command /{name}. /help shows the ones I do.",
)

COMMAND_INTERRUPTED: Final = Sentence(
    zh="刚才执行 /{name} 时我被打断了，不确定有没有做完。请先看一下结果，需要的话再发一次。",
    en="I was interrupted during /{name} and cannot be sure it finished. "
    "Please look at the result first, and send it again if needed.",
)

COMMAND_FAILED: Final = Sentence(
    zh="/{name} 没有执行成功，可以过一会儿再试一次。",
    en="/{name} did not work. You can try it again in a while.",
)
NO_BUTTON: Final = Sentence(
    zh="这个按钮已经不管用了，直接发命令吧。", en="This button no longer works; send the command."
)
