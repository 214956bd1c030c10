"""What the commands of the shell say: the terminal chat, the replay, the doctor, the key, repair.

Also what she says of damage that was found while she runs.
"""

from typing import Final

from bot.texts import Sentence

# The terminal chat.
HER_NAME: Final = Sentence(zh="小祥> ", en="Xiaoxiang> ")
YOU: Final = Sentence(zh="你> ", en="you> ")
THINKING: Final = Sentence(zh="小祥在想……", en="Xiaoxiang is thinking…")
WELCOME: Final = Sentence(
    zh="小祥在这里。直接说话就行；/help 看命令，Ctrl-D 离开。",
    en="Xiaoxiang is here. Just talk; /help shows the commands, Ctrl-D leaves.",
)
WELCOME_OFFLINE: Final = Sentence(
    zh="（没有设置语言模型，现在是离线模式：我按规则记住和回想。想用模型请看 .env.example。）",
    en="(No language model is set, so this is offline mode: I remember and recall by rule. "
    "To use a model, see .env.example.)",
)
WELCOME_ZONE: Final = Sentence(
    zh="（时间按 {zone} 算。要换的话：/记忆 设置 时区 Asia/Tokyo）",
    en="(Times are those of {zone}. To change that: /memory settings time_zone Europe/London)",
)
KEPT_TYPED: Final = Sentence(
    zh="刚才打的字按 ↑ 找回；再按一次 Ctrl-C 离开",
    en="↑ brings back what you typed; Ctrl-C once more leaves",
)
BYE: Final = Sentence(zh="我会记得的。再见。", en="I will remember. Goodbye.")

# The replay.
REPLAYED: Final = Sentence(
    zh="{file}：{turns} 轮对话，{known} 轮以前就记得；{nights} 个夜晚；现在有 {memories} 条记忆。",
    en="{file}: {turns} turns, {known} known before; {nights} nights; {memories} memories now.",
)
"""What a replay did."""

