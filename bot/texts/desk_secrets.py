"""What the desk says of secrets: sealed, opened, refused."""

from typing import Final

from bot.texts.sentence import Sentence

SECRETS_NOT_IN_GROUPS: Final = Sentence(
    zh="机密只在私聊里记，这里不行。", en="Secrets are kept between the two of us only, not here."
)
SECRETS_NEED_KEY: Final = Sentence(
    zh="机密只肯锁起来记，可我没有钥匙：先运行 xiaoxiang key new，再设好 MEMORY_KEY_FILE。"
    "什么都没有记。",
    en="I keep secrets only under lock, and there is no key: run xiaoxiang key new and set"
    " MEMORY_KEY_FILE. Nothing was kept.",
)
STAYS_SHUT: Final = Sentence(
    zh="这条锁着，现在的钥匙打不开它；它还好好的，找到原来的钥匙就行。",
    en="This one is sealed and the present key does not open it. Nothing is lost: bring back the"
    " key it was sealed with.",
)
SEALED: Final = Sentence(
    zh="🔒 锁好了 #{id}。只有你在私聊里看得到：/memory show #{id}",
    en="🔒 Sealed as #{id}. Only you can see it, in private: /memory show #{id}",
)
EDITED_SEALED: Final = Sentence(
    zh="🔒 #{id} 改好了，还是锁着的。", en="🔒 #{id} is corrected, and sealed."
)
SEALED_ALREADY: Final = Sentence(zh="#{id} 本来就锁着。", en="#{id} is sealed already.")
NOT_SEALABLE: Final = Sentence(
    zh="名字和系统的记忆不能锁。", en="Names and system memories cannot be sealed."
)
SEALED_NOT_MERGED: Final = Sentence(
    zh="锁着的记忆不合并：先用 /memory sensitivity 打开它。",
    en="Sealed memories are not merged: open them first with /memory sensitivity.",
)
WILL_SEAL: Final = Sentence(zh="要把 #{id} 锁起来吗？", en="Seal #{id}?")
TRACES_GO: Final = Sentence(
    zh="锁起来以后不再用来聊天，只有你在私聊里看得到。它是从哪几句话记下的，那几句会从最近的对话和情境里"
    "抹成 ***；重复这句话的地方也一样，旧的文件会重写。这一步没有撤销，但可以再打开。",
    en="Sealed, it is no longer used in talk, and only you can see it, in private. The messages it"
    " was learnt from become *** in recent talk and episodes, and so does whatever repeats it;"
    " former files are rewritten. There is no undo for that, but it can be opened again.",
)
IS_SEALED: Final = Sentence(
    zh="🔒 #{id} 锁好了，别处不再有它的原话。",
    en="🔒 #{id} is sealed; its words stand nowhere else.",
)
WILL_OPEN: Final = Sentence(
    zh="要打开 #{id}（敏感度变成 {grade}）吗？", en="Open #{id} (sensitivity {grade})?"
)
OPENING_MEANS: Final = Sentence(
    zh="打开以后，它就和别的记忆一样存在文件里，也会用来聊天（会发给模型）。",
    en="Opened, it stands in the files like any other memory and is used in talk (and so goes to"
    " the model).",
)
OPENING_SECRET_MEANS: Final = Sentence(
    zh="⚠ 看起来是密码、证件号这样的机密。打开以后，它会以明文存在文件里，也可能发给模型。",
    en="⚠ This looks like a password or a number of that kind. Opened, it stands in the files in"
    " the clear and may be sent to the model.",
)
