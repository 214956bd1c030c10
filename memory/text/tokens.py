"""Cutting text into the units that search counts: words, stems and character bigrams.

Chinese is cut twice, because neither cut is right alone: words (rjieba) miss names such as 团子 in
我家猫叫团子, and bigrams miss words of one character and of more than two. English is lower-cased
and stemmed (Snowball). Every other script is kept word by word. Stop words are left out.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer

from prompts.rendering import one_line

_ENGLISH: Final = """
a about above after again against all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
don't down during each few for from further had hadn't has hasn't have haven't having he he'd
he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if in into is
isn't it it's its itself just let's me more most my myself no nor not of off on once only or other
our ours ourselves out over own same shall she she'd she'll she's should shouldn't so some such
than that that's the their theirs them themselves then there there's these they they'd they'll
they're they've this those through to too under until up us very was wasn't we we'd we'll we're
we've were weren't what what's when when's where where's which while who who's whom why why's will
with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
ok okay yeah yes oh hi hey hello wow um uh well really
"""

_CHINESE: Final = """
的 了 和 是 在 我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱们 咱 自己 这 那 这个 那个
这些 那些 这样 那样 这么 那么 这里 那里 这儿 那儿 有 没有 没 不 也 都 就 还 又 很 太 更 最
再 才 只 吗 呢 吧 啊 呀 哦 嗯 哈 嘛 啦 哎 唉 噢 喔 呃 把 被 让 给 对 对于 关于 从 到 向 往
与 及 或 或者 而 而且 但 但是 因为 所以 如果 虽然 然后 以及 并 并且 之 其 其中 等 等等 着 过
地 得 会 能 可以 可 应该 要 想 上 下 里 中 什么 怎么 怎样 怎么样 如何 为什么 哪 哪个 哪些
哪里 哪儿 谁 多少 几 是否 一个 一些 一下 一 个 些 种 请 请问 好 好的 呗 哪位 啥 咋 吧 嘿 喂
时候 以 为 于 由 由于 则 即 将 已 已经 曾 曾经 正在 时 后 前
"""

STOP_WORDS: Final = frozenset((_ENGLISH + _CHINESE).split())
"""Left out of every index and every query; normalized, lower case."""

STOP_CHARACTERS: Final = frozenset(
    "的了和是在我你您他她它这那吗呢吧啊呀哦嗯嘛啦着过也都就还很与及或而"
)
"""Characters that make a bigram worthless: a word says the same better."""

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"

_KANA_HANGUL: Final = "\u3040-\u30ff\uac00-\ud7af"

_EMOJI: Final = "\u2600-\u27bf\U0001f300-\U0001faff"

_RUN: Final = re.compile(
    f"(?P<dense>[{_HAN}{_KANA_HANGUL}]+)"
    f"|(?P<word>[^\\W_{_HAN}{_KANA_HANGUL}]+(?:['’][^\\W\\d_{_HAN}{_KANA_HANGUL}]+)*)"
    f"|(?P<emoji>[{_EMOJI}])"
)

_DENSE: Final = re.compile(f"[{_HAN}{_KANA_HANGUL}]")

# 吗 and 呢 make a question also without a mark, as people type in chats.
_QUESTION_END: Final = re.compile(r"(?:[?？]|[吗呢][。.!！~～…]*)[\s\"”』」)）]*$")

_LONGEST_WORD: Final = 40  # a longer "word" is a key, a hash or noise; it is cut


def normalized(text: str) -> str:
    """Return ``text`` as search compares it: compatibility forms folded (NFKC), lower case."""
    # NFKC leaves ASCII as it is, and most English text is all ASCII.
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).lower()


LONG_TEXT: Final = 10_000
"""From so many characters on, a text is read in a thread, and what was found is kept a while."""


def tokens(text: str) -> list[str]:
    """Return the tokens by which ``text`` is found, in order and with repetitions."""
    if len(text) > LONG_TEXT:
        return list(_long_tokens(text))
    return _read_tokens(text)


def _read_tokens(text: str) -> list[str]:
    return [token for run in _RUN.finditer(normalized(text)) for token in _tokens_of_run(run)]


def characters(text: str) -> list[str]:
    """Return the telling characters of ``text`` in scripts without spaces, in order.

    They carry meaning across words: 晨跑 and 跑步, 租房 and 看房 share one.
    """
    if text.isascii():
        return []
    return list(_long_characters(text)) if len(text) > LONG_TEXT else _read_characters(text)


def _read_characters(text: str) -> list[str]:
    dense = (run[0] for run in _RUN.finditer(normalized(text)) if run.lastgroup == "dense")
    return [character for run in dense for character in run if character not in STOP_CHARACTERS]


@lru_cache(maxsize=8)
def _long_tokens(text: str) -> tuple[str, ...]:
    return tuple(_read_tokens(text))


@lru_cache(maxsize=8)
def _long_characters(text: str) -> tuple[str, ...]:
    return tuple(_read_characters(text))


def read_ahead(text: str) -> None:
    """Find the tokens of a long text, so that nobody waits for them later; for a thread."""
    tokens(text)
    characters(text)


_STRETCH_WORDS: Final = 55
_LONGEST_STRETCH: Final = 80
"""The words of a stretch of a long message, about and at most; what has no more stays whole."""

_SENTENCE: Final = re.compile(r"[^。！？!?…\n]*?(?:[。！？!?…]+[”』」\"’)）]*|\n+|\.(?=\s)|$)\s*")
_CLAUSE: Final = re.compile(r"[^，,；;：:、]*(?:[，,；;：:、]+|$)\s*")
_WORD_OR_PART: Final = re.compile(r"\s*\S{1,40}\s*|\s+")
_SPACED_WORD: Final = re.compile(f"[^\\W{_HAN}{_KANA_HANGUL}]+")


def stretches(text: str) -> tuple[str, ...]:
    """Return a message as passages of one size: whole, or cut at sentences if it is long.

    Over 80 words are cut into stretches of some 30 to 80; joined, they are the message. What no
    sentence ends is cut at its clauses, else between words. A document (``LONG_TEXT``) is not.

    >>> stretches("短短一句。")
    ('短短一句。',)
    """
    # No word is shorter than a character with what parts it from the next.
    if len(text) <= _LONGEST_STRETCH or len(text) > LONG_TEXT:
        return (text,)
    pieces = [(piece, words) for piece, words in _pieces(text) if piece]
    total = sum(words for _, words in pieces)
    if total <= _LONGEST_STRETCH:
        return (text,)
    wanted = total / max(round(total / _STRETCH_WORDS), 2)
    found: list[str] = []
    held, length, read = "", 0, 0
    for piece, words in pieces:
        # Where an equal share ends, so that no short end is left over.
        ended = read + words / 2 > wanted * (len(found) + 1)
        if held and (ended or length + words > _LONGEST_STRETCH):
            found.append(held)
            held, length = "", 0
        held, length, read = held + piece, length + words, read + words
    return (*found, held)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield sentences and how many words they have; of too long ones clauses, or single words."""
    for sentence in _SENTENCE.findall(text):
        words = _count_words(sentence)
        if words <= _LONGEST_STRETCH // 2:
            yield sentence, words
            continue
        for clause in _CLAUSE.findall(sentence):
            words = _count_words(clause)
            if words <= _LONGEST_STRETCH // 2:
                yield clause, words
            else:
                yield from ((part, _count_words(part)) for part in _WORD_OR_PART.findall(clause))