# The doctor. Whatever is wrong is said together with what to do about it.
FOLDER_GOOD: Final = Sentence(zh="数据目录 {folder} 可以写", en="data folder {folder} is writable")
LEDGER_BAD: Final = Sentence(
    zh="收发记录 {file} 坏了，她开不了口：运行 xiaoxiang repair 看能找回什么",
    en="the ledger {file} is damaged and she cannot start: run `xiaoxiang repair` to see what can "
    "be brought back",
)
LEDGER_GONE: Final = Sentence(
    zh="收发记录 {file} 不见了。记忆都在；没有了的是：还没回答的消息、谁可以来聊、/link 连起来的"
    "聊天。有它的拷贝就停下她放回去；没有就照常启动，会新建一份，再请人（/people）、/link",
    en="the ledger {file} is gone. Memories are all there; what is gone: messages not answered "
    "yet, who may talk with her, chats joined by /link. If you have a copy, stop her and put it "
    "back; else start her, which begins a new one, let people in again (/people) and /link again",
)
AGENT_DAMAGED: Final = Sentence(
    zh="记忆 {agent} 有文件坏了，读出了 {count} 条：停下她，运行 xiaoxiang repair 看能找回什么",
    en="memory {agent} has damaged files, {count} memories were read: stop her and run "
    "`xiaoxiang repair` to see what can be brought back",
)
DATABASE_GOOD: Final = Sentence(
    zh="DATABASE_URL 的数据库可以用", en="the database of DATABASE_URL can be used"
)
DATABASE_BAD: Final = Sentence(
    zh="DATABASE_URL 的数据库用不了：{why}",
    en="the database of DATABASE_URL cannot be used: {why}",
)
DATA_BAD: Final = Sentence(zh="她的数据读不了：{why}", en="her data cannot be read: {why}")
NO_POSTGRES: Final = Sentence(
    zh="DATABASE_URL 要用的库还没装：{command}",
    en="DATABASE_URL needs one more library: {command}",
)
MOVED_IN: Final = Sentence(
    zh="{agents} 个记忆和 {rows} 条收发记录已在数据库里，逐一核对过。把 DATABASE_URL 写进 .env，"
    "DATA_DIR 仍是 {folder}；{folder} 里的 agents、backups 和 ledger.sqlite3 没有动，以后的抹除也"
    "够不着它们：看过都在，就删掉",
    en="{agents} memories and {rows} rows of the ledger are in the database, each compared. Set "
    "DATABASE_URL in .env and leave DATA_DIR at {folder}. Its agents, backups and ledger.sqlite3 "
    "are as they were, and no erasing reaches them any more: delete them once all is well",
)
MOVED_OUT: Final = Sentence(
    zh="{agents} 个记忆和 {rows} 条收发记录已在 {folder} 里，逐一核对过。从 .env 里去掉 "
    "DATABASE_URL；数据库没有动，以后的抹除也够不着它：看过都在，就删掉",
    en="{agents} memories and {rows} rows of the ledger are in {folder}, each compared. Take "
    "DATABASE_URL out of .env. The database is as it was, and no erasing reaches it any more: "
    "drop it once all is well",
)
MOVE_ONE_OF_EACH: Final = Sentence(
    zh="一头写文件夹，另一头写 postgresql://用户:密码@主机/数据库",
    en="name a folder and a database: one of the two is postgresql://user:password@host/database",
)
MOVE_MEETS_OTHERS: Final = Sentence(
    zh="那边已经有别的 {what}：换一个空的地方",
    en="another {what} is there already: move to an empty place",
)
NO_SUCH_FOLDER: Final = Sentence(zh="没有文件夹 {folder}", en="there is no folder {folder}")
ENV_OPEN: Final = Sentence(
    zh="{file} 里有密钥，别的用户也能读：chmod 600 {file}",
    en="{file} holds keys, and other users can read it: chmod 600 {file}",
)
AGENT_GOOD: Final = Sentence(
    zh="记忆 {agent} 完好，连名字和放下的有 {count} 条",
    en="memory {agent} is intact; memories, names and what was let go included: {count}",
)
AGENT_BAD: Final = Sentence(
    zh="记忆 {agent} 读不出来：{why}", en="memory {agent} cannot be read: {why}"
)
KEY_GOOD: Final = Sentence(
    zh="钥匙 {file} 在，秘密可以封存", en="key file {file} is there, so secrets can be sealed"
)
KEY_AWAY: Final = Sentence(
    zh="钥匙 {file} 不在：封存的记忆打不开，但都还在。把它放回来；新造一把"
    "（xiaoxiang key new {file}）只能封存以后的秘密，打不开以前的",
    en="key file {file} is missing: sealed memories cannot be opened, but nothing is lost. "
    "Put it back; a new one (xiaoxiang key new {file}) seals what comes and opens nothing of "
    "before",
)
STAYS_SHUT: Final = Sentence(
    zh="{agent}：有 {count} 条封存的记忆打不开，因为封存它们的钥匙不在 MEMORY_KEY_FILE 里。"
    "什么也没有丢：把那把钥匙加回文件里（一行一把，现在的也留着）",
    en="{agent}: {count} sealed memories cannot be opened, for the key they were sealed with is "
    "not in MEMORY_KEY_FILE. Nothing is lost: put that key back into the file (one on a line, "
    "beside the present one)",
)
KEY_BAD: Final = Sentence(zh="钥匙用不了：{why}", en="the key cannot be used: {why}")
NO_KEY: Final = Sentence(
    zh="没有设置钥匙（MEMORY_KEY_FILE），密码之类的秘密不会被记住；造一把：xiaoxiang key new",
    en="no key is set (MEMORY_KEY_FILE), so secrets such as passwords are not kept; "
    "make one with: xiaoxiang key new",
)
KEY_MADE: Final = Sentence(
    zh="钥匙造好了。设置 MEMORY_KEY_FILE={file}，并另存一份：丢了它，封存的记忆就再也打不开。",
    en="The key is made. Set MEMORY_KEY_FILE={file} and keep a copy somewhere else: without "
    "it, sealed memories can never be opened again.",
)
ROTATED: Final = Sentence(
    zh="换好了：{sealed} 条封存的记忆用上了新钥匙，旧的已丢掉。以前的备份要用旧钥匙的副本打开。",
    en="Done: {sealed} sealed memories use the new key, and the former key is gone. Backups "
    "made before need your copy of the former key.",
)
SOME_SHUT: Final = Sentence(
    zh="{sealed} 条换好了，{shut} 条打不开，所以旧钥匙还留在文件里。",
    en="{sealed} use the new key; {shut} could not be opened, so the former keys were kept "
    "in the file.",
)
NO_MODEL: Final = Sentence(
    zh="没有设置语言模型，用离线模式（要用模型：设置 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL）",
    en="no language model is set, so this is offline mode (to use one: LLM_BASE_URL, "
    "LLM_API_KEY, LLM_MODEL)",
)
EMBEDDER_GOOD: Final = Sentence(
    zh="向量模型 {name} 有回应，可以按意思找", en="embedding model {name} answers"
)
EMBEDDER_BAD: Final = Sentence(
    zh="向量模型 {name} 没有回应，暂时只按字词找：检查 EMBEDDING_BASE_URL、"
    "EMBEDDING_API_KEY、EMBEDDING_MODEL",
    en="embedding model {name} does not answer, so search goes by words: check "
    "EMBEDDING_BASE_URL, EMBEDDING_API_KEY, EMBEDDING_MODEL",
)
MODEL_LIBRARY_MISSING: Final = Sentence(
    zh="设了模型，但这里没有装问它的库：pip install 'xiaoxiang[model]'；不用模型：--offline",
    en="a model is set, but what asks it is not installed here: pip install 'xiaoxiang[model]'; "
    "to do without it: --offline",
)
EMBEDDING_NO_LIBRARIES: Final = Sentence(
    zh="设了 EMBEDDING_LOCAL，但缺少读它的库，暂时只按字词找：pip install 'xiaoxiang[meaning]'",
    en="EMBEDDING_LOCAL is set, but what reads it is not installed, so search goes by words: "
    "pip install 'xiaoxiang[meaning]'",
)
EMBEDDING_NO_FILE: Final = Sentence(
    zh="EMBEDDING_LOCAL={name} 里缺少 {file}，暂时只按字词找：它应是一个文件夹，里面有 "
    "model.onnx（或 onnx/model.onnx）和 tokenizer.json",
    en="EMBEDDING_LOCAL={name} has no {file}, so search goes by words: it is to be a folder with "
    "model.onnx (or onnx/model.onnx) and tokenizer.json",
)
EMBEDDING_BROKEN: Final = Sentence(
    zh="EMBEDDING_LOCAL={name} 里的模型读不出来，暂时只按字词找：重新下载这个文件夹，详情看日志",
    en="the model in EMBEDDING_LOCAL={name} cannot be used, so search goes by words: download the "
    "folder again; the log has the details",
)
MODEL_GOOD: Final = Sentence(zh="语言模型 {name} 有回应", en="language model {name} answers")
MODEL_SPEED: Final = Sentence(
    zh="速度：第一个字 {first} 秒，之后每秒 {rate} 个 token。"
    "平常的一轮大约 {usual} 秒后开口，{whole} 秒说完",
    en="speed: first word after {first} s, then {rate} tokens a second. An ordinary reply should "
    "begin after {usual} s and be whole after {whole} s",
)
MODEL_SLOW: Final = Sentence(
    zh="速度：第一个字 {first} 秒，之后每秒 {rate} 个 token。"
    "平常的一轮大约 {usual} 秒后开口，{whole} 秒说完："
    "慢，但能用；想快些，换小一点的模型，或者把 LLM_CONTEXT_TOKENS 调小",
    en="speed: first word after {first} s, then {rate} tokens a second. An ordinary reply should "
    "begin after {usual} s and be whole after {whole} s: slow, but it works; a smaller model or a "
    "smaller LLM_CONTEXT_TOKENS makes it faster",
)
MODEL_UNMEASURED: Final = Sentence(
    zh="速度：等了 {first} 秒，答案是一下子来的，量不出平常的一轮要多久",
    en="speed: could not be measured, the answer came all at once after {first} s",
)
MODEL_CACHES: Final = Sentence(
    zh="服务会报告缓存：刚才的提示词 {prompt} 个 token 里有 {cached} 个是从缓存读的"
    "（累计见 /limits）",
    en="the server reports its cache: of the {prompt} tokens of this prompt {cached} were read "
    "from it (in all: /limits)",
)
MODEL_BAD: Final = Sentence(
    zh="语言模型 {name} 用不了（{reason}）：{why}",
    en="language model {name} is of no use ({reason}): {why}",
)

