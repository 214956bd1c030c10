"""Reading a self-introduction whole: 我叫阿梅，今年29岁，在成都做护士; Zoe, 31, a nurse in Leeds.

People tell themselves in a row of fragments. One that no rule of a whole clause reads still says
what it plainly is (an age, a sign, a job in a town), as long as the row is about the speaker.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.model import Kind, Topic
from memory.offline.english import to_third_person
from memory.offline.statements import QUOTED, Statement, asks, is_unreal, sentences
from memory.offline.vocabulary import SURNAMES, WORDS_EN, WORDS_ZH
from memory.text.slot_cues import Slot
from memory.text.tokens import plainly_written

_HAN: Final = re.compile("[一-鿿]")

_FRAGMENT: Final = re.compile(r"[，,。.;；!！、\n]+\s*|\s+(?:and|但|还有)\s+")

_FRAGMENT_ZH: Final = re.compile(r"[，,。;；!！、\n\s]+")

_FEWEST: Final = 2
"""So many fragments must be of one's person before a row counts as telling it."""

_LONGEST: Final = 200

_OTHERS: Final = re.compile(
    r"[他她它你您]|的人|应聘|主角|模板|例句|造句|翻译成|帮我|写[个一篇]|求|如果|要是"
    r"|\b(?:he|she|they|you|your|his|her|their|people|someone|sample|sentence|convert|write"
    r"|suppose|if"
    r"|pretend|character|kindly|please|translate|suggest|list)\b",
    re.IGNORECASE,
)

_JOB_ZH: Final = WORDS_ZH["JOB"]

_TRADE: Final = WORDS_EN["TRADE"]

_SIGN_ZH: Final = "白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼"

_SIGN_EN: Final = (
    "aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces"
)

# What a fragment says, by its whole; {0} is what was said of it.
_ZH: Final[tuple[tuple[Slot | None, str, str], ...]] = (
    (
        Slot.NAME,
        (
            rf"(?:你好啊?)?(?:我叫|本人(?:叫|名叫)?(?!职业|单位|今年|平时|喜欢)|我的?名字[叫是]|叫我|"
            rf"我(?=[{SURNAMES}][一-鿿]{{1,2}}$))"
            r"([一-鿿·]{2,4}?)(?:吧|就行|呀|啦)?(?=$|上|做|在)"
        ),
        "叫{0}",
    ),
    (Slot.NAME, rf"我是([{SURNAMES}][一-鿿]{{1,2}})(?<![生师员人者家皇帝族])", "叫{0}"),
    (
        Slot.AGE,
        r"(?:我|俺)?(?:今年|都|才|刚|已经|快|马上)*(?:满)?(\d{1,2}|[一二三四五六七八九十]{2,3})(?:周?岁)?(?:啦|了|咯)?",
        "{0}岁",
    ),
    (
        Slot.HOME,
        r"(?:我|俺)?(?:家|人|现在|一直|目前)*(?:在|住在?|坐标)([一-鿿]{2,6}?)(?<![里上下中外])(?:待着|生活|住|定居)?",
        "住在{0}",
    ),
    (
        None,
        r"(?:我|俺)?(?:是|系|打小在|老家)?((?![又不个])[一-鿿]{2,5})(?<![超男女好坏病中年轻])(?:人|出生的?)(?:啦)?",
        "是{0}人",
    ),
    (
        Slot.WORK,
        rf"(?:我|现在|目前)*(在[一-鿿]{{2,10}}?)?(?:是|做|当|开|干)(?:一?[名个位])?([^的]{{0,8}}(?:{_JOB_ZH}))的?",
        "{0}做{1}",
    ),
    (
        Slot.WORK,
        r"(?:我|现在)*在([一-鿿A-Za-z]{2,10}?)((?:做|开|卖|烤|送|教)[^的]{1,6})",
        "在{0}{1}",
    ),
    (Slot.WORK, r"(?:我)?((?:送|卖|做|开|教|修)[一-鿿]{1,5})的", "的工作是{0}"),
    (
        None,
        rf"(?:我)?(?:是|属|典型)?((?:{_SIGN_ZH})座?|属[鼠牛虎兔龙龍蛇马馬羊猴鸡雞狗猪豬])(?:的|一枚)?",
        "是{0}",
    ),
    (
        None,
        r"(?:我)?(?:是)?(单身|已婚|未婚|离异|独生子女|单亲家庭|左撇子|回族|满族|壮族|藏族|维吾尔族)",
        "是{0}",
    ),
    (
        None,
        r"(?:我)?(?:身高)?((?:一米[一-鿿\d]{1,3}|1[4-9]\d|[12][.]\d{1,2}米)(?:cm|厘米)?)",
        "身高{0}",
    ),
    (None, r"(?:我)?(?:会|懂)(?!不|[死好让])(?:一?点)?([一-鿿]{2,10})", "会{0}"),
    (Slot.TASTE, r"(?:我|平时)*(?:爱|喜欢|喜歡|最?鍾意|就好那口)([一-鿿]{2,10})", "喜欢{0}"),
    (Slot.TASTE, r"(?:我)?(?:最烦|最恨|最讨厌|讨厌)([一-鿿]{2,8})", "讨厌{0}"),
    (
        None,
        rf"(?:我|俺)((?:{WORDS_ZH['FAMILY']}|闺女|女兒|父亲|阿爸|阿妈)(?!们|说|让|叫).{{2,24}})",
        "的{0}",
    ),
    (None, r"(?:我)?(?:有|养了?|養了)((?:一?[台辆輛只隻条條个個]).{1,10})", "有{0}"),
)

