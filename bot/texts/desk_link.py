"""What ``/link``, ``/unlink`` and ``/people`` say: whose chats are joined, and who may talk."""

from typing import Final

from bot.texts import Sentence

# The two commands and their arguments.
LINK: Final = Sentence(
    zh="把你的 Telegram 和飞书私聊接成一份记忆",
    en="let your Telegram and Lark chats share one memory",
)
UNLINK: Final = Sentence(zh="让接在一起的聊天重新分开", en="separate chats that share a memory")
A_CODE: Final = Sentence(zh="配对码", en="CODE")
A_WAY: Final = Sentence(zh="空白或副本", en="empty|copy")
A_NUMBER: Final = Sentence(zh="第几个", en="WHICH")

# Codes. A wrong one is answered alike whether it never existed, is over, or was taken.
ONLY_IN_A_CHAT: Final = Sentence(
    zh="这个命令只能在聊天里用。", en="This command works only in a chat."
)
NEW_CODE: Final = Sentence(
    zh="配对码：{code}\n"
    "10 分钟内，在你另一个平台的私聊里发给我：/关联 {code}\n"
    "只能用一次。不管谁拿着它来，我都会先在这里问你；不过还是别给别人看。",
    en="Your code: {code}\n"
    "Within 10 minutes, send me this in your private chat on the other platform: /link "
    "{code}\n"
    "It works once. Whoever brings it, I ask you here before anything happens. Still, "
    "show it to nobody.",
)
NOT_A_CODE: Final = Sentence(
    zh="这不是配对码。先在另一个私聊里发 /关联，拿到像 AB2C-9XYZ 这样的码再来。",
    en="This is not a code. Send /link in your other chat first; a code looks like AB2C-9XYZ.",
)
UNKNOWN_CODE: Final = Sentence(
    zh="没有这个配对码：可能过期了（10 分钟），或者用过了。在另一个私聊里重新发 /关联。",
    en="There is no such code: it has expired (after 10 minutes) or was used. Send /link in "
    "the other chat again.",
)
TOO_MANY: Final = Sentence(
    zh="错了太多次，一小时后再试。", en="Too many wrong codes. Try again in an hour."
)
OWN_CODE: Final = Sentence(
    zh="这个码就是这里发出的。请到另一个平台的私聊里发给我。",
    en="This code comes from this very chat. Send it to me in your chat on the other platform.",
)
ALREADY: Final = Sentence(
    zh="这两个聊天已经共用一份记忆了。", en="These two chats already share one memory."
)
SAME_PLATFORM: Final = Sentence(
    zh="只接不同平台的私聊：同一个平台上的两个号，多半是两个人。这个码作废了。",
    en="Only chats on different platforms can be linked: two accounts on one platform are "
    "most likely two people. The code is void now.",
)
WITHDRAWN: Final = Sentence(
    zh="好，不关联了，码也作废了。", en="The link is cancelled and the code is void."
)
NOTHING_TO_WITHDRAW: Final = Sentence(zh="没有正在进行的关联。", en="There is no link to cancel.")

# The two confirmations, and what joining changes.
GUEST_TITLE: Final = Sentence(
    zh="要把这里和下面这个聊天接成一份记忆吗？",
    en="Should this chat and the one below share one memory?",
)
HOST_TITLE: Final = Sentence(
    zh="有人带着你的配对码来了。是你本人吗？", en="Somebody brought your code. Is it you?"
)
WHOSE: Final = Sentence(
    zh="接好以后，那边的人看得到这里的一切，这里也看得到那边的一切。两边都是你自己才确认。",
    en="Once they are linked, whoever is over there sees everything I know from here, and "
    "the other way round. Confirm only if both are you.",
)
THERE: Final = Sentence(zh="那边", en="over there")
HERE: Final = Sentence(zh="这里", en="here")
COUNTED: Final = Sentence(zh="{count} 条记忆", en="{count} memories")
STAYS: Final = Sentence(zh="留用的设置", en="settings that stay")
OF_THE_ELDER: Final = Sentence(
    zh="先认识的那边：{where}；规律：{law}", en="those of the older chat, {where}; law: {law}"
)
MOVES: Final = Sentence(zh="会搬过去的", en="memories that move")
SAID_TWICE: Final = Sentence(zh="两边都说过的", en="said on both sides")
SAID_TWICE_BECOMES: Final = Sentence(
    zh="{count} 条，各合成一条，记得更牢", en="{count}, each becomes one firmer memory"
)
CONTRADICT: Final = Sentence(zh="互相矛盾的", en="contradictions")
CONTRADICT_BECOMES: Final = Sentence(
    zh="{count} 条，以后说的为准，另一条找得回来",
    en="{count}: the later one holds, the other can be restored",
)
SECRETS: Final = Sentence(zh="锁着的机密", en="sealed secrets")
SECRETS_BECOME: Final = Sentence(zh="{count} 条，重新锁好", en="{count}, sealed again")
ERASED_HERE: Final = Sentence(zh="抹去过的", en="erased before")
ERASED_STAYS: Final = Sentence(zh="{count} 条，不会回来", en="{count}, which do not come back")
NUMBERS: Final = Sentence(zh="编号", en="ids")
NUMBERS_SHIFT: Final = Sentence(
    zh="后认识的那边，#1 变成 #{first}，依次类推",
    en="#1 of the younger chat becomes #{first}, and so on",
)
NUMBERS_STAY: Final = Sentence(zh="不变", en="unchanged")
GIVES_WAY: Final = Sentence(zh="被代替的", en="replaced")
STANDS: Final = Sentence(zh="为准的", en="holds")
DETAILS_THERE: Final = Sentence(
    zh="怎么合并的细节，等你在这里确认以后，在那边给你看，再由那边点头。",
    en="How the two merge is shown in the other chat once you have agreed here; it has to "
    "agree as well.",
)
NO_UNDO: Final = Sentence(
    zh="这一步不能用 /undo 撤回；以后可以用 /解除关联 分开。",
    en="/undo cannot take this back; /unlink separates the chats again.",
)
NOT_ME: Final = Sentence(zh="不，取消", en="no, cancel")

