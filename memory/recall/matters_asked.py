"""What a question is about: the slots it asks after, by the names of matters and by its form.

A question and its answer often share no word: what one does for a living, 我常住哪. And many a
line asks for no fact and cannot be met without one: who is to get a valentine, what film to avoid,
给我来首我爱听的. These need what is known of a slot (:func:`needs_of`).
"""

import re
from typing import Final, NamedTuple

from memory.text.late_pattern import LatePattern
from memory.text.slot_core import is_same_person, relative_in
from memory.text.slot_cues import REAL, SINGLE_VALUED, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import plainly_written


class Asked(NamedTuple):
    """What a question is about: a slot, more closely what of it, whose, and the thing it names."""

    slot: Slot
    about: str = ""
    whose: str = ""
    value: str = ""


def matters_asked(question: str) -> tuple[Asked, ...]:
    """Return what a question asks about, by the names of matters and as a statement would tell.

    >>> [each.about for each in matters_asked("what phone do I use?")]
    ['phone']
    """
    asked = plainly_written(question).strip(" \n?？。.!！")
    whose = relative_in(asked)
    named = tuple(Asked(*of, whose) for pattern, of in _MATTERS if pattern.search(asked))
    if not asked.isascii():
        for pattern, statement in _STATED_ZH:
            asked = pattern.sub(statement, asked)
    elif found := _STATED_EN.match(asked):
        asked = f"{found['who']} {found['be'] or ''} {found['what']}"
    told = [Asked(each.slot, each.about, each.whose, each.value) for each in slot_claims(asked)]
    if any(each.slot is Slot.POSSESSION for each in told):
        # Who owns a bakery works in it; who asks whether they own a house asks of no work.
        told = [each for each in told if each.slot is not Slot.WORK]
    return tuple(dict.fromkeys((*named, *told)))


_STATED_EN: Final = re.compile(
    r"(?:(?:where|who|what|when|how)(?:['’]s)? )?(?:do|does|did|(?P<be>am|are|is|have|has))"
    r" (?P<who>i|we|(?:my|our) [\w']+)\b ?(?P<what>.*)",
    re.IGNORECASE,
)

_STATED_ZH: Final = (
    (re.compile(r"(.)[不没]\1|有没有"), r"\1"),
    (re.compile(r"(?:了?(?:[吗么嘛呢吧没不未]|没有))+$"), ""),
    (re.compile("几"), "三"),
    (re.compile(r"哪(?:里|儿|个?城市)?(?![天个位家])"), "某地"),
    (re.compile("谁"), "小明"),
)
"""How a question is turned into what would answer it: 我抽不抽烟, 我抽烟."""


def _matters(table: str) -> tuple[tuple[re.Pattern[str], tuple[Slot, str]], ...]:
    rows = (line.split(None, 2) for line in filter(None, map(str.strip, table.splitlines())))
    return tuple(
        (re.compile(asks, re.IGNORECASE), (Slot(slot), about.strip("-")))
        for slot, about, asks in rows
    )


_MATTERS: Final = _matters(
    r"""
    home - 定居|住[在哪几]|哪个?(?:城市|区|片|栋|小区)|宿舍|住址|待着|常住|安家|落脚|家在哪
    home - \blive\b(?! with)|(?<!a )\bliving\b|address|\bam i based\b
    home - \bwh(?:at|ich) (?:\w+ ){0,2}(?:town|city|area|county|village|suburb)
    home - \bwhere(?:['’]s| is) (?:home|my (?:home|place|flat|house))\b
    away - 在哪|怎么样|好吗|^(?:where|how)\b
    habit floor 几楼|what floor
    habit with [跟和同]谁|谁[跟和同]|室友|liv(?:e|ing) (?:here )?with|(?:room|flat|house)mate
    habit rent 房租|租金|\brent\b
    work - 公司|单位|科室|哪个科|职位|岗位|上班|教书|[干做](?:嘛|啥|什么)的?(?:$|工作)
    work - \b(?:job|company|ward|title|employ(?:s|er|ed)?|still work|for (?:work|a living))
    work - \b(?:earn|pays?) my\b|\bmy (?:trade|line of work|occupation|profession|boss)\b
    work - 干啥|吃饭的?(?:家伙|本事)|靠(?:啥|什么)(?:吃饭|过日子|谋生)|饭碗|谋生|老东家|东家
    school - 几年级|几班|什么系|专业|上学|[读念]书|[读考]研|学校
    school - \b(?:student|school|college|uni|major|grade|study|studying|(?:what|which) year)\b
    partner - 单身|对象|另一半|[男女]朋?友|婚|先生|[跟和].{1,4}什么关系
    partner - \b(?:single|married|engaged|dating|boyfriend|girlfriend|to me|in my life)\b
    nickname - 称呼|[叫喊](?:我|俺)|\bcall me\b|\bme by name\b|\bmy nickname\b
    name - 我姓|\b(?:sur|last |full )name
    age - 多大|几岁|年龄|what age|how old|s['’]? age\b
    birthday - 生日|生辰|几号生|birth ?day|\bb-?days?\b|\bi (?:was )?born\b
    children - 孩子|娃|\b(?:kids?|children|baby)\b
    health pregnancy 怀着?孕|pregnan|have the baby
    health medicine 药|\b(?:tablets?|pills?|meds|medicines?|medication|prescription|iron)\b
    habit exercise 运动|跑步|锻炼|健身|\b(?:exercise|work ?out|gym|run)\b
    habit sleep 几点.{0,4}(?:睡|起床)|\b(?:go to bed|get up|wake up)\b
    habit shift 什么班|\bshift\b
    habit smoke 烟|\bsmoke
    habit alcohol 喝酒|\bdrink(?:ing)?\b(?! (?:coffee|tea|water|milk))
    habit diet 吃[素肉]|vegetarian|vegan|veggie|eat meat
    habit weight 多重|体重|多少斤|\bweigh
    possession phone 手机|\bphone
    possession car 什么车|啥车|[那辆台]车|\bcar\b|\bdrive\b|get around
    possession ride 骑|\bride\b
    possession pet 宠物|养[的了什]|[猫狗]|\b(?:pets?|cats?|dogs?)\b
    """
)
"""How each matter is asked about: slot, more closely what of it, and the words for it."""


