"""The terms of what is searched for: which words of a line say what it is about, and how much.

A line may be a sentence, or a list of what is looked for. Words that only frame a question are
left out. Words that everybody says of everything stay, but
count the less the more a line tells and does not ask: a young memory has too few lines to show
that they tell nothing. Some lines are after all there is of a kind, or of a day.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import Final

import numpy as np

from memory.text.bm25 import Bm25, idf
from memory.text.tokens import (
    STOP_CHARACTERS,
    STOP_WORDS,
    characters,
    is_atomic,
    plainly_written,
    script_runs,
    segmented_words,
    token_of_word,
    tokens,
)

_ACROSS_WORDS_WEIGHT: Final = 0.3
"""Weight of a bigram that joins the end of one word to the start of the next: mostly chance."""

_SHORT_WORD: Final = 2
_LONG_WORD_WEIGHT: Final = 0.7
_WITHIN_WORD_WEIGHT: Final = 0.6
"""Weights of a Chinese word of three or more characters and of each bigram in it: they say the
same, and a name or a phrase should not outweigh the rest of a question by its length."""

_FRAME_TEXT: Final = """
具体 主要 提到 描述 根据 以下 一项 准确 情况 方面 内容 事情 原因 方式 进行 过程 期间 当时
后来 最终 最后 之前 之后 首先 一共 总共 分别 为何 表达 表示 了解 得知 得到 记录 聊天 谈论
谈到 说到 说过 讲过 讨论 包括 包含 完成 使用 通过 针对 直接 核心 共同 发生 遇到 当天 同时
不同 相关 采取 选择 安排 活动 时间 日期 地点 目的 开始 结束 第一 第二 一次 两次 某天 为了
记得 还记得 告诉 知道 帮 请 说
"""

FRAME_WORDS: Final = frozenset(_FRAME_TEXT.split())
"""Words that build a Chinese question and say nothing about what it is about."""


def term_weights(text: str, ignored: Collection[str] = ()) -> dict[str, float]:
    """Return the terms of a question with their weights in (0, 1].

    Like :func:`tokens`, but the words that only frame a Chinese question are left out, bigrams
    across two words count little, and ``ignored`` tokens are dropped. Whatever is dropped comes
    back when nothing else would be left.
    """
    found: dict[str, float] = {}
    if text.isascii():
        found = dict.fromkeys(tokens(text), 1.0)
    else:
        for script, run in script_runs(text):
            if script == "dense":
                _add_chinese_terms(run, found)
            elif token := token_of_word(run) if script == "word" else run:
                found[token] = 1.0
    kept = {term: weight for term, weight in found.items() if term not in ignored}
    return kept or found or dict.fromkeys(tokens(text), 1.0)


def meaningful_characters(text: str) -> list[str]:
    """Return the characters of the words that say what a Chinese question is about, each once."""
    said = (
        piece
        for script, run in script_runs(text)
        if script == "dense"
        for piece in segmented_words(run)
    )
    kept = (piece for piece in said if piece not in FRAME_WORDS and piece not in STOP_WORDS)
    return list(dict.fromkeys(character for piece in kept for character in characters(piece)))


def _add_chinese_terms(run: str, found: dict[str, float]) -> None:
    """Add the words and bigrams of a stretch of Chinese to ``found``."""
    pieces = segmented_words(run)
    owner = [index for index, piece in enumerate(pieces) for _ in piece]
    framing = [piece in FRAME_WORDS or piece in STOP_WORDS for piece in pieces]
    for piece, frame in zip(pieces, framing, strict=True):
        if not frame and piece not in STOP_CHARACTERS:
            found[piece] = _LONG_WORD_WEIGHT if len(piece) > _SHORT_WORD else 1.0
    for place, (first, second) in enumerate(pairwise(run)):
        left, right = owner[place], owner[place + 1]
        if framing[left] or framing[right] or {first, second} & STOP_CHARACTERS:
            continue
        within = _WITHIN_WORD_WEIGHT if len(pieces[left]) > _SHORT_WORD else 1.0
        weight = within if left == right else _ACROSS_WORDS_WEIGHT
        found[first + second] = max(found.get(first + second, 0.0), weight)


_EVERYDAY_TEXT: Final = """
feel feeling felt think thought know really like love want need get got go going went come came
make made take took see look say said tell talk ask try keep let help give find use work works
working day today time week year month morning night evening people friend friends family thing
things something anything everything someone lot little bit good great nice best better bad new
old first last next long big small happy sad sorry sure maybe yes yeah thanks thank please okay ok
well right way always never often sometimes still even also just recently lately ever again back
away home life world place part kind hard easy important different enjoy hope remember forget
start stop happen happened mean seem believe understand worry worried glad excited tired sounds
sound amazing wonderful interesting fun cool special share shared experience experiences learn
idea reason moment much many every enough together around able probably actually especially
definitely absolutely
感觉 觉得 知道 喜欢 想要 需要 今天 现在 时候 时间 最近 真的 非常 特别 有点 一点 一些 一下 一直
已经 还是 可以 可能 应该 什么 怎么 事情 东西 大家 朋友 家人 生活 工作 开心 高兴 谢谢 不错 很好
一起 自己 别人 问题 希望 记得 开始 继续 告诉 发生 理解 经历 一定 确实 其实 总是 经常 有时
听起来 重要 建议 帮助 心情 好好 享受 美好
"""

EVERYDAY_SHARE: Final = 0.5
"""What a term of an everyday word still counts in a line that only tells."""


@lru_cache(maxsize=1)
def _everyday_terms() -> frozenset[str]:
    """Return the terms of words said of everything, written down by hand, taken from no data."""
    return frozenset(tokens(_EVERYDAY_TEXT))


@lru_cache(maxsize=1)
def _everyday_terms_en() -> frozenset[str]:
    # Apart: English talk must not load the dictionary of Chinese words.
    return frozenset(tokens(re.sub(r"[^\x00-\x7f]+", " ", _EVERYDAY_TEXT)))


def telling_terms(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about: a dog's name, and not "new" or "week".

    >>> sorted(telling_terms("Gary got fired last week"))
    ['fire', 'gari']
    """
    known = _everyday_terms_en() if text.isascii() else _everyday_terms()
    return frozenset(
        term
        for term, weight in term_weights(text).items()
        if weight >= _WITHIN_WORD_WEIGHT and len(term) > 1 and term not in known
    )


