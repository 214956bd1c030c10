"""What she says around a turn: what came without words, failures, strangers, bad commands."""

from typing import Final

from bot.texts import Sentence

# Said instead of an answer.
POSTPONED: Final = Sentence(
    zh="我这会儿脑子有点转不动，你说的我先记着，等我缓过来再回你。",
    en="My head is stuck right now. I have kept what you said and will answer once it works "
    "again.",
)
"""The model cannot be reached; the message waits and will be answered."""

POSTPONED_TOO: Final = Sentence(
    zh="这句我也先记着，到时候一起回你。",
    en="I have kept that too, and will answer it with the rest.",
)
"""The same of what is said further on, as long as that lasts."""

OWNERS_REASONS: Final = {
    # The provider wants money (402, insufficient balance).
    "quota": Sentence(
        zh="模型服务那边说账户里没有余额了，所以我现在答不上来。你说的我都留着，充值以后我接着回你。",
        en="The model's provider says the account has no money left, so I cannot answer now. I "
        "keep what you say and will go on once it is topped up.",
    ),
    # The key is wrong, or may not do this.
    "refused_key": Sentence(
        zh="模型服务不认我的密钥（LLM_API_KEY），所以我现在答不上来。你说的我都留着：那边要是又认了，我自己会接着回；"
        "要是得换一把，换好再重启我。",
        en="The model's provider refuses my key (LLM_API_KEY), so I cannot answer now. I keep "
        "what you say, and go on by myself if the key is taken again; if it takes a new one, set "
        "it and restart me.",
    ),
    # There is no such model.
    "unknown_model": Sentence(
        zh="模型服务说没有我要用的那个模型（LLM_MODEL），所以我现在答不上来。改好再重启，我接着回你。",
        en="The model's provider has no such model (LLM_MODEL), so I cannot answer now. Name "
        "another one and restart me, and I will go on.",
    ),
    # The address is wrong.
    "unknown_address": Sentence(
        zh="模型的地址（LLM_BASE_URL）上没有模型服务，所以我现在答不上来。改好再重启，我接着回你。",
        en="There is no model at the address I was given (LLM_BASE_URL), so I cannot answer now. "
        "Mend it and restart me, and I will go on.",
    ),
    # A proxy, a portal, or whoever is at work on the server answers.
    "web_page": Sentence(
        zh="模型的地址（LLM_BASE_URL）现在回的是网页，不是模型，所以我现在答不上来。你说的我都留着：那边好了，我自己会接着回；"
        "要是地址写错了，改好再重启我。",
        en="At the model's address (LLM_BASE_URL) a web page answers now and no model, so I "
        "cannot answer. I keep what you say, and go on by myself when the model is back; if the "
        "address is wrong, mend it and restart me.",
    ),
}
"""What waiting does not mend, and only the owner can: they are told in plain words."""

GAVE_UP: Final = Sentence(
    zh="你说的「{said}」，我试了几次都没能接上话，抱歉。换个说法再跟我说一次好吗？",
    en="You said “{said}”. I tried a few times and found no answer, sorry. Could you put it "
    "another way?",
)
"""Every attempt at what was said, be it one message or several, failed; it is not tried again.

``said`` is its beginning: the line may come with the answer to a later one.
"""

EXPIRED: Final = Sentence(
    zh="前一阵我一直没缓过来，你那时说的「{said}」放得太久了。还想聊的话，再跟我说一声。",
    en="I was out of reach for so long that what you said (“{said}”) went stale. Tell me again "
    "if it still matters.",
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
    zh="今天聊的已经到了每日用量上限，你说的我先记着，明天再回你。",
    en="Today's limit is used up. I have kept what you said and will answer tomorrow.",
)
"""The daily token limit is reached; the message waits."""

CUT_AT_LIMIT: Final = Sentence(
    zh="（一次只能说这么长，还没说完。想接着听，回我“继续”。）",
    en="(That is as long as I can get at once, and I am not done. Say “go on” to hear the rest.)",
)
"""Below an answer that the model's own length limit ended."""