def answers(told: SlotClaim, asked: Asked) -> bool:
    """Tell whether what is told is of the matter that is asked about, whatever words it has."""
    if not is_same_person(told.whose, asked.whose):
        return False
    if asked.whose and {told.slot, asked.slot} <= WHERE:
        return True
    if told.slot is not asked.slot:
        return False
    if told.slot in SINGLE_VALUED or told.slot is Slot.CHILDREN:
        return True
    if asked.about == told.about and asked.about not in _VAGUE:
        return True
    one, other = sorted((told.value.lower(), asked.value.lower()), key=len)
    return len(one) > 1 and one in other


_VAGUE: Final = frozenset({"", "thing"})
"""What says nothing of what something is: 烟戒了 is no answer to what one likes to eat."""

WHERE: Final = frozenset({Slot.HOME, Slot.AWAY, Slot.WORK})
"""Where somebody else is: who came back for good works abroad no longer."""


class Need(NamedTuple):
    """What a request cannot be met without: facts of some slots, with a word of their sort."""

    slots: frozenset[Slot]
    sort: LatePattern | None = None

    def is_met_by(self, told: SlotClaim, line: str) -> bool:
        """Tell whether what the partner tells of themselves in a line is of such a slot."""
        of_slot = told.slot in self.slots and not told.whose and told.mode in REAL
        return of_slot and (self.sort is None or self.sort.search(line) is not None)


def needs_of(line: str) -> tuple[Need, ...]:
    """Return what a question or a request needs to know of its speaker, though it asks after none.

    >>> [sorted(need.slots) for need in needs_of("who should I get a valentine for?")]
    [[<Slot.PARTNER: 'partner'>]]
    """
    asked = plainly_written(line).strip()
    if len(asked) > _LONGEST_REQUEST or _OF_THEN.search(asked) or not _WANTS.search(asked):
        return ()
    return tuple(need for pattern, need in _NEEDS if pattern.search(asked))


_LONGEST_REQUEST: Final = 120
"""In characters: a longer line is told, or was pasted."""

_OF_THEN: Final = LatePattern(
    r"昨|前天|上(?:次|回|周|个月)|刚才|那[天次回]|[过了](?:吗|没|么|什么|啥|谁|哪|几|多少)"
    r"|\b(?:did|was|were|had|last|yesterday|ago|you (?:like|think|want|eat|drink|watch|listen))\b"
    r"|你(?:喜欢|爱|吃|喝|听|看)",
    re.IGNORECASE,
)
"""Who asks what once was wants no fact of now, nor who asks after her."""

_WANTS: Final = LatePattern(
    r"[?？]\W*$|(?:吗|呢|呗|没|什么|啥|哪[里儿个家种]?|谁|几个?|多少)\W*$"
    r"|(?:什么|啥|哪[个家里儿些种首部]|谁|怎么[办说写填叫称回]|咋|该不该|要不要|能不能"
    r"|可不可以|该)[^，。！!]{0,12}$"
    r"|^(?:[^，。！]{0,8}[，,\s])?(?:[明今][早晚天]|你|小祥|请|麻烦|那|就|快|再|先|能不能"
    r"|可以)*"
    r"(?:给|帮|替|陪|叫|喊)(?:我|俺|咱)(?![^，。！]*[了过])"
    r"|^(?:[^，。！]{0,8}[，,\s])?(?:点|挑|选|推荐|来|放|订)(?:个|首|杯|份|家|部|点|一)"
    r"|(?:^|[,.;!?] ?)(?:(?:so|and|but|hey|ok|well|go on|right|then|please|lol|just),? )*"
    r"(?:what(?! an? )|which|who|where|when|how(?! (?:lovely|nice|sweet|cute|awful))|should"
    r"|shall|can|could|would|do|am|is|are|any|get|fetch|order|bring|make|pick|choose|find|play"
    r"|put on|recommend|suggest|book|send|cook|say|greet|tell|remind|help)\b",
    re.IGNORECASE,
)
"""The forms of a question and of a request."""


