"""Words by the forms that they are found by: bought by buy, children by child, 邊度 by 哪里.

Simplified characters, family names, where a word stands whole, and what may stand for another.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate, chain, pairwise
from typing import Final

from memory.text import segmentation
from memory.text.late_pattern import LatePattern
from memory.text.layout import COMMON_SURNAMES

_TEXT: Final = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent;
bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build
built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep
crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew
flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze
frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide
hid hidden; hold held; keep kept; kneel knelt; know knew known; lead led; lean leant; leap leapt;
learn learnt; leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; mistake
mistook mistaken; overcome overcame; pay paid; ride rode ridden; ring rang rung; rise risen; run
ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine
shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep
slept; slide slid; smell smelt; speak spoke spoken; spell spelt; spend spent; spill spilt; spin
spun; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; strike
struck; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing
swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won;
withdraw withdrew withdrawn; write wrote written; child children; man men; woman women; foot feet;
tooth teeth; goose geese; mouse mice; wife wives; knife knives; shelf shelves; loaf loaves; wolf
wolves; thief thieves; half halves; scarf scarves
"""

BASE_FORMS: Final = {
    form: base for group in _TEXT.split(";") for base, *forms in [group.split()] for form in forms
}
"""The form that others are found by, of each other form. What is a common word of its own as well
(rose, bit, ground, lives) is left as it is."""
_STRONG_PRESENT: Final = {"go": "goes", "do": "does", "have": "has"}
_STRONG_BASE: Final = {third: verb for verb, third in _STRONG_PRESENT.items()}
_NO_PRESENT_WORDS: Final = """
am is are was were been being did had can could will would shall should may might must ought used
better gotta gonna wanna put cut hit set let quit hurt cost shut bet split spread burst cast upset
cannot dont cant not never no just only also still really now then both even almost nearly already
once right first last next sure too quite rather kinda sorta pretty well maybe perhaps ever soon
here there so and or but as if in on at to for with from of the a an my me myself it that this who
what when one two all half
"""
_DID: Final = "|".join(BASE_FORMS)
_NO_PRESENT: Final = frozenset(_NO_PRESENT_WORDS.split())
"""Words behind "I" that are no verb of the present, or may as well be one of the past."""
_LOOKS_PAST: Final = re.compile(
    r"(?!(?:need|feed|bleed|breed|speed|weed|heed|exceed|proceed|succeed)$)\w+ed"
    r"|(?!(?:bring|sing|ring|cling|swing|string|sting|fling|ping)$)\w+ing"
    r"|(?!(?:fly|apply|rely|reply|supply|comply|bully|multiply)$)\w+ly|\w+n['’]t"
)


