"""What she says around a turn: what came without words, failures, strangers, bad commands."""

from typing import Final

from bot.texts import Sentence

# Said instead of an answer.
POSTPONED: Final = Sentence(
    zh="我这会儿脑子有点转不动，先记着你说的，好了马上回你。",
    en="My head is stuck right now. I have kept what you said and will answer as soon as I can.",
)
"""The model cannot be reached; the message waits and will be answered."""

GAVE_UP: Final = Sentence(
    zh="这句我试了几次都没能答上来，抱歉。换个说法再问我一次好吗？",
    en="I tried a few times and could not answer that, sorry. Could you put it another way?",
)
"""Every attempt at one message failed; it is marked and not tried again."""

EXPIRED: Final = Sentence(
    zh="前一阵我一直没缓过来，这句放得太久了。还想聊的话，再跟我说一声。",
    en="I was out of reach for so long that this went stale. Tell me again if it still matters.",
)
"""The model stayed away longer than a message waits."""

DECLINED: Final = Sentence(
    zh="这个我不太方便聊，我们说点别的吧。",
    en="I would rather not talk about this. Shall we talk about something else?",
)
"""The model or its provider's filter refused."""

TOO_LONG: Final = Sentence(
    zh="这段太长了，我一次读不完，分几段发给我好吗？",
    en="This is too long for me to take in at once. Could you send it in parts?",
)
"""Even the shortest prompt that holds the message does not fit the model."""

LIMIT_REACHED: Final = Sentence(
    zh="今天聊的已经到了每日用量上限，明天我再回你这句。",
    en="Today's limit is used up. I will answer this tomorrow.",
)
"""The daily token limit is reached; the message waits."""

SECRET_SEALED: Final = Sentence(
    zh="记住了，也锁好了：只有你能在私聊里用 /memory show 看到原文，聊天记录里我已经涂掉。",
    en="Remembered and sealed: only you can read it, in private, with /memory show. I have "
    "removed it from our conversation.",
)
"""A secret was sealed. The model never sees it, so these are nobody's words but ours."""

SECRET_NEEDS_KEY: Final = Sentence(
    zh="这样的秘密我只肯锁起来记，可现在没有钥匙（MEMORY_KEY_FILE），所以我没有记，也已经涂掉了。",
    en="I keep such a secret only sealed, and I have no key (MEMORY_KEY_FILE). So I did not "
    "keep it, and have removed it from our conversation.",
)
"""A secret was refused, since it could only have been kept in the clear."""

SECRET_IN_GROUP: Final = Sentence(
    zh="密码、证件号这样的秘密我不在群里记，私下告诉我吧。",
    en="I do not keep secrets such as passwords in a group. Tell me in private.",
)
"""A secret was said where others hear it."""

NOT_STORED: Final = Sentence(
    zh="我没能记下来：现在写不进硬盘。你的话我先留着，好了再记，也会告诉你。",
    en="I could not save this: the disk cannot be written. I will hold on to what you said, "
    "try again, and tell you.",
)
"""A request to remember could not be made durable; nothing claims it was."""

# What came without words, as the model reads it.
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

# Who may talk.
STRANGER: Final = Sentence(
    zh="你好，我是小祥。我只和主人允许的人聊天，抱歉啦。（你的编号：{person}）",
    en="Hello, I am Xiaoxiang. I only talk with people my owner knows, sorry. (Your id: {person})",
)
PAIRED: Final = Sentence(
    zh="认好了，从现在起你就是我的主人。", en="Done: from now on you are my owner."
)

TEXT_CUT: Final = Sentence(
    zh="你这条消息太长了，我只读了前面 {count} 个字，后面的没有看到。可以分几条发给我。",
    en="That message is too long: I read its first {count} characters and nothing after them. "
    "Please send it in several parts.",
)

# Commands that were not carried out.
UNKNOWN_COMMAND: Final = Sentence(
    zh="我不认识 /{name} 这个命令，发 /help（/帮助）可以看到我会的。",
    en="I do not know the command /{name}. /help shows the ones I do.",
)
COMMAND_INTERRUPTED: Final = Sentence(
    zh="刚才执行 /{name} 时我被打断了，不确定有没有做完。请先看一下结果，需要的话再发一次。",
    en="I was interrupted during /{name} and cannot be sure it finished. "
    "Please look at the result first, and send it again if needed.",
)
COMMAND_DONE: Final = Sentence(
    zh="/{name} 已经执行完了，但结果当时没能发出来。想看结果请再发一次命令。",
    en="/{name} was carried out, but its result could not be sent at the time. "
    "To see it, send the command again.",
)
NEVER_DELIVERED: Final = Sentence(
    zh="我有一条回答过了一天也没能发出来，就不再发了。需要的话请再问我一次。",
    en="One of my answers could not be sent for a whole day, so I gave it up. "
    "If you still need it, please ask again.",
)
COMMAND_FAILED: Final = Sentence(
    zh="/{name} 没有执行成功，可以过一会儿再试一次。",
    en="/{name} failed. You can try it again in a while.",
)
NO_BUTTON: Final = Sentence(
    zh="这个按钮已经不管用了，直接发命令吧。", en="This button no longer works; send the command."
)
