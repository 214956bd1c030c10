"""What somebody tells of: the occasion is read from the words, bad news before good.

Words alone are not enough: it matters who died (a phone did not), whose divorce it is, and
whether it was said in jest.
"""

import re
from functools import lru_cache
from typing import Final

from memory.offline.claimed import ClauseSubject, subject_after
from memory.offline.vocabulary import EN, WORDS_EN, WORDS_ZH, ZH
from memory.text.late_pattern import LatePattern
from memory.text.tokens import as_mandarin

BAD_NEWS: Final = frozenset(
    [
        "crisis",
        "grief",
        "breakup",
        "quarrel",
        "illness",
        "others_ill",
        "failure",
        "worry",
        "tired",
        "trouble",
        "hitch",
        "angry",
        "lonely",
        "sad",
        "gone",
        "laid_off",
        "went_badly",
        "others_news",
        "sleepless",
    ]
)
"""The occasions at which nothing cheerful may be said."""

GRAVE_NEWS: Final = frozenset(
    {"crisis", "grief", "breakup", "failure", "laid_off", "sad", "lonely"}
)
"""The occasions after which the tone stays gentle for a while."""

ABOUT_HER: Final = frozenset(
    {"kept", "how_to", "place", "secret", "program", "person", "her_meal", "wrong", "her_words"}
    | {"forget", "first_talk", "why_said"}
)
"""What a newcomer asks: each has an answer of its own, whatever else the words may mean."""

TO_HER: Final = ABOUT_HER | {"wishes", "her_birthday", "love", "rude", "hush"}
"""The occasions of lines that are said to her as a whole."""

ASKED_FOR: Final = (
    frozenset({"joke", "play", "time", "her", "hers", "company", "reassure"}) | TO_HER
)
"""The occasions at which something is asked of her."""

LISTENING: Final = "listening"

# Bad news first, as the files have them: what is both is met as bad.
_OCCASIONS: Final = tuple(
    (name, LatePattern("|".join((*words, *EN.occasions[name])), re.IGNORECASE))
    for name, words in ZH.occasions.items()
)

_WORDS: Final = dict(_OCCASIONS)

_OF_SOMEBODY: Final = frozenset(
    [
        *[
            "illness",
            "breakup",
            "grief",
            "failure",
            "laid_off",
            "worry",
            "plan",
            "trial",
            "health",
        ],
        LISTENING,
    ]
)
"""What may be another's, or be about what is to be examined."""

_TOLD_HER: Final = ("reassure", "teasing", "hers", "her", "affection")

_TO_HER: Final = LatePattern(
    r"(?:小祥|那|哎|诶|[，,\s])*你(?!知道)|(?:do|are|will|would|don['’]?t|aren['’]?t|have) you\b",
    re.IGNORECASE,
)


def occasion_of(said: str) -> str:
    """Return what somebody tells of, the gravest first; :data:`LISTENING` if nothing is clear."""
    said = _WORDS["figure"].sub("", as_mandarin(said))  # i literally died 💀
    found = _first_occasion(said)
    if found in TO_HER:
        return found
    if _IN_JEST.search(said) and found in _TURNED_BY_A_JEST | {LISTENING}:
        return "laugh"
    if found in _SUPPOSED and _SUPPOSES.match(said):
        # 要是我被裁了我就回老家: nothing of it has happened.
        return "worry" if found in {"grief", "illness"} else LISTENING
    if found == "grief":
        found = _of_the_living(said)
    if found in BAD_NEWS - {"crisis"} and _TO_HER.match(said):
        # Do you get sick of me is asked of her, and no news.
        found = next((name for name in _TOLD_HER if _WORDS[name].search(said)), found)
    if found in _OF_SOMEBODY:
        found = _of_whom(found, said)
    if found in _MAY_BE_MIXED and (mixed := _both_at_once(said)):
        return mixed
    return _as_it_sounds(found, said) if found != LISTENING else _mood_of(said)


_NEWS_OF_ONE: Final = "laid_off breakup failure grief illness went_badly pride"
_SUPPOSED: Final = frozenset(_NEWS_OF_ONE.split())

_SUPPOSES: Final = LatePattern(
    r"(?:我[说想]|话说|[唉哎诶]|[，,])*(?:要是|如果|假如|万一|假设|倘若|哪天)"
    r"(?!.*(?:就好了|多好))[^，,。]*(?:[就也]|怎么办|[，,])"
    r"|(?:well,? |and |so |but )*(?:what )?if (?:i|they|we|he|she|my \w+) (?!only\b|had(?:n['’]t)? )",
    re.IGNORECASE,
)