CUT_BY_FILTER: Final = Sentence(
    zh="（说到这里被拦下了，没有说完。想换个方向接着聊，回我“继续”。）",
    en="(I was stopped here before I was done. Say “go on” and I will try another way.)",
)
"""Below an answer that a provider's filter ended."""

STOPPED: Final = Sentence(zh="（你让我停，就说到这里。）", en="(You asked me to stop, so I did.)")
"""Below what there was of an answer when it was stopped."""

STOPPED_AT_ONCE: Final = Sentence(
    zh="（你让我停，这句就没有答。）", en="(You asked me to stop before I had said a word.)"
)
"""In place of an answer that was stopped before it began."""

STOP: Final = Sentence(zh="停", en="Stop")
"""On the button below an answer that grows."""

PUT_RIGHT: Final = Sentence(
    zh="好，改过来了：{text}。", en="Thank you, I have put that right: {text}."
)
WHAT_IS_RIGHT: Final = Sentence(
    zh="是我说错了哪一句？告诉我对的是什么，我就改。",
    en="Which part did I get wrong? Tell me what is right, and I will change it.",
)
OF_WHAT: Final = Sentence(
    zh="是哪件事呢？我没对上。把那件事一起说一遍，我就改。",
    en="Of what? I do not see which matter you mean. Say it once with the matter, and I will "
    "change it.",
)
NOTHING_TO_REPEAT: Final = Sentence(
    zh="这里还没有哪句回答可以重说：先问我点什么吧。",
    en="There is no answer of mine to you here that I could give again. Ask me something first.",
)