def without_everyday_words(terms: Mapping[str, float], told: float) -> dict[str, float]:
    """Return terms with those of everyday words counting less, by the share of a line that tells.

    >>> without_everyday_words({"guitar": 1.0, "today": 1.0}, told=1.0)
    {'guitar': 1.0, 'today': 0.5}
    """
    spaced = "".join(terms).isascii()
    everyday = _everyday_terms_en() if spaced or all(map(is_atomic, terms)) else _everyday_terms()
    said = everyday & terms.keys()
    if not spaced:
        said |= {term for term in terms if _FACE.match(term)}
    share = 1.0 - (1.0 - EVERYDAY_SHARE) * told
    return {**terms, **{term: terms[term] * share for term in said}}


_FACE: Final = re.compile(
    "[\u2764\U0001f480-\U0001f4af\U0001f600-\U0001f64f\U0001f900-\U0001f97a]"
)
"""Faces, hearts and gestures say how something is told, as everyday words do."""


_BUILT_SHARE: Final = 0.2
"""The share of words that only build a sentence which every sentence has."""

_COMMON_SHARE: Final = 0.1
_FEWEST_LINES: Final = 50
_SHORT: Final = 4
"""A word of so few letters that a tenth of so many lines have builds sentences: de, und, che."""


def share_listed(text: str, index: Bm25) -> float:
    """Return how much a line is a list of what is looked for and no sentence, 0..1.

    Words that build a sentence are missing, and Chinese stands word by word: 续租 房东. Those of
    a language that has no list here are short, and many lines of ``index`` have them.
    """
    total, runs = int(np.count_nonzero(index.alive)), 0
    common = idf(total, int(_COMMON_SHARE * total)) if total >= _FEWEST_LINES else 0.0
    said: list[str] = []
    for script, run in script_runs(text):
        runs += 1
        said += segmented_words(run) if script == "dense" else [run.replace("’", "'")]
    built = sum(word in STOP_WORDS or _is_common(word, index, common) for word in said)
    apart = min(max(4.0 * runs / max(len(said), 1) - 2.0, 0.0), 1.0)
    return apart * (1.0 - min(built / max(len(said), 1) / _BUILT_SHARE, 1.0))


def _is_common(word: str, index: Bm25, least: float) -> bool:
    short = word.isalpha() and len(word) <= _SHORT and is_atomic(word)
    return short and any(0.0 < index.idf(token) <= least for token in tokens(word))