# What became of it.
ASKED_THERE: Final = Sentence(
    zh="好。现在到{where}那边去，看一眼怎么合并，再点一次确认（10 分钟内）。",
    en="Good. Now go to {where}, look at how the two merge, and confirm there within 10 minutes.",
)
ASK_YOURSELF: Final = Sentence(
    zh="（我这会儿够不着那边：请在那边发 /关联。那边是终端的话，要先停掉 xiaoxiang run。）",
    en="(I cannot reach that chat from here: send /link over there. If it is the terminal, stop "
    "`xiaoxiang run` first.)",
)
DECLINED: Final = Sentence(
    zh="{where}那边不关联了，什么都没有变。", en="{where} cancelled the link; nothing has changed."
)
JOINED: Final = Sentence(
    zh="接好了：{one}和{other}从现在起是同一份记忆。",
    en="Done: {one} and {other} share one memory now.",
)
JOINED_LATER: Final = Sentence(
    zh="关联已经定下，但记忆还没搬完（存不了）。我会自己接着做，什么都不会丢。",
    en="The link is decided, but the memories could not be moved yet, because nothing could "
    "be written. I will finish it by myself; nothing is lost.",
)
STILL_BUSY: Final = Sentence(
    zh="那边还有一句话没说完，什么都没有变。过一会儿再点一次确认。",
    en="Something is still under way in the other chat, so nothing has changed. Confirm "
    "again in a moment.",
)
IN_USE: Final = Sentence(
    zh="那边的记忆正被另一个小祥程序用着：让同一个程序管两边，再来一次。",
    en="Another running program uses the memory of the other chat. Let one program serve "
    "both chats, and try again.",
)
SHUT_NO_KEY: Final = Sentence(
    zh="有锁着的机密，但我没有钥匙，没法重新锁。先设好 MEMORY_KEY_FILE 再来；什么都没有变。",
    en="There are sealed secrets, and I have no key to seal them again. Set MEMORY_KEY_FILE "
    "first. Nothing has changed.",
)
SHUT_OTHER: Final = Sentence(
    zh="有锁着的机密，现在的钥匙打不开（{why}）。先解决它再来；什么都没有变。",
    en="There are sealed secrets that the present key does not open ({why}). Solve that "
    "first. Nothing has changed.",
)

# Separating chats again.
NOT_LINKED: Final = Sentence(
    zh="这里没有和别的聊天共用记忆。", en="This chat shares its memory with no other chat."
)
WHICH: Final = Sentence(zh="要让哪一个分出去？", en="Which chat should be separated?")
UNLINK_TITLE: Final = Sentence(zh="让{where}分出去：", en="Separate {where}:")
UNLINK_STAYS: Final = Sentence(
    zh="记忆（{count} 条）留在先认识的那边：{where}。",
    en="The memory ({count}) stays with the older chat, {where}.",
)
UNLINK_ASKS: Final = Sentence(
    zh="分出去的那边，从空白开始，还是带一份副本走？副本是那一刻的样子，以后各记各的。",
    en="Should the other chat start empty or with a copy? A copy is what I know at that "
    "moment; from then on each chat learns by itself.",
)
START_EMPTY: Final = Sentence(zh="从空白开始", en="start empty")
WITH_A_COPY: Final = Sentence(zh="带一份副本", en="with a copy")
PARTED_EMPTY: Final = Sentence(
    zh="分开了：{where}从空白开始，记忆都留在{stays}。",
    en="Done: {where} starts empty, and the memory stays with {stays}.",
)
PARTED_COPY: Final = Sentence(
    zh="分开了：{where}带走了一份副本，从现在起和{stays}各记各的。",
    en="Done: {where} has a copy. From now on it and {stays} learn separately.",
)

