"""What the memory page says, and ``/page``, which lets a browser in."""

from typing import Final

from bot.texts import Sentence

PAGE_HELP: Final = Sentence(
    zh="给一个一次性的链接，在浏览器里看她记得的",
    en="a one-time link to see what she knows in a browser",
)
A_WORD: Final = Sentence(zh="结束", en="end")
NOT_SERVED: Final = Sentence(
    zh="记忆页面没有打开：在设置里写上 WEB_BIND=127.0.0.1:8090 再重启就有（docs/zh/page.md）。"
    "终端里自己的记忆：退出以后运行 xiaoxiang page。",
    en="The memory page is off. Whoever runs me sets WEB_BIND=127.0.0.1:8090 and starts me anew "
    "(docs/page.md). For the terminal’s own memory: leave, and run xiaoxiang page.",
)
LINK: Final = Sentence(
    zh="点开它，再按“进来”：{link}\n只能用一次，十分钟内有效，别给别人看。进来以后十二小时自动退出。",
    en="Open it and press “Come in”: {link}\nIt works once, within ten minutes; show it to "
    "nobody. The page closes by itself after twelve hours.",
)
END: Final = Sentence(zh="全部退出", en="end all sessions")
ENDED: Final = Sentence(
    zh="已经退出 {count} 个浏览器，没用过的链接也作废了。",
    en="Ended in {count} browsers; links that were not used are void as well.",
)
NOTHING_ASKED: Final = Sentence(
    zh="页面没有在问这个，或者已经答过了。",
    en="The page does not ask that, or it was answered already.",
)
WANTS_SEALED: Final = Sentence(
    zh="有人想在页面上看封存的 #{id}。是你吗？",
    en="Somebody wants to read the sealed memory #{id} on the page. Is it you?",
)
OPEN_IT: Final = Sentence(zh="是我，打开", en="yes, show it")
LEAVE_SEALED: Final = Sentence(zh="不是，别打开", en="no, keep it shut")
OPENED: Final = Sentence(
    zh="可以看 #{id} 了，五分钟后又会合上。在页面上刷新一下。",
    en="#{id} can be read for five minutes. Reload it on the page.",
)
STAYS_SEALED: Final = Sentence(
    zh="好，没有打开。如果不是你，发 /页面 结束，把所有浏览器都请出去。",
    en="It stays shut. If that was not you, send /page end to end every session.",
)
TOO_MANY_WRONG: Final = Sentence(
    zh="记忆页面来了很多次不对的钥匙。没用过的链接都作废了；要进来，再发一次 /页面。",
    en="Many wrong keys came to the memory page. Links that were not used are void; send /page "
    "for a new one.",
)
NOT_ON_THE_PAGE: Final = Sentence(zh="这个要在聊天里做。", en="That has to be done in the chat.")
DONE_ALREADY: Final = Sentence(
    zh="这个已经做过了，没有再做一次。刷新页面可以再来。",
    en="This was done already and is not done twice. Reload the page to do it again.",
)
CHANGED_MEANWHILE: Final = Sentence(
    zh="这条在你打开以后改过了，没有动它。刷新页面看看现在写的什么，再改。",
    en="This memory was changed since you opened it; nothing was done. Reload the page, see what "
    "it says now, and correct it then.",
)
FAILED: Final = Sentence(zh="没有做成，原因在日志里。", en="That failed; the log says why.")
STILL_AT_IT: Final = Sentence(
    zh="还在做，要久一点。过一会儿刷新看看。",
    en="Still at it; this takes a while. Reload in a moment.",
)
FORM_TOO_OLD: Final = Sentence(
    zh="这个表单不是这次进来时的，什么都没有做。刷新页面再试。",
    en="This form is not from this session; nothing was done. Reload the page and try again.",
)
NO_FILE: Final = Sentence(zh="先选一个文件。", en="Choose a file first.")
NO_SUCH_ROOM: Final = Sentence(zh="没有这一页。", en="There is no such page.")
NO_SUCH_MEMORY: Final = Sentence(zh="没有 #{id} 这条记忆。", en="There is no memory #{id}.")
ASKED_IN_CHAT: Final = Sentence(
    zh="已经在聊天里问了。在那里按“是我，打开”，再回来刷新。",
    en="The chat was asked. Press “yes, show it” there, then reload.",
)
NO_CHAT_TO_ASK: Final = Sentence(
    zh="这里没有可以确认的聊天。要看它，先按 Ctrl-C 结束页面，"
    "再在 xiaoxiang chat 里发 /记忆 看 加上编号。",
    en="There is no chat to confirm it in. To read it, end the page with Ctrl-C and send "
    "/memory show with its number in xiaoxiang chat.",
)
SERVED_AT: Final = Sentence(
    zh="记忆页面：{link}\n浏览器没有自己打开的话，把这行贴进去。按 Ctrl-C 结束。",
    en="The memory page: {link}\nIf no browser opens it by itself, paste this line into one. "
    "Ctrl-C ends it.",
)
IN_USE: Final = Sentence(
    zh="小祥或她的页面正在运行，这份记忆在那里用着。在聊天里发 /页面，或者先停下那个程序。",
    en="She runs, or her page does, and holds this memory. Send /page in the chat, or stop that "
    "program first.",
)