_GROUPS_EN: Final = """
job work career employ occupation profession; boss manager supervisor; colleague coworker teammate
quit resign leave notice; hire recruit; fire sack layoff; salary wage pay income earn
company firm; interview candidate; university college uni campus; school class; exam test quiz
grade mark score; teacher professor tutor instructor; study major degree; child kid son daughter
baby newborn infant; mother mom mum mama mommy mummy; father dad papa daddy pop
parent mother father mom dad; grandmother grandma granny nana; grandfather grandpa granddad
husband spouse wife partner; boyfriend girlfriend partner; brother sister sibling
marry wed wedding marriage engage propose; pregnant pregnancy expect due; divorce separate split
pet dog cat puppy kitten; dog puppy; cat kitten; car vehicle drive; bike bicycle cycle
trip travel vacation holiday journey visit; flight plane fly; hotel hostel airbnb
house home apartment flat; rent lease landlord tenant; move relocate; movie film cinema
book novel read; song music band; picture photo photograph; paint painting draw
doctor physician gp clinic hospital; ill sick illness disease; pain ache hurt sore
headache migraine; injury injure hurt wound; fall trip slip; medicine medication pill tablet drug
surgery operation operate; allergy allergic; tired exhausted; sad upset unhappy depressed
angry mad furious annoyed row; afraid scared fear frighten; happy glad joy
argue argument fight quarrel row; cry tear weep; buy purchase; sell sale; cost price pay
cheap inexpensive; money cash fund; debt owe loan lend borrow; gift present
party celebrate celebration; birthday born; begin start; end finish; repair fix mend; break damage
build make; cook bake; meal dinner lunch supper; breakfast brunch; food eat dish
restaurant cafe diner; drink beverage; sport exercise workout gym train; run jog race marathon
swim pool; hike walk trek; game play match; win victory; team club; garden plant
phone mobile cell; computer laptop; email mail letter; store shop; clothes outfit dress wear
color colour; favorite favourite; city town; country nation; sea ocean beach; forest wood
mountain hill; rain storm wet; snow ice; police officer; lawyer attorney solicitor; church temple
friend pal buddy; big large huge; small little tiny; difficult hard tough; help assist support
decide choose choice; plan intend; dream wish; hate dislike; enjoy love; learn study; teach lesson
hobby pastime interest; volunteer charity; award prize; name call
"""

_GROUPS_ZH: Final = """
工作 上班 公司 单位 职业 班; 老板 领导 上司 经理; 同事 同僚; 辞职 离职 跳槽; 招聘 面试 招人 入职
工资 薪水 收入 月薪; 挣钱 赚钱 赚; 大学 学校 学院 高校; 考试 测验 期末; 分数 成绩
老师 教师 班主任; 孩子 儿子 女儿 小孩 宝宝 娃; 妈妈 母亲 老妈 妈; 爸爸 父亲 老爸 爸; 父母 爸妈
奶奶 外婆 姥姥 祖母; 爷爷 外公 姥爷; 丈夫 老公 爱人; 妻子 老婆 太太 媳妇; 男友 男朋友 对象
女友 女朋友 对象 未婚妻; 结婚 婚礼 领证 订婚 求婚; 怀孕 预产期; 离婚 分手; 宠物 猫 狗
汽车 车 开车; 自行车 骑车 单车; 旅行 旅游 出游 出差; 火车 高铁 动车; 飞机 航班; 酒店 宾馆 民宿
房子 家 公寓 住; 房租 租金 租房 月租; 房东 租客; 搬家 搬; 电影 片子; 书 小说; 歌 音乐
照片 相片 拍照; 医生 大夫 医院 看病 就诊 复诊; 生病 病 不舒服 发烧; 疼 痛 疼痛; 头疼 头痛 偏头痛
受伤 摔 骨折 摔倒; 药 吃药 服药; 手术 开刀; 过敏 忌口 不吃; 累 疲惫 辛苦; 难过 伤心 难受
生气 发火 吵架; 害怕 怕 担心; 开心 高兴; 哭 流泪; 买 购买 下单; 卖 出售; 价格 多少钱 块钱 价钱 花
便宜 划算; 欠 借 债; 礼物 送; 生日 过生日; 开始 开学; 结束 完成; 修 修理 维修; 做饭 烧菜 下厨
饭 吃饭 聚餐 午饭 晚饭; 餐馆 饭店 餐厅; 运动 锻炼 健身; 跑步 晨跑; 游泳 泳池; 爬山 徒步 登山
比赛 球赛; 手机 电话; 电脑 笔记本; 商店 超市; 衣服 裙子; 颜色 色; 城市 地方; 海边 沙滩 海; 下雨 雨
下雪 雪; 律师 官司; 朋友 好友 闺蜜; 学习 学; 爱好 兴趣; 名字 叫; 体检 检查; 邻居 隔壁
"""
"""Words that people use for one another, group by group: what is asked for by one was told by the
others. Written down by hand for everyday matters, taken from no data."""


