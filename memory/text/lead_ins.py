"""The words by which somebody leads into a text that another one wrote or said.

妈妈刚发来的消息，…; a note left on my windscreen: …. A lead-in names a text, or somebody who says
something, and is no clause about the speaker. What comes behind it, if it says I, is not theirs.
"""

import re
from functools import cache
from typing import Final

_KIN: Final = (
    r"妈|爸|爹|娘|爷|奶|姥|外公|外婆|哥|姐|弟|妹|姑|姨|叔|舅|伯|婶|嫂|侄|外甥|表|堂|儿子|女儿|闺女|孩子|娃|老公|老婆|对象|媳妇|男友|女友|男朋友|女朋友"
    r"|婆婆|公公|岳|爱人|同学|同桌|同事|室友|舍友|朋友|闺蜜|哥们|发小|老板|领导|上司|客户|甲方|老师|导师|学生|徒弟|邻居|房东|租客|司机|医生|前任|粉丝"
)
_SOMEBODY: Final = (
    rf"{_KIN}|隔壁|楼上|楼下|对门|物业|保安|师傅|护士|主播|博主|网友|楼主|[Uu][Pp]主|嘉宾|作者|主角|男主|女主|主持|明星|偶像|大爷|大妈|阿姨|老人|患者|病人|顾客"
    r"|买家|卖家|店家|商家|乘客|新人|妹子|妹纸|小哥|小姐姐|哥们|老哥|有人|别人|人家|某人|某位|一个|一位|一句|[阿小老][一-鿿]|他|她|网|群|组里|班里"
)
_ZH_TEXTS: Final = (
    r"消息|微信|条儿|纸条|字条|便[条签利]贴?|留言|回忆录|致谢|金句|名言|范文|例句|例文|练习|公告|通知|介绍|简介|书[上里中]|播客|帖子?|诗|歌词?|词|信|文章?|稿子?|原话|语音|来电|弹幕"
    r"|评论区?|朋友圈|签名|动态|状态|微博|说说|[墙门墓碑牌]上|牌子|海报|传单|广告|杂志|报纸|新闻|报道|小说|剧本|台词|日记|游记|论文|作业|作文|试卷|考题|题目?|病历|简历|档案|笔录|遗[言书]"
    r"|碑文|独白|人设|角色卡?|自述|口述|采访|专访|访谈|发言|演讲|致辞|贺[卡词]|明信片|邮件|短信|私信|群聊|对话|截图|字幕|文案|标语|口号|段落?|句子?|开头|结尾|第.{1,3}[页章节段句]|原文|译文|转写|录音"
)
_ZH_SAYS: Final = (
    r"说|讲|道|写|问|喊|念|唱|吐槽|自述|表示|回|回复|来了?一?句|写着|贴着|印着|刻着|(?:说|讲|写|问|发|留|回|喊|念|唱|贴|寄|转|传)(?:来|给我|过来)?的|发来|转来|发我|转我"
)
# The speaker does something themselves: 我写了首歌, 看了她的消息，我哭了.
_ZH_OWN: Final = re.compile(
    rf"\W*(?:今天|昨天|刚刚?|刚才|早上|晚上|最近|其实|反正|那天|因为|所以|但|不过|后来)*(?:我(?!(?:们|的|家|那|这|个)*(?:{_KIN}|班|公司|单位|小区|群|家|隔壁|楼))|咱|本人|听[你您起了完到]|你|您|谢谢|好[啊呀的]|[跟和对给向同](?!我)"
    r"|看[了完到过]|收到|听[了完到]|读[了完到]|想起|回[了完]|写[了完]|因为|为了|关于|有点|跟你|和你|对你|老实|实话|说真|真的|不瞒|换句|总的|也就|比如|好的)"
)

_ZH_DOES: Final = re.compile(r"[读看听写发处整改做]|刷到|处理|知道|发现|感觉|觉得|想|准备|继续|规划")
"""What the speaker may have done with a text before they go on about themselves."""