BECAUSE_WORDS: Final = Sentence(zh="说到了“{what}”", en="it speaks of “{what}”")
BECAUSE_DATE: Final = Sentence(zh="正是 {what} 的事", en="it is of {what}")
BECAUSE_SPEAKER: Final = Sentence(zh="是{what}说的", en="{what} said it")
BECAUSE_PATH: Final = Sentence(zh="从 {what} 想到的", en="{what} led to it")
BECAUSE_BESIDE: Final = Sentence(
    zh="紧挨着它说起（{what}）", en="it was said right beside it ({what})"
)
BECAUSE_DEEP: Final = Sentence(zh="是翻日记找到的", en="it was looked up in the diary")

LABELS: Final[dict[str, Sentence]] = {
    "name": Sentence(zh="小祥", en="Xiaoxiang"),
    "title": Sentence(zh="她记得的", en="What she knows"),
    "skip": Sentence(zh="跳到正文", en="Skip to the content"),
    "rooms": Sentence(zh="房间", en="Rooms"),
    "today": Sentence(zh="今天", en="Today"),
    "search": Sentence(zh="搜索", en="Search"),
    "the_network": Sentence(zh="网络", en="Network"),
    "diary": Sentence(zh="日记", en="Diary"),
    "people": Sentence(zh="人与名", en="People"),
    "settings": Sentence(zh="设置", en="Settings"),
    "traffic": Sentence(zh="往来", en="Traffic"),
    "leave": Sentence(zh="退出", en="Leave"),
    "undo": Sentence(zh="撤销上一步", en="Undo the last step"),
    "come_in": Sentence(zh="进来", en="Come in"),
    "enter_title": Sentence(zh="小祥的记忆", en="Xiaoxiang’s memory"),
    "enter_why": Sentence(
        zh="这个链接只能用一次。按下面的按钮进来；十二小时后自动退出，或者在聊天里发 /页面 结束。",
        en="This link works once. Press the button to come in. The page closes after twelve "
        "hours, or when you send /page end in the chat.",
    ),
    "outside_title": Sentence(zh="门关着", en="The door is closed"),
    "outside_why": Sentence(
        zh="在和她的私聊里发 /页面，她会给你一个链接。",
        en="Send /page in your private chat with her; she gives you a link.",
    ),
    "outside_shell": Sentence(
        zh="在终端里按 Ctrl-C 结束页面，再运行 xiaoxiang page，会有新的链接。",
        en="Press Ctrl-C in the terminal and run xiaoxiang page again; it gives a new link.",
    ),
    "outside_together": Sentence(
        zh="她有几个程序在一起跑，每个只认得自己给的链接：要是新链接也打不开，请再要一个。"
        "总是这样的话，请管理她的人给每个程序一个自己的网址。",
        en="She runs as several programs, and each knows only the links it gave. If a new link of "
        "yours ends here, ask for another. If all do, whoever runs her should give each program "
        "an address of its own.",
    ),
    "outside_wrong": Sentence(
        zh="这个链接用过了，或者过期了。", en="This link was used already, or is too old."
    ),
    "counts": Sentence(zh="{total} 条记忆", en="{total} memories"),
    "learnt_lately": Sentence(zh="最近知道的", en="Learnt lately"),
    "nothing_learnt": Sentence(
        zh="还什么都不知道。去和她说说话吧。", en="Nothing yet. Talk with her."
    ),
    "about_to_go": Sentence(zh="快要忘掉的", en="About to be forgotten"),
    "nothing_goes": Sentence(zh="眼下没有在淡忘的。", en="Nothing is fading at present."),
    "begins": Sentence(zh="她先开口", en="She may begin"),
    "planned": Sentence(zh="安排好的", en="Planned"),
    "keep": Sentence(zh="留住", en="keep"),
    "let_go": Sentence(zh="放下", en="let go"),
    "what_happened": Sentence(zh="这些日子发生的", en="What happened"),
    "last_answer": Sentence(zh="上一句为什么那么答", en="Why she answered so"),
    "remember_new": Sentence(zh="让她记住", en="Have her remember"),
    "remember_hint": Sentence(
        zh="一句话，比如：我对花生过敏", en="One sentence, like: I am allergic to peanuts"
    ),
    "do_remember": Sentence(zh="记住", en="remember"),
    "ask_memory": Sentence(zh="找什么", en="What are you looking for"),
    "ask_hint": Sentence(
        zh="一个词，一个人，一天，或者一句问话", en="A word, a person, a day, or a question"
    ),
    "comes_to_mind": Sentence(zh="会想起的", en="Comes to mind"),
    "looked_up": Sentence(zh="翻找才有的", en="Only when looked up"),
    "nothing_found": Sentence(zh="没有。", en="Nothing."),
    "in_diary": Sentence(zh="日记里的一句", en="a line of the diary"),
    "said_then": Sentence(zh="当时这么说", en="as it was said"),
    "all": Sentence(zh="全部", en="all"),
    "every_memory": Sentence(zh="所有记忆", en="Every memory"),
    "sealed_here": Sentence(
        zh="这条是封存的，页面上不显示它写的什么。",
        en="This memory is sealed; the page does not show its words.",
    ),
    "sealed_elsewhere": Sentence(
        zh="要看它，先按 Ctrl-C 结束页面，再在 xiaoxiang chat 里发：/记忆 看 #{id}。",
        en="To read it, end the page with Ctrl-C, then send /memory show #{id} in xiaoxiang chat.",
    ),
    "ask_chat": Sentence(zh="在聊天里问我，再给我看", en="ask me in the chat, then show it"),
    "correct": Sentence(zh="改正", en="correct"),
    "correct_hint": Sentence(zh="应该是", en="It should say"),
    "holds_still": Sentence(zh="现在还是这样", en="it still holds"),
    "pin": Sentence(zh="钉住", en="pin"),
    "unpin": Sentence(zh="取下", en="unpin"),
    "hide": Sentence(zh="放下（30 天内可以找回）", en="hide (for 30 days it can come back)"),
    "restore": Sentence(zh="找回", en="restore"),
    "erase": Sentence(zh="抹去……", en="erase …"),
    "erase_why": Sentence(
        zh="抹去没有撤销。下一步会先列出要抹的每一处，再问你一次。",
        en="Erasing cannot be undone. The next step lists every place first, and asks once more.",
    ),
    "do_what": Sentence(zh="做点什么", en="What can be done"),
    "levels": Sentence(zh="还剩多少字", en="How much of it is left"),
    "gone": Sentence(zh="已经不剩", en="gone"),
    "now_here": Sentence(zh="现在", en="now"),
    "life": Sentence(zh="它的一生", en="Its life"),
    "told": Sentence(zh="你告诉她的", en="told"),
    "learnt": Sentence(zh="她听出来的", en="learnt"),
    "imported": Sentence(zh="带进来的", en="imported"),
    "lived": Sentence(zh="一起聊的", en="talked about"),
    "mentioned": Sentence(zh="又说起", en="mentioned again"),
    "used": Sentence(zh="上次用到", en="last used"),
    "firmer": Sentence(zh="上次记牢", en="last made firmer"),
    "corrected": Sentence(zh="改正了", en="corrected"),
    "reviewed": Sentence(zh="重新想过", en="thought over"),
    "faded": Sentence(zh="淡了一层", en="faded by a level"),
    "weighed": Sentence(zh="分量变了", en="weight changed"),
    "negated": Sentence(zh="说不是了", en="taken back"),
    "no_longer": Sentence(zh="不再是这样", en="no longer so"),
    "back": Sentence(zh="又回来了", en="came back"),
    "archived": Sentence(zh="收起来了", en="archived"),
    "hidden": Sentence(zh="放下了", en="hidden"),
    "merged": Sentence(zh="并入别的", en="merged"),
    "curves": Sentence(zh="往后半年会怎么淡", en="How it will fade, half a year on"),
    "own_law": Sentence(zh="现在的规律", en="its law"),
    "firm_for_ever": Sentence(zh="它不会淡。", en="It does not fade."),
    "today_end": Sentence(zh="今天", en="today"),
    "days_end": Sentence(zh="180 天后", en="in 180 days"),
    "former": Sentence(zh="以前写的", en="What it once said"),
    "stored": Sentence(zh="存着的一切", en="Everything that is stored"),
    "network_what": Sentence(
        zh="每一点是一条记忆：越大越可能用到，越淡越快忘。拖动、滚轮或 + − 缩放，方向键移动。",
        en="Each dot is a memory: the larger, the likelier to be needed; the paler, the nearer to "
        "being forgotten. Drag; zoom with the wheel or + and −; move with the arrow keys.",
    ),
    "network_no_script": Sentence(
        zh="画图需要脚本。没有脚本，可以从一条记忆看它连着谁。",
        en="Drawing needs script. Without it, open a memory to see what it is linked to.",
    ),
    "network_find": Sentence(zh="在图里找", en="Find in the network"),
    "network_time": Sentence(zh="到哪一天为止她知道的", en="What she knew until"),
    "network_picture": Sentence(
        zh="记忆的网络图。读屏可以用上面的搜索，或列表。",
        en="A picture of the network of memories. With a screen reader use the search above, "
        "or the list.",
    ),
    "network_list": Sentence(zh="看列表", en="See the list"),
    "whole_view": Sentence(zh="看全图", en="whole view"),
    "nearer": Sentence(zh="放大", en="zoom in"),
    "farther": Sentence(zh="缩小", en="zoom out"),
    "month_before": Sentence(zh="上个月", en="month before"),
    "month_after": Sentence(zh="下个月", en="month after"),
    "lines_on": Sentence(zh="{day}：{count} 句", en="{day}: {count} lines"),
    "nothing_said": Sentence(zh="这一天没有说话。", en="Nothing was said on this day."),
    "choose_day": Sentence(zh="选一天看看。", en="Choose a day."),
    "further": Sentence(zh="再往后", en="further"),
    "weekdays": Sentence(zh="一二三四五六日", en="MTWTFSS"),
    "names_what": Sentence(
        zh="她知道的人和名字，连得最多的在前。",
        en="People and names she knows of, those with the most links first.",
    ),
    "no_names": Sentence(zh="还没有。", en="None yet."),
    "links_count": Sentence(zh="连着 {count} 条", en="links: {count}"),
    "law": Sentence(zh="怎么忘", en="How she forgets"),
    "law_own": Sentence(zh="正用着", en="in use"),
    "law_see": Sentence(zh="看看会变什么", en="see what would change"),
    "parameters": Sentence(zh="这个规律的参数", en="Parameters of this law"),
    "other_parameters": Sentence(zh="别的规律的参数", en="Parameters of the other laws"),
    "see_effect": Sentence(zh="看效果", en="see the effect"),
    "usual_value": Sentence(zh="默认 {value}", en="default {value}"),
    "beside": Sentence(zh="其他", en="Beside the law"),
    "diary_keep": Sentence(zh="日记留多久", en="How long the diary is kept"),
    "keep_ever": Sentence(zh="一直留着", en="for ever"),
    "keep_days": Sentence(zh="只留这么多天", en="only so many days"),
    "days": Sentence(zh="天数", en="days"),
    "learning": Sentence(zh="学不学新的", en="Learning"),
    "is_learning": Sentence(zh="她正在学。", en="She is learning."),
    "is_paused": Sentence(zh="已经暂停。", en="Paused."),
    "nothing_kept": Sentence(
        zh="现在暂停记新的事，你说的她都不记。",
        en="Learning is paused: she keeps nothing of what you tell her.",
    ),
    "remind_new": Sentence(zh="让她提醒", en="Have her remind you"),
    "remind_hint": Sentence(zh="明天早上八点吃药", en="tomorrow at 8 am: take my pills"),
    "do_remind": Sentence(zh="提醒", en="remind"),
    "long_address": Sentence(
        zh="这个太长了，什么都没有做。写短一点再试。",
        en="That is too long; nothing was done. Make it shorter and try again.",
    ),
    "pause": Sentence(zh="暂停", en="pause"),
    "resume": Sentence(zh="继续", en="resume"),
    "privacy": Sentence(zh="私密", en="Privacy"),
    "sealed_count": Sentence(zh="封存着 {count} 条。", en="{count} memories are sealed."),
    "can_seal": Sentence(zh="封存用的钥匙在。", en="The key that seals is there."),
    "cannot_seal": Sentence(
        zh="没有封存用的钥匙（MEMORY_KEY_FILE）。",
        en="There is no key to seal with (MEMORY_KEY_FILE).",
    ),
    "sessions": Sentence(
        zh="要让所有浏览器都退出，在聊天里发 /页面 结束。",
        en="To end every session, send /page end in the chat.",
    ),
    "owner_only": Sentence(zh="这部分只有主人能看。", en="Only an owner sees this part."),
    "backups": Sentence(zh="备份", en="Backups"),
    "go_back_to": Sentence(
        zh="回到第几个备份（先给你看会变什么，再问一次）",
        en="Go back to which backup (it shows first what would change, and asks)",
    ),
    "number": Sentence(zh="编号", en="number"),
    "back_up": Sentence(zh="现在备份", en="back up now"),
    "take_along": Sentence(zh="带走和带来", en="Take along, bring in"),
    "export_read": Sentence(zh="给人看的（.md）", en="to read (.md)"),
    "export_whole": Sentence(zh="完整的（.json）", en="complete (.json)"),
    "bring_file": Sentence(
        zh="带来：她的导出（.json），或 Telegram 导出的聊天（result.json），最大 20 MB",
        en="Bring in an export of hers (.json), or a chat that Telegram exported "
        "(result.json), 20 MB at most",
    ),
    "see_brought": Sentence(zh="先看会带来什么", en="see what it would bring"),
    "import_how": Sentence(
        zh="先给你看，确认了才进来，之前会备份。别处的聊天和角色卡在终端里用 xiaoxiang bring。",
        en="It is shown first, and comes in once you confirm, after a backup. Chats and cards "
        "from elsewhere: xiaoxiang bring in the terminal.",
    ),
    "diary_holds": Sentence(zh="一共 {count} 句。", en="{count} lines in all."),
    "told_in_chat": Sentence(zh="像聊天里那样看", en="as the chat shows it"),
    "further_links": Sentence(zh="它又连着什么", en="what that is linked to"),
    "in_network": Sentence(zh="在网络里看", en="in the network"),
    "one_memory": Sentence(zh="记忆 #{id}", en="Memory #{id}"),
    "answer": Sentence(zh="回答", en="Answer"),
    "close": Sentence(zh="收起", en="Close"),
    "back_to": Sentence(zh="回到今天", en="Back to today"),
    "sealed_word": Sentence(zh="封存", en="sealed"),
    "past_word": Sentence(zh="以前", en="past"),
    "retained": Sentence(zh="还剩 {share}", en="{share} left"),
    "choose": Sentence(zh="看哪些", en="Which"),
    "go": Sentence(zh="找", en="go"),
    "read_file": Sentence(zh="存下来", en="save"),
}
"""The short texts of the templates, by name."""