def _as_it_sounds(found: str, said: str) -> str:
    """Return an occasion in the light of what else the line says: laughter, a no."""
    laughs = _LAUGHS.search(said) is not None
    if laughs and found in {"trouble", "weather"}:
        # Who laughs at it is in no trouble, and a joke that is 冷 is no weather.
        return LISTENING if found == "trouble" else "laugh"
    if found == "thanks" and _THANKS_ANOTHER.search(said):
        # 真是谢谢他了: it is not she who is thanked, and seldom meant so.
        return LISTENING
    if found in _CHEERFUL and _SHADOWED.search(said) and not laughs:
        # She got married, and not to me: what is denied somewhere is no plain good news.
        return LISTENING
    return found


def _of_the_living(said: str) -> str:
    """Return "grief", or what else a line tells of in which only a thing has died."""
    left = _DEAD_THING.sub("", said)
    found = "grief" if left == said else _first_occasion(left)
    return found if found in BAD_NEWS else "hitch"


_TURNED_BY_A_JEST: Final = BAD_NEWS - {"crisis"} | {"health"}

_MAY_BE_MIXED: Final = frozenset(
    {"worry", "trouble", "tired", "sad", "angry", "failure", "lonely", "apology"}
    | {"relief", "joy", "pride", LISTENING}
)

_GLAD_TEARS: Final = LatePattern(
    r"(?:高兴|开心|激动|感动|幸福|笑)[^，,。]{0,4}(?:哭|泪|抹眼)|喜极而泣"
    r"|\b(?:happy|joyful|glad) tears\b|\btears of (?:joy|laughter)\b"
    r"|\bcry(?:ing)? (?:with )?(?:laugh\w*|joy|happiness)\b",
    re.IGNORECASE,
)
"""Who weeps for joy is not comforted."""

_GLAD: Final = (
    r"高兴|开心|兴奋|期待|欣慰|骄傲|自豪|暖|甜|好笑|感动|喜"
    r"|happy|glad|lovely|excited|proud|relie(?:f|ved)|over the moon|sweet"
)
_SORE: Final = (
    r"害怕|怕|紧张|难过|心酸|酸|愁|心疼|舍不得|慌|失落|内疚"
    r"|sad|scared|terrified|nervous|guilty|hurts?|sore|worried|anxious"
)
_AT_ONCE: Final = LatePattern(
    rf"(?:{_SORE}|想哭)[^，,。]{{0,3}}[，,]?又[^，,。]{{0,4}}(?:{_GLAD})"
    rf"|(?:{_GLAD})[^，,。]{{0,3}}[，,]?又[^，,。]{{0,4}}(?:{_SORE}|想哭)"
    r"|\b(?:cry\w*|cried) and laugh|\blaugh\w* and cr(?:y|ied)"
    rf"|[又既](?:{_GLAD})[^，,。]{{0,3}}又[^，,。]{{0,3}}(?:{_SORE})"
    rf"|[又既](?:{_SORE})[^，,。]{{0,3}}又[^，,。]{{0,3}}(?:{_GLAD})"
    rf"|\b(?:{_GLAD})\b.{{0,16}}\b(?:and|but|yet)\b.{{0,16}}\b(?:{_SORE})\b"
    rf"|\b(?:{_SORE})\b.{{0,16}}\b(?:and|but|yet)\b.{{0,16}}\b(?:{_GLAD})\b|\bbittersweet\b",
    re.IGNORECASE,
)
_NOT_BAD: Final = LatePattern(
    r"(?:还行|还不错|不错|挺好|顺利|还可以|没问题)"
    r"|\b(?:fine|went (?:well|ok(?:ay)?)|not bad|great)\b",
    re.IGNORECASE,
)
TURNS: Final = LatePattern(
    r"[，,。.；;!！]|但是?|可是|不过|\b(?:but|though|although)\b", re.IGNORECASE
)


def _both_at_once(said: str) -> str:
    """Return what a line is of that is both glad and sore: joy if it weeps for joy, else mixed."""
    if _GLAD_TEARS.search(said):
        return "joy"
    return "mixed" if not _SCORNS.search(said) and _is_mixed(said) else ""


_SCORNS: Final = LatePattern(
    r"太[好棒]了?[，,！!]*又|呵呵|真[是可].{0,3}(?:棒|好)啊?[，,]"
    r"|\b(?:great|brilliant|wonderful|fantastic|lovely|perfect)[,.!]* (?:another|no|now|just)\b",
    re.IGNORECASE,
)
"""太好了，又停电了 is no good news."""