def _count_words(text: str) -> int:
    """Return about how many words a text has; of Chinese, those of the segmenter."""
    dense = [run[0] for run in _RUN.finditer(text) if run.lastgroup == "dense"]
    return sum(len(segmented_words(run)) for run in dense) + len(_SPACED_WORD.findall(text))


def is_atomic(token: str) -> bool:
    """Tell whether no part of a token means anything by itself: a stem, not a Chinese word."""
    return _DENSE.match(token) is None


def keywords(text: str, limit: int = 8) -> tuple[str, ...]:
    """Return up to ``limit`` words that carry the meaning of ``text``, most telling first.

    For linking and for summaries by rule: whole words only, no bigrams, each once. A word counts
    more the oftener it occurs and the longer it is; equals stay in the order of the text.
    """
    counted: dict[str, float] = {}
    for word in words(text):
        # Length counts up to four: 拉面馆 tells more than 面, but a long English word not more.
        counted[word] = counted.get(word, 0.0) + min(len(word), 4)
    ranked = sorted(counted, key=lambda word: -counted[word])
    return tuple(ranked[: max(limit, 0)])


PHRASE_CHARACTERS: Final = 20


def phrase_of(text: str) -> str:
    """Return the short name of a text: its first words, cut at ``PHRASE_CHARACTERS``."""
    line = one_line(text)
    if len(line) <= PHRASE_CHARACTERS:
        return line
    cut = line[:PHRASE_CHARACTERS]
    return cut.rsplit(" ", 1)[0] if " " in cut else cut