MODEL_FAULTS: Final = {
    "quota": Sentence(
        zh="账户里没有余额了，去服务商那里充值",
        en="the account has no money left: top it up at the provider",
    ),
    "refused_key": Sentence(
        zh="它不认这把密钥：检查 LLM_API_KEY", en="it refuses the key: check LLM_API_KEY"
    ),
    "unknown_model": Sentence(
        zh="那里没有这个模型，或者还没装上：检查 LLM_MODEL",
        en="it has no such model, or has not loaded it: check LLM_MODEL",
    ),
    "unknown_address": Sentence(
        zh="那里答话的不是聊天接口：检查 LLM_BASE_URL（多半以 /v1 结尾）",
        en="what answers there is no chat-completions server: check LLM_BASE_URL (it mostly ends "
        "with /v1)",
    ),
    "connection": Sentence(
        zh="连不上，或者等不到：检查 LLM_BASE_URL 和网络，看服务开着没有",
        en="it cannot be reached, or nothing comes: check LLM_BASE_URL and the network, and "
        "whether the server runs",
    ),
    "overloaded": Sentence(
        zh="它正忙，或者模型还在装载：过一会儿再试",
        en="it is busy, or still loads the model: try again in a while",
    ),
    "server_error": Sentence(
        zh="服务自己出错了：看它的日志", en="the server itself failed: look at its log"
    ),
    "only_thoughts": Sentence(
        zh="它只思考，不作答：换一个模型，或用 LLM_PROVIDER、LLM_EXTRA_BODY 关掉思考",
        en="it only thinks and gives no answer: turn thinking off (LLM_PROVIDER, LLM_EXTRA_BODY), "
        "or choose another model",
    ),
    "tool_call": Sentence(
        zh="它不作答，而去调用工具：换一个聊天用的模型",
        en="it calls a tool instead of answering: choose a model for chats",
    ),
    "empty": Sentence(
        zh="它一个字也没答：多半是服务给的上下文太小，放大它，并写进 LLM_CONTEXT_TOKENS",
        en="it answers without a word: mostly the server's context is too small; enlarge it, and "
        "set LLM_CONTEXT_TOKENS to it",
    ),
    "toolong": Sentence(
        zh="连这一句短话都装不下：服务给的上下文太小，放大它，并写进 LLM_CONTEXT_TOKENS",
        en="even a short call does not fit: the server's context is too small; enlarge it, and "
        "set LLM_CONTEXT_TOKENS to it",
    ),
    "rejected": Sentence(
        zh="它不收这样的请求：检查 LLM_MODEL 和 LLM_EXTRA_BODY",
        en="it does not take such a request: check LLM_MODEL and LLM_EXTRA_BODY",
    ),
    "refused": Sentence(
        zh="它的内容审查连一句平常话都拦下了：换一个模型或服务",
        en="its filter refuses even an ordinary sentence: choose another model or provider",
    ),
    "truncated": Sentence(
        zh="它没答完就断了，或者全用在思考上：关掉思考（LLM_EXTRA_BODY），或换一个模型",
        en="it breaks off, or spends all its words on thinking: turn thinking off "
        "(LLM_EXTRA_BODY), or choose another model",
    ),
}
"""What to do about a model, by the reason it did not answer."""

