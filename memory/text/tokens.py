"""Cutting text into the units that search counts: words, stems and character bigrams.

Chinese is cut twice, because neither cut is right alone: words (rjieba) miss names such as 团子 in
我家猫叫团子, and bigrams miss words of one character and of more than two. English is lower-cased
and stemmed (Snowball). Every other script is kept word by word. Stop words are left out.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

import Stemmer

from memory.text import segmentation
from memory.text.word_forms import BASE_FORMS, CANTONESE, CANTONESE_CHARACTERS, CANTONESE_WORD
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

_ASCII_WORD: Final = re.compile("[a-z0-9]+(?:'[a-z]+)*")
_DENSE: Final = re.compile(f"[{_HAN}{_KANA_HANGUL}]")

# 吗 and 呢 make a question also without a mark, as people type in chats.
_QUESTION_END: Final = re.compile(r"(?:[?？]|[吗呢][。.!！~～…]*)[\s\"”』」)）]*$")

_LONGEST_WORD: Final = 40  # a longer "word" is a key, a hash or noise; it is cut


def normalized(text: str) -> str:
    """Return ``text`` as it is compared: NFKC, lower case, traditional characters simplified."""
    # NFKC leaves ASCII as it is, and most English text is all ASCII.
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).lower().translate(_COMPARED)


LONG_TEXT: Final = 10_000
"""From so many characters on, a text is read in a thread, and what was found is kept a while."""


def tokens(text: str) -> list[str]:
    """Return the tokens by which ``text`` is found, in order and with repetitions."""
    if len(text) > LONG_TEXT:
        return list(_long_tokens(text))
    return _read_tokens(text)


def _read_tokens(text: str) -> list[str]:
    if text.isascii():  # several times as fast as to look for other scripts
        return list(filter(None, map(token_of_word, _ASCII_WORD.findall(text.lower()))))
    return [token for run in _RUN.finditer(_searched(text)) for token in _tokens_of_run(run)]


def _searched(text: str) -> str:
    """Return ``text`` as it is searched: as it is compared, and Cantonese as Mandarin."""
    if text.isascii():
        return text.lower()
    return as_mandarin(unicodedata.normalize("NFKC", text).lower())


def characters(text: str) -> list[str]:
    """Return the telling characters of ``text`` in scripts without spaces, in order.

    They carry meaning across words: 晨跑 and 跑步, 租房 and 看房 share one.
    """
    if text.isascii():
        return []
    return list(_long_characters(text)) if len(text) > LONG_TEXT else _read_characters(text)


def _read_characters(text: str) -> list[str]:
    dense = (run[0] for run in _RUN.finditer(_searched(text)) if run.lastgroup == "dense")
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
    return first_words(one_line(text), PHRASE_CHARACTERS)


def first_words(line: str, most: int) -> str:
    """Return the words of a line that fit into ``most`` characters."""
    if len(line) <= most:
        return line
    cut = line[:most]
    whole = line[most] == " "
    return cut.rsplit(" ", 1)[0] if " " in cut and not whole else cut


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
            if token := token_of_word(text):
                yield token
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
    for run in _RUN.finditer(_searched(text)):
        yield run.lastgroup or "word", run[0]


def single_words(text: str) -> list[str]:
    """Return the telling words of one character in ``text``: 猫 in 猫怕什么.

    By the dictionary alone: the guesses of the segmenter would join them to their neighbours.
    """
    dense = (run for script, run in script_runs(text) if script == "dense")
    found = (word for run in dense for word in segmentation.cut(run, guess=False))
    return [word for word in found if len(word) == 1 and word not in STOP_CHARACTERS]


def segmented_words(text: str) -> tuple[str, ...]:
    """Return the words into which rjieba cuts a run of Chinese."""
    return segmentation.cut(text)


def tagged_words(text: str) -> list[tuple[str, str]]:
    """Return the words of a Chinese text, each with its part of speech as jieba names them."""
    return segmentation.tag(text)


def _is_meaningful(word: str, run: str) -> bool:
    return word not in STOP_WORDS and (
        len(word) > 1 or (word == run and word not in STOP_CHARACTERS)
    )


# Made at the first word: importing a module does nothing.
@cache
def _stemmer() -> Any:
    return Stemmer.Stemmer("english", 0)


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    """Return the Snowball stem of an English word, any other word as it is."""
    bare = word.removesuffix("'s").removesuffix("'")
    if not bare.isascii() or not bare.isalpha():
        return bare
    stem: str = _stemmer().stemWord(bare)
    return stem


def token_of_word(word: str) -> str:
    """Return what a word with spaces around it is found by: nothing if it is a stop word."""
    return _token_of_word(word[:_LONGEST_WORD])


# People use the same few thousand words; a bound keeps hostile text from filling the memory.
@lru_cache(maxsize=1 << 16)
def _token_of_word(word: str) -> str:
    plain = word.replace("’", "'")
    if _DRAWN_OUT.search(plain) and not _NUMERAL.fullmatch(plain):
        plain = _DRAWN_OUT.sub(r"\1", plain)
    if plain in STOP_WORDS:
        return ""
    bare = plain.removesuffix("'s")
    return _stem(BASE_FORMS.get(bare, plain))


_DRAWN_OUT: Final = re.compile(r"([^\W\d_])\1\1+")
"""A letter that is written on and on: passedddd, sooo."""

_NUMERAL: Final = re.compile("[ivxlcdm]+|w+")

# Every traditional character of Big5 with one simplified form in GB 2312, as OpenCC 1.4.2 converts
# them, and how the rules read some more (她 in all writings). A character for a character, so that
# what is found in the one text stands at the same place in the other.
_TRADITIONAL: Final = (
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
_OF_THEM: Final = (
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
SIMPLIFIED: Final = str.maketrans(_TRADITIONAL, _OF_THEM)
"""Traditional characters, to be read as simplified ones, one for one."""

# 著名 and 甚至 are words of simplified Chinese as well.
_COMPARED: Final = {k: v for k, v in SIMPLIFIED.items() if chr(k) not in "著甚夥"}


def as_mandarin(text: str) -> str:
    """Return ``text`` of the same length in simplified characters, Cantonese as Mandarin.

    >>> as_mandarin("佢邊度返工")
    '他哪里上班'
    """
    if text.isascii():
        return text
    simplified = text.translate(_COMPARED)
    return CANTONESE_WORD.sub(lambda word: CANTONESE[word[0]], simplified).translate(_MANDARIN)


_MANDARIN: Final = str.maketrans(*CANTONESE_CHARACTERS)
_SPOKEN: Final = str.maketrans(
    _TRADITIONAL + CANTONESE_CHARACTERS[0], _OF_THEM + CANTONESE_CHARACTERS[1]
)


def plainly_written(text: str) -> str:
    """Return ``text`` as rules read it, of the same length: simplified, and not in Cantonese.

    >>> plainly_written("而家我喺沙田住")
    '现在我在沙田住'
    """
    if text.isascii():
        return text
    return text.replace("而家", "现在").replace("關係", "关系").translate(_SPOKEN)