SECRET_SEALED: Final = Sentence(
    zh="记住了，也锁好了：只有你能在私聊里看到原文，聊天记录里我已经涂掉。"
    "要看时在 /memory list 里找［已封存］，再发 /memory show 加它的编号。",
    en="Remembered and sealed: only you can read it, in private. I have removed it from our "
    "conversation. To read it, find [sealed] in /memory list and send /memory show and its id.",
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

SECRET_CUT: Final = Sentence(
    zh="这里面的秘密我不明着留，聊天记录里已经涂掉；要我锁起来记，就说“记住：……”。",
    en="I do not keep the secret in that in the clear, and have removed it from our conversation. "
    "To have me keep it sealed, say “remember: …”.",
)
"""A secret was told, and nobody asked for it to be kept; with a key it could be."""


def _unkept(zh: str, en: str, again_zh: str = "", again_en: str = "") -> Sentence:
    """Return what is said of lines that are not kept, and that they may be said again."""
    return Sentence(
        zh=f"好，{zh}不记：不进记忆，日记里也只剩几个星号；{again_zh}"
        "别处说过的还在，要抹掉就用 /forget。",
        en=f"All right, I am {en}: not as a memory, and in the diary there are only asterisks in "
        f"their place; {again_en}what you said elsewhere stays until you erase it with /forget.",
    )


NOT_KEPT: Final = _unkept("这句我", "not keeping that line of yours")
"""Words were not to be remembered. No model sees them, so these are nobody's words but ours."""
NOT_KEPT_BEFORE: Final = _unkept("你前面那一句我", "not keeping what you said just before")
NOT_KEPT_BOTH: Final = _unkept(
    "你前面那一句和这一句我都", "keeping neither what you said just before nor this"
)
NOT_KEPT_LINES: Final = _unkept(
    "你前面连着说的那几句我都",
    "not keeping any of the lines you sent in a row just before",
    "哪句想留，再说一遍就行；",
    "what is to stay, say again; ",
)
"""As before, of the lines before this one, and of it too."""

NOT_KEPT_NEXT: Final = Sentence(
    zh="好，你接下来说的那一句我不记；前面说过的还在，要抹掉就用 /forget。",
    en="All right, the next thing you send I will not keep; what you said before stays until you "
    "erase it with /forget.",
)
"""Something is announced that is not to be remembered."""

NOTHING_BEFORE: Final = Sentence(
    zh="这前面没有你说的话可以涂掉，所以我什么也没动；要抹掉说过的事，就用 /forget。",
    en="There is no line of yours just before this that I could blot out, so nothing is changed; "
    "to erase what you once said, use /forget.",
)
"""A line before is not to be remembered, and there is none."""

HOW_SHE_IS_NAMED: Final = Sentence(
    zh="{called}，这个名字我听到了，可光在聊天里说，我的名字还改不了。"
    "发 /memory system 你叫{called}，我往后每次聊都带着它；"
    "写着我名字的人设在 PERSONA_FILE 里。",
    en="{called}: I have heard it, but what I am called is not changed by talk alone. "
    "Send /memory system You are called {called}, and I have it in mind in every talk; the "
    "persona that names me is in PERSONA_FILE.",
)
"""She was given another name, which only a setting changes."""

NOT_WHILE_PAUSED: Final = Sentence(
    zh="现在暂停记新的事，这个我没有记。/memory resume（/记忆 恢复）以后再跟我说一遍，我就记。",
    en="Learning is paused, so I am not keeping this. Tell me again after /memory resume.",
)
"""Something was told, or asked to be kept, of which nothing is kept."""

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
PICTURES_LEFT: Final = Sentence(
    zh="（还有 {count} 张图片没有看）", en="({count} more pictures were not looked at)"
)
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

TEXT_CUT: Final = Sentence(
    zh="你这条消息太长了，我只读了前面 {count} 个字，后面的没有看到。可以分几条发给我。",
    en="That message is too long: I read its first {count} characters and nothing after them. "
    "Please send it in several parts.",
)

UNREADABLE: Final = Sentence(
    zh="这条消息我没能读出来，原样留着了。换成文字再发一次好吗？",
    en="I could not read that. I kept it as it came; could you send it again as text?",
)

# Said in a group she was added to.
HELLO: Final = Sentence(
    zh="大家好，我是小祥。想找我就 @我；我会做什么，@我 发 /help。",
    en="Hello everybody, I am Xiaoxiang. Mention me to talk with me, or send me /help to see "
    "what I can do.",
)
NOT_ALLOWED_YET: Final = Sentence(
    zh="（这个群的编号是 {chat}。主人把它写进 ALLOWED_IDS 以后，大家都能和我聊。）",
    en="(This group is {chat}. Once my owner adds that to ALLOWED_IDS, everybody here can talk "
    "with me.)",
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
BUTTON_USED: Final = Sentence(
    zh="这个按钮已经按过了，每个只管用一次。",
    en="This button was pressed already; each works once.",
)
CHOSEN_ALREADY: Final = Sentence(
    zh="这里已经选过一次了，先按的那个算数。",
    en="One of these was pressed already; the first press counts.",
)
BUTTON_OF_ONE_AND_ADMINS: Final = Sentence(
    zh="这个是别人的，只有本人和群管理员能按。",
    en="This is somebody else's; only they and the group's admins can press it.",
)
BUTTON_OF_ANOTHER: Final = Sentence(
    zh="这个按钮是给别人的，只有要它的人能按。你也想要的话，自己发一次命令。",
    en="This button is for whoever asked for it. If you want the same, send the command yourself.",
)
ONLY_WHO_ASKED: Final = Sentence(
    zh="这句是在回答别人，只有提问的人和管理员能停。",
    en="This answers somebody else: only who asked, and admins, can stop it.",
)

# Asked for in words: 忘掉老吴, 别再提我前夫, 撤销.
ERASE_IN_WORDS: Final = Sentence(
    zh="要彻底忘掉「{what}」吗？发这一句，我先给你看会抹去哪些：\n/forget {command}\n"
    "你确认了才抹，抹了就找不回来。只是不想听我提起，就说“别再提{what}”。",
    en="Shall I forget “{what}” for good? Send this, and I show you first what would be erased:\n"
    "/forget {command}\nNothing goes before you confirm. If you only want me not to bring it up, "
    "say “don't mention {what}”.",
)
ERASE_ALL_IN_WORDS: Final = Sentence(
    zh="要我把记得的全部彻底忘掉吗？发这一句，我先给你看会抹去什么：\n/forget {command}\n"
    "你确认了才抹，抹了就找不回来。",
    en="Shall I forget everything for good? Send this, and I show you first what would be "
    "erased:\n/forget {command}\nNothing goes before you confirm, and nothing comes back "
    "after it.",
)
LOOK_WHAT_GOES: Final = Sentence(zh="先看会抹去什么", en="Show what would go")
WILL_NOT_MENTION: Final = Sentence(
    zh="好，{what}的事我不主动提了。你自己问起，我还是会答。想让我再提，说“可以再提{what}了”，"
    "或者用 /undo 撤销。",
    en="All right, I will not bring “{what}” up. If you ask me yourself, I still answer. To take "
    "it back, say “you can mention {what} again”, or send /undo.",
)
MAY_MENTION: Final = Sentence(
    zh="好，{what}的事，我可以再提了。", en="All right, I may mention “{what}” again."
)
UNDO_IN_WORDS: Final = Sentence(
    zh="要撤销上一步，发 /undo：我先说是哪一步，你确认了才撤。",
    en="To undo the last step, send /undo: I say first which one it is, and you confirm.",
)
TOLD_OTHERWISE: Final = Sentence(
    zh="（不过我记着你说过：{told}。这种要紧的事，以你说的和医生的话为准。）",
    en="(But what I remember you told me is: {told}. In a matter like this go by that and by your "
    "doctor, not by what I said above.)",
)
"""A model called harmless what the partner said harms them."""

NAMED_OTHERWISE: Final = Sentence(
    zh="（不过我记着你说过：{told}。）", en="(But what I remember you told me is: {told}.)"
)
NOTHING_ERASED: Final = Sentence(
    zh="（其实什么也没有抹掉，光说不算。要抹掉一件事，发“/forget 那件事”，"
    "全都抹掉就发 /forget all：我先给你看会抹去哪些，你确认了才抹。）",
    en="(In fact nothing has been erased: words alone do not do it. To erase something send "
    "“/forget” with its name, or /forget all; I show you first what would go, and nothing goes "
    "before you confirm.)",
)
NOTHING_PINNED: Final = Sentence(
    zh="（其实没有钉住。要钉住一条，发“/memory pin 编号”，编号在 /memory list 里。）",
    en="(In fact nothing is pinned. To pin a memory send “/memory pin” with its number from "
    "/memory list.)",
)
NOTHING_CHANGED: Final = Sentence(
    zh="（光说改不了记忆：我记着什么，以 /memory list 为准；"
    "要改一条，发“/memory edit 编号 新的内容”。）",
    en="(Words alone change no memory: what I hold stands in /memory list, and “/memory edit” "
    "with its number and the new text changes it.)",
)
NO_ERRAND_RUN: Final = Sentence(
    zh="（其实我没有办：订票、挂号、打电话、付款、发邮件这类事我都办不了，得你自己来。）",
    en="(In fact I did not: I can book, call, pay, order or send nothing. That is left for you to "
    "do.)",
)
HER_NAME: Final = Sentence(zh="小祥", en="Xiaoxiang")

# Answers under way, and what needs her running.
DID_STOP: Final = Sentence(zh="好，停下了。", en="All right, I stopped.")
NOTHING_TO_STOP: Final = Sentence(
    zh="这会儿没有正在说的回答。", en="I am not answering anything of yours at the moment."
)
ONLY_IN_CHAT: Final = Sentence(
    zh="这个要在聊天里用，在正说着话的那个聊天。",
    en="That is for the chat in which the answer is.",
)
NEEDS_RUNNING: Final = Sentence(
    zh="小祥没有在运行，这个要等她运行起来再做。",
    en="Xiaoxiang is not running; do this while she is.",
)

NOT_THE_SAME: Final = Sentence(
    zh="{ids} 说的不是同一件事，合起来会丢掉一些，所以没有合。"
    "真要合，写上合成以后的那句话：/memory merge {ids} 那句话",
    en="{ids} do not say the same, and merging them would lose some of it: not merged. If you "
    "mean it, say what they become: /memory merge {ids} TEXT",
)