MODEL_FAULT: Final = Sentence(
    zh="检查 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL 和网络",
    en="check LLM_BASE_URL, LLM_API_KEY, LLM_MODEL and the network",
)
"""What to do where nothing better is known."""

NOT_CONFIGURED: Final = Sentence(
    zh="还没有设置任何聊天平台。在 .env 里写上 {ways}，"
    "再运行 xiaoxiang run。只想在终端里聊：xiaoxiang chat",
    en="No chat platform is configured. Put {ways} into .env and start xiaoxiang run again."
    " To talk in the terminal: xiaoxiang chat",
)
OR: Final = Sentence(zh="，或者 ", en=", or ")


ALL_WELL: Final = Sentence(
    zh="没有发现损坏，也没有放在一边的文件。", en="Nothing is damaged, and nothing was set aside."
)
SAY_YES: Final = Sentence(
    zh="还什么都没有改。看过了，要动手就加 --yes。",
    en="Nothing was changed yet. To carry it out, add --yes.",
)
LEDGER_HEALED: Final = Sentence(
    zh="收发记录（ledger）：有 {count} 个位翻转了，可以原样改回来",
    en="the ledger: {count} flipped bits, each can be turned back exactly",
)
LEDGER_CHANGED: Final = Sentence(
    zh="收发记录（ledger）：有 {count} 页不是我们写的样子，但整体能用（可能是别的程序改过）",
    en="the ledger: {count} pages are not as we wrote them, but it can be used (another program "
    "may have changed it)",
)
LEDGER_BROKEN: Final = Sentence(
    zh="收发记录（ledger）坏了，不能用：读得出的行可以搬进一个新的",
    en="the ledger is broken: the rows that can be read can be brought into a new one",
)
LEDGER_REBUILT: Final = Sentence(
    zh="收发记录重建好了：搬来 {rows} 行，旧的留作 {file}",
    en="the ledger was rebuilt with {rows} rows; the old one is kept as {file}",
)
AGENT_UNREADABLE: Final = Sentence(
    zh="{agent}：文件都读不出完整的状态，只能从读得出的记录重新开始（也可以恢复备份）",
    en="{agent}: no whole state can be read; it can begin anew with the records that can (or "
    "restore a backup)",
)
JOURNAL_MISSING: Final = Sentence(
    zh="{agent}：journal 文件不见了，快照之后说的话没有了",
    en="{agent}: the journal is gone, and with it what was said after the snapshots",
)
RECORDS_LOST: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录读不出来，或者被截掉了",
    en="{agent}: {count} records of the journal cannot be read, or were cut off",
)
RECORDS_HEALED: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录翻转了一个位，可以原样改回来",
    en="{agent}: one bit flipped in {count} records of the journal, and can be turned back",
)
WOULD_BRING: Final = Sentence(
    zh="{agent}：放在一边的文件里能找回 {memories} 条记忆、{messages} 句话",
    en="{agent}: {memories} memories and {messages} messages can be brought back from what was "
    "set aside",
)
BROUGHT: Final = Sentence(
    zh="{agent}：从放在一边的文件里找回了 {memories} 条记忆、{messages} 句话",
    en="{agent}: {memories} memories and {messages} messages were brought back from what was set "
    "aside",
)
NOTHING_MISSING: Final = Sentence(
    zh="{agent}：放在一边的文件里没有要找回的，里面的这里都有。加 --yes 就记下看过了，"
    "doctor 不再提",
    en="{agent}: what was set aside holds nothing that is missing here. With --yes that is noted, "
    "and the doctor speaks of it no more",
)
SEEN: Final = Sentence(
    zh="{agent}：放在一边的文件里没有要找回的，已记下看过了",
    en="{agent}: what was set aside holds nothing that is missing here; noted",
)
NOTHING_LEFT: Final = Sentence(
    zh="{agent}：没有一条记录读得出来，记忆和说过的话都没有了。加 --yes 从空的开始，"
    "坏的文件放在一边；之后可以用 /restore_backup 回到备份",
    en="{agent}: no record can be read, so its memories and what was said are lost. With --yes it "
    "begins anew and empty, the damaged files are set aside, and /restore_backup can then go back "
    "to a backup",
)
BEGUN_ANEW: Final = Sentence(
    zh="{agent}：没有一条记录读得出来，已从空的开始，坏的文件放在一边。"
    "有备份的话，用 /restore_backup 回去",
    en="{agent}: no record could be read, so it begins anew and empty; the damaged files were set "
    "aside. If there is a backup, /restore_backup goes back to it",
)