_EN: Final[tuple[tuple[Slot | None, str, str], ...]] = (
    (
        Slot.NAME,
        (
            r"(?:hi+|hey|hello)?[ ,]*(?:i'?m|i am|my name(?:'s| is)|name's|myself|call me)? ?"
            r"(?-i:([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))(?: here| this side)?"
        ),
        "'s name is {0}",
    ),
    (
        Slot.AGE,
        r"(?:i'?m |i am |aged? )?(\d{1,2})(?: ?(?:yrs?|years?)(?: old)?| yo)?",
        " is {0} years old",
    ),
    (
        Slot.WORK,
        (
            rf"(?:i'?m |i am |i work as )?(?:an? )?((?!not|my)[\w -]{{0,20}}\b(?:{_TRADE}"
            r"|bookkeeper"
            rf"|paramedic|machinist|assistant"
            r"|artist|lead|clerk|keeper|worker|mechanic|cleaner|analyst)s?)(?: (?:in"
            r"|at) ([A-Z][\w' ]+))?"
        ),
        " works as {0} {1}",
    ),
    (
        Slot.HOME,
        (
            r"(?:i'?m |i am |i live |basically |originally |born(?: and (?:bred|raised))? "
            r"|round )*(?:from|in|round) "
            r"([A-Z][\w']+(?: [A-Z][\w']+)?)(?: way| me)?"
        ),
        " is from {0}",
    ),
    (None, rf"(?:i'?m |im |i am )?(?:an? )?({_SIGN_EN})(?: so .*)?", " is a {0}"),
    (None, r"(?:i'?m |i am )?(single|married|divorced|adopted|widowed|retired)", " is {0}"),
    (
        None,
        r"(?:i'?m |im |i am )?(\d'\d{1,2}|(?:four|five|six) foot \w+|\d{3} ?cm)(?: .*)?",
        " is {0} tall",
    ),
    (None, r"(?:i )?(?:speak|know|can speak) ([\w ]{3,30})", " knows {0}"),
    (None, r"i can (?!'t|not|see|tell|say|do|get|be)([a-z]{3,12})", " can {0}"),
    (
        Slot.TASTE,
        r"(?:i )?(?:love|really like|mad into) ((?!it|that|this|you|how|being)[\w ]{3,30})",
        " loves {0}",
    ),
    (Slot.TASTE, r"(?:i )?hate ((?!it|that|this|you|how|when|being)[\w ]{3,30})", " hates {0}"),
    (None, r"i (?:only )?eat (halal|kosher|vegan|vegetarian)", " eats {0}"),
    (
        None,
        (
            r"my ((?:mother|father|mum|mom|dad|sister|brother|wife|husband|girlfriend|boyfriend"
            r"|fiancee?|son|daughter)"
            r"(?: \w+)? (?:is|lives|works|has|was|passed) .{2,40})"
        ),
        "'s {0}",
    ),
    (
        None,
        r"(?:i have|i've|i keep|we've|i've got) ((?:an?|one|two|three|four|five|six) .{2,30})",
        " has {0}",
    ),
)

_READERS_ZH: Final = tuple((s, re.compile(p), told) for s, p, told in _ZH)

_READERS_EN: Final = tuple((s, re.compile(p, re.IGNORECASE), told) for s, p, told in _EN)