def _is_mixed(said: str) -> bool:
    """Whether one half of a line is good and the other is not: 技术还行，英语说得一塌糊涂."""
    if _AT_ONCE.search(said):
        return True
    halves = [half for half in TURNS.split(said) if half.strip()]
    if len(halves) == 1:
        return False
    moods = [_first_occasion(half) for half in halves]
    good = any(
        mood in CHEERFUL_NEWS or (mood == LISTENING and _NOT_BAD.search(half))
        for mood, half in zip(moods, halves, strict=True)
    )
    return good and any(mood in _MIXED_WITH for mood in moods)


CHEERFUL_NEWS: Final = frozenset({"joy", "pride", "relief"})

_MIXED_WITH: Final = frozenset({"worry", "trouble", "sad", "failure", "lonely", "apology"})


@lru_cache(maxsize=128)  # a line is looked at more than once in a turn
def _first_occasion(said: str) -> str:
    return next((name for name, words in _OCCASIONS if words.search(said)), LISTENING)


def _of_whom(found: str, said: str) -> str:
    """Return the occasion of bad news that may be another's."""
    if found in {"grief", "breakup", "failure", "laid_off"} and _is_anothers(found, said):
        return "others_news"
    if found == "grief":
        return "trouble" if _SAYS_ANOTHER.match(said) else found
    if found == "illness" and _OF_ANOTHER.search(said):
        return "others_ill"
    if _EXAMINED.search(said):
        # What is to be examined is no illness yet, and no plan to look forward to.
        return "others_ill" if _OF_ANOTHER.search(said) else "worry"
    return "trouble" if found == "breakup" and _OF_PARENTS.search(said) else found


def _is_anothers(found: str, said: str) -> bool:
    """Whether a loss, a parting or a failure is of somebody who is not near the speaker.

    Of a death that is a relative of such a one: who dies themselves is mourned.
    """
    clauses = [each.strip() for each in TURNS.split(said) if each.strip()]
    at = next((n for n, each in enumerate(clauses) if _WORDS[found].search(each)), None)
    if at is None:
        return False
    clause, before = clauses[at], clauses[:at][::-1]
    if found == "grief":
        others = subject_after(before) is ClauseSubject.OTHER or any(map(_FRIENDS.match, before))
        bare = _KIN.match(clause) is not None and others
        return bare or _ANOTHERS_LOSS.search(clause) is not None
    others = any(map(_FRIENDS.match, (clause, *before)))
    if _WITH_ME.search(clause) or (_PRONOUN.match(clause) and not others):
        return False
    return others or subject_after([clause, *before]) is ClauseSubject.OTHER


_KIN_ZH: Final = "老?[爸妈爹娘]|父亲|母亲|爷爷|奶奶|外[公婆]|老[公婆伴]|丈夫|妻子|太太|儿子|女儿|孩子|哥|姐|弟|妹|[猫狗]"
_KIN_EN: Final = (
    rf"(?:{WORDS_EN['FAMILY']}|nan|gran\w*|granny|uncle|aunt|cousin|{WORDS_EN['PET']}|baby)"
)
REMOTE_ZH: Final = "同事|同学|室友|邻居|隔壁|房东|老板|领导|上司|主管|老师|客户|明星|偶像|网红|朋友|闺蜜|发小|楼上|楼下|表[哥姐弟妹]|堂[哥姐弟妹]"
REMOTE_EN: Final = (
    r"(?:colleague|co-?worker|workmate|neighbou?r|boss|manager|landlord|landlady|teacher|tutor|client|customer"
    r"|friend|mate|flatmate|roommate|housemate|classmate|cousin|couple|celebrity|actor|singer|bloke|guy|lady)"
)

_CALLED: Final = r"[老小阿](?![师公婆爸妈板家是早时区孩学])[一-鿿](?=[一-鿿])"

_KIN: Final = LatePattern(rf"(?:{_KIN_ZH})|(?:the |his |her |their )?{_KIN_EN}\b", re.IGNORECASE)

