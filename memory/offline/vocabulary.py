"""The words of the offline mode: those its rules look for, and the sentences it says.

Lists only, so that a missing word is added in one place; the patterns are in
:mod:`memory.offline.chinese` and :mod:`memory.offline.english`. Sentences have ``{…}`` filled in.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from memory.model import Language
from memory.text.tokens import as_mandarin, tokens, words


def _alternatives(phrases: Iterable[str]) -> str:
    """Return an alternation of regular expressions."""
    # The longest first: the first alternative that matches wins, and 猫 is the beginning of 猫咪.
    return "|".join(sorted(phrases, key=len, reverse=True))


WORDS_ZH: Final[Mapping[str, str]] = {
    name: _alternatives(words.split())
    for name, words in {
        # a person of the family, or as near
        "FAMILY": """
            女儿 儿子 孩子 宝宝 双胞胎 妹妹 姐姐 哥哥 弟弟 妈妈 爸爸 妈 爸 母亲 父亲 爷爷
            奶奶 外公 外婆 姥姥 姥爷 老婆 老公 妻子 丈夫 爱人 太太 女朋友 男朋友 女友 男友
            未婚妻 未婚夫 室友 闺蜜""",
        "PET": """
            猫 猫咪 小猫 橘猫 布偶 英短 美短 暹罗 狗 狗狗 小狗 柯基 柴犬 金毛 哈士奇 泰迪
            拉布拉多 边牧 德牧 萨摩耶 博美 雪纳瑞 吉娃娃 法斗 兔子 仓鼠 龙猫 豚鼠 刺猬 乌龟
            鹦鹉 鸟 鱼 金鱼 蜥蜴 蛇 马 鸡 鸭 羊""",
        "JOB": """
            老师 教师 教授 研究员 科学家 学生 小学生 初中生 高中生 大学生 研究生 留学生 硕士
            硕士生 博士 博士生 医生 牙医 兽医 护士 药师 心理咨询师 律师 法官 检察官 会计
            会计师 程序员 工程师 架构师 分析师 产品经理 运营 设计师 建筑师 司机 飞行员 空姐
            空乘 导游 警察 军人 消防员 保安 公务员 社工 志愿者 图书管理员 厨师 面包师 咖啡师
            理发师 化妆师 美甲师 健身教练 教练 记者 编辑 翻译 作家 画家 插画师 摄影师 导演
            演员 歌手 主播 博主 销售 客服 经理 助理 秘书 顾问 老板 店长 创业者 自由职业
            自由职业者 工人 电工 木工 农民 快递员 外卖员 家庭主妇 全职妈妈 全职太太""",
        "ILLNESS": """
            糖尿病 高血压 心脏病 哮喘 鼻炎 胃病 胃炎 贫血 关节炎 痛风 偏头痛 癫痫 湿疹 乙肝
            甲亢 甲减 癌 癌症 抑郁症 焦虑症 失眠症 近视""",
        "SKILL": """
            游泳 开车 骑车 骑自行车 编程 写代码 做饭 做菜 跳舞 唱歌 画画 摄影 书法 围棋 象棋
            滑雪 滑冰 潜水 冲浪 手语 木工 缝纫 织毛衣 弹钢琴 弹吉他 弹古筝 弹琵琶 弹尤克里里
            弹贝斯 拉小提琴 拉大提琴 拉二胡 拉手风琴 吹笛子 吹长笛 吹萨克斯 吹口琴 打架子鼓""",
        "FRIGHT": """
            高 黑 狗 猫 蛇 蜘蛛 虫 虫子 蟑螂 老鼠 打雷 雷声 鬼 辣 冷 热 痒 疼 水 打针 坐飞机""",
        "DEED": """
            吃 喝 听 看 玩 读 唱 跳 打 逛 跑 爬 画 写 做 睡 拍 骑 养 运动 音乐 旅行 旅游
            美食 猫 狗""",
        "LATELY": """
            最近 近来 现在 目前 已经 刚 刚刚 刚才 也 还 正 一直 就 都 今年 去年 上周 上个月
            前几天 昨天 今天 终于 毕业后""",
        "VERY": """
            很 最 非常 特别 尤其 比较 十分 格外 真 真的 挺 蛮 超 超级 更 也 还是 都 就 平时
            闲下来 有空 主要 总是 向来 一直 一直都 从小 从小就 现在 最近""",
        # what stands after 叫 when it does not mean a name
        "NOT_NAMED": """
            了 过 不 得 出 来 停 醒 住 车 他 她 它 你 您 人 大家 外卖 快递 滴滴 出租车
            网约车 救护车 朋友 同事 妈 爸 老师 服务员""",
        # what stands after 是 and before 人 when it does not mean where someone is from
        "NO_PLACE": """
            男 女 好 坏 本 大 新 老 中年 年轻 成年 普通 病 盲 证 局外 过来 当事 负责 主持
            机器 文化 有心""",
        "NOWHERE": "一家公司 公司 家 家里 办公室 外面 单位 学校 这 那 一起 努力 认真",
        "UNSETTLED": "考虑 找 换 想 了 准备 打算 申请 犹豫 纠结",
        "DAILY": """
            每天 每周 每晚 每早 每年 每个月 每个周末 每周末 每个星期 每星期 每个礼拜
            习惯(?!性) 习惯于 逢年过节 隔三差五 三天两头
            (?:每?(?:周|星期|礼拜))?[一二三四五六日]{2,6}(?=[早晚上下中])""",
        # what makes a plan or a wish too small, too near or too vague to keep
        "TRIFLE": """
            一下 睡 吃饭 休息 下班 散步 试试 看看 听听 问 聊 告诉 有点 有些 注意 加油 再说
            再来 再见 会好 附近 逛 的时候 时$""",
        # what a plan without a day must begin with to be one
        "VENTURE": """
            去 到 考 学 搬 买 换 读 报名 参加 申请 辞职 创业 结婚 带.+去 [和跟].+去 在.+[待住]""",
        "LODGING": "酒店 宾馆 民宿 旅馆 招待所 客栈",
        "NOW": "今天 今晚 晚上 现在 这就",
    }.items()
}


def _phrases(words: str) -> Iterator[str]:
    """Yield the phrases of a list, which are separated by commas and line ends."""
    phrases = (" ".join(phrase.split()) for phrase in words.replace("\n", ",").split(","))
    return filter(None, phrases)


WORDS_EN: Final[Mapping[str, str]] = {
    name: _alternatives(_phrases(words))
    for name, words in {
        "FAMILY": """
            wife, husband, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee
            mother, mom, mum, father, dad, parents, sister, sisters, brother, brothers, son
            sons, daughter, daughters, kid, kids, child, children, twins, grandma, grandpa
            grandmother, grandfather, roommate, flatmate""",
        "PET": """
            cat, cats, kitten, kittens, dog, dogs, puppy, puppies, rabbit, rabbits, bunny
            bunnies, hamster, hamsters, guinea pig, guinea pigs, parrot, parrots, bird
            birds, chickens, turtle, turtles, tortoise, fish, goldfish, lizard, snake
            snakes, horse, horses, pony""",
        "TRADE": """
            engineer, programmer, developer, designer, architect, analyst, consultant
            manager, teacher, professor, tutor, student, undergrad, freshman, sophomore
            postdoc, intern, researcher, scientist, librarian, translator, journalist
            editor, writer, artist, painter, photographer, musician, singer, actor, actress
            doctor, nurse, dentist, vet, pharmacist, therapist, psychologist, paramedic
            firefighter, police officer, soldier, lawyer, accountant, social worker, driver
            pilot, chef, cook, baker, barista, waiter, waitress, salesperson, plumber
            electrician, carpenter, farmer, freelancer, entrepreneur, vegetarian, vegan
            pescatarian, night owl, early bird, only child, single mom, single dad
            single mother, single father""",
        "ILLNESS": """
            diabetes, asthma, depression, anxiety disorder, adhd, autism, cancer, migraines
            epilepsy, arthritis, insomnia, high blood pressure, celiac disease, anemia
            lupus, eczema""",
        "HOW": """
            really, also, absolutely, especially, still, do, always, just, truly
            particularly, mostly, usually, now, currently, originally, finally, recently""",
        # what a liking is not worth keeping of
        "NOTHING": """
            you, your, it, its, that, this, them, him, her, these, those, how, what, when
            where, the idea, to hear, to talk, to know, to ask, talking, hearing, chatting
            so, us, myself""",
        "OTHERS": "you, your, yours, me, it, him, her, them, because",
        "DULL": """
            very, so, quite, too, really, not, pretty, stable, stressful, boring, hard, fine
            great, good""",
        "TRIFLE": """
            try, check, look, let, talk, see, be fine, watch a movie, go for a walk
            take a walk, go to bed, sleep""",
        "PERIOD": """
            day, morning, evening, night, week, weekend, month, year, monday, tuesday
            wednesday, thursday, friday, saturday, sunday""",
        "MOOD": "happy, sad, tired, fine, sorry, glad, good, ok, so, here, back, new",
    }.items()
}

FILLS: Final = re.compile(
    r"(?:[,\s]+(?:btw|by the way|lol|lmao|haha\w*|tbh|fyi|ngl|rn|though))+\W*$"
    r"|(?<=[一-鿿])(?<![叫二小阿老哈嘿嘻呀啊哦噢])[哈嘿嘻呀啊哦噢]+$"
    r"|(?<=过敏|跑步|游泳|健身|瑜伽|上课|上班|加班|单身|未婚|已婚|离异|近视|恐高|晕车|住校|独居)的$",
    re.IGNORECASE,
)
"""Behind what is told these say nothing: 没结婚哈, 对虾过敏的, "allergic to penicillin btw"."""

# Too frequent in talk with a companion to tell what it was about.
_EMPTY_WORDS: Final = """
你好 您好 谢谢 感谢 朋友 知道 觉得 感觉 喜欢 可能 今天 明天 昨天 最近 现在 时间 东西 事情 建议
推荐 分享 非常 特别 一定 希望 真的 好像 还有 一起 已经 开始 需要 可以 应该 如果 比较 一直 有点
有些 不错 尝试 一下 什么 主人 小祥 聊天 再见 明白 没有 一样 这样 例如 以及 其他 一种 方法 帮助
太棒了 太好了 不用谢 没关系 不客气 认识 感到 看看 当然 有没有 方式 了解 问题 期待 变得 确实
其实 考虑 怎么办 为什么 学习 练习 ai 伴侣 的话 很多 不是 还是 只是 就是 或者 不要 我会 不会
高兴 有趣 听听
like thank thanks good great nice know think feel want would could get go make today
tomorrow yesterday lot need time thing things sure really maybe also yes hello hi friend
recommend suggestions suggestion new one i'm it's i've don't
"""

_EMPTY: Final = frozenset(_EMPTY_WORDS.split())

# The words in which memory is asked about; 记得 is in 还记得我喜欢什么吗 and in no answer to it.
_ASKING_WORDS: Final = """
记得 知道 是否 曾经 你还 告诉 时候 哪些 什么 对吗 分享 推荐 聊过 说过 提到 remember know tell
ever
"""

_ASKING: Final = frozenset(_ASKING_WORDS.split())

# 那你呢 asks after somebody; 我在看书呢 tells what one is at.
_MARKED: Final = re.compile(
    r"(?:[?？]|吗|(?<=干)嘛|(?:什么|啥|谁|哪|几|多少|怎么|多[大久高])[^，,。]{0,12}来着|(?<![不没])对吧|[，,]是吧"
    r"|(?:^|[，,。！!；;\s])(?![^，,。！!；;\s]{0,5}[在着正还才挺了过没不看吃睡忙玩等写做听想喝])"
    r"[^，,。！!；;\s]{1,6}呢)[\s~～。!！]*$"
)

# In chat the mark is left out: 我住哪, 朵朵几岁了. 没什么 and 几个朋友 ask nothing.
_UNMARKED_ZH: Final = re.compile(
    r"(?<![没不])(?<!因为)(?<!又因为)(?:什么|啥|谁)(?!的[^，]*[了过]$|[都也]|的$)|[是做干学卖教弄](?:什么|啥)的$|[是归]谁的$|(?<!不)(?<!怎)咋(?![呼舌都也])"
    r"|哪[一几]?(?:[里儿个些位种条本部家天年栋层座片区次台样边处门款间班路级段号件张首份])(?![都也怕])|[在去到从来回往搁住朝]哪(?![都也怕])|哪(?:了|[\u4e00-\u9fff]{1,3}的)?$"
    r"|(?<![好十这那前后])几(?:岁|点|号|时|月|个(?=$|人$)|次婚?$|(?<=有几)个(?:小孩|孩子|娃|儿子|女儿|孙[子女]|兄弟|姐妹|兄弟姐妹|[哥弟]{2}|[姐妹]{2})$|年级|(?<=[^了过]几)(?:年|本|只|口人|楼|班|公里)了?$|$)|(?<![没不])多(?:大(?!的)|久|高|重|远)(?![都也])|还[有剩]几[天年周]$|(?<!好)多少(?!有点|[都也])"
    r"|^[我俺][^，,好]{0,3}(?:有几[只条辆台套]|(?<!家)[养生]了?几[只条个头匹])[\u4e00-\u9fff]{1,3}$|(?:一共|总共|到底).{1,6}几[个只条本次辆套]|^[我俺](?!.*[都也才可就])[^，,]{1,9}(?:了[没未]|上?班没|不)$"
    r"|(?:[了过][\u4e00-\u9fff]{0,2}|完|还[^，,是没不就要在]{1,5})(?:没有?|未)$|^[我俺]?还[^，,是没不就要在好行可真挺算]{2,5}不$|[做搞弄]成点$"
    r"|怎么(?![都也这那又还]|说呢)(?:样|办|了|回事|做|走|写|用|叫|会|不|[上去]班)|怎样|干嘛|干啥|为何|何时"
    r"|(?!还没还)(?<!\d)(?P<v>[\u4e00-\u9fff])[不没](?P=v)(?!之|.*(?:[都也]|再说|再看))|^你?是[^，]+还是|有(?!的)[^，,没]{1,6}没(?:有|呢|呀|啊)?$|该不该|可不可以|喜不喜欢|记不记得|知不知道"
)

_LETS_OPEN: Final = re.compile(
    r"(?:不|没人?)(?:太?知道|晓得|清楚|记得|确定|管|论|懂|想好|告诉|说)|因为(?!什么|啥)|不管|无论|随便|忘了|忘记|想不起|[找查看猜弄分]不[到出清着]|纠结|研究|考虑|看看|(?<![你想要来])问我|[人他她们]问[起过了]"
)
"""我不知道该怎么办: what stands after it is no question to her."""

# "is chloe allergic to anything": names are written small in chat; "is raining" has none.
_NO_NAME_EN: Final = (
    r"(?!(?:a|an|so|too|very|really|just|only|not|no|nothing|something|been|being|all|still|also"
    r"|always|never|barely|hardly|well|ok|okay|good|bad|great|fine|hot|cold|wonders|that|this|what"
    r"|like|as|for|to|in|on|at|of|get|go|be|do|say|happen|make|feel|look|seem|\w+ing|\w+ed|\w+ly)\b)"
)
_OF_SOMEBODY_EN: Final = (
    rf"(?:is|was|are|does|did|has|can) {_NO_NAME_EN}[a-z]+(?:['’]s [a-z]+)?"
    r" (?:[a-z]+ ){0,4}any\w*\b.*"
    rf"|(?:is|was) {_NO_NAME_EN}[a-z]+ (?:allergic|married|vegan|vegetarian|single|pregnant|coming"
    r"|home|ok|okay|alright|alive|better|ill|there|here|older|younger|scared|afraid|due)\b"
    rf"|(?:does|can) {_NO_NAME_EN}[a-z]+ (?:eat|drink|like|love|hate|have|take|know|live|work|want"
    r"|need|drive|swim|speak|play|cook|come|sleep|owe|still)\b"
    rf"|has {_NO_NAME_EN}[a-z]+ (?:got|ever|told|called|rung|said|been|had)\b"
    rf"|did {_NO_NAME_EN}[a-z]+ (?:call|ring|come|tell|say|go|text|get|pass|win|like|give|eat)\b"
)

_ASKS_EN: Final = (
    r"(?:(?:and|but|so|hey|hi|ok|okay|well|please|xiaoxiang|now|wait)[, ]+)*"
    r"(?:(?:who|what|when|where|why|how|which|whose)(?:['’]?s|['’]re)?"
    r"(?: (?!i |we |he |she |they |you |a )[\w'’-]+){0,3}?"
    r" (?:is|are|was|were|am|do|does|did|can|could|must(?:n['’]t)?|should"
    r"|will|would|have|has|had|(?:ca|wo|do|did|does|is|are|have|has|should)nt)\b(?! been\b)"
    r"|(?:what|where|who|how(?: old)?|when)(?:['’]?s|['’]re) |who(?:se)? \w+|what happened\b"
    r"|(?!did my \w+ (?:in|at) (?!law))"
    r"(?:do|does|did|am|is|are|was|were|can|could|should|will|would|have|has)"
    r"(?:n['’]t|(?<!do)nt)? (?:i|you|he|she|it|we|they|my|your|our|his|her|their|the|there)\b"
    r"|(?:does|did|is|was|has|can|should)(?:n['’]t)? (?-i:[A-Z])[a-z]+ [a-z]"
    rf"|{_OF_SOMEBODY_EN}|any(?:thing|one|body)?(?: \w+){{0,2}} (?:i|we) (?:\w+ ){{0,2}}"
    r"(?:not|never|avoid|shouldn|can|must|stay)\b)"
)
_BARE_EN: Final = r"(?:what|which|how (?:much|many)) (?!(?:the|ever|if|about|an?|fun|luck)\b)\w+$"
_UNMARKED_EN: Final = re.compile(f"{_ASKS_EN}|{_BARE_EN}", re.IGNORECASE)

_RELATIVE_EN: Final = re.compile(r"(?i)(?:which|whose)\b(?! (?:one|of)\b)|who (?!(?:am|is|do) \w)")
_CLAUSE: Final = re.compile(r"[，,。.；;!！~～\n]+\s*")

# Counts with their measure word, an adverb with one character, and numbers.
_NO_SUBJECT: Final = re.compile(
    "[一两二三四五六七八九十几][只个条位次件张家本部场天年]|[还也很就都太挺真].|[0-9]+"
)


def content_words(text: str) -> list[str]:
    """Return the words of ``text`` that may name a subject, in order."""
    return [word for word in words(text) if word not in _EMPTY and not _NO_SUBJECT.fullmatch(word)]


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about, and not when."""
    return frozenset(content_words(text)) - _WHEN_WORDS