_NO_NAME: Final = re.compile(
    rf"(?:{_TRADE}|single|married|yes|no|ok|okay|thanks?|sorry|well|hi|hello|hey|please|sure"
    rf"|good|great|nice"
    r"|oh.*|that.*|cool|lol|wow|maybe|today|tomorrow|yesterday|monday|tuesday|wednesday|"
    r"thursday|friday"
    r"|saturday|sunday"
    rf"|{_SIGN_EN})",
    re.IGNORECASE,
)


def introduced(text: str, subject: str) -> Iterator[Statement]:
    """Yield what the fragments of a text say of its speaker, if it tells of a person."""
    text = "\n".join(sentences(text))
    if len(text) > _LONGEST or _OTHERS.search(text) or asks(text) or is_unreal(text):
        return
    chinese = _HAN.search(text) is not None
    cut = _FRAGMENT_ZH if chinese else _FRAGMENT
    parts = [
        part.strip(" 　~～👋") for part in cut.split(plainly_written(text) if chinese else text)
    ]
    read = [
        found
        for place, part in enumerate(filter(None, parts))
        if (found := _read(part, place, chinese=chinese))
    ]
    if len(read) < _FEWEST:
        return
    for slot, value, told in read:
        yield Statement(
            text=f"{subject}{told}".strip(),
            value=value,
            slot=slot,
            kind=Kind.LASTING_PREFERENCE if slot is Slot.TASTE else Kind.IDENTITY,
            topic=Topic.PREFERENCE if slot is Slot.TASTE else Topic.PERSONAL,
            confidence=0.7,
        )


# What somebody says of themselves in one clause with a subject. Present tense in English, and in
# Chinese a verb of being, having, being able or doing again and again, tell what lasts.
_KIN_ZH: Final = (
    r"(?:爸|妈|父亲|母亲|爹|娘|爷爷|奶奶|外公|外婆|姥姥|姥爷|阿公|阿嬷|阿爸|阿妈|公公|婆婆|岳父|岳母|丈母娘|哥|姐|弟|妹|大哥|大姐|小妹|小弟"
    r"|表[哥姐弟妹]|堂[哥姐弟妹]|双胞胎[^，]{1,3}|老公|老婆|丈夫|妻子|媳妇|先生|太太|爱人|老伴儿?|对象|男朋友|女朋友|男友|女友|未婚妻|未婚夫|前夫|前妻"
    r"|儿子|女儿|闺女|孩子|娃|大女儿|小女儿|大儿子|小儿子|孙子|孙女|外孙|外孙女|侄[子女]|外甥女?|老板|上司|室友|闺蜜|最好的朋友|发小|导师"
    r"|家(?:的)?[猫狗兔鸟龟鱼]|猫|狗)"
)

