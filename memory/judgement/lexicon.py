"""The few words that paraphrase one another, per language; only for judging what was said.

A faithful memory of 我搬到上海了 says 主人住在上海: the predicate changes, the substance does not.
A class stands for such predicates. Classes of different languages are different on purpose: the
language of a memory is the language it was said in. Here the lists can grow by themselves.
"""

import re
from collections.abc import Mapping
from typing import Final

from memory.text.late_pattern import LatePattern

# Chinese writes no spaces: one character is guarded by what may not stand beside it (爱 in 恋爱).
ZH_CLASSES: Final[Mapping[str, str]] = {
    "like": (
        "喜欢|钟意|鍾意|喜爱|热爱|最爱|钟爱|偏爱|偏好|酷爱|爱上|迷上|爱好|感兴趣|粉丝"
        "|(?<![可恋亲热相友仁])爱(?![人情国护惜慕称心丽尔沙])"
    ),
    "live": (
        "搬家到|搬到|搬去|搬来|搬进|搬家|迁居|定居|居住|住在|住到|住址|家住"
        "|(?<![记忍抓捉留挡停拦守稳锁困])住"
    ),
    "name": "名字叫|名字|姓名|名叫|叫做|叫作|大名|全名|称呼|称为|叫",
    "work": "工作|上班|任职|就职|入职|职业|供职|返工|回工|打工|当班",
    "study": (
        "学习|读书|念书|上学|就读|攻读|在读|(?<=[在想刚能])学|学(?=[了着过会弹唱画做开跳游打])"
    ),
    "born": "生日|出生日期|出生|生于",
    "age": "岁|年龄|年纪",
    "from": "来自|老家|家乡|籍贯|出生地",
    "fear": "害怕|恐惧|(?<![恐可哪生])怕",
    "keep": "饲养|(?<![营培修教素包保抚疗])养(?![老分生殖成料])",
    "quit": "辞职|离职|辞了",
    "travel": "[旅出]游|旅行|度假|游玩|(?:(?<=去)|(?<=去..)|(?<=去...))玩(?!具)|玩(?=.{0,3}天)",
    "sleepless": "失眠|睡不着|睡不好|睡不踏实",
    "unhappy": "难过|伤心|悲伤|郁闷|沮丧|低落",
    "happy": "开心|高兴|快乐|愉快",
    "tired": "疲惫|疲劳|累",
    "tense": "紧张|焦虑",
    "draw": "画画|绘画",
    "cook": "做饭|做菜|烹饪|下厨",
    "train": "运动|健身|锻炼",
    "buy": "购买|买|入手",
    "wed": "结婚|成家|[办辦]婚礼|领证",
    "mother": "妈妈|母亲|老妈|妈咪|阿妈|老母(?!鸡|猪)|(?<![姨姑大舅婶])妈",
    "father": "爸爸|父亲|老爸|阿爸|老豆|老爹|老汉(?!推)|(?<!老)爸",
    "husband": "老公|丈夫|先生",
    "wife": "老婆|妻子|太太|媳妇",
    "boyfriend": "男朋友|男友",
    "girlfriend": "女朋友|女友",
    "elder_brother": "哥哥|大哥|(?<![表堂西])哥",
    "elder_sister": "姐姐|大姐|(?<![表堂小])姐",
    "younger_brother": "弟弟|细佬|老弟|(?<![表堂兄])弟",
    "younger_sister": "妹妹|细妹|老妹|(?<![表堂])妹",
}
EN_CLASSES: Final[Mapping[str, str]] = {
    "like": r"likes?|liked|loves?|loved|enjoys?|prefers?|fond"
    r"|favou?rites?|fan|adores?",
    "live": r"lives?|lived|living|moved?|moves|moving|relocated?|resides?|settled",
    "name": r"names?|named|called|call",
    "travel": r"travel(?:s|l?ing|l?ed)?|trips?|visit(?:s|ing|ed)?|vacation|holidays?|been to",
    "work": r"works?|worked|working|jobs?|employed",
    "study": r"stud(?:y|ies|ied|ying)|learn(?:s|ed|ing)?|major(?:s|ing)?",
    "born": r"born|birthdays?|birthdate",
    "age": r"aged?|years? old|turn(?:ed|s|ing)",
    "from": r"hometown|comes? from|native",
    "fear": r"afraid|fears?|scared|terrified",
    "quit": r"quit|resigned|left (?:my|the|her|his) job|stopped"
    r"|g[ia]ve(?:n)? up|(?:packed|jacked) in",
    "wed": r"married|marry|(?<=our )wedding|(?<=my )wedding",
    "mother": r"mothers?|moms?|mums?|mommy|mummy|mams?(?! of)|mama",
    "father": r"fathers?|dads?|daddy|papa|pops",
}
SINGLE_VALUED: Final = frozenset({"live", "name", "work", "born", "age", "from"})
"""A person has one of these at a time, so a new value speaks about the old one."""

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