_WHEN_WORDS: Final = frozenset(
    {"day", "week", "month", "year", "next", "last", "now", "soon", "going", "just"}
    | {"周末", "下周", "上周", "下个月", "上个月", "今年", "明年", "去年", "刚才", "本来"}
    | {"就是", "还是", "起来"}
)


def match_terms(text: str) -> frozenset[str]:
    """Return what a question and a memory may have in common: words, stems, character pairs."""
    return frozenset(tokens(text)) - _ASKING


KIN: Final = tuple(
    frozenset(group.split())
    for group in """
        爸 爸爸 父亲 老爸 dad father daddy, 妈 妈妈 母亲 老妈 mom mum mam mother
        弟 弟弟 brother, 哥 哥哥 brother, 妹 妹妹 sister, 姐 姐姐 sister, 儿子 son boy
        女儿 闺女 daughter girl, 孙女 孙子 granddaughter grandson
        爷爷 外公 姥爷 grandpa grandfather grandad, 奶奶 外婆 姥姥 grandma grandmother gran nan
        外婆 granny, 男朋友 男友 对象 boyfriend, 女朋友 女友 对象 girlfriend
        老公 丈夫 先生 爱人 对象 老伴 husband partner, 老婆 妻子 太太 爱人 对象 老伴 wife partner
        猫 猫咪 橘猫 布偶 英短 cat cats kitten, 狗 狗狗 柯基 柴犬 金毛 泰迪 边牧 犬 dog dogs puppy
        老板 领导 上司 boss manager, 室友 roommate flatmate, 房东 landlord landlady, dog beagle
        同事 colleague coworker, 邻居 neighbour neighbor""".replace("\n", ",").split(",")
    if group.strip()
)
"""Words for one person or animal: who is asked about must be in what answers."""