# Names of chats.
THIS_CHAT: Final = Sentence(zh="这里（{platform}）", en="this chat ({platform})")
THAT_CHAT: Final = Sentence(zh="{person} 的{platform}", en="{person} on {platform}")
TERMINAL: Final = Sentence(zh="终端", en="the terminal")
LARK: Final = Sentence(zh="飞书私聊", en="Lark")
TELEGRAM: Final = Sentence(zh="Telegram 私聊", en="Telegram")

PEOPLE: Final = Sentence(zh="想和我聊的人", en="Who wants to talk with me")
NOBODY_ASKED: Final = Sentence(
    zh="还没有陌生人来找过我。", en="No stranger has written to me yet."
)
PERSON_NAME: Final = Sentence(zh="名字（自己起的）", en="name (their own choice)")
PERSON_ID: Final = Sentence(zh="编号", en="id")
PERSON_STANDING: Final = Sentence(zh="现在", en="now")
PERSON_OWNER: Final = Sentence(zh="主人", en="owner")
PERSON_ASKS: Final = Sentence(zh="在等", en="waits")
PERSON_IN: Final = Sentence(zh="让进来了", en="let in")
PERSON_OUT: Final = Sentence(zh="没让进", en="kept out")
HOW_TO_LET_IN: Final = Sentence(
    zh="在等的人：按按钮，或者发 /people in 编号（不让进：/people out 编号）。",
    en="For those who wait: press a button, or send /people in ID (/people out ID to refuse).",
)
LET_IN: Final = Sentence(zh="让 {person} 进来了。", en="{person} may talk with me now.")
KEPT_OUT: Final = Sentence(
    zh="不让 {person} 和我聊（ALLOWED_IDS 里写着的不受影响）。",
    en="{person} may not talk with me (whoever stands in ALLOWED_IDS still may).",
)
WHO_IS_MEANT: Final = Sentence(
    zh="要写清是谁，比如 /people in telegram:42。", en="Say whom: /people in telegram:42, say."
)

# Who may talk.
STRANGER: Final = Sentence(
    zh="你好，我是小祥。我只和主人允许的人聊天，抱歉啦。（你的编号：{person}）",
    en="Hello, I am Xiaoxiang. I only talk with people my owner knows, sorry. (Your id: {person})",
)
NO_OWNER_YET: Final = Sentence(
    zh="你好，我是小祥。我还没有主人：启动我的那块屏幕上有一个八位的码，把它发给我，"
    "你就是我的主人。",
    en="Hello, I am Xiaoxiang. I have no owner yet: the screen on which I was started shows a "
    "code of eight characters. Send it to me, and I am yours.",
)
"""To whoever writes before anybody is the owner."""

WANTS_IN: Final = Sentence(
    zh="有人想和我聊：{name}（{person}）。名字是对方自己起的，认人看编号。让进来吗？",
    en="Somebody wants to talk with me: {name} ({person}). Anyone may take a name; the id is who "
    "they are. Shall I let them in?",
)
"""To an owner, in private, once for each stranger."""

LET_THEM_IN: Final = Sentence(zh="让进来", en="Let in")
KEEP_THEM_OUT: Final = Sentence(zh="不让", en="Keep out")
YOU_ARE_IN: Final = Sentence(
    zh="主人同意了，现在我们可以聊了。", en="My owner agreed: we can talk now."
)
PAIRED: Final = Sentence(
    zh="认好了，从现在起你就是我的主人。", en="Done: from now on you are my owner."
)

NEW_PAIRING_CODE: Final = Sentence(
    zh="认主的码被试错太多次，作废了。新的码：{code}",
    en="The code was guessed at too often and no longer holds. The new one: {code}",
)
"""Told to the operator."""
LINK_INTERRUPTED: Final = Sentence(
    zh="刚才做 /link 时我重启了，还没有接上。在这里再发一次 /link：配对码还有效，我就接着问你；"
    "过期了，我给一个新的，到另一边发给我。",
    en="I was restarted during /link, and nothing is joined yet. Send /link here once more: "
    "while the code is still good I ask you again, and else I give you a new one to send me "
    "from the other chat.",
)
LINK_INTERRUPTED_BUT_DONE: Final = Sentence(
    zh="刚才做 /link 时我重启了，不过已经接好了：这里和另一边现在是同一份记忆。",
    en="I was restarted during /link, but it is done: this chat and the other have one "
    "memory now.",
)