def near_words(term: str) -> frozenset[str]:
    """Return what people say for a term of a search: stems for a stem, words for a Chinese word.

    >>> sorted(near_words("电影"))
    ['片子']
    """
    return _near(_GROUPS_EN if term.isascii() else _GROUPS_ZH).get(term, frozenset())


@cache
def _near(groups: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in groups.replace(";", "\n").splitlines():
        said = [tokens(word) if word.isascii() else [word] for word in line.split()]
        alike = frozenset(chain.from_iterable(said))
        for word in alike:
            found.setdefault(word, set()).update(alike - {word})
    return {word: frozenset(others) for word, others in found.items()}


TELLING: Final = 2.5
"""The inverse document frequency of a word that stands in about every twelfth passage."""


def asks_for_all(question: str) -> bool:
    """Whether a question is after all of a kind: every pet one has, every one of the family."""
    return _ASKS_FOR_ALL.search(plainly_written(question)) is not None or asks_of_family(question)


def asks_of_family(question: str) -> bool:
    """Whether a question is after everybody of the family."""
    return _ASKS_OF_FAMILY.search(plainly_written(question)) is not None


_ASKS_FOR_ALL: Final = re.compile(
    r"我(?:们?家)?的?(?:[^，,]{0,6}(?:养|有)[^，,]{0,4})?宠物(?!店|医院|用品)|(?:几|哪些|什么|哪几)[只条个]?[猫狗]"
    r"|\bmy pets\b|\bpets (?:do|have|did)\b|\bhow many (?:cats|dogs|pets)\b",
    re.IGNORECASE,
)

_ASKS_OF_FAMILY: Final = re.compile(
    r"我们?家(?:里|中)?(?:都|还|一共)?(?:有)?(?:谁|几口|(?:哪些|什么|几个)人)|我的?家里?人(?:都|有|是)*(?:谁|哪|什么人|情况|$|[呢吧。?？])"
    r"|我的?家庭|兄弟姐妹|\bmy (?:whole )?family\b(?! (?:doctor|name|car|home|house))|\bsiblings\b"
    r"|\bbrothers (?:or|and) sisters\b",
    re.IGNORECASE,
)

_ASKS_NAMES_OF_CHILDREN: Final = (
    r"(?:孩子|小孩|娃|儿女)们?(?:都|分别|各)*(?:叫|的?名字)"
    r"|\b(?:kids|children|child)(?:['’]s?)? (?:\w+ )?(?:called|names?|named)\b"
    r"|\bnames of my (?:kids|children)\b"
)

_TELLS_NAMES_OF_CHILDREN: Final = (
    r"(?=.*(?:孩子|女儿|儿子|闺女|丫头|娃)(?!的(?!小?名|大名|全名)))(?!.*孙).*(?:叫|名)"
    r"|(?=.*\b(?:kids?|child(?:ren)?|daughters?|sons?|twins|boys|girls)\b(?!['’]s (?!name)))"
    r".*(?:\bcalled\b|\bnamed\b|\bnames?\b"
    r"|(?-i:\b(?:son|daughter|kids|children|sons|daughters|twins),? [A-Z]))"
)

NAMES_OF_CHILDREN: Final = (_ASKS_NAMES_OF_CHILDREN, _TELLS_NAMES_OF_CHILDREN)
"""What asks for the names of one's children, and what tells them."""

ASKS_PLANS: Final = re.compile(
    r"(?<![你您他她])(?:我|[今明后]天|[这下]?周|星期|礼拜|月|最近).{0,6}(?:有什么|有哪些|有啥|有没有什么|都有什么)(?:计划|安排|打算|事)"
    r"|\bmy plans\b|\bwhat (?:have i|did i|do i have) plan"
    r"|(?:^|\n)(?=.*\b(?:\w+day|tonight|tomorrow|weekend|week|month)\b)(?!.*\b(?:life|wrong)\b).*"
    r"(?:\bwhat(?:['’]s| is| have i got| have i| do i have|['’]ve i got)(?: \w+)? "
    r"(?:on|planned|happening|going on|coming up|in my (?:diary|calendar))\b"
    r"(?! (?:(?:my|your|his|her) mind|tv|telly|netflix|the (?:news|radio|menu|telly|tv)|at)\b)"
    r"|\bwhat am i (?:doing|up to)\b"
    r"|\b(?:is there|have i got|do i have) anything (?:on|planned|happening)\b)",
    re.IGNORECASE,
)
"""Asked so, all that is known of a day or a week is told."""