# While she runs.
NOT_WRITABLE: Final = Sentence(
    zh="我现在什么都存不下来（磁盘满了，或者不让我写），所以先不回答：你的话等能存了再说。"
    "请告诉管理的人：腾出空间，再看看 xiaoxiang doctor。",
    en="I cannot store anything now (the disk is full, or does not let me write), so I do not "
    "answer yet. Please tell whoever runs me: free some space, then see xiaoxiang doctor.",
)
DAMAGE_FOUND: Final = Sentence(
    zh="我打开文件时发现有损坏，能救的已经救回来了。/status 里有说明；停下程序后运行 xiaoxiang "
    "repair 可以看还能找回什么。",
    en="Some of my files were damaged; what could be saved is saved. /status says more. Stop the "
    "program and run xiaoxiang repair to see what else can be brought back.",
)
DAMAGE: Final = Sentence(zh="损坏", en="damage")
SET_ASIDE: Final = Sentence(
    zh="{agent}：放在一边的文件 {count} 个 → xiaoxiang repair",
    en="{agent}: {count} files set aside → xiaoxiang repair",
)
RECORDS_WERE_HEALED: Final = Sentence(
    zh="{agent}：journal 里有 {count} 条记录翻转了一个位，已经原样改回来",
    en="{agent}: one bit flipped in {count} records of the journal, and was turned back",
)
PAGES_LOST: Final = Sentence(
    zh="{agent}：日记的这些页坏了：{files}。读得出的行都在，另外从最近的备份找回了 {count} 行",
    en="{agent}: these pages of the diary are damaged: {files}. The lines that can be read are "
    "there; {count} more came back from the newest backup",
)
LEDGER_WAS_HEALED: Final = Sentence(
    zh="收发记录：改回了 {count} 个翻转的位", en="the ledger: {count} flipped bits turned back"
)
WRITE_FAILED: Final = Sentence(
    zh="{at} 有东西没能写进磁盘", en="something could not be written to the disk at {at}"
)