_EN_TEXTS: Final = (
    r"letters?|e-?mails?|essays?|paragraphs?|passages?|sentences?|posts?|tweets?|bios?|profiles?|r[eé]sum[eé]s?|cvs?|speech|statements?|stor(?:y|ies)|poems?|lyrics?"
    r"|reviews?|diar(?:y|ies)|transcripts?|voicemails?|voice\s?notes?|minutes|worksheets?|homework|surveys?|tickets?|comments?|captions?|quotes?|quotations?|screenshots?|adverts?|ads?"
    r"|announcements?|tapes?|threads?|excerpts?|obituary|eulogy|horoscope|release|originals?|messages?|texts?|notes?|cards?|postcards?|toasts?|vows|interviews?|podcasts?"
    r"|articles?|blogs?|columns?|tales?|dialogues?|monologues?|lines?|scripts?|scenes?|songs?|verses?|sayings?|proverbs?|mottos?|signs?|stickers?|posters?|labels?|flyers?|leaflets?"
    r"|memos?|notices?|petitions?|testimon(?:y|ials?)|confessions?|books?|novels?|chapters?|prompts?|questions?|listings?|dms?|customers?|clients?|applicants?|example"
)
_EN_SOMEBODY: Final = (
    r"mum|mom|mam|dad|da|nan|gran\w*|grandad|grandpa|auntie?|uncle|cousin|sister|brother|wife|husband|son|daughter|kid|partner|girlfriend|boyfriend|ex|friend|mate|bestie|flatmate"
    r"|roommate|housemate|colleague|coworker|boss|manager|client|customer|tenant|landlord|neighbou?r|teacher|student|pupil|guy|bloke|man|woman|lady|girl|lad|someone|somebody|stranger"
    r"|he|she|they|driver|influencer|author|narrator|main character|guest|host|speaker|witness|niece|nephew|in-law|priest|vicar|intern|recruiter"
)
_EN_OWN: Final = re.compile(
    r"\W*(?:so |and |but |ok(?:ay)? |well |today |yesterday |just |also |honestly |anyway )*(?:i|i['’]\w+|we|we['’]\w+|you|you['’]\w+|my (?!\w+['’]s|favou?rite|(?:\w+ )?(?:mum|mom|dad|nan|sister|brother|boss|friend|mate|kid|son|daughter|wife|husband|ex|cousin|aunt\w*|uncle|gran\w*)\b))(?![a-z])"
    r"|\W*(?:quick|side|small|short|long|true|fun|funny|good|bad|big|great|same|full|love|life|back|personal)\s|\W*(?:note|story|question|update|news|ps|text me|lines? up)\b(?! (?:left|from|on|by|found|in))",
    re.IGNORECASE,
)
_EN_PLACE: Final = r"\b(?:found|seen|saw|heard|overheard|left|stuck|written|posted|pinned|read|from|off|by|this|that|these|below|following|favou?rite|of the (?:day|week)|['’]s)\b|['’]s\b"
_LONGEST_ZH: Final = 24
_LONGEST_EN: Final = 90

_FIRST_PERSON: Final = re.compile(
    r"[我俺咱]|本人|私は|저는|나는|(?<![A-Za-z])(?:i|i['’](?:m|ve|d|ll)|my|je|ich|yo|soy)(?![A-Za-z])", re.IGNORECASE
)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    end = r"[\s“”\"'（(🙄-🫶]*$"
    return (
        re.compile(rf"(?:{_ZH_TEXTS}|{_ZH_SAYS}){end}"),
        re.compile(rf"{_SOMEBODY}|[这那上下里]|的"),
        re.compile(rf"\b(?:{_EN_TEXTS})\b", re.IGNORECASE),
        re.compile(rf"{_EN_PLACE}|\b(?:{_EN_SOMEBODY})\b", re.IGNORECASE),
    )


_DELIMITER: Final = re.compile(
    r"[：:](?!//|\d)|\n+|[，。？！…]+|(?<=[㐀-鿿])[ \u3000]+|\s[-–—]+\s|——+|—|>>+|[.?!](?=\s)|,(?=\s)"
)


def lead_in_end(text: str) -> int | None:
    """Return where that begins which the first words of a message lead into; None if they do not.

    Only if what follows says I: else nobody could be taken for its speaker.
    """
    found = _DELIMITER.search(text.lstrip())
    start = len(text) - len(text.lstrip())
    if found is None:
        return None
    lead, mark = text.lstrip()[: found.start()], found[0].strip()
    rest = text[start + found.end() :]
    if not _FIRST_PERSON.search(rest):
        return None
    leads = _leads_zh(lead, mark) if re.search("[㐀-鿿]", lead) else _leads_en(lead, mark)
    return start + found.end() if leads else None


def _leads_zh(lead: str, mark: str) -> bool:
    text_last, owner, *_ = _patterns()
    if len(lead) > _LONGEST_ZH or _ZH_OWN.match(lead) or not text_last.search(lead):
        return False
    if mark in {"：", ":", ""}:
        return True
    told_of = re.match(rf"\W*(?:我|那个|这个)?(?:{_SOMEBODY})", lead)
    return bool(owner.search(lead)) and bool(told_of or not _ZH_DOES.search(lead))


def _leads_en(lead: str, mark: str) -> bool:
    *_, texts, owner = _patterns()
    if len(lead) > _LONGEST_EN or _EN_OWN.match(lead) or not texts.search(lead):
        return False
    return bool(owner.search(lead)) and mark != ","