# Look-aheads spare 不错, 别人, 没关系. Unlike NEGATION of senses, 不太 and "no longer" deny here.
NEGATORS: Final = LatePattern(
    r"不(?!错|仅|但|只|止|断|久|同|得不|管|如|论|过(?!敏)|好意思|客气|由得|禁)"
    r"|没(?!关系|问题|准)|别(?!人|的|墅|致|名|扭)|勿|未(?!来|免)|从未|戒(?!指)|讨厌|厌恶|反感|受不了|恨"
    r"|\b(?:trouble|difficulty|unable|not|no(?!\s+(?:problem|worries|doubt))|never|none"
    r"|neither|nor|without|hardly|hates?"
    r"|hated|dislikes?|disliked|detests?|quit)\b(?!\s+only)|n['’]t\b",
    re.IGNORECASE,
)
NEUTRAL: Final = LatePattern(
    r"忍不住|不得不|差不多|对不起|了不起|来不及|睡不着|睡不好|睡不踏实|要不然|不然|不一会|不是吗|对不对|是不是|有没有"
    r"|(?P<a>[\u4e00-\u9fff])[不没](?P=a)|[Cc]an['’]t wait|[Ww]hy not|不要紧|没想到|不知不觉"
)
"""Phrases with a negator that negate nothing."""

PAST: Final = LatePattern(
    r"以前|从前|曾经?|小时候|当年|过去(?=[是在我住喜爱叫做有])|原来(?=[是住在叫做])(?!是[^，。]*[啊呀])"
    r"|\bused to\b|\bformerly\b|\bback then\b|\bas a (?:kid|child)\b",
    re.IGNORECASE,
)
WISHED: Final = LatePattern(
    r"(?<![思理梦感联回猜幻设])想(?![念起到法象])|希望|打算|计划|考虑|愿望|也许|可能|说不定|但愿"
    r"|\b(?:want(?:s|ed)?|wish(?:es)?|hop(?:e|es|ing)|plan(?:s|ning)?|consider(?:s|ing)?|thinking"
    r"|would (?:like|love)|['’]d (?:like|love)|might|maybe|perhaps)\b|['’]d (?:like|love)\b",
    re.IGNORECASE,
)
"""Words under which nothing is so yet."""