def _need(asks: str, slots: str, sort: str = "") -> tuple[LatePattern, Need]:
    meant = LatePattern(sort, re.IGNORECASE) if sort else None
    return LatePattern(asks, re.IGNORECASE), Need(frozenset(map(Slot, slots.split())), meant)


_NEEDS: Final = (
    _need(
        r"落脚|安身|栖身|(?:外卖|快递|包裹)(?!.*(?:什么时候|几点|多久|到了|错))|收货|寄(?:到|去|给我)|送(?:到|去)(?:我|哪)|(?:打车|导航"
        r"|送我)回|上门"
        r"|\b(?:roof over my head|lay my head|hang my hat|deliver\w*|parcel|courier|ship (?:it"
        r"|this|that)? ?to|drop me (?:home|off)"
        r"|cab home|weather (?:like )?(?:at|near) (?:mine|me|home))\b",
        "home",
    ),
    _need(
        r"成家|有主了|有伴|情人节|七夕|介绍(?:个|一个|一?下)?对象|相亲|催婚|约会|脱单|带(?:谁|人"
        r"|家属)去|另一半"
        r"|\b(?:am i (?:spoken for|taken)|valentine\w*|date night"
        r"|plus[- ]one|set me up|fix me up|anniversary (?:gift|card)"
        r"|on a date)\b",
        "partner",
    ),
    _need(
        r"(?:首|点|听|放|唱)[^，。]{0,6}(?:歌|曲|听的?)|歌单|听(?:点|什么|啥|谁)|演唱会"
        r"|\b(?:songs?|music|playlist|tunes?|album|band|gig|concert|play me)\b",
        "taste",
        r"歌|听|唱|曲|乐队|专辑|\b(?:songs?|music|album|band|sing\w*|listen\w*|playlist)\b",
    ),
    _need(
        r"电影|片子|追剧|看(?:点|部|什么|啥)|\b(?:films?|movies?|watch|series|cinema|netflix)\b",
        "taste",
        r"片|剧|电影|看|\b(?:films?|movies?|horror|watch\w*|series|comed\w+|thrillers?|scary)\b",
    ),
    _need(
        r"喝(?:的|点|什么|啥)|饮料|奶茶|咖啡|来杯|老样子"
        r"|\b(?:drinks?|coffee|tea|brew|cuppa|beverage|thirsty|the usual|my usual)\b",
        "taste habit",
        r"喝|咖啡|茶|奶|豆浆|酒|可乐|美式|拿铁|汁"
        r"|\b(?:coffee|tea|latte|flat white|espresso|rooibos|cola|juice|milk|beer|wine|drink\w*"
        r"|brew|matcha|chai|cocoa)\b",
    ),
    _need(
        r"请我吃|点肉|吃荤|馆子|聚餐|饭店|餐厅|菜单|点(?:菜|餐)|做(?:个|顿|点|什么)?菜|吃(?:点"
        r"|什么|啥|哪)|点外卖(?!.{0,6}(?:送|寄))|食谱"
        r"|口味|忌口|\b(?:on my plate|feed me|what (?:can|should) i eat|restaurant|takeaway"
        r"|takeout|menu|recipes?|cook|dinner|lunch|supper"
        r"|sandwich|pizza|snacks?|bread|meal|groceries|eat out|dish)\b",
        "taste habit health",
        r"吃|素|荤|肉|辣|菜|过敏|忌口|不耐受|面|饭|麸"
        r"|\b(?:eat\w*|food|veg\w*|meat\w*|allerg\w*|coeliac|celiac|gluten|intoleran\w*|bread"
        r"|baguette|spicy|cook\w*|olives?|fish|cheese|nuts?|dairy|biopsy|taste\w*)\b",
    ),
    _need(
        r"运动|锻炼|健身|跑步|跑个|爬山|打球|游泳|夜跑|晨跑"
        r"|\b(?:exercise|work ?out|gym|for a (?:run|jog|swim|ride|hike)|go (?:running|jogging"
        r"|climbing|swimming|skiing)|play (?:football|tennis|squash|five[- ]a[- ]side))\b",
        "health habit taste",
        r"跑|动|球|健身|游|爬|全马|半马|骨折|韧带|半月板|腰|膝|脚|腿|手术|石膏"
        r"|\b(?:run\w*|gym|sport|exercise|marathon|half|knees?|ankle|back|torn|tore|broke\w*"
        r"|sprain\w*"
        r"|fractur\w*|surg\w+|physio|swim\w*|jog\w*|football|tennis|climb\w*|cast|crutches)\b",
    ),
    _need(
        r"药|剂量|吃几[片粒颗]|叶酸|胎教|产检|待产|月子|奶粉|婴儿|忌口"
        r"|\b(?:doses?|dosage|prescri\w+|still (?:need|take|on) (?:my |the |those )?(?:iron"
        r"|tablets?|pills?|meds|insulin)"
        r"|folic acid|prenatal|nursery|nappies|baby (?:shower|names?|clothes)|antenatal)\b",
        "health",
        r"孕|胎|保住|流产|生了|卸货|宝宝|药|片"
        r"|\b(?:pregnan\w*|expecting|weeks|baby|miscarr\w*|born|tablets?|pills?|iron|bloods?|mg"
        r"|twice|(?-i:[a-z])\w+(?:formin|statin|pril|olol|azole|warfarin|pine))\b",
    ),
    _need(
        r"(?:称呼|叫|喊)(?:我|俺)(?:一?声|名字|什么|啥)?\W*(?:吧|呗|嘛|一下)?\W*$|怎么称呼(?:我"
        r"|俺)"
        r"|\b(?:hello|hi|greet me|good morning|goodnight|call me)\b.{0,16}\bname\b"
        r"|\bwhat (?:do|should|will|would) you call me\b|\b(?:say|use) my name\b",
        "nickname name",
    ),
    _need(
        r"靠(?:什么|啥)|忙活|营生|饭碗|糊口|挣钱|(?:人家|别人|有人|亲戚"
        r"|面试官)[^，。]{0,4}问我?(?:干|做|是)(?:啥|什么|嘛)|我(?:干|做)啥的|名片|简历|自我介绍"
        r"|\b(?:(?:earn|make) (?:my|a) (?:crust|keep|living|bread|money)|daily grind|clock in"
        r"|what i do|introduce me|business card|my cv|my resume|(?:who|which \w+) employs me"
        r"|pays? my wages)\b",
        "work",
    ),
    _need(
        r"谁陪我|(?:还有|有没有)(?:谁|别人|其他人)|有冇其他人|家里.{0,4}(?:谁|哪位)"
        r"|\b(?:under my roof|at home with me|who else (?:lives|is)|shares? my (?:flat|house"
        r"|home))\b",
        "habit partner",
        r"住|搬|一起|陪|人|屋|\b(?:liv\w+|mov\w+|home|house|room\w*|with)\b",
    ),
    _need(
        r"宠物|喂饭|铲屎|毛孩子|遛(?:弯|狗|谁)"
        r"|\b(?:which (?:animal|pet)|furry|four[- ]legged|fur baby|pet food|the vet"
        r"|dog walk\w*)\b",
        "possession",
        r"猫|狗|兔|鸟|鱼|鼠|龟|养|\b(?:cats?|dogs?|pupp\w+|kittens?|\w*hound|ferret|rabbit|bird"
        r"|pet|hamster|horse|rescue)\b",
    ),
    _need(
        r"消遣|打发时间|解闷|业余|闲着.{0,4}(?:干|做|玩)"
        r"|\b(?:pastime|hobby|hobbies|unwind|spare time|keeps my hands busy|of an evening"
        r"|for fun)\b",
        "habit taste",
    ),
    _need(
        r"睡得|睡眠|失眠|睡觉.{0,4}(?:怎么|咋)|\b(?:how do i sleep|my sleep|sleeping (?:ok"
        r"|well))\b",
        "habit health",
        r"睡|眠|觉|\b(?:sleep\w*|insomnia|asleep|awake|bed)\b",
    ),
    _need(
        r"通勤|上班路上|怎么(?:去|到)(?:公司|单位|上班)"
        r"|\b(?:commute|(?:journey|way|get) (?:to|into) (?:work|the office)|my journey)\b",
        "habit possession home",
        r"车|地铁|公交|骑|走路|在家办公|\b(?:train|bus|tube|drive|cycle|bike|walk|commute"
        r"|from home)\b",
    ),
    _need(
        r"(?:会不会|能不能)(?:怕|吓)|吓(?:到|着)我|怕不怕|\b(?:frighten|scare|terrify) me\b"
        r"|\bam i (?:afraid|scared)\b",
        "taste health",
        r"怕|恐|吓|\b(?:scared|afraid|terrified|fear\w*|phobia|frighten\w*)\b",
    ),
)
"""How such a request is known, by the field of life it is about, and what a fact of it holds."""