_LASTING_ZH: Final = re.compile(
    r"(?:我|俺|本人)(?:自己|本来|其实|一直|从小|打小|平时|平常|平日|现在|目前|今年)*(?:"
    rf"(?:的|那|这)?{_KIN_ZH}(?:们|俩)?(?!说|问|让|骂|催|叫我|觉得|想让|要我|给我|今天|昨天|刚才|今晚|明天|又)"
    r"[^，]{0,6}?(?:是|在|叫|姓|属|住|上[小中大幼高初]|读|念|唸|当|做|开|会|有|养|今年|退休|过世|去世|病逝|走了|"
    r"满?[一二三四五六七八九十\d]+岁|小名|怕|爱|喜欢|信|不[吃喝抽会]|跟我|和我|带大|比我|以前|都|修|教|卖|种|跑|当兵|出生|毕业|结婚|离婚|上班|工作|"
    r"干)[^，]*"
    r"|(?:的)?(?:身高|体重|血型|近视|视力|鞋码|智商|酒量|星座|属相|生肖|民族|籍贯|祖籍|学历|专业|母语|信仰|梦想|理想|座右铭|偶像|爱好|习惯|强项|弱点|"
    r"短板|口头禅|本命|本名|英文名|左[耳眼手脚腿]|右[耳眼手脚腿]|腰|膝盖|颈椎|胃|牙|皮肤|嗓子)[^，]{1,16}"
    r"|(?:有)(?:个|一个|两个|三个|[一两三四五六七八九十几]+(?:只|条|个|位|辆|台|把|套|间|头|匹|架|本)|轻微|严重|点|先天|[^，]{0,6}的习惯|"
    r"[^，]{0,4}(?:症|病|炎|癖|证|驾照|车|房|娃))[^，]{0,14}"
    r"|(?:自己)?(?:不?(?:会|懂)(?:一点|点儿?|一些|说|讲)*(?=[^，]{0,6}[语话文]|弹|拉|开车|修|做(?!到|好|出)|画|唱|跳舞|游泳|"
    r"写代码|打|织|吹|骑|滑|潜水|编|烧|炒|包|下棋|下围|变魔|剪|裁|缝|种|养|拍|焊|驾|溜|冲浪|看风水|算命|武|功夫|乐器|手语|书法|木工|喝酒|抽烟|瑜伽)|"
    r"擅长|精通|当过|做过|得过|拿过|考过)(?!你)[^，我你了]{1,12}"
    r"|(?:是|系)(?:一?[名个位枚])?(?!做|干|(?:个|因为|不|想|说|要|觉|怎|来|真|很|在|谁|这|那|的|去|认真|为|被|一|故意|昨|今|刚|你|他|"
    r"她))[^，我你]{2,12}(?:人|的|生|员|师|家|长|兵|奴|族|派|党|控|迷|粉|子|徒|老[大二三幺]|代|后|座|型|色|教|女|男|枚|手|民|工|主|体质|"
    r"户口)(?:啦|了|呢)?"
    r"|属[鼠牛虎兔龙蛇马羊猴鸡狗猪](?:的)?"
    r"|(?:最|特别|特|很|超|贼|可|就|向来|从来|打小|从小)*(?:怕|烦|恨|讨厌|爱|喜欢|钟意|鍾意|好(?=那|喝酒|赌|吃)|迷|粉|信|晕|恐|戴|收藏|集|"
    r"养|弹|拉|吹|画|写|练|追|学|教|种|骑|穿)(?!你|您|他|她|它|这|那|死|一下|得很|不|到了?|完|了$|个|"
    r"了[一个])[^，我你]{1,14}(?<![吧了呀啊])(?:[一二三四五六七八九十几多\d]+(?:来|多)?年了?)?"
    r"|[^，我你]{1,8}?[一二三四五六七八九十几多两\d]+(?:来|多)?年(?:了|多了|啦)"
    r"|(?:每[天晚周月年早次]|天天|睡前|起床后?|饭后|早上|晚上|周末|一直|总是|经常|常年|习惯|都是|从来|从不|向来|一般|平时|平常)[^，我你]{2,14}"
    r"|[^，我你]{0,8}(?:出生|长大|毕业|过敏|不耐受|突出|失聪|失明|打呼噜|打鼾|晕车|晕船|恐高|失眠|贫血|退伍|左撇子|丁克|单亲家庭|独生|素食|吃素|"
    r"学的[^，]{1,8}|[Nn][1-5]过了|[四六]级过了)[^，我你]{0,6}"
    r")"
)

_PASSING_ZH: Final = re.compile(
    r"今[天晚早儿]|昨[天晚儿]|前天|刚才|刚刚|刚(?!满|退|毕|结|出|上)|明[天早晚]|等[下会]|待会|一会儿|这会儿|正在|几时|哪有|何曾|难道|凭什么|宇宙|"
    r"带薪|两米[三-九]|[2-9]米"
    r"|不是(?!左)|没有?说|的意思|这样|那样|怎么|有[点些](?:累|困|饿|烦|难|想|担|害|紧)|开心|难过|高兴|心情|感觉|觉得|希望|打算|问题|事情|时候|"
    r"办法|感受|想法|建议|机会|时间|小时|帮|小毛驴"
)

_PERSON_EN: Final = (
    r"(?:mother|mum|mom|mam|father|dad|parents|wife|husband|partner|girlfriend|boyfriend|"
    r"fianc[eé]e?|ex|son|daughter|kids?|children|twins|brothers?|sisters?|siblings?"
    r"|gran|grandma|grandpa|grandmother|grandfather|nan|uncle|aunt|auntie|cousin|niece|nephew|"
    r"mother-in-law|father-in-law|in-laws|boss|best friend|roommate|flatmate|housemate"
    r"|(?:dog|cat|rabbit|horse|parrot|hamster|puppy|kitten|pet|tortoise|greyhound|budgie)s?)"
)