def is_question(text: str) -> bool:
    """Whether a line ends in a question, with or without its mark."""
    text = as_mandarin(text)
    if _MARKED.search(text):
        return True
    clauses = [each for each in _CLAUSE.split(text) if each.strip()]
    if not clauses or len(clauses[-1]) > _LONGEST_QUESTION:
        return False
    last = clauses[-1].strip()
    asked = _UNMARKED_ZH.search(last)
    if asked is None:
        goes_on = len(clauses) > 1 and _RELATIVE_EN.match(last)
        return not goes_on and _UNMARKED_EN.match(last) is not None
    return not _LETS_OPEN.search(last[: asked.start()])


_LONGEST_QUESTION: Final = 80
"""In characters; what is longer and has no mark tells something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sayings:
    """Every sentence and mark of the rule-based replies, in one language."""

    notice: str
    about: str
    will_note: str
    note_what: str
    remind_how: str
    morning: str
    afternoon: str
    evening: str
    night: str
    pleased: str
    called: str
    reminded: str
    nothing_then: str
    nothing_yet: str
    first_talk: str
    never: str
    anything: str
    just_now: str
    times: str
    earlier: str
    that_day: str
    last_time: str
    known: str
    formerly: str
    since: str
    faded: str
    said_so: str
    came: str
    dated: str
    today: str
    yesterday: str
    month_day: str
    full_date: str
    between: str
    opening: str
    closing: str
    stop: str
    comma: str
    asked_name: str
    you: str
    you_said: str
    they_said: str
    i_said: str
    agrees: str
    denies: str
    two: str
    unsure: str
    not_known: str
    nearest: str
    let_go: str
    kept_again: str
    rests_again: str
    keeps: str
    over: str
    clock: str
    thread_today: str
    thread_yesterday: str
    openings: Mapping[str, tuple[str, ...]]
    occasions: Mapping[str, tuple[str, ...]]


def _read_sayings(language: str) -> Sayings:
    """Return what is said in a language, from the file beside this module."""
    file = files(__package__).joinpath("sayings", f"{language}.toml")
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    openings = {occasion: tuple(said) for occasion, said in read["openings"].items()}
    occasions = {occasion: tuple(words) for occasion, words in read["occasions"].items()}
    return Sayings(**read["sentences"], openings=openings, occasions=occasions)


ZH: Final = _read_sayings("zh")
EN: Final = _read_sayings("en")


def asks_to_keep(text: str) -> bool:
    """Whether a reply asks if something that had been let go is to be kept."""
    return ZH.let_go in text or EN.let_go in text


MAY_I_BEGIN: Final[Mapping[Language, str]] = {
    "zh": "顺便问一句：以后我可以偶尔主动找你吗？比如事后问问怎么样了。一天最多两次，夜里不打扰。",
    "en": "By the way: may I write to you first now and then, say to ask how it went? Twice a day "
    "at most, and never at night.",
}
"""What she asks once, inside a reply, before she ever begins; an answer to it is known by it."""


def sayings_for(asked: str, language: str) -> Sayings:
    """Return the sentences in the language of the question, or of the agent if it shows none."""
    # Her name alone shows none.
    asked = re.sub(r"^(?:小祥|xiaoxiang)[\W_]*$", "", asked, flags=re.IGNORECASE)
    if re.search("[一-鿿]", asked):
        return ZH
    if re.search(r"[A-Za-z]{2}|\bI\b", asked):
        return EN
    return ZH if language.startswith("zh") else EN