def words(text: str) -> list[str]:
    """Return the meaningful words of ``text`` in order: unstemmed, no stop words, no bigrams.

    A Chinese word has at least two characters unless it stands alone in its run.
    """
    found: list[str] = []
    for run in _RUN.finditer(normalized(text)):
        if run.lastgroup == "dense":
            found += [word for word in segmented_words(run[0]) if _is_meaningful(word, run[0])]
        elif run.lastgroup == "word" and run[0] not in STOP_WORDS and not run[0].isdigit():
            found.append(run[0][:_LONGEST_WORD].removesuffix("'s").removesuffix("’s"))
    return [word for word in found if len(word) > 1 or not word.isascii()]


def stems(text: str) -> list[str]:
    """Return all words of ``text`` in order, segmented or stemmed, stop words included."""
    found: list[str] = []
    for run in _RUN.finditer(normalized(text)):
        if run.lastgroup == "dense":
            found += segmented_words(run[0])
        else:
            found.append(_stem(run[0][:_LONGEST_WORD].replace("’", "'")))
    return found


def is_dense(text: str) -> bool:
    """Tell whether ``text`` is written mostly without spaces (Chinese, Japanese, Korean)."""
    dense = sum(len(run[0]) for run in _RUN.finditer(text) if run.lastgroup == "dense")
    return 4 * dense > len(text)


def is_question(text: str) -> bool:
    """Tell whether a text ends in a question."""
    return _QUESTION_END.search(text) is not None


def _tokens_of_run(run: re.Match[str]) -> Iterator[str]:
    """Yield the tokens of a run of one script."""
    text = run[0]
    match run.lastgroup:
        case "dense":
            yield from _dense_tokens(text)
        case "word":
            word = text.replace("’", "'")
            if word not in STOP_WORDS:
                yield _stem(word[:_LONGEST_WORD])
        case _:
            yield text


def _dense_tokens(text: str) -> Iterator[str]:
    """Yield bigrams, and the words that are no bigram: longer ones, and telling single ones."""
    for pair in pairwise(text):
        if not (pair[0] in STOP_CHARACTERS or pair[1] in STOP_CHARACTERS):
            yield pair[0] + pair[1]
    for word in segmented_words(text):
        if word not in STOP_WORDS and (len(word) != 1 or word not in STOP_CHARACTERS):
            yield word