_DEED_EN: Final = (
    r"work|live|teach|study|drive|ride|wear|own|keep|collect|play|sing|dance|bake|cook|grow|"
    r"garden|knit|sew|crochet|quilt|paint|draw|sculpt|write|read|volunteer|coach|run|walk|"
    r"cycle|swim"
    r"|row|lift|climb|hike|fish|hunt|sail|surf|ski|skate|box|practi[cs]e|meditate|pray|attend|"
    r"go|take|drink|eat|skip|smoke|vape|snore|sleep|wake|get up|get \w+sick|speak|know|fix|"
    r"build|repair"
    r"|make|raise|breed|foster|support|follow|watch|listen|suffer|use|weigh|commute|weld|code|"
    r"brew|shoot|stream|blog|tutor|babysit|farm|ferment|forage|restore|train|prefer|avoid|"
    r"dream of|believe in|fear|run|have|understand|bike|carry|love|like|hate|adore|enjoy"
)

_LASTING_EN: Final = re.compile(
    r"(?:i|we)(?: also| always| usually| mostly| still| really| only| never| often| sometimes|"
    r" mainly| rarely| do| actually)* (?:(?:do not|don't|can|cannot|can't|could never|"
    r"am able to) (?:really |even |only )?)?"
    rf"(?:{_DEED_EN})\b(?! (?:(?:in|at) (?:an?|the|this|that) \w+ (?:house|flat|place|home|"
    rf"apartment)$|it|that|this|these|those|you|your|how|when|what|why|to (?:say|be honest|"
    rf"think|know|see|ask|hear)|him|her|them|the feeling|no idea|a (?:question|feeling|"
    rf"headache|bad|good|great|lovely|nice|problem|plan|meeting|lot|bit)|to|been|had|being|"
    rf"just|never|not|so|good|fun|as|there|out|home|ahead|back|away|wrong|crazy|"
    rf"for it)\b).{{0,60}}"
    r"|(?:i am|i'm|im) (?:an?|the (?:eldest|oldest|youngest|middle|second|third)|one of|half|"
    r"part|third of|from|originally from|mad into|into|allergic|scared|afraid|terrified|deaf|"
    r"blind|colou?r[- ]?blind|dyslexic|left[- ]handed|right[- ]handed|lactose|coeliac|celiac|"
    r"diabetic|asthmatic|adopted|an? only|gay|trans|bi|bisexual|straight|vegan|vegetarian|"
    r"veggie"
    r"|pescatarian|kosher|halal|married|divorced|single|widowed|engaged|retired|self-employed|"
    r"bilingual|trilingual|fluent|jewish|muslim|christian|catholic|hindu|buddhist|sikh|atheist|"
    r"\d{2}|(?:four|five|six) (?:foot|feet|ft)|\d'\d{1,2}|\d{3} ?cm)\b.{0,50}"
    rf"|(?:my|our)(?: \w+)? {_PERSON_EN}(?:(?:'s)? name)?(?:'s| is| are| has| have| was| were|"
    rf" lives?| works?| runs?| owns?| teaches|passed| died| served| speaks?| comes?| goes?|"
    rf" used to| stays?| plays?| turns?| drives?| sings?| moved| grew)\b.{{2,50}}"
    r"|(?:my|our) (?:blood type|shoe size|height|weight|star sign|zodiac sign|native language|"
    r"mother tongue|first language|birthplace|hometown|nationality|religion|pronouns|hobby|"
    r"hobbies|dream|goal|favou?rite \w+|middle name|surname|full name|nickname|degree|major|"
    r"diet|apartment|flat|house|place|office|school)(?:'s| is| are) .{1,40}"
    r"|(?:i have|i've|i've got|we have|we've|we've got|i have got|i am having) (?:an?|one|two|"
    r"three|four|five|six|seven|\d|no|my own|braces|tinnitus|hearing aids|tattoos|allergies|"
    r"asthma|arthritis|adhd|\w+itis|\w+ eyes|\w+ hair)\b(?! (?:question|feeling|problem|plan|"
    r"meeting|lot|bit|idea|headache|cold|bad|good|great|day|long|doubt|favou?r|surprise|point|"
    r"date|test|exam)).{0,40}"
    r"|(?:i have|i've)(?: been| always)? (?:played|lived|worked|followed|supported|taught|"
    r"studied|sung|danced|painted|collected|smoked|knitted|\w+ing) .{0,30}(?:for|since|all my|"
    r"\d+ years|\w+ years).{0,24}"
    r"|i(?: was)? (?:was born|born|raised|grew up|brought up|adopted|graduated|served|"
    r"emigrated|immigrated|majored|minored|trained|qualified|retired|studied|lost my)\b.{2,50}|"
    r"i used to (?:be|work|live|play|teach|smoke|drive)\b.{2,40}"
    r"|(?:originally|born and (?:bred|raised)|raised|born) (?:from|in) .{2,30}|"
    r".{3,30} is my (?:hobby|passion|thing|favou?rite|jam|weakness|guilty pleasure|"
    r"comfort food)|nothing beats .{3,24} for me|.{3,30} are my favou?rite|did my \w+ (?:in|"
    r"at) .{2,24}|mad (?:into|about|for) .{3,24}|doctor's got me on .{3,24}",
    re.IGNORECASE,
)

