"""The few words that paraphrase one another, per language; only for judging what was said.

A faithful memory of 我搬到上海了 says 主人住在上海: the predicate changes, the substance does not.
A class stands for such predicates. Classes of different languages are different on purpose: the
language of a memory is the language it was said in. A room of its own so that the word lists can
grow without touching the rules that use them.
"""

import re
from collections.abc import Mapping
from typing import Final

# Chinese writes no spaces, so a predicate of one character is guarded by what may not stand beside
# it: 爱 in 恋爱 or 爱人, 住 in 记住, 怕 in 恐怕 mean something else.
ZH_CLASSES: Final[Mapping[str, str]] = {
    "like": (
        "喜欢|喜爱|热爱|最爱|钟爱|偏爱|偏好|酷爱|爱上|迷上|爱好|感兴趣|粉丝"
        "|(?<![可恋亲热相友仁])爱(?![人情国护惜慕称心丽尔沙])"
    ),
    "live": (
        "搬家到|搬到|搬去|搬来|搬进|搬家|迁居|定居|居住|住在|住到|住址|家住"
        "|(?<![记忍抓捉留挡停拦守稳锁困])住"
    ),
    "name": "名字叫|名字|姓名|名叫|叫做|叫作|大名|全名|称呼|称为|叫",
    "work": "工作|上班|任职|就职|入职|职业|供职",
    "study": (
        "学习|读书|念书|上学|就读|攻读|在读|(?<=[在想刚能])学|学(?=[了着过会弹唱画做开跳游打])"
    ),
    "born": "生日|出生日期|出生|生于",
    "age": "岁|年龄|年纪",
    "from": "来自|老家|家乡|籍贯|出生地",
    "fear": "害怕|恐惧|(?<![恐可哪生])怕",
    "keep": "饲养|(?<![营培修教素包保抚疗])养(?![老分生殖成料])",
    "quit": "辞职|离职|辞了",
    "travel": "旅游|旅行|度假|游玩|出游|(?<=去).{0,4}玩(?!具|笑)|玩(?=[了几]?.{0,2}天)",
    "sleepless": "失眠|睡不着|睡不好|睡不踏实",
    "unhappy": "难过|伤心|悲伤|郁闷|沮丧|低落",
    "happy": "开心|高兴|快乐|愉快",
    "tired": "疲惫|疲劳|累",
    "tense": "紧张|焦虑",
    "draw": "画画|绘画",
    "cook": "做饭|做菜|烹饪|下厨",
    "train": "运动|健身|锻炼",
    "buy": "购买|买|入手",
    "wed": "结婚|成家|婚礼|领证",
    "mother": "妈妈|母亲|老妈|妈咪|(?<![姨姑大舅婶])妈",
    "father": "爸爸|父亲|老爸|(?<!老)爸",
    "husband": "老公|丈夫|先生",
    "wife": "老婆|妻子|太太|媳妇",
    "boyfriend": "男朋友|男友",
    "girlfriend": "女朋友|女友",
    "elder_brother": "哥哥|大哥|(?<![表堂西])哥",
    "elder_sister": "姐姐|大姐|(?<![表堂小])姐",
    "younger_brother": "弟弟|(?<![表堂兄])弟",
    "younger_sister": "妹妹|(?<![表堂])妹",
}
EN_CLASSES: Final[Mapping[str, str]] = {
    "like": r"likes?|liked|loves?|loved|enjoys?|prefers?|fond|favou?rites?|fan|adores?",
    "live": r"lives?|lived|living|moved?|moves|moving|relocated?|resides?|settled",
    "name": r"names?|named|called|call",
    "travel": r"travel(?:s|l?ing|l?ed)?|trips?|visit(?:s|ing|ed)?|vacation|holidays?",
    "work": r"works?|worked|working|jobs?|employed",
    "study": r"stud(?:y|ies|ied|ying)|learn(?:s|ed|ing)?|major(?:s|ing)?",
    "born": r"born|birthdays?|birthdate",
    "age": r"aged?|years? old|turn(?:ed|s|ing)",
    "from": r"hometown|comes? from|native",
    "fear": r"afraid|fears?|scared|terrified",
    "quit": r"quit|resigned|left (?:my|the|her|his) job",
    "wed": r"married|wedding|marry",
    "mother": r"mothers?|moms?|mums?|mommy",
    "father": r"fathers?|dads?|daddy",
}
SINGLE_VALUED: Final = frozenset({"live", "name", "work", "born", "age", "from"})
"""A person has one of these at a time, so a new value speaks about the old one."""

LOOSE: Final = frozenset({"keep", "work", "study", "travel", "buy"})
"""Predicates a paraphrase may add: 我家的猫 and 养猫, 当程序员 and 工作是程序员."""

