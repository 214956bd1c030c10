"""The marks under which a clause does not hold as it stands, and the words they are known by.

Each family is a closed class of words in both languages; how far a mark reaches is another
question (``memory.judgement.senses``).
"""

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final


@unique
class Sense(StrEnum):
    """A family of marks that turn what a clause says."""

    NEGATIVE = "negative"
    PAST = "past"
    ENDED = "ended"
    WISH = "wish"
    DUTY = "duty"
    DOUBT = "doubt"
    REPORT = "report"
    CONDITION = "condition"
    EXCEPTION = "exception"
    ONLY = "only"
    RARELY = "rarely"
    PARTLY = "partly"
    ALMOST = "almost"
    ATTEMPT = "attempt"
    FRAME = "frame"
    BIDDEN = "bidden"
    FEAR = "fear"


_ON_BODY: Final = "(?:hand|ear|eye|leg|arm|foot|knee|side|wrist|hip|shoulder|ankle|thumb)"
"""What has a left one: "my left knee" tells of no leaving."""

WORDS: Final[Mapping[Sense, tuple[str, str]]] = {
    Sense.PAST: (
        (
            r"以前|从前|前些年|早些年|前几年|從前|曾经?|曾經"
            r"|小时候(?!的?(?:照片|相册|日记))|小時候"
            r"|当年|當年|当初|當初|那会儿|那會兒|那时候?|那時|年轻时|早年|过去(?=[是在我住喜爱叫做有都常总])"
            r"|原来(?=[^，。]*过|[是住在叫做])(?!是[^，。]*[啊呀])|原本|本来|本來|前任"
            r"|(?<=[\u4e00-\u9fff])(?<![不难難超经经通路越错好度人大小高贵强胜快慢后多少])(?<!时间)(?<!日子)过(?![劲神敏年来來去程分世期节日得滤渡头夜户生好个]|一[次回]生日)"
            r"|(?<=[\u4e00-\u9fff])(?<![不難超經通路越錯好度])過(?![敏年來去程分世期節日得濾渡頭夜戶生])"
        ),
        (
            r"\bused to\b|\b(?:was|were) (?:(?:going|supposed|meant) to|gonna)\b|\bformer(?:ly)?\b"
            r"|\b(?<!me )(?<!him )(?<!her )(?<!it )back (?:then|when|in)\b"
            r"|\b(?:was|were) (?:an?|the) [\w ]{2,30} until\b"
            r"|\bas a (?:kid|child|boy|girl|teen(?:ager)?)\b"
            r"|\b(?:(?<!for )(?<!at )(?<!never )once|in those days|growing up|years ago"
            r"|when i was|previously|originally(?= \w)(?! from\b))\b"
            r"|\b(?:we|i|they|he|she)['’]d (?:always|often|get|go|have|sit|play|eat)\b"
        ),
    ),
    Sense.ENDED: (
        r"前(?=男友|男朋友|女友|女朋友|夫|妻|任|老板|同事|公司|东家)|戒(?!指)|不再|早就不|再也不|停了|停掉|放弃|放棄|退了|卖了|卖掉|辞|辭|离了|分手|离婚|離婚|结束|結束|取消|没了",
        (
            r"\b(?:stopped|quit(?:ting)?|gave up|given up|giving up|no longer|any ?more|broke up"
            r"|split up|split with|cancell?ed|ended|finished with|over with|sold"
            rf"|(?<!the )(?<!my )(?<!on )(?<!is )(?<!^)left(?! {_ON_BODY})"
            rf"|^left(?= \w)(?! {_ON_BODY})"
            r"|late (?=husband|wife|mother|father|mum|mom|dad|brother|sister))\b"
            r"|\bex(?:-|\b)"
        ),
    ),
    Sense.WISH: (
        (
            r"(?<![思理梦感联回猜幻设不])想(?![念起到象不法]|家(?:$|[了的呢啊时，,])|告诉你|跟你说|和你说)|不想|希望|打算|计划|計劃|考虑|考慮|愿望|願望|但愿|但願|准备(?!好)|準備(?!好)"
            r"|答应|答應|发誓|發誓|梦想|夢想|有意|争取|恨不得|巴不得|盼|犹豫|猶豫|琢磨"
        ),
        (
            r"\b(?:want(?:s|ed|ing)?(?! to (?:tell|let) you\b)|wanna|wish(?:es|ed|ing)?|hop(?:e"
            r"|es|ed|ing)|plan(?:s|ned|ning)?|consider(?:s|ed|ing)?|think(?:ing|s)? (?:of|about)"
            r"|thought (?:of|about)|would (?:like|love)|could do with|dying to|intend(?:s|ed)?"
            r"|aim(?:s|ing)?|looking to|tempted|toying|dream(?:s|ed|t)? of|dream (?:is|job)"
            r"|meant to|about to|keen to|itching to)\b|['’]d (?:like|love|rather)\b|(?:would"
            r"|['’]d) (?:give (?:any|every)thing|kill) (?:to|for)\b"
        ),
    ),
    Sense.DUTY: (
        r"应该|應該|本该|(?<![活])该(?=[去是要])|必须|不得不",
        r"\b(?:should|ought|supposed)\b",
    ),
    Sense.DOUBT: (
        (
            r"可能|也许|也許|或许|或許|大概|说不定|說不定|没准|好像|好似|似乎|恐怕|估计|估計|怀疑|懷疑|(?<![竞])猜|不确定|不確定|不一定|不好说"
            r"|说不准|未必|不知道?(?:是不是|会不会|能不能|到底|算不算)|疑似|(?:觉得|覺得|感觉|感覺|认为|認為|以为|以為)|(?<=.{4})[吧罢]$"
            r"|没想好|看情况|再说吧|拿不准|据我所知|八成|多半|难说|不见得"
        ),
        (
            r"\b(?:might|maybe|perhaps|probably|possibly|possible|could be|could have|not sure"
            r"|unsure|not certain"
            r"|(?:have|has|got|ve) a (?:feeling|hunch|suspicion)"
            r"|dunno|don['’]?t know|guess|think(?:s)?|thought|suppose"
            r"|suspects?|suspected|seems?|seemed|looks? like|sounds? like|apparently|allegedly"
            r"|supposedly|wonder(?:s|ing)?|likely|chances?|doubt(?:s|ful)?|we['’]?ll see"
            r"|who knows|no idea|believes?|feels? like|if i remember|afaik|iirc|assume|presumably"
            r"|may(?=\s+(?:be|have|not|need|go|get|well|just|also|possibly|still)\b))\b"
        ),
    ),
    Sense.REPORT: (
        (
            r"(?<![我俺咱来听小虽再胡学訴话你您])(?<!怎么|这么|那么|体检|检查|报告|化验|结果)(?:说|說)(?![话話明服实實真起到不定走好的來错錯漏]|来话|得(?:对|没错|有理))|听说|聽說|据说|據說"
            r"|(?<=[客人师板妈爸他她生友佢公婆])话(?![题剧费筒机音语梅说])"
            r"|听(?:人|他|她|朋友|同事)讲|跟我(?:讲|提)|告诉我|告訴我|声称|宣称|号称|提到|传(?=[说闻言])|在传|都传|网传|算命"
            r"|(?:爸|妈|媽|友|友|师|板|公|婆|他|她|们|人|生)(?:们)?(?:总|老|都|一直)?(?:觉得|覺得|认为|以为|嫌|怀疑)"
            r"|按.{1,8}(?:说法|的话说)|根据.{1,8}说|(?:简历|身份证|证件|资料|档案)上?(?:写|填|是)"
        ),
        (
            r"\b(?<!i )(?:(?:says?|said)(?! (?:hi|hello|hey|bye|thanks)\b)"
            r"|told(?! you)|tells|claims?|claimed|reckons?|reckoned|swears?"
            r"|insists?|insisted|according to|heard|hear that|rumou?rs?|apparently|accus(?:es|ed)"
            r"|(?<!^)(?<!can )(?<!just )(?<!please )(?<!^actually )call(?:s|ed)? (?:me|us|i)"
            r"|(?:he|she|they"
            r"|doctor|mum|mom|dad|mother|father|sister|brother|boss|wife|husband|friends?"
            r"|everyone|people|(?!n?ever\b)\w+er|\w+or|vet|therapist|dentist) "
            r"(?:thinks?|thought|believes?"
            r"|feels?|suspects?))\b"
        ),
    ),
    Sense.CONDITION: (
        (
            r"如果|考不[上过](?=就)|换[做成作]?我是?你|假如|假设|假設|假使|(?<!仲)要是|倘若|万一|萬一|除非|只要|只有.{1,12}才|(?<!自己)(?:的话|的話)|一旦|不然|否则|否則|若(?=[是我你他她能不])"
            r"|哪天.{1,12}就|^(?:我|俺|咱)?等(?![等级于待])|^(?:我|俺)?要不是|早知道"
        ),
        (
            r"^(?:ask|call|tell|wake|wait) .*\b(?:after|when|until|till) "
            r"|(?<!you )\bwould (?!like|love|you\b)|['’]d (?=(?:quit|put|cut|let|set|move|buy|go"
            r"|take|get|stay|sell|leave|live|come|give|make|be)\b)"
            r"|\b(?:(?<!not as )if|unless|provided|as long as|so long as|in case"
            r"|suppos(?:e|ing)|imagine|otherwise|assuming|depends|depending|whenever"
            r"|when(?= \w+ing\b)|would['’]?ve|would have|wouldn['’]?t have|should['’]?ve"
            r"|should have(?! seen)|could['’]?ve|once (?=i|we|he|she|they|the|my))\b"
        ),
    ),
    Sense.EXCEPTION: (
        r"除了(?![^，。]{0,20}[还還也])|除.{1,8}以?外(?!还)|除外|例外|唯独|唯獨|不包括|就是.{1,6}(?:不行|不能|不吃|不爱)",
        (
            r"\b(?:except|apart from|aside from|other than|but for|excluding|anything but"
            r"|everyone but|everything but|all but|nothing but|no one but|(?<=thing )bar"
            r"|(?:every|all|any|no) \w+ but"
            r"|(?<=one )bar|bar(?=\s+(?:the|my"
            r"|one)))\b"
        ),
    ),
    Sense.ONLY: (
        r"只(?=[有在吃喝能会會看听穿用去想爱喜睡做买说读写玩])|仅|僅|就(?=周|礼拜|星期|这|剩)",
        r"\bonly\b|\bsolely\b",
    ),
    Sense.RARELY: (
        r"偶尔|偶爾|有时|有時|间或|时不时|很少|不怎么(?!样)|难得|難得|几乎不|幾乎不|不常|不太|[一二两三四五六七八九十百0-9]+(?:次|个|個|回|天)[里中裡]?有",
        (
            r"\b(?:sometimes|occasional(?:ly)?|rarely|seldom|hardly|scarcely|barely"
            r"|once in a while|every so often|now and (?:then|again)|from time to time|on and off"
            r"|once in a blue moon)\b"
        ),
    ),
    Sense.PARTLY: (
        r"一半|半数|半數|大半|小半|部分|有的|有些|一些人|少数|少數|个别|個別|大多|多数|多數|几个人|有人",
        (
            r"\b(?:half|most|few|several|partly|partially|part of|some of|one of|a couple"
            r"|a handful|many of|bits? of)\b"
        ),
    ),
    Sense.ALMOST: (
        r"差[点點些]|差一点|几乎|幾乎|险些|險些|快要|快(?=[\u4e00-\u9fff]{1,6}了$|[0-9一二两三四五六七八九十半]{1,3}(?:年|个月|岁|天))",
        r"\b(?:nearly|almost|practically|as good as|on the verge|close to)\b",
    ),
    Sense.ATTEMPT: (
        (
            r"忘了(?=[\u4e00-\u9fff])|忘记|试着|試著|试图|試圖|尝试|嘗試|试了|想办法|没能|沒能"
            r"|面[试試](?!官)|应聘|應聘|投了?简历|offer|[在想]学[做当]|被[当看认錯错]+[成作为]"
        ),
        (
            r"\b(?:forg(?:et|ot|otten|etting)|tried|try|tries|trying|attempt(?:s|ed|ing)?|fail(?:s|ed|ing)?|struggl(?:e|es"
            r"|ed|ing)|offer(?:s|ed)?|appl(?:y|ied|ying)|interview(?:s|ed|ing)?|on paper"
            r"|(?:train|study|qualify|learn)ing (?:to (?:be|become)|as))\b"
        ),
    ),
    Sense.FEAR: (
        r"(?<![恐可哪])怕(?!是)|担心|擔心|恐惧|恐懼|担忧",
        (
            r"\b(?:(?<!i['’]m )afraid|scared?|scary|scares|terrified|worr(?:y|ied|ies)"
            r"|fear(?:s|ed|ing)?|frightened|dread(?:s|ed|ing)?)\b"
        ),
    ),
    Sense.FRAME: (
        (
            r"梦见|夢見|梦到|夢到|做梦|做了?个?.{0,4}梦|梦里|夢裡|假装|假裝|扮演|角色|[剧劇戏戲][里中裡]|游戏里|遊戲裡|玩个?游戏|小说|小說|书里"
            r"|電影裡|电影里|故事里|(?:剧本|劇本)(?![杀殺](?![里中裡]))|设定|幻想|想象|演(?=一?[个個位]|[^出讲唱奏技员員戏]{1,4}$)"
        ),
        (
            r"\b(?:dream(?:s|t|ed|ing)?|nightmare|pretend(?:s|ed|ing)?|let['’]?s say"
            r"|role-?play(?:ing)?|hypothetically|imagin(?:e|ing)|fantas\w+|character|d&d|rpg"
            r"|(?:in|for) (?:my|the|a|our|this|his|her) (?:[\w&'’]+ ){0,2}(?:game|campaign|story"
            r"|novel|book|play|film|movie|show|musical|fic|fanfic|series|sim)|play(?:ing|s)? (?:a"
            r"|an|the)? ?\w+ in)\b"
        ),
    ),
    Sense.BIDDEN: (
        r"[让讓](?!人)|(?<=[板妈爸他她师友公婆导姐哥弟妹])(?:叫|请)(?=[我他她])|逼|劝|勸|催|允许|推荐|建议|要求|鼓励|命令",
        (
            r"\b(?:wants?|wanted|asked|asks|told|tells|made|makes|lets?|allow(?:s|ed)?|forced|advised"
            r"|suggest(?:s|ed)?|recommend(?:s|ed)?|persuaded|expects?|needs|begged)"
            r" (?:me|i|him|her|them|us|(?:my|his|her|our|their) \w+) (?:not )?to\b"
            r"|\b(?:made|makes|lets?) (?:me|i|him|her|them|us)\b"
        ),
    ),
}