_PASSING_EN: Final = re.compile(
    r"\b(?:today|tonight|right now|this (?:morning|afternoon|evening|week|weekend)|yesterday|"
    r"last night|just now|a minute|in a bit|soon|tomorrow|at the moment|on hold|lalala|titled|"
    r"our story|"
    r"in the story|you|your|moon|so much fun|mondays?(?= *$)|professional napper|bit of a|girl|"
    r"big fan of yours|an? (?:idiot|mess|fool|bit|wreck|disaster|failure|genius|moron|star|"
    r"legend|god|king|queen|lot|little \w+ed))\b|\b(?:love|like|adore|hate|enjoy) (?:it|being|"
    r"that|this|how|when)\b",
    re.IGNORECASE,
)

_LED_BY: Final = re.compile(
    r"^(?:(?:and|but|so|well|also|btw|fyi|honestly|tbh|actually|yeah|yes|yep|no|nope|hi|hello|"
    r"hey|oh|ok|okay|cos|because|though|anyway|to be fair|for the record|fun fact|lol|"
    r"haha)[,:!.]? +)+"
    r"|^(?:嗯+|哦|啊|哈+|对了|其实|另外|话说|说起来|顺便说一?下?|跟你说|告诉你|因为|所以|不过|而且|但是?|巧了|对|是的|没错|说实话|老实说|"
    r"讲真)[，,、\s]*",
    re.IGNORECASE,
)

_CLAUSES: Final = re.compile(
    r"[，,。；;！!～~\n]+\s*|(?<=[一-鿿])\s+|\s+-+\s+|\s+(?:and|but|cos|because)\s+(?=(?:i|my|we|"
    r"our)\b)|(?<=[a-z])[.]\s+",
    re.IGNORECASE,
)


def lasting(text: str, subject: str) -> Iterator[Statement]:
    """Yield the clauses in which a speaker tells what is so of them for long, as they stand."""
    for sentence in sentences(text):
        if is_unreal(sentence) or asks(sentence) or _BIDDEN.search(sentence):
            continue
        for part in _CLAUSES.split(QUOTED.sub(" ", sentence)):
            clause = _LED_BY.sub("", part.strip(" .。!！…~～"))
            chinese = _HAN.search(clause) is not None
            form, passing = (_LASTING_ZH, _PASSING_ZH) if chinese else (_LASTING_EN, _PASSING_EN)
            plain = plainly_written(clause) if chinese else clause.replace("’", "'")
            if len(clause) > _LONGEST_CLAUSE or not form.fullmatch(plain) or passing.search(plain):
                continue
            told = (
                re.sub("^(?:我|俺|本人)", subject, clause)
                if chinese
                else to_third_person(plain, subject)
            )
            value = told.removeprefix(subject).strip()
            yield Statement(
                text=told if told.startswith(subject) else f"{subject}: {told}",
                value=value,
                slot=None,
                kind=Kind.FACT,
                confidence=0.7,
            )


_LONGEST_CLAUSE: Final = 80

_BIDDEN: Final = re.compile(
    r"帮我|幫我|请你|翻译|推荐|例句|造句|主角|歌词|改成.+语|改写"
    r"|\b(?:translate|proofread|rewrite|sample|sentence|character|story|pretend|"
    r"please (?:write|make|fix)|oh yes)\b",
    re.IGNORECASE,
)


def _read(part: str, place: int, *, chinese: bool) -> tuple[Slot | None, str, str] | None:
    for slot, pattern, told in _READERS_ZH if chinese else _READERS_EN:
        found = pattern.fullmatch(part)
        if found is None:
            continue
        # A bare capitalised word is a name only where people begin: at the first place.
        if slot is Slot.NAME and not chinese and (place or _NO_NAME.fullmatch(found[1])):
            continue
        values = [each or "" for each in found.groups()]
        return (
            slot,
            values[0] or values[-1],
            told.format(*values).strip() if chinese else told.format(*values).rstrip(),
        )
    return None