_ANOTHERS_LOSS: Final = LatePattern(
    rf"(?:{REMOTE_ZH}|[他她]们?)[^，,。我]{{0,5}}?(?:的|他|她|家)?(?:{_KIN_ZH})"
    rf"|隔壁(?:家)?的?[^，,。]{{0,2}}[猫狗]"
    rf"|\b(?:{REMOTE_EN}s?(?:['’]s|['’])|his|her|their) (?:\w+ )?{_KIN_EN}\b"
    r"|\b(?:next door|down the (?:road|street)|upstairs|from work|at work)\b.{0,12}\blost (?:her|his|their)\b",
    re.IGNORECASE,
)

_WITH_ME: Final = LatePattern(
    r"[跟和对与把给让甩]我|我(?:们)?(?:和|跟|与|俩|(?=[分离被失落没考挂面]))|\b(?:me|i|us|we|i['’](?:m|ve|d)|im|ive|our(?! (?:friend|neighbou?r|colleague)))\b",
    re.IGNORECASE,
)

_PRONOUN: Final = LatePattern(r"(?<![吉其])[他她](?!们)|(?:he|she|it)\b", re.IGNORECASE)

_FRIENDS: Final = LatePattern(
    rf"(?:我们?|咱们?)?(?:家)?(?:的|一个|有个|那个|个)?(?:{REMOTE_ZH}|(?:大|小|二|三)?[哥姐弟妹][哥姐弟妹]?|儿子|女儿|闺女)|{_CALLED}"
    rf"|他们|她们|(?:my|our|an?|the|some|one of my) (?:\w+ ){{0,2}}?(?:{REMOTE_EN}|sister|brother|son|daughter)s?\b"
    r"|they\b|(?-i:[A-Z])\w+ and (?-i:[A-Z])\w+ ",
    re.IGNORECASE,
)

_IN_JEST: Final = LatePattern(
    r"愚人节(?!.{0,6}(?:分手|离婚|被裁|去世))|[骗逗](?:你|他|她|你们)(?:玩儿?)?的|开(?:个|了个)?玩笑(?:的|啦|呢)"
    r"|\bapril.?fool|\b(?:just|only) (?:kidding|joking)\b|\bpranked\b|\bas a (?:joke|prank)\b",
    re.IGNORECASE,
)
"""Nobody is ill who nearly had a stroke at a prank."""

_DEAD_THING: Final = LatePattern(
    r"(?:手机|电脑|笔记本|平板|电池|电瓶车|摩托车?|洗衣机|冰箱|空调|电视|路由器|相机|耳机|硬盘|服务器|游戏机|绿萝|多肉|盆栽|[盆朵棵]花|花(?=[都全也]?死))[^，,。！!人他她爸妈]{0,6}死[^，,。！!]{0,3}"
    r"|(?<!在)车子?(?:又|也|今天|昨天|突然|半路|在[^，,]{2,4}上)*死[^，,。！!]{0,5}"
    r"|\b(?:phone|mobile|laptop|computer|pc|mac(?:book)?|ipad|tablet|kindle|battery|car|van|truck|lorry|bus|bike|motorbike|scooter"
    r"|engine|gearbox|clutch|boiler|heating|heater|fridge|freezer|washing machine|washer|dryer|dishwasher|oven|hob|kettle|toaster|microwave"
    r"|hoover|tv|telly|console|xbox|playstation|switch|(?:hard )?drive|disk|ssd|server|router|wi-?fi|internet|connection|line|signal"
    r"|website|app|screen|monitor|keyboard|printer|camera|watch|headphones|earbuds|speaker|mic|charger|torch|lamp|bulb|aircon|lift"
    r"|tractor|plants?|flowers?|cactus|basil|orchid|roses?|fern|succulent|tree|lawn|joke|chat|conversation|thread|party|project|startup)\b"
    r"(?: (?:i|we|you) \w+(?: \w+){0,2}?)?(?: (?:just|has|had|have|suddenly|finally|completely|also|is|all|went and|nearly|almost|of mine))*"
    r" (?:died|dead|passed away)\b",
    re.IGNORECASE,
)
"""Of things it is said that they died as well."""

_EXAMINED: Final = LatePattern(
    r"做(?:个|了)?切片|切片(?:检查|化验|结果|报告)|活检|穿刺|核磁|(?<![a-z])ct\b|胃镜|肠镜|(?:肺|肝|胃|脑|胸)[^，,。]{0,4}(?:阴影|影子|结节)"
    r"|\b(?:biops\w+|mri|ct scan|scan(?! (?:the|my|a|this|it|an|these))|colonoscopy|mammogram|shadow on|found a (?:shadow|lump|mass))\b",
    re.IGNORECASE,
)