def third_person(verb: str) -> str | None:
    """Return a verb as it is told of somebody else; None for what is none of the present.

    >>> third_person("referee"), third_person("carry"), third_person("went")
    ('referees', 'carries', None)
    """
    if verb in _NO_PRESENT or verb in BASE_FORMS or _LOOKS_PAST.fullmatch(verb):
        return None
    if verb in _STRONG_PRESENT:
        return _STRONG_PRESENT[verb]
    if re.search("[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search("(?:s|x|z|ch|sh|[^o]o)$", verb) else f"{verb}s"


def first_person(verb: str) -> str:
    """Return a verb as one tells it of oneself: "live" for "lives"; other words unchanged."""
    if verb in _STRONG_BASE or len(verb) < _SHORTEST_THIRD:
        return _STRONG_BASE.get(verb, verb)
    if verb.endswith("ies") and len(verb) > _SHORTEST_THIRD:
        return f"{verb[:-3]}y"
    return re.sub("(?<=ch|sh|ss|zz)es$|(?<=x)es$|(?<![sui])s$", "", verb)


_SHORTEST_THIRD: Final = 4
_DOER: Final = LatePattern(
    rf"(?:(?:and|but|so|well|oh),? )*(?P<en>(?!(?:\w+(?:ed|ing|ly)|{_DID}|i|we|you|s?he|it|this"
    r"|that|then|who|never|just|not|also)\b)(?-i:[A-Z])[a-z]+)(?:['’]s \w+)?(?: (?:at|from) \w+)?"
    rf"(?:['’]s)? (?:(?:has|had|just|is|was) )*(?:\w+ed|{_DID}|(?:come|goe|ha|doe|keep|run|own"
    r"|drive|start|work|live)s|shut|quit|an?)\b(?!.*(?<!with )\b(?:i|me|us|we|my|our)\b)"
    rf"|(?P<zh>(?-i:[A-Z])[a-z]+|[{COMMON_SURNAMES}]大?[姐哥叔婶姨嫂]|老[{COMMON_SURNAMES}]"
    "|阿(?!姨)[一-鿿]|小(?![孩狗猫时学区朋名心姐妹弟哥气猪鱼聚说声事车店家屋院公镇厂班女男宝号])[一-鿿])"
    "(?:上周|昨天)?(?=[住租在是搬辞换改做当结离订生怀买卖考退被爱喜讨又]|今年|现在)",
    re.IGNORECASE,
)


def doer_named(clause: str) -> str:
    """Return whose deed a clause tells that begins with a name: Priya closed the cafe."""
    return (found["en"] or found["zh"]) if (found := _DOER.match(clause)) else ""


CANTONESE: Final = {
    "而家": "现在", "今日": "今天", "寻日": "昨天", "琴日": "昨天", "听日": "明天", "几时": "何时",
    "边度": "哪里", "边个": "哪个", "边位": "哪位", "几多": "多少", "点解": "为何", "点样": "怎样",
    "乜嘢": "什么", "咩嘢": "什么", "唔使": "不用", "钟意": "喜欢", "返工": "上班", "返学": "上学",
    "啱啱": "刚刚", "得闲": "有空", "倾偈": "聊天", "关係": "关系", "联係": "联系", "体係": "体系",
    "唔食": "不吃", "唔饮": "不喝", "钟意食": "喜欢吃", "钟意饮": "喜欢喝", "敏感": "过敏",
}  # fmt: skip
"""Words of Cantonese, of as many characters in Mandarin."""

CANTONESE_WORD: Final = re.compile(
    "而家|今日|寻日|(?<![钢提风])琴日|听日(?![本语文])|几时|几多|边度(?![假过])"
    "|(?<![旁那这右左路身周一两])边[个位](?![子置体])|点解(?![释决散开除说读析答题放])"
    "|(?<!有)点样(?![子品本])|[乜咩]嘢|唔[使食饮]|(?<!分)钟意[食饮]?|返[工学]|啱啱|得闲|倾偈|[关联体]係"
    "|(?<=花生|花粉|坚果|海鲜|牛奶|鸡蛋|尘螨|猫毛|狗毛|麸质|芒果|酒精|对[虾蟹鱼奶蛋酒]|龙虾)敏感"
)

CANTONESE_CHARACTERS: Final = (
    "喺咗唔嘅佢冇喇嘞咧咯喽囉啦嚟俾畀睇揸返搵揾攞啱噉咁俺係嗰咩乜嘢啲哋㗎嚹吖",
    "在了不的他没了了了了了了了来给给看开回找找拿刚这这我是那啥啥事些们啊了啊",
)

COUNTED: Final = re.compile(
    r"\d[\d,.:]*(?<![,.:])|[零〇一二两三四五六七八九十百千万亿]+整?(?![些样直起般定])"
)
"""A number, or a time of day in figures."""


def number_meant(text: str, right: str) -> tuple[int, int, str] | None:
    """Return where a text has the number that one of ``right`` stands for, and that one.

    Of as many as the text has each stands for the one in its place.

    >>> number_meant("the keys are in the second drawer, 2 of 10", "it's 3 of 10")
    (35, 36, '3')
    >>> number_meant("off from the 9th to the 13th", "10th to the 14th")
    (13, 28, '10th to the 14th')
    """
    told, said = ([*_WRITTEN.finditer(each)] for each in (text, right))
    pairs = [*zip(told, said, strict=False)]
    others = {x["number"] for x in told}.isdisjoint(x["number"] for x in said)
    alike = all(_is_alike(right, new, text, old) for old, new in pairs)
    if len(told) == len(said) > 1 and others and alike:
        between = [text[one.end() : other.start()] for one, other in pairwise(told)]
        new = "".join(chain(*zip([each[0] for each in said], [*between, ""], strict=True)))
        return told[0].start(), told[-1].end(), new
    new_one = next((x for x in said if x["number"] not in {y["number"] for y in told}), None)
    old = [x for x in told if x["number"] not in {y["number"] for y in said}]
    if new_one is None:
        return None
    after = right[new_one.end() : new_one.end() + 1].strip()
    fitting = [
        each.span()
        for each in old
        if len(old) == 1
        or (after and text[each.end() : each.end() + 1] == after)
        or (new_one["ends"] and each["ends"])
        if _is_alike(right, new_one, text, each)
    ]
    return (*fitting[0], new_one[0]) if len(fitting) == 1 else None


ASKS_WHAT: Final = (
    r"什么|什麼|啥|哪|谁|誰|几|幾|多少|多久|多大|怎么|怎麼|咋|干嘛|干吗"
    r"|\b(?:what|when|who|whom|whose|where|how|which)\b"
)
"""The words by which something is asked that no yes answers."""
_WRITTEN: Final = re.compile(
    rf"(?P<number>{COUNTED.pattern})(?P<ends>(?:st|nd|rd|th)\b)?", re.IGNORECASE
)
"""24, in the place of 23rd, stands without the ending of the other."""


def _is_alike(right: str, new: re.Match[str], told: str, old: re.Match[str]) -> bool:
    """Whether one number may stand for another: 三千整 is neither the second nor a dozen.

    ``new`` stands in ``right`` and ``old`` in ``told``.
    """
    one, other = new["number"], old["number"]
    if told[: old.start()][-1:] in _NUMBERED:
        return False
    if (right[: new.start()][-1:] == "第") is not (told[: old.start()][-1:] == "第"):
        return False
    if one[0].isdigit() and other[0].isdigit():
        sizes = [len(re.split("[.:]", each.replace(",", ""))[0]) for each in (one, other)]
        return abs(sizes[0] - sizes[1]) <= 1
    return one[0].isdigit() or other[0].isdigit() or _units(one) == _units(other)


_NUMBERED: Final = frozenset("高初大老周期拜小")  # 高二 and 周三 count nothing


def _units(number: str) -> set[str]:
    return set(number) & set("百千万亿")


def last_with_number(right: str, lines: Sequence[str]) -> str | None:
    """Return the newest of these lines, the newest first, that a bare number or day may mean.

    What is corrected by a number alone was told last of all that has one; None if a word is told.
    """
    if not COUNTED.search(right):
        return None
    return next((each for each in lines if COUNTED.search(each)), None)


def most_alike(right: str, places: dict[str, tuple[int, int]]) -> tuple[int, int] | None:
    """Return the place of the one value that is meant: the only one, or one that looks alike.

    Values that stand within one another are one.
    """
    ranked = sorted(places, key=lambda each: (likeness(each, right), len(each)), reverse=True)
    if not ranked:
        return None
    start, end = places[ranked[0]]
    others = [each for each in ranked[1:] if places[each][1] <= start or end <= places[each][0]]
    return (start, end) if not others or likeness(ranked[0], right) >= _ALIKE else None


_ALIKE: Final = 0.5


def is_name(text: str) -> bool:
    """Whether a text is as short as a name, and in English written as one."""
    if text.isascii():
        return _NAME.fullmatch(text) is not None and len(text.split()) <= _MOST_WORDS
    return 1 < len(text) <= _MOST_SIGNS


_NAME: Final = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_MOST_WORDS: Final = 3
_MOST_SIGNS: Final = 6


def names_like(name: str, text: str) -> list[str]:
    """Return the names in a text that another may stand for: what ends it, or such a thing.

    >>> names_like("京都", "他下个月跟王芳去大阪玩"), names_like("Royal", "I met Ann at the Ritz")
    (['大阪'], ['Ritz'])
    """
    found = _NAMED.findall(text) if name.isascii() else _of_sort(name, text)
    last = _NAMED_LAST.search(text)
    ending = last[last.lastindex or 0] if last else ""
    # A day or a number is no name: 生日是8月12号.
    named = [ending] if ending and not COUNTED.search(ending) else []
    return list(dict.fromkeys([*named, *found]))


def _of_sort(name: str, text: str) -> list[str]:
    """Return the Chinese words of a text that name a thing of the same sort: a place, or whom."""
    sort = next((sort for word, sort in segmentation.tag(name) if word == name), "")
    sorts = segmentation.PLACES if sort in segmentation.PLACES else _OTHER_NAMES
    tagged = segmentation.tag(text) if sort in sorts else []
    return [word for word, each in tagged if each in sorts and len(word) > 1]


_OTHER_NAMES: Final = frozenset({"nr", "nrt", "nrfg", "nt", "nz"})
"""How jieba tags what names something."""

_NAMED_LAST: Final = re.compile(
    r"(?:叫做?|是|住在|姓)([^，。]{2,6})$|\b(?:is|called|named|in|at) ([A-Z][^,.]*)$"
)

_NAMED: Final = re.compile(
    r"\b(?:the|at|in|to|from|with|is|called|named) ([A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})"
)


def likeness(one: str, other: str) -> float:
    """Return how like one text looks to another, 0 to 1."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


# Every traditional character of Big5 with one simplified form in GB 2312, as OpenCC 1.4.2 converts
# them, and how the rules read some more (她 in all writings). A character for a character, so that
# what is found in the one text stands at the same place in the other.
TRADITIONAL: Final = (
    "丟並亂亙亞佇佈佔併來侖侶侷俁俠俬倀倆倉個們倖倫偉側偵偽傑傖傘備傢傭傯傳傴債傷傾僂僅僉僑僕僥僨僱價儀儂億儈儉儐儔儕儘償優儲儷儺儻儼兇兌兒兗內兩冊冑冪凈凍凜凱別刪剄則剋剎剛剝剮剴創"
    "剷劃劄劇劉劊劌劍劑勁動務勛勝勞勢勱勳勵勸勻匭匯匱區協卹卻厙厤厭厲厴參叢吳吶呂咼員唄唸問啞啟喚喪喫喬單喲嗆嗇嗎嗚嗩嗶嘆嘍嘔嘖嘗嘜嘩嘮嘯嘰嘵嘸噁噓噠噥噦噯噲噴噸噹嚀嚇嚌嚐嚕嚙嚥嚦嚨"
    "嚮嚳嚴嚶囀囁囂囅囈囌囑囪圇國圍園圓圖團埡埰執堅堊堝堯報場塊塋塏塒塗塚塢塤塵塹墊墜墮墳墾壇壎壓壘壙壚壞壟壢壩壯壺壽夠夢夥夾奐奧奩奪奮奼妝妳姊姍姦娛婁婦婭媧媯媼媽嫋嫗嫵嫻嬈嬋嬌嬙嬡"
    "嬤嬪嬰嬸孃孌孫學孿宮寀寢實寧審寫寬寵寶將專尋對導尷屆屍屜屢層屨屬岡峴島峽崍崑崗崙崢嵐嶁嶄嶇嶗嶠嶧嶸嶺嶼嶽巋巒巔巖巰巹帥師帳帶幀幃幗幘幟幣幫幬幹幾庫廁廂廄廈廕廚廝廟廠廡廢廣廩廬廳"
    "弒弔弳張強彆彈彌彎彔彙彥彫彿後徑從徠復徹恆恥悅悵悶悽惡惱惲惻愛愜愨愴愷愾慄態慍慘慚慟慣慪慫慮慳慶慼慾憂憊憐憑憒憚憤憫憮憲憶懇應懌懍懞懟懣懨懲懶懷懸懺懼懾戀戇戔戧戩戰戲戶扞拋挾捨"
    "捫捲掃掄掙掛採揀揚換揮損搖搗搧搶摑摜摟摯摳摶摻撈撐撓撟撣撥撫撲撳撻撾撿擁擄擇擊擋擔據擠擣擬擯擰擱擲擴擷擺擻擼擾攄攆攏攔攖攙攛攜攝攢攣攤攪攬敗敘敵數斂斃斕斬斷於旂昇時晉晝暈暉暢暫"
    "曄曆曇曉曏曖曠曬書會朧朮東枴柵柺桿梔條梟棄棖棗棟棧棲椏楊楓楨業極榦榪榮榿構槍槓槧槨槳樁樂樅樑樓標樞樣樸樹樺橈橋機橢橫檁檉檔檜檢檣檯檳檸檻櫃櫓櫚櫛櫝櫞櫟櫥櫧櫨櫪櫫櫬櫱櫳櫸櫻欄權欏"
    "欒欖欞欽歎歐歟歡歲歷歸歿殘殞殤殫殭殮殯殲殺殼毀毆毿氂氈氌氣氫氬氳氾汎汙決沒沖況泝洩洶浹涇涼淒淚淥淨淩淪淵淶淺渙減渦測渾湊湞湧湯溈準溝溫溼滄滅滌滎滬滯滲滷滸滾滿漁漚漢漣漬漲漵漸漿"
    "潁潑潔潛潤潯潰潷潿澀澆澇澗澠澤澩澮澱濁濃濕濘濛濟濤濫濰濱濺濼濾瀅瀆瀉瀋瀏瀕瀘瀝瀟瀠瀦瀧瀨瀰瀲瀾灃灄灑灕灘灝灣灤灩災為烏烴無煉煒煙煢煥煩煬熒熗熱熾燁燈燉燒燙燜營燦燬燭燴燻燼燾爍爐"
    "爛爭爺爾牆牘牠牴牽犖犛犢犧狀狹狽猙猶猻獃獄獅獎獨獪獫獰獲獵獷獸獺獻獼玀現琱琺琿瑋瑣瑤瑩瑪璉璣璦環璽璿瓊瓏瓔瓚甌甕甚產甦畝畢畫異當疇疊痙痠痺痾瘋瘍瘓瘞瘡瘧瘺療癆癇癉癒癘癟癡癢癤癥"
    "癩癬癭癮癰癱癲發皁皚皰皸皺盃盜盞盡監盤盧盪眥眾睏睜睞瞞瞼矇矚矯硃硤硨硯碩碭確碼磚磣磧磯磽礎礙礦礪礫礬礱祂祕祿禍禎禦禪禮禰禱禿秈稅稈稜稟種稱穀穌積穎穡穢穩穫窩窪窮窯窶窺竄竅竇竊競"
    "筆筍筧箇箋箏節範築篋篤篩篳簀簍簑簞簡簣簫簽簾籃籌籜籟籠籤籩籪籬籮籲粵糝糞糧糰糲糴糶糾紀紂約紅紆紇紈紉紋納紐紓純紕紗紙級紛紜紡紮細紱紲紳紹紺紼紿絀終絃組絆絎結絕絛絞絡絢給絨統絲絳"
    "絹綁綃綆綈綏綑經綜綞綠綢綣綬維綰綱網綴綵綸綹綺綻綽綾綿緄緇緊緋緒緗緘緙線緝緞締緡緣緦編緩緬緯緱緲練緶緹緻縈縉縊縋縐縑縛縝縞縟縣縫縭縮縱縲縴縵縶縷縹總績繃繅繆繒織繕繚繞繡繢繩繪繫"
    "繭繯繰繳繹繼繽繾纈纊續纍纏纓纔纖纘纜缽罈罌罰罵罷羅羆羈羋羥羨義羶習翫翹耬聖聞聯聰聲聳聵聶職聹聽聾肅脅脈脛脣脩脫脹腎腡腦腫腳腸膃膚膠膩膽膾膿臉臍臏臘臚臟臠臥臨臺與興舉舊舖艙艤艦艫"
    "艱艷芻苧茲荊莊莖莢莧華菴菸萇萊萬萵葉葒著葦葯葷蒐蒔蒞蒼蓀蓆蓋蓮蓯蓴蓽蔔蔘蔞蔣蔥蔦蔭蕁蕆蕎蕓蕕蕘蕢蕩蕪蕭蕷薈薊薌薑薔薟薦薩薺藍藎藝藥藪藶藹藺蘄蘆蘇蘊蘋蘚蘞蘢蘭蘺蘿處虛虜號虧虯蛺蛻"
    "蜆蝕蝟蝦蝨蝸螄螞螢螻蟄蟈蟣蟬蟯蟲蟶蟻蠅蠆蠍蠐蠑蠔蠟蠣蠱蠶蠻衊術衕衚衛衝袞裊裏補裝裡製複褲褳褸褻襉襖襝襠襤襪襬襯襲覈見規覓視覘覡覦親覬覯覲覷覺覽覿觀觴觶觸訂訃計訊訌討訐訓訕訖託記"
    "訛訝訟訣訥訪設許訴訶診註証詁詆詎詐詒詔評詘詛詞詠詡詢詣試詩詫詬詭詮詰話該詳詵詼詿誄誅誆誇誌認誑誒誕誘誚語誠誡誣誤誥誦誨說誰課誶誹誼調諂諄談諉請諍諏諑諒論諗諛諜諞諡諢諤諦諧諫諭諮"
    "諱諳諶諷諸諺諼諾謀謁謂謄謅謊謎謐謔謖謗謙謚講謝謠謨謫謬謳謹謾譁證譎譏譖識譙譚譜譟譫譭譯議譴護譽譾讀變讎讒讓讕讖讚讜讞谿豈豎豐豔豬貍貓貝貞負財貢貧貨販貪貫責貯貰貲貳貴貶買貸貺費貼"
    "貽貿賀賁賂賃賄賅資賈賊賑賒賓賕賚賜賞賠賡賢賣賤賦賧質賬賭賴賺賻購賽賾贄贅贈贊贍贏贐贓贖贗贛趕趙趨趲跡踐踰踴蹌蹕蹟蹠蹣蹤蹺躉躊躋躍躑躒躓躕躚躡躥躦躪軀車軋軌軍軒軔軛軟軫軸軹軺軻軼"
    "軾較輅輇載輊輒輓輔輕輛輜輝輞輟輥輦輩輪輯輳輸輻輾輿轂轄轅轆轉轍轎轔轟轡轢轤辦辭辮辯農迴逕這連週進遊運過達違遙遜遞遠適遲遶遷選遺遼邁還邇邊邏邐郟郵鄆鄉鄒鄔鄖鄧鄭鄰鄲鄴鄶鄺酈醃醜醞"
    "醫醬釀釁釃釅釋釐釓釔釕釗釘釙針釣釤釦釧釩釵釷釹鈀鈁鈄鈅鈉鈍鈐鈑鈔鈕鈞鈣鈥鈦鈧鈮鈰鈳鈴鈷鈸鈹鈺鈽鈾鈿鉀鉅鉆鉈鉉鉍鉑鉗鉚鉛鉞鉤鉦鉬鉭鉸鉺鉻鉿銀銃銅銑銓銖銘銚銜銠銣銥銦銨銩銪銫銬銳銷"
    "銻銼鋁鋃鋅鋇鋌鋏鋒鋝鋟鋤鋦鋨鋪鋮鋯鋰鋱鋸鋼錁錄錆錈錐錒錕錘錙錚錛錟錠錢錦錨錫錮錯錳錶錸錼鍆鍇鍊鍋鍍鍔鍘鍛鍤鍥鍬鍰鍵鍶鍺鍼鍾鎂鎊鎌鎖鎘鎚鎢鎣鎦鎧鎩鎪鎬鎮鎰鎳鎵鏃鏇鏈鏌鏍鏑鏗鏘鏜鏝"
    "鏞鏟鏡鏢鏤鏨鏵鏷鏹鏽鐃鐋鐐鐒鐓鐔鐘鐙鐠鐨鐫鐮鐲鐳鐵鐸鐺鐿鑄鑊鑌鑑鑒鑠鑣鑭鑰鑲鑷鑼鑽鑾鑿钁長門閂閃閆閉開閌閎閏閑閒間閔閘閡閣閤閥閨閩閫閬閭閱閶閹閻閼閽閾閿闃闆闇闈闊闋闌闐闔闕闖關"
    "闞闡闢闥陘陝陞陣陰陳陸陽隉隊階隕際隨險隱隴隸隻雋雖雙雛雜雞離難雲電霑霧霽靂靄靈靚靜靦靨鞏鞝鞦韁韃韆韉韋韌韓韙韜韝韞韻響頁頂頃項順頇須頊頌頎頏預頑頒頓頗領頜頡頤頦頭頰頷頸頹頻顆題"
    "額顎顏顓願顙顛類顢顥顧顫顯顰顱顳顴風颮颯颱颳颶颼飄飆飛飢飩飪飫飭飯飲飴飼飽飾餃餅餈餉養餌餑餒餓餘餚餛餞餡館餬餱餳餵餼餾餿饃饅饈饉饋饌饑饒饗饜饞馬馭馮馱馳馴駁駐駑駒駔駕駘駙駛駝駟"
    "駢駭駱駿騁騅騍騎騏騖騙騫騭騮騰騶騷騸騾驀驁驂驃驄驅驊驍驏驕驗驚驛驟驢驤驥驪骯髏髒體髕髖髮鬆鬍鬚鬢鬥鬧鬨鬩鬮鬱魎魘魚魯魴魷鮐鮑鮒鮚鮞鮪鮫鮭鮮鯀鯁鯇鯉鯊鯔鯖鯗鯛鯡鯢鯤鯧鯨鯪鯫鯰鯽鰈"
    "鰉鰍鰒鰓鰣鰥鰨鰩鰭鰱鰲鰳鰷鰹鰻鰾鱈鱉鱒鱔鱖鱗鱘鱟鱧鱭鱷鱸鱺鳥鳧鳩鳳鳴鳶鴆鴇鴉鴕鴛鴝鴟鴣鴦鴨鴯鴰鴻鴿鵂鵑鵒鵓鵜鵝鵠鵡鵪鵬鵯鵰鵲鶇鶉鶘鶚鶩鶯鶴鶻鶼鶿鷂鷓鷗鷙鷚鷥鷦鷯鷲鷳鷴鷸鷹鷺鸕鸚"
    "鸛鸝鸞鹵鹹鹺鹼鹽麗麥麩麪麵麼黃黌點黨黲黴黷黽黿鼉鼕鼴齊齋齎齏齒齔齙齜齟齠齡齣齦齧齪齬齲齶齷龍龐龔龕龜"
)
OF_THEM: Final = (
    "丢并乱亘亚伫布占并来仑侣局俣侠私伥俩仓个们幸伦伟侧侦伪杰伧伞备家佣偬传伛债伤倾偻仅佥侨仆侥偾雇价仪侬亿侩俭傧俦侪尽偿优储俪傩傥俨凶兑儿兖内两册胄幂净冻凛凯别删刭则克刹刚剥剐剀创"
    "铲划札剧刘刽刿剑剂劲动务勋胜劳势劢勋励劝匀匦汇匮区协恤却厍历厌厉厣参丛吴呐吕呙员呗念问哑启唤丧吃乔单哟呛啬吗呜唢哔叹喽呕啧尝唛哗唠啸叽哓呒恶嘘哒哝哕嗳哙喷吨当咛吓哜尝噜啮咽呖咙"
    "向喾严嘤啭嗫嚣冁呓苏嘱囱囵国围园圆图团垭采执坚垩埚尧报场块茔垲埘涂冢坞埙尘堑垫坠堕坟垦坛埙压垒圹垆坏垄坜坝壮壶寿够梦伙夹奂奥奁夺奋姹妆你姐姗奸娱娄妇娅娲妫媪妈袅妪妩娴娆婵娇嫱嫒"
    "嬷嫔婴婶娘娈孙学孪宫采寝实宁审写宽宠宝将专寻对导尴届尸屉屡层屦属冈岘岛峡崃昆岗仑峥岚嵝崭岖崂峤峄嵘岭屿岳岿峦巅岩巯卺帅师账带帧帏帼帻帜币帮帱干几库厕厢厩厦荫厨厮庙厂庑废广廪庐厅"
    "弑吊弪张强别弹弥弯录汇彦雕佛后径从徕复彻恒耻悦怅闷凄恶恼恽恻爱惬悫怆恺忾栗态愠惨惭恸惯怄怂虑悭庆戚欲忧惫怜凭愦惮愤悯怃宪忆恳应怿懔蒙怼懑恹惩懒怀悬忏惧慑恋戆戋戗戬战戏户捍抛挟舍"
    "扪卷扫抡挣挂采拣扬换挥损摇捣扇抢掴掼搂挚抠抟掺捞撑挠挢掸拨抚扑揿挞挝捡拥掳择击挡担据挤捣拟摈拧搁掷扩撷摆擞撸扰摅撵拢拦撄搀撺携摄攒挛摊搅揽败叙敌数敛毙斓斩断于旗升时晋昼晕晖畅暂"
    "晔历昙晓向暧旷晒书会胧术东拐栅拐杆栀条枭弃枨枣栋栈栖桠杨枫桢业极干杩荣桤构枪杠椠椁桨桩乐枞梁楼标枢样朴树桦桡桥机椭横檩柽档桧检樯台槟柠槛柜橹榈栉椟橼栎橱槠栌枥橥榇蘖栊榉樱栏权椤"
    "栾榄棂钦叹欧欤欢岁历归殁残殒殇殚僵殓殡歼杀壳毁殴毵牦毡氇气氢氩氲泛泛污决没冲况溯泄汹浃泾凉凄泪渌净凌沦渊涞浅涣减涡测浑凑浈涌汤沩准沟温湿沧灭涤荥沪滞渗卤浒滚满渔沤汉涟渍涨溆渐浆"
    "颍泼洁潜润浔溃滗涠涩浇涝涧渑泽泶浍淀浊浓湿泞蒙济涛滥潍滨溅泺滤滢渎泻沈浏濒泸沥潇潆潴泷濑弥潋澜沣滠洒漓滩灏湾滦滟灾为乌烃无炼炜烟茕焕烦炀荧炝热炽烨灯炖烧烫焖营灿毁烛烩熏烬焘烁炉"
    "烂争爷尔墙牍它抵牵荦牦犊牺状狭狈狰犹狲呆狱狮奖独狯猃狞获猎犷兽獭献猕猡现雕珐珲玮琐瑶莹玛琏玑瑷环玺璇琼珑璎瓒瓯瓮什产苏亩毕画异当畴叠痉酸痹疴疯疡痪瘗疮疟瘘疗痨痫瘅愈疠瘪痴痒疖症"
    "癞癣瘿瘾痈瘫癫发皂皑疱皲皱杯盗盏尽监盘卢荡眦众困睁睐瞒睑蒙瞩矫朱硖砗砚硕砀确码砖碜碛矶硗础碍矿砺砾矾砻他秘禄祸祯御禅礼祢祷秃籼税秆棱禀种称谷稣积颖穑秽稳获窝洼穷窑窭窥窜窍窦窃竞"
    "笔笋笕个笺筝节范筑箧笃筛筚箦篓蓑箪简篑箫签帘篮筹箨籁笼签笾簖篱箩吁粤糁粪粮团粝籴粜纠纪纣约红纡纥纨纫纹纳纽纾纯纰纱纸级纷纭纺扎细绂绁绅绍绀绋绐绌终弦组绊绗结绝绦绞络绚给绒统丝绛"
    "绢绑绡绠绨绥捆经综缍绿绸绻绶维绾纲网缀彩纶绺绮绽绰绫绵绲缁紧绯绪缃缄缂线缉缎缔缗缘缌编缓缅纬缑缈练缏缇致萦缙缢缒绉缣缚缜缟缛县缝缡缩纵缧纤缦絷缕缥总绩绷缫缪缯织缮缭绕绣缋绳绘系"
    "茧缳缲缴绎继缤缱缬纩续累缠缨才纤缵缆钵坛罂罚骂罢罗罴羁芈羟羡义膻习玩翘耧圣闻联聪声耸聩聂职聍听聋肃胁脉胫唇修脱胀肾脶脑肿脚肠腽肤胶腻胆脍脓脸脐膑腊胪脏脔卧临台与兴举旧铺舱舣舰舻"
    "艰艳刍苎兹荆庄茎荚苋华庵烟苌莱万莴叶荭着苇药荤搜莳莅苍荪席盖莲苁莼荜卜参蒌蒋葱茑荫荨蒇荞芸莸荛蒉荡芜萧蓣荟蓟芗姜蔷莶荐萨荠蓝荩艺药薮苈蔼蔺蕲芦苏蕴苹藓蔹茏兰蓠萝处虚虏号亏虬蛱蜕"
    "蚬蚀猬虾虱蜗蛳蚂萤蝼蛰蝈虮蝉蛲虫蛏蚁蝇虿蝎蛴蝾蚝蜡蛎蛊蚕蛮蔑术同胡卫冲衮袅里补装里制复裤裢褛亵裥袄裣裆褴袜摆衬袭核见规觅视觇觋觎亲觊觏觐觑觉览觌观觞觯触订讣计讯讧讨讦训讪讫托记"
    "讹讶讼诀讷访设许诉诃诊注证诂诋讵诈诒诏评诎诅词咏诩询诣试诗诧诟诡诠诘话该详诜诙诖诔诛诓夸志认诳诶诞诱诮语诚诫诬误诰诵诲说谁课谇诽谊调谄谆谈诿请诤诹诼谅论谂谀谍谝谥诨谔谛谐谏谕咨"
    "讳谙谌讽诸谚谖诺谋谒谓誊诌谎谜谧谑谡谤谦谥讲谢谣谟谪谬讴谨谩哗证谲讥谮识谯谭谱噪谵毁译议谴护誉谫读变雠谗让谰谶赞谠谳溪岂竖丰艳猪狸猫贝贞负财贡贫货贩贪贯责贮贳赀贰贵贬买贷贶费贴"
    "贻贸贺贲赂赁贿赅资贾贼赈赊宾赇赉赐赏赔赓贤卖贱赋赕质账赌赖赚赙购赛赜贽赘赠赞赡赢赆赃赎赝赣赶赵趋趱迹践逾踊跄跸迹跖蹒踪跷趸踌跻跃踯跞踬蹰跹蹑蹿躜躏躯车轧轨军轩轫轭软轸轴轵轺轲轶"
    "轼较辂辁载轾辄挽辅轻辆辎辉辋辍辊辇辈轮辑辏输辐辗舆毂辖辕辘转辙轿辚轰辔轹轳办辞辫辩农回径这连周进游运过达违遥逊递远适迟绕迁选遗辽迈还迩边逻逦郏邮郓乡邹邬郧邓郑邻郸邺郐邝郦腌丑酝"
    "医酱酿衅酾酽释厘钆钇钌钊钉钋针钓钐扣钏钒钗钍钕钯钫钭钥钠钝钤钣钞钮钧钙钬钛钪铌铈钶铃钴钹铍钰钸铀钿钾巨钻铊铉铋铂钳铆铅钺钩钲钼钽铰铒铬铪银铳铜铣铨铢铭铫衔铑铷铱铟铵铥铕铯铐锐销"
    "锑锉铝锒锌钡铤铗锋锊锓锄锔锇铺铖锆锂铽锯钢锞录锖锩锥锕锟锤锱铮锛锬锭钱锦锚锡锢错锰表铼镎钔锴炼锅镀锷铡锻锸锲锹锾键锶锗针钟镁镑镰锁镉锤钨蓥镏铠铩锼镐镇镒镍镓镞旋链镆镙镝铿锵镗镘"
    "镛铲镜镖镂錾铧镤镪锈铙铴镣铹镦镡钟镫镨镄镌镰镯镭铁铎铛镱铸镬镔鉴鉴铄镳镧钥镶镊锣钻銮凿镢长门闩闪闫闭开闶闳闰闲闲间闵闸阂阁合阀闺闽阃阆闾阅阊阉阎阏阍阈阌阒板暗闱阔阕阑阗阖阙闯关"
    "阚阐辟闼陉陕升阵阴陈陆阳陧队阶陨际随险隐陇隶只隽虽双雏杂鸡离难云电沾雾霁雳霭灵靓静腼靥巩绱秋缰鞑千鞯韦韧韩韪韬鞲韫韵响页顶顷项顺顸须顼颂颀颃预顽颁顿颇领颌颉颐颏头颊颔颈颓频颗题"
    "额颚颜颛愿颡颠类颟颢顾颤显颦颅颞颧风飑飒台刮飓飕飘飙飞饥饨饪饫饬饭饮饴饲饱饰饺饼糍饷养饵饽馁饿余肴馄饯馅馆糊糇饧喂饩馏馊馍馒馐馑馈馔饥饶飨餍馋马驭冯驮驰驯驳驻驽驹驵驾骀驸驶驼驷"
    "骈骇骆骏骋骓骒骑骐骛骗骞骘骝腾驺骚骟骡蓦骜骖骠骢驱骅骁骣骄验惊驿骤驴骧骥骊肮髅脏体髌髋发松胡须鬓斗闹哄阋阄郁魉魇鱼鲁鲂鱿鲐鲍鲋鲒鲕鲔鲛鲑鲜鲧鲠鲩鲤鲨鲻鲭鲞鲷鲱鲵鲲鲳鲸鲮鲰鲶鲫鲽"
    "鳇鳅鳆鳃鲥鳏鳎鳐鳍鲢鳌鳓鲦鲣鳗鳔鳕鳖鳟鳝鳜鳞鲟鲎鳢鲚鳄鲈鲡鸟凫鸠凤鸣鸢鸩鸨鸦鸵鸳鸲鸱鸪鸯鸭鸸鸹鸿鸽鸺鹃鹆鹁鹈鹅鹄鹉鹌鹏鹎雕鹊鸫鹑鹕鹗鹜莺鹤鹘鹣鹚鹞鹧鸥鸷鹨鸶鹪鹩鹫鹇鹇鹬鹰鹭鸬鹦"
    "鹳鹂鸾卤咸鹾碱盐丽麦麸面面么黄黉点党黪霉黩黾鼋鼍冬鼹齐斋赍齑齿龀龅龇龃龆龄出龈啮龊龉龋腭龌龙庞龚龛龟"
)
SIMPLIFIED: Final = str.maketrans(TRADITIONAL, OF_THEM)
"""Traditional characters, to be read as simplified ones, one for one."""

SURNAMES: Final = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余"
    "杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙"
    "史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁"
    "岳翟申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路"
    "游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景"
    "党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞"
    "敖巩明佘池查麻苑迟邝"
)
"""Chinese family names of one character."""

_HAN: Final = re.compile("[一-鿿]")
_LETTER: Final = r"[A-Za-z0-9_\u00c0-\u024f-]"


def whole_places(word: str, text: str) -> list[tuple[int, int]]:
    """Return where a text holds a word, whatever its case and script, and as no part of another.

    >>> whole_places("Ann", "Anna met Ann"), whole_places("周", "我姓周，弟弟叫周建军")
    ([(9, 12)], [(2, 3)])
    """
    sought, read = (each.translate(SIMPLIFIED).lower() for each in (word.strip(), text))
    if not sought or len(read) != len(text):
        return []
    begins = rf"(?<!{_LETTER})(?<!\d[.,:])" if re.match(_LETTER, sought[0]) else ""
    ends = rf"(?!{_LETTER})(?![.,:]\d)" if re.match(_LETTER, sought[-1]) else ""
    found = [x.span() for x in re.finditer(f"{begins}{re.escape(sought)}{ends}", read)]
    return [each for each in found if sought.isascii() or _is_whole_zh(each, read)]


def _is_whole_zh(place: tuple[int, int], text: str) -> bool:
    """Whether what stands there in a text is a number, a name or a word of its own."""
    start, end = place
    word, before, after = text[start:end], text[:start][-1:], text[end : end + 1]
    goes_on = _HAN.match(after) and after not in _PARTICLES
    if all(each in _COUNTS_ZH for each in word):
        return not {before, after} & {*_COUNTS_ZH} and before not in {*_RANKS}
    if word in COMMON_SURNAMES and len(word) == 1:
        return not goes_on and (not _HAN.match(before) or before in _NAMED_BY)
    edges = [{0, *accumulate(map(len, segmentation.cut(text, guess=x)))} for x in (True, False)]
    if before and before in _NAME_BEGINS and any({start - 1, start} <= x for x in edges):
        return False
    # 李明 in 弟弟叫李明明, 糯米 in 猫叫糯米团.
    named = word[0] in _NAME_BEGINS or (before and before in _NAMED_BY)
    if named and len(word) == _SHORT and goes_on:
        return _HAN.match(text[end + 1 : end + 2]) is not None
    # 一只橘猫叫汤圆 is cut into 只橘 and 猫叫.
    counted = before in {*"只条匹"} and (not goes_on or after in _NAMED_BY)
    return counted or all(any(each in found for found in edges) for each in place)


_COUNTS_ZH: Final = "零〇一二两三四五六七八九十百千万亿"
_RANKS: Final = "第初高周期拜"
_PARTICLES: Final = "的了呢吧啊呀"
_NAMED_BY: Final = "叫姓是名"
_NAME_BEGINS: Final = f"{COMMON_SURNAMES}小老阿"
_SHORT: Final = 2