PERSONS: Final = (
    "妈妈|母亲|老妈|妈|爸爸|父亲|老爸|爸|爸妈|父母|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|丈夫|老婆|妻子|男朋友"
    "|男友|女朋友|女友|前任|对象|儿子|女儿|孩子|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹|叔叔|阿姨|舅舅|姑姑|表哥|表姐"
    "|表弟|表妹|朋友|闺蜜|同事|老板|上司|领导|老师|同学|室友|邻居|客户|亲戚|家人|医生|网友|别人|人家|有人|大家"
)
EN_PERSONS: Final = (
    r"mother|mom|mum|father|dad|parents|grandma|grandpa|grandmother|grandfather|husband|wife"
    r"|boyfriend|girlfriend|partner|ex|son|daughter|kids?|child|children|brother|sister|uncle"
    r"|aunt|cousin|friends?|colleagues?|coworkers?|boss|manager|teacher|classmates?|roommate"
    r"|flatmate|neighbou?r|client|doctor|people|someone|somebody|everyone"
)

# The look-aheads keep words that only begin with a negator: 不错, 不过, 别人, 没关系.
NEGATORS: Final = re.compile(
    r"不(?!错|仅|但|只|止|断|久|同|得不|管|如|论|过(?!敏)|好意思|客气|由得|禁)"
    r"|没(?!关系|问题|准)|别(?!人|的|墅|致|名|扭)|勿|未(?!来|免)|从未|戒(?!指)|讨厌|厌恶|反感|受不了|恨"
    r"|\b(?:trouble|difficulty|unable|not|no(?!\s+(?:problem|worries|doubt))|never|none|neither|nor|without|hardly|hates?"
    r"|hated|dislikes?|disliked|detests?|quit)\b(?!\s+only)|n['’]t\b",
    re.IGNORECASE,
)
NEUTRAL: Final = re.compile(
    r"忍不住|不得不|差不多|对不起|了不起|来不及|睡不着|睡不好|睡不踏实|要不然|不然|不一会|不是吗|对不对|是不是|有没有"
    r"|(?P<a>[\u4e00-\u9fff])[不没](?P=a)|[Cc]an['’]t wait|[Ww]hy not|不要紧|没想到|不知不觉"
)
"""Phrases with a negator that negate nothing."""

PAST: Final = re.compile(
    r"以前|从前|曾经?|小时候|当年|过去(?=[是在我住喜爱叫做有])|原来(?=[是住在叫做])(?!是[^，。]*[啊呀])"
    r"|\bused to\b|\bformerly\b|\bback then\b|\bas a (?:kid|child)\b",
    re.IGNORECASE,
)
WISHED: Final = re.compile(
    r"(?<![思理梦感联回猜幻设])想(?![念起到法象])|希望|打算|计划|考虑|愿望|也许|可能|说不定|但愿"
    r"|\b(?:want(?:s|ed)?|wish(?:es)?|hop(?:e|es|ing)|plan(?:s|ning)?|consider(?:s|ing)?|thinking"
    r"|would (?:like|love)|['’]d (?:like|love)|might|maybe|perhaps)\b|['’]d (?:like|love)\b",
    re.IGNORECASE,
)
"""Words under which nothing is so yet."""

DISLIKE: Final = re.compile(
    r"讨厌|厌恶|反感|受不了|恨|\b(?:hates?|hated|dislikes?|disliked|detests?)\b", re.IGNORECASE
)
"""Words that negate and name what they negate: not to like."""

_ZH_FUNCTION: Final = """
的 了 着 过 地 得 是 在 和 与 及 跟 同 或 也 都 就 还 又 再 才 只 很 太
更 最 挺 蛮 非常 特别 十分 真 真的 比较 超 超级 有 有点 一点 一些 一个 一只
一位 一种 一次 个 位 种 条 次 把 被 让 给 对 对于 关于 从 到 去 来 向 往 于
以 为 因为 所以 但 但是 而 而且 然后 其实 现在 目前 最近 刚 刚刚 已经 已 曾
曾经 以前 之前 后来 一直 经常 常常 总是 会 能 可以 要 想 想要 打算 计划 准备
希望 将 将要 决定 应该 说 表示 提到 觉得 认为 不 没 没有 别 未 不再 再也 从不
我 我们 咱 咱们 你 您 他 她 它 他们 她们 自己 本人 这 那 这个 那个 这些 那些
这里 那里 吗 呢 吧 啊 呀 哦 嗯 嘛 啦 哈 哈哈 之 其 中 上 下 里 时 时候 时间
一 家 家里 用户 主人 伙伴 先 起 做 当 些 等 点 用 不是 不要 不会 不能 不想
谢谢 多谢 感谢 好的 好 行 请 哥们 你好 早 早安 晚安 知道 明白 记住 记得
还是 仍然 依然 老是 总 一般 通常 往往 偶尔 常 常去 大概 差不多
不过 还有 另外 比如 例如 同时 平时 总之 反正 毕竟 此外 尤其 首先 其次 只是 当然 特别是 顺便 真是
"""
_EN_FUNCTION: Final = """
partner user owner master currently now also just recently always often usually really
very want wants wanted plan plans planning planned going go goes went intend intends hope
hopes has had have having got get gets own owns owned keep keeps there said says say told
mention mentioned thinks feel feels would will longer anymore used still quite one new
thanks thank please sure good great fine remember know
"""
FUNCTION_WORDS: Final = frozenset((_ZH_FUNCTION + _EN_FUNCTION).split())
"""Words that say how, when or by whom rather than what, and who the speaker is."""