_SAYS_ANOTHER: Final = LatePattern(
    r"[他她][^，,我]{0,3}说[他她]?(?:的)?老?[伴公婆爸妈]"
    r"|(?:he|she) (?:said|says|told me) (?:his|her)\b",
    re.IGNORECASE,
)
"""Whose loss is another's is told of it, and mourns little."""


_THANKS_ANOTHER: Final = LatePattern(
    r"谢谢?(?:[他她它]们?|老板|领导|公司)|\bthanks to (?:him|her|them)\b|\bthanks a (?:lot|bunch),"
)


def _mood_of(said: str) -> str:
    """Return what a line sounds like that names nothing: its faces, else how it exclaims."""
    felt = next((mood for mood, faces in _FACES if faces.search(said)), LISTENING)
    return "joy" if felt == LISTENING and _EXCLAIMS.search(said) else felt


_LAUGHS: Final = LatePattern(r"哈哈|笑死|\b(?:lol|lmao|(?:ha){2,}h?)\b|[😂🤣]", re.IGNORECASE)

_FACES: Final = (
    ("laugh", _LAUGHS),
    ("joy", LatePattern("[😍🥰🎉🥳😆😄]")),
    ("tired", LatePattern("😮‍💨|[😪🥱😴]")),
    ("sad", LatePattern("[😭😢💔🥺😞😔🥲😿😩😫😖]")),
    ("angry", LatePattern("[😤😡🤬😠]")),
)


_CHEERFUL: Final = frozenset({"joy", "pride", "birthday", "home", "plan", "relief", "meal"})

_SHADOWED: Final = LatePattern(
    r"(?<!忍)不(?!错|断|过|用|仅|但|只|敢相信)|没(?!想到|错|问题|事|什么|大碍|白|受|伤|有?[骂怪凶吼嫌])|无法|再也|却|别|如果|要是|假如|希望|可惜|除了我|但是?(?!很|也|总算|终于)|太[好棒]了?[，,！!]*又|罚款|废了|砍了|催婚|前任|前[男女]友"
    r"|\b(?:if|would|wish|not|never|no|nobody|without|except|but|sadly|unfortunately|instead|minus"
    r"|on at me|nagging|(?:my )?ex|just hard|(?:says?|said) i['’]?m)\b"
    r"|n['’]t\b(?! (?:wait|believe|laughed|shout|yell|judge|stop (?:smiling|laughing)))",
    re.IGNORECASE,
)


_OF_ANOTHER: Final = LatePattern(
    rf"(?<![吉其])[他她它]|{WORDS_ZH['FAMILY']}|(?:^|[，,。])[老小阿](?![师公婆板家是早时区学腿腹臂肠肚指脑胃毛腰病])[一-鿿](?=[一-鿿])|[爷奶姥舅姑姨叔伯嫂婶侄甥孙]|[婆外]婆|公公|岳[父母]|丈[人母]|人还?没醒|同[事学]|朋友|室友|[猫狗]"
    rf"|\b(?:he|she|vet|nan|gran|granny|nana|him|her|{WORDS_EN['FAMILY']}|uncle|aunt|cousin|nephew|niece"
    r"|little (?:boy|girl)|baby|friend|dog|cat)(?:'s)?\b"
    r"|\b(?:broke|broken|hurt|twisted|sprained|banged|fractured|dislocated) (?:his|her|their)\b"
    r"|\b(?-i:(?!I\b|My\b|The\b|Just\b)[A-Z][a-z]+)(?:['’]s| has| is| got) (?:a |the )?"
    r"(?:ill|sick|poorly|covid|flu|cold|fever|in hospital|broken)\b",
    re.IGNORECASE,
)

_OF_PARENTS: Final = LatePattern(
    r"爸妈|父母|爹妈|\b(?:parents|mum and dad|mom and dad)\b", re.IGNORECASE
)

# He sent flowers! What is exclaimed and holds no bad word is met as good.
_EXCLAIMS: Final = LatePattern(
    r"^(?!.*(?:[不没坏丢骂哭痛疼烂惨糟气破被死滚]|\b(?:no|not|never|bad|hate|stop|help|lost|broke\w*"
    r"|stole\w*|hit|\w+n't)\b)).{2,}[!！]+$",
    re.IGNORECASE | re.DOTALL,
)


def only_exclaims(said: str, occasion: str) -> bool:
    """Whether nothing but a mark of exclamation made a line good news."""
    faces = any(faces.search(said) for _, faces in _FACES)
    return occasion == "joy" and _first_occasion(said) == LISTENING and not faces