DISLIKE: Final = LatePattern(
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
partner user owner master currently now also just recently always often usually really very want
wants wanted plan plans planning planned going go goes went intend intends hope hopes has had have
having got get gets own owns owned keep keeps there said says say told mention mentioned thinks
feel feels would will longer anymore used still quite one new thanks thank please sure good great
fine remember know
"""
FUNCTION_WORDS: Final = frozenset((_ZH_FUNCTION + _EN_FUNCTION).split())
"""Words that say how, when or by whom rather than what, and who the speaker is."""

_EN_IRREGULAR: Final = """
be:was,were,been,is,are,am,being have:had,has do:did,done,does go:went,gone buy:bought
bring:brought begin:began,begun become:became bite:bit,bitten blow:blew,blown break:broke,broken
build:built burn:burnt catch:caught choose:chose,chosen come:came cost:cost cut:cut deal:dealt
die:died dig:dug draw:drew,drawn dream:dreamt drink:drank,drunk drive:drove,driven eat:ate,eaten
fall:fell,fallen feed:fed feel:felt fight:fought find:found flee:fled fly:flew,flown
forget:forgot,forgotten forgive:forgave freeze:froze,frozen get:got,gotten give:gave,given
grow:grew,grown hang:hung hear:heard hide:hid,hidden hit:hit hold:held hurt:hurt keep:kept
knit:knit know:knew,known lay:laid lead:led learn:learnt leave:left lend:lent let:let
lie:lay,lain,lying light:lit lose:lost make:made mean:meant meet:met pay:paid put:put quit:quit
read:read ride:rode,ridden ring:rang,rung rise:rose,risen run:ran say:said see:saw,seen
seek:sought sell:sold send:sent set:set sew:sewn shake:shook,shaken shine:shone shoot:shot
show:shown shrink:shrank shut:shut sing:sang,sung sink:sank,sunk sit:sat sleep:slept
speak:spoke,spoken spend:spent spill:spilt split:split spread:spread stand:stood
steal:stole,stolen stick:stuck sting:stung strike:struck swear:swore,sworn swim:swam,swum
take:took,taken teach:taught tear:tore,torn tell:told think:thought throw:threw,thrown
understand:understood wake:woke,woken wear:wore,worn weep:wept win:won wind:wound
write:wrote,written
"""

_EN_LEMMAS_WORDS: Final = """
children:child kids:kid men:man women:woman people:person feet:foot teeth:tooth mice:mouse
wives:wife knives:knife lives:live halves:half leaves:leave wolves:wolf geese:goose better:good
best:good worse:bad worst:bad jan:january feb:february mar:march apr:april jun:june jul:july
aug:august sep:september sept:september oct:october nov:november dec:december mon:monday
tue:tuesday tues:tuesday wed:wednesday thu:thursday thur:thursday thurs:thursday fri:friday
sat:saturday sun:sunday grandmother:grandma nan:grandma gran:grandma granny:grandma
grandfather:grandpa grandad:grandpa granddad:grandpa tv:telly television:telly cellphone:phone
mobile:phone bike:bicycle fridge:refrigerator flat:apartment auntie:aunt bro:brother sis:sister
hubby:husband gf:girlfriend bf:boyfriend mate:friend uni:university photo:picture photos:picture
gonna:go wanna:want til:till nite:night tonite:tonight tho:though cats:cat thru:through kinda:kind
lil:little roomie:roommate grandkid:grandchild grandkids:grandchild grandchildren:grandchild
flunked:fail flunk:fail min:minute appt:appointment appts:appointment sparky:electrician
brickie:bricklayer postie:postman physio:physiotherapist meds:medication fags:cigarette
ciggies:cigarette cigs:cigarette veggie:vegetarian bday:birthday xmas:christmas brekkie:breakfast
prezzie:present doc:doctor hols:holiday wifey:wife missus:wife moggy:cat pooch:dog pup:puppy
puppies:puppy bub:baby babies:baby math:maths movie:film movies:film couch:sofa hrs:hour hr:hour
mins:minute yrs:year yr:year wks:week wk:week fam:family policeman:police cop:police goes:go
does:do parents:parent folks:parent cos:because cuz:because dying:die
"""

EN_LEMMAS: Final[Mapping[str, str]] = {
    form: base
    for base, _, forms in (each.partition(":") for each in _EN_IRREGULAR.split())
    for form in forms.split(",")
} | {each.split(":")[0]: each.split(":")[1] for each in _EN_LEMMAS_WORDS.split()}
"""Forms that no stemmer brings together, and the commonest short forms."""

EN_PAST_FORMS: Final = frozenset(
    form
    for base, _, forms in (each.partition(":") for each in _EN_IRREGULAR.split())
    for form in forms.split(",")
    if form not in {"is", "are", "am", "has", "does", "being", "lying", base}
)

_EN_TIMELESS_WORDS: Final = """
bet burst cost cut hit hurt let put quit read set shut split spread
"""

EN_TIMELESS_FORMS: Final = frozenset(_EN_TIMELESS_WORDS.split())
"""Verbs whose past is written like their present."""

_EN_VERBS_WORDS: Final = """
ask bake believe bring build burn buy call care chew claim collect come cook cry dance drink drive
eat enjoy faint feel fix find get give go grow hate hear help hope insist keep know learn leave
like live look lose love make mean meet move need own paint pay plan play put reckon refuse run
say see sell send share sing sleep smoke snore speak start stay stop study suffer swear swim take
teach tell think train travel try tune turn use visit wake walk want watch wear wish work worry
write adore prefer dislike joined join volunteer weigh
"""

EN_VERBS: Final = frozenset(
    form for base in _EN_VERBS_WORDS.split() for form in (base, base + "s", base + "es")
)

EQUIVALENTS: Final[Mapping[str, str]] = {
    "en_sleepless": r"\b(?:can['’]?t|cannot|couldn['’]?t|trouble|difficulty|unable to)"
    r" sleep(?:ing)?\b|\binsomnia\b",
    "zh_ebike": "电动车|电瓶车|小?电驴|电单车|电动自行车",
    "zh_maybe": "可能|没准|说不定|也许|或许|兴许|搞不好",
    "en_dead": r"\b(?:passed away|passed on|died|deceased)\b",
    "en_pregnant": (
        r"\b(?:pregnant|expecting(?: a baby)?|with child)\b"
        r"(?! (?:an? )?(?:call|guest|visitor|parcel|package|delivery|to|you|him|her|it|more|too))"
    ),
    "en_chippy": r"\b(?:chippy|(?:fish and )?chip shop)\b",
    "zh_drink": "喝酒|饮酒|喝两口|滴酒(?=不沾)|沾酒",
    "zh_buy": "购买|购入|入手|買|买了?",
    "zh_get": "拿到|收到|得到|拿了|获得",
    "zh_go": "前往|飞往|赴|去",
    "zh_can": "可以|能够|能|会|會",
    "zh_all": "所有|全部|全都|都|全",
    "zh_usual": "经常|常常|常|往往|通常|一般|平时|老是|總是|总是|总|老(?=[不抢是])|經常",
    "zh_rare": "偶尔|偶爾|有时候?|有時候?|时不时",
    "zh_daily": "每天|天天|每日|每晚|每早",
    "zh_very": "非常|特别|十分|极其|超级|超|特",
    "zh_most": "最",
    "zh_cause": "因为|因為|由于|因此|导致|为了|為了|因",
    "zh_money": "块钱?|塊錢?|元|人民币|rmb|¥|圆",
    "zh_evening": "晚上|今晚|明晚|昨晚|当晚|傍晚|晚间|夜里",
    "zh_morning": "早上|今早|明早|昨早|清早|清晨|早晨|一早",
    "zh_rise": "起床|起$",
    "zh_charge": "负责|专管|主管|掌管",
    "zh_child": "孩子|小孩|娃|小孩子",
    "zh_daughter": "女儿|闺女|女兒|丫头",
    "zh_week": "星期|礼拜|禮拜|周|週",
    "zh_meeting": "会议|开会|个会|有会",
    "zh_divorce": "离婚|離婚|离了|離了",
    "zh_die": "去世|过世|走了|没了|逝世",
    "zh_move": "换了?工作|跳槽",
    "zh_months": "个月|個月|月(?=了?$)",
    "parents": r"爸爸妈妈|爸妈|父母|双亲|爸媽|\b(?:parents|folks|m[ou]m and dad)\b",
    "zh_school": "读书|念书|上学|读|念",
    "kg": r"(?<![a-z])(?:kilos?|kilograms?|kgs?)(?![a-z])|公斤|千克",
    "km": r"(?<![a-z])(?:kilomet(?:er|re)s?|kms?)(?![a-z])|公里|千米",
    "en_wish": (
        r"\b(?:wants?|wanted|wanna|wish(?:es|ed)?|hop(?:e|es|ed|ing)|plan(?:s|ned|ning)?"
        r"|would (?:like|love)|intends?|dreams of|thinking of)\b|['’]d (?:like|love)\b"
    ),
    # Neither "never once" nor "once a week" tells of a time that is over.
    "en_past": (
        r"\b(?:used to|formerly)\b"
        r"|(?<!never )(?<!not )(?<!even )(?<!at )(?<!than )\bonce\b(?! (?:an?|every|per|in)\b)"
    ),
    "en_almost": r"\b(?:nearly|almost)\b",
    "en_doubt": (
        r"\b(?:might|may|perhaps|maybe|probably|possibly|not sure|unsure|thinks?|guess(?:es)?"
        r"|supposes?|suspects?|seems?)\b"
    ),
    "en_report": r"\b(?:says?|said|tells|told|claims?|claimed|according to|reckons?)\b",
    "en_evening": r"\b(?:evening|tonight|night)\b",
    "money": r"\$|\b(?:dollars?|bucks|usd)\b",
    "en_like": (
        r"\b(?:likes?|liked|loves?|loved|loving|enjoys?|enjoyed|prefers?|fond|favou?rites?|fan"
        r"|adores?|into)\b"
    ),
    "en_bring": r"\b(?:bring(?:s|ing)?|brought|carr(?:y|ies|ied|ying))\b",
    "en_daily": r"\b(?:every ?day|daily|each day|every single day)\b",
    "en_usual": r"\b(?:often|usually|frequently|regularly|tends? to)\b",
    "en_always": r"\b(?:always|constantly|all the time)\b",
    "en_rare": r"\b(?:sometimes|occasionally|now and (?:then|again)|once in a while)\b",
    "en_cause": r"\b(?:because|cos|due to|since|as a result)\b",
    "en_about": r"\b(?:about|around|approximately|roughly|or so|ish|like(?= \w+ times))\b",
    "en_can": r"\b(?:can|could|able to|cannot|can['’]?t|couldn['’]?t|unable to)\b",
    "en_years": r"\b(?:years?[ -]old|aged?|turn(?:ed|s|ing)?|yo|y/o)\b",
}
"""Wordings that say the same, beside the classes; a closed list, and a short one."""

_ZH_FREE: Final = """
的 了 着 著 过 過 地 得 在 和 与 與 及 跟 同 也 就 还 還 又 才 很 把 被 让 讓 给 給 对 對 对于
关于 从 從 到 来 來 向 往 于 於 以 之 其 中 里 裡 上 时 時 那 这 這 个 個 位 种 種 条 條 次 只
隻 件 家 的话 吗 呢 吧 啊 呀 哦 喔 嗯 嘛 嘅 啦 囉 咯 哈 哈哈 我 我们 我們 俺 咱 咱们 你 您 他 她
它 他们 她们 自己 本人 主人 用户 伙伴 现在 現在 目前 刚 刚刚 剛 剛剛 已经 已經 已 要 将 将要 并
而 而且 然后 但 但是 不过 可 所 等 时候 時候 那里 那裡 那裏 这里 這裡 那边 这边 这个 那个 人家
说 說 不 没 沒 没有 沒有 别 冇 有 是 係 系 为 為 叫 名字 是个 是在 一 一个 一位 一只 做 当 當
有个 也是 之后 以后 后 後 该 我的 主人的 她的 他的 被称为 称为 希望 想 打算 计划 最近 由 趟 份
张 台 辆 部 场 场 的人 家里 想要 有点 點 点 并且 其实 开始 左右 大约 大概 其中 从来 從來 主
是不是 再 本 先 今年 今天 好的 好呀 好啊 谢谢 早安 晚安 你好 不是 不会 不能 不想 从不 未 不再
"""

_EN_FREE: Final = """
a an the and or but so that which who whom whose this these those there here it its he him his she
her hers they them their theirs themselves himself herself itself i me my mine myself we us our
ours you your of to in on at for with by from as into onto is are was were be been being am do
does did will would shall 'll 's not no nor n't s t m re ve ll d partner user owner master
currently now also just still then when while where how what im ive id ill hes shes theyre theyve
weve youre thats theres having dont doesnt didnt isnt arent wasnt cant wont havent hasnt hadnt don
doesn didn isn aren wasn weren won haven hasn hadn couldn wouldn shouldn ain couldnt wouldnt
shouldnt if unless whether than too very quite rather really called named name lol omg etc o p am
pm th st nd rd oclock some bit n person someone somebody one ones never without neither nobody
nothing cannot
"""

ZH_FREE: Final = frozenset(_ZH_FREE.split())
EN_FREE: Final = frozenset(_EN_FREE.split())
"""May be new in what is learnt: they link, point or count, and claim nothing."""

_STATES_WORDS: Final = """
压力 心情 状态 身体 睡眠 工作 生活 肚子 头 胃 嗓子 眼睛 手 脚 腿 腰 牙 皮肤 记性 视力 酒量 脾气
月薪 工资 收入 存款 房贷 车贷 房租 身高 体重 血压
"""

STATES: Final = frozenset(_STATES_WORDS.split())
"""Things one has of oneself: whoever tells of them goes on to tell of themselves."""

_PEOPLE: Final = (
    r"(?:[大小二三四五六老表堂继干前]?(?:[舅叔姑姨太][公爷奶婆姥](?![\u4e00-\u9fff]?店)|曾祖[父母]|[继养后][父母爹妈]|干[爹妈]"
    r"|小叔子|[大小][姑姨舅]子|妯娌|连襟|亲家[公母]?|重?外?孙[子女媳]|[养继义][子女]|妈妈|母亲|老妈|爸妈|爸爸|父亲|老爸|父母|爷爷|奶奶|外公|外婆|姥姥|姥爷|嫲嫲|阿嬷|阿公|公公|婆婆|岳父|岳母|丈母娘"
    r"|老公|丈夫|先生|老婆|妻子|太太|媳妇|前夫|前妻|男朋友|男友|女朋友|女友|爱人|愛人|未婚夫|未婚妻|前任|前男友|前女友|对象|伴侣|儿子|女儿|孩子|娃|闺女|丫头|双胞胎"
    r"|女婿|儿媳妇?|孙子|孙女|侄子|侄女|外甥女?|哥哥|嫂子|嫂嫂|弟弟|弟妹|弟媳|妹妹|妹夫|姐姐|姐夫"
    r"|伯伯|伯父|叔叔|婶婶|阿姨|姨妈|舅舅|舅妈|姑姑|姑妈|姑父|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|老爷子|老太太|老伴|老汉|细佬|细妹|阿妈|阿爸|老豆|老头子?|老人|小孩|小朋友"
    r"|朋友|闺蜜|闺密|哥们|兄弟|姐妹|同事|老板|上司|领导|主任|经理|老师|教练|导师|学生|同学|同桌|室友|舍友|邻居|房东|租客|客户|亲戚|家人|医生|大夫|网友"
    r"|(?:对门|隔壁|楼[上下])(?:那家|家的?|邻居)?|队友|搭档|徒弟|师傅|师父|保姆|司机|别人|人家|有人|大家"
    r"|母親|爸媽|媽媽|老媽|父親|爺爺|老婆|媳婦|兒子|女兒|孫子|孫女|嬸嬸|姪子|閨蜜|同學|老闆|鄰居|客戶|領導|醫生|老師|家人|親戚"
    r"|(?<![\u4e00-\u9fff])(?:老大|老二|老三|老幺|大的|小的)|[妈媽爸爹娘哥姐弟妹嫂舅姨姑叔伯](?![\u4e00-\u9fff]?[车店])))"
)

PERSON_ZH: Final = LatePattern(_PEOPLE + "|" + PERSONS)

PERSON_EN: Final = LatePattern(
    rf"\b(?:{EN_PERSONS}|wives|siblings?|in-laws?|[a-z]+inlaws?|nephews?|nieces?|fianc[eé]e?|gf|bf|bff|kids"
    rf"|sons|daughters|sisters|brothers|aunt(?:ie|y)?"
    r"|granny|gran|nan|grandpa|nana|landlord|landlady|tutor|coach|dentist|therapist|vet"
    r"|lodger|intern|tenant|roomie|mate|buddy"
    r"|folks|lad|lass|bloke|bestie|crush|guy|girl|boy|man|woman|lady|twins?|baby|teen(?:ager)?|toddler|stepmum|stepdad"
    r"|godson|goddaughter|grand\w+)\b"
)

_NO_NOUNS_WORDS: Final = (
    "计划 工作 学习 打算 希望 喜欢 过敏 失眠 感冒 生病 决定 钟意 差点 先学 戒烟 戒酒 滴酒"
)

NO_NOUNS: Final = frozenset(_NO_NOUNS_WORDS.split())
"""Words that are nouns elsewhere, and no subject behind 我."""

_AUXILIARIES_WORDS: Final = """
is are was were am be been has have had will would can could should may might must do does did
wont cant dont doesnt didnt isnt arent wasnt shouldnt couldnt havent hasnt hadnt wouldnt 's 're
've 'll 'd not
"""

AUXILIARIES: Final = frozenset(_AUXILIARIES_WORDS.split())

_STOPS_WORDS: Final = """
in on at to of for with by from about as into onto over under after before since until till and or
but me him them us it you my our his her their the a an who which that if when while because so
than just also still never always often really recently finally already only even up down out off
back away again
"""

STOPS: Final = frozenset(_STOPS_WORDS.split())

_IS_AFTER_WORDS: Final = """
a an the not been got in on at so very my our his her their from to still too really just always
never about with for out off away back down up all coming going getting being having one called
"""

IS_AFTER: Final = frozenset(_IS_AFTER_WORDS.split())

_QUALITIES_WORDS: Final = """
old older elder eldest oldest new little big small late young younger youngest best dear lovely
poor ex current former first last only own stupid whole entire beloved
"""

QUALITIES: Final = frozenset(_QUALITIES_WORDS.split())

_ADVERBS_WORDS: Final = """
not no off to almost nearly barely hardly practically never finally already definitely probably
totally literally absolutely obviously gonna wanna gotta tryna prolly kinda sorta officially
previously formerly fully mostly mainly slowly suddenly secretly
"""

ADVERBS: Final = frozenset(_ADVERBS_WORDS.split())
"""Words at the beginning of a clause without a subject: they name nobody."""