def script_runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the runs of one script in ``text``, normalized, as (script, run).

    The script is ``dense`` (written without spaces), ``word`` or ``emoji``.
    """
    for run in _RUN.finditer(normalized(text)):
        yield run.lastgroup or "word", run[0]


def single_words(text: str) -> list[str]:
    """Return the telling words of one character in ``text``: 猫 in 猫怕什么.

    By the dictionary alone: the guesses of the segmenter would join them to their neighbours.
    """
    dense = (run for script, run in script_runs(text) if script == "dense")
    found = (word for run in dense for word in _cut()(run, False))
    return [word for word in found if len(word) == 1 and word not in STOP_CHARACTERS]


def segmented_words(text: str) -> list[str]:
    """Return the words into which rjieba cuts a run of Chinese."""
    return list(_cut()(text))


def _is_meaningful(word: str, run: str) -> bool:
    return word not in STOP_WORDS and (
        len(word) > 1 or (word == run and word not in STOP_CHARACTERS)
    )


def load_dictionary() -> None:
    """Load the dictionary now, 0.2 s in which no other thread runs; else the first cut does."""
    _cut()


@cache
def _cut() -> Callable[..., Iterable[str]]:
    # Imported at the first cut: it loads a dictionary of 29 MB, and who only looks needs none.
    import rjieba

    return rjieba.cut


# Made at the first word: importing a module does nothing.
@cache
def _stemmer() -> Any:
    return Stemmer.Stemmer("english", 0)


# People use the same few thousand words; a bound keeps hostile text from filling the memory.
@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """Return the Snowball stem of an English word, any other word as it is."""
    bare = word.removesuffix("'s").removesuffix("'")
    if not bare.isascii() or not bare.isalpha():
        return bare
    stem: str = _stemmer().stemWord(bare)
    return stem


# Of the words the rules of this program know, and no more: a character for a character, so that
# what is found in the one text stands at the same place in the other.
_TRADITIONAL: Final = (
    "這幫寫給發說話網轉譯潤總結縮簡歷紹詞詩記錄對圖評論語題課書親愛長讀講聽樓貼來問請麼樣個應該學裡裏實號條頁電郵訊單場試驗傳響啟遺囑後從現備註點們會沒時間過還開關門車買賣錢幾歲當業"
    "東進動國無為與於經養貓鳥魚雞雙隻張輛廳廚飯麵館醫師護員務職專辭離歡討厭戀媽爺嬸孫兒婦鄰閨導領闆頭臉腳體髮藥療癒傷瘋濕熱涼風雲陽陰氣溫燈樹葉園區縣鄉鎮島灣臺廣蘇滬漢寧濟遼龍蘭慶閩"
    "嶺澤麗鳳馬黃陳劉楊趙吳鄭許蔣謝鄧馮韓餘顧龔譚賴盧鍾羅蕭賈鄒閻嚴錯誤訂變換遷終剛纔舊續煙菸飲喫鹹鹽餅蘋檸蔥蘿蔔蝦蠔鴨鵝豬龜鸚鵡魯聯絡繫約辦證戶產價費賬帳銀鐵鋼機腦視頻螢遊戲劇戰隊"
    "練習運籃賽贏輸遲達違邊邏選連週適遠釋裝製複襪褲覺覽觀觸計訪設認誰調談諾謀謊識議讓豐貝負財貢貧貨貴貸賀資賞質購贈趕跡踐軍軟較載輕輩輪農醬釘針鈴鉤銷鋪鍵鎖鏡鐘閉閒閱闊隨險雜難靜頂項"
    "順預頓願類顏顯飛餓騎騙驚驕鬆鬧鬍鮮麥齊齒齡亂億優傑傘債傾僅儀儘兇凍別則劃勁勝勞勢勵勸匯協卻參吶啞喚喪嘗嚇嚐圍團壓壞壯壽夢夾奪奮妝娛嬌嬰寢寬寶將尋層屬嶼幣帥帶幹廠廢彈彎徑徹恆悶惡"
    "惱態慘慣慮憂憶懶懷擁擇擔據擠擾攝攤敗敘敵數斷暫曬術極構槍樂標權橋檔檢櫃欄歐歸殘殺毀氫決況淚淨渾測準溝滅滾滿漁漲潔澀濃濱瀉災烏煉煩燒營爭爾牆獎獨獻瑪環甦畢畫異疊痠瘡盜盡監盤睏碩碼"
    "礙禮禪稅種稱穩窮競筆節範築簽籌籤糧糾紀紅純紙級細組絕統絲綠維綱緊緒線編緩緯縱織繞繼罰罵聖聞聰聲肅脅脫腎腫腸膚膽膠臨艙艱莊華萬蓋蔭處虛虧蟲蠻衛衝補嗎嘆牠妳祂孃姊癮傢痺麪著甚闢鑰鬱"
    "憊緣蠟擋擬擊勻夥聳槳鞦韆倫湧鹼鑽鈣鎂額癬齋"
)
_OF_THEM: Final = (
    "这帮写给发说话网转译润总结缩简历绍词诗记录对图评论语题课书亲爱长读讲听楼贴来问请么样个应该学里里实号条页电邮讯单场试验传响启遗嘱后从现备注点们会没时间过还开关门车买卖钱几岁当业"
    "东进动国无为与于经养猫鸟鱼鸡双只张辆厅厨饭面馆医师护员务职专辞离欢讨厌恋妈爷婶孙儿妇邻闺导领板头脸脚体发药疗愈伤疯湿热凉风云阳阴气温灯树叶园区县乡镇岛湾台广苏沪汉宁济辽龙兰庆闽"
    "岭泽丽凤马黄陈刘杨赵吴郑许蒋谢邓冯韩余顾龚谭赖卢钟罗萧贾邹阎严错误订变换迁终刚才旧续烟烟饮吃咸盐饼苹柠葱萝卜虾蚝鸭鹅猪龟鹦鹉鲁联络系约办证户产价费账账银铁钢机脑视频萤游戏剧战队"
    "练习运篮赛赢输迟达违边逻选连周适远释装制复袜裤觉览观触计访设认谁调谈诺谋谎识议让丰贝负财贡贫货贵贷贺资赏质购赠赶迹践军软较载轻辈轮农酱钉针铃钩销铺键锁镜钟闭闲阅阔随险杂难静顶项"
    "顺预顿愿类颜显飞饿骑骗惊骄松闹胡鲜麦齐齿龄乱亿优杰伞债倾仅仪尽凶冻别则划劲胜劳势励劝汇协却参呐哑唤丧尝吓尝围团压坏壮寿梦夹夺奋妆娱娇婴寝宽宝将寻层属屿币帅带干厂废弹弯径彻恒闷恶"
    "恼态惨惯虑忧忆懒怀拥择担据挤扰摄摊败叙敌数断暂晒术极构枪乐标权桥档检柜栏欧归残杀毁氢决况泪净浑测准沟灭滚满渔涨洁涩浓滨泻灾乌炼烦烧营争尔墙奖独献玛环苏毕画异叠酸疮盗尽监盘困硕码"
    "碍礼禅税种称稳穷竞笔节范筑签筹签粮纠纪红纯纸级细组绝统丝绿维纲紧绪线编缓纬纵织绕继罚骂圣闻聪声肃胁脱肾肿肠肤胆胶临舱艰庄华万盖荫处虚亏虫蛮卫冲补吗叹它你他娘姐瘾家痹面着什辟钥郁"
    "惫缘蜡挡拟击匀伙耸桨秋千伦涌碱钻钙镁额癣斋"
)
SIMPLIFIED: Final = str.maketrans(_TRADITIONAL, _OF_THEM)
"""The commonest traditional characters, to be read as simplified ones, one for one."""

_SPOKEN: Final = str.maketrans(
    _TRADITIONAL + "喺咗唔嘅佢冇喇嘞咧咯喽囉嚟俾畀睇揸返搵攞啱噉咁俺係嗰咩嘢",
    _OF_THEM + "在了不的他没了了了了了了来给给看开回找拿刚这这我是那啥事",
)


def plainly_written(text: str) -> str:
    """Return ``text`` as rules read it, of the same length: simplified, and not in Cantonese.

    >>> plainly_written("而家我喺沙田住")
    '现在我在沙田住'
    """
    if text.isascii():
        return text
    return text.replace("而家", "现在").replace("關係", "关系").translate(_SPOKEN)
