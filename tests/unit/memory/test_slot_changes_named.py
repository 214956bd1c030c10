"""A change ends what it names, or what it can only mean; its look-alikes end nothing.

A row is what is held, then what is told and ends it, then what is told and does not.
"""

from collections.abc import Iterator

import pytest

from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims

TABLE = r"""
# Who moves: a gig, a meeting or a shop that has moved leaves everybody where they live.
我住在杭州
+ 从滨江搬到余杭了|为了孩子上学搬到了滨江|国庆的时候搬到成都了|结婚后搬到了成都
+ 我搬到成都了|全家搬到成都了|终于搬到滨江了|我和男朋友搬到成都了|上周搬去了成都|把家搬到苏州了
+ 离开杭州，搬到成都了
- 我把户口迁到上海了|工位搬到三楼了|年会搬到酒店去了|会议搬到三楼了|演唱会搬到成都了
- 音乐节挪到成都去了|展览迁到上海了|健身房搬到西湖边了
- 我们部门搬到滨江了|那家店搬到成都去了|课搬到线上了|我把书搬到阳台了|钢琴搬到我妈家了
- 公司搬到成都了
I live in Leeds
+ I've moved to Hull|finally moved to Headingley|so we moved to the coast, in Whitby
+ my wife and I moved to Hull|the whole family moved to Hull|work moved us to Hull
+ last week I relocated to Hull|sold the flat and moved to Hull
- I got moved to nights|I've been moved to the Hull office|moved my savings to Santander
- gig's been moved to the 19th|gig's been moved to the Brudenell
- the boiler's been moved to next week|the meeting has moved to room four|the gym moved to Hull
- our office has been relocated to Hull|the party's been moved to Sam's place
- my savings have been moved to Santander|it's been moved to Tuesday|the deadline moved to 5pm
- we had the boiler moved to the loft

# What is quit: a course, a band or a club is no job.
我在银行上班
+ 我辞职了|我把工作辞了|我从银行离职了|银行的活儿不干了|我不干了|昨天裸辞了|我被裁了
+ 我们公司倒闭了
- 家教辞了|学生会退了|钢琴不学了|辞了健身课|健身课辞了|我把瑜伽课辞了|我退出乐队了|乐队不干了
- 我把班长辞了|我离开乐队了
- 把保姆辞了|我最喜欢的店黄了|楼下奶茶店倒闭了|合唱团不去了
I work at a bakery
+ I quit two weeks ago|I quit because of the hours|I quit after the row with Dave|I've quit
+ finally quit my awful job|sacked today|quit last Friday|so I quit, no regrets
+ I quit|I quit my job|I quit the bakery|I quit yesterday|handed in my notice|I resigned
+ I've left the bakery|I quit on Monday
- I quit Instagram for good|I've packed in the gym|I finished the course
- I quit the gym|I quit Black Kettle last week|I quit the band|quit the choir today
- I quit my Spanish course|I resigned from the committee
- I resigned as treasurer of the allotment society|I retired from five-a-side|I quit Netflix
- I've laid off the sugar|I quit smoking
I'm a nurse
+ I quit nursing
I'm studying law at York
+ dropped out|I dropped out of uni
- dropped out of the marathon|dropped out of the choir|I quit the gym

# Of what is drunk, eaten or played no more the deed names nothing: coffee is not every drink.
My favourite drink is green tea
+ I don't drink green tea any more|I've stopped drinking green tea
- I don't drink coffee any more|I no longer drink coffee|I've stopped drinking coffee
- I quit drinking coffee
My favourite drink is coffee
+ I don't drink coffee any more|I no longer drink coffee
My favourite drink is oat flat white
+ I don't drink coffee any more|I've stopped drinking coffee
- I don't drink tea any more|I don't drink lattes any more
我最喜欢的饮料是拿铁
+ 我不喝咖啡了
- 我不喝奶茶了|我不喝美式了
My favourite game to play is chess
+ I don't play chess any more
- I don't play football any more
我最喜欢的饮料是绿茶
+ 我不喝绿茶了
- 我不喝咖啡了|我不再喝咖啡了|咖啡我戒了|我把咖啡戒了
我最喜欢的饮料是咖啡
+ 我不喝咖啡了

# A plan ends nothing before its day.
我住杭州
+ 上个月搬去成都了|三月搬到成都了|已经搬到成都了|去年十月搬到成都|我现在住成都|昨天搬到成都了
- 下个月搬去成都|下个月就搬到成都了|马上搬去成都了|快搬到成都了|年底搬去成都|三月搬去成都
- 国庆后搬到成都|准备搬到成都|下个月开始住成都|明年要搬到成都
我在银行上班
+ 上个月去腾讯上班了|去年退休了|昨天辞职了
- 三月去字节的新部门上班|过完年去字节上班|下个月去腾讯上班|下周一入职字节|五月去字节报到
- 明年退休|下个月就辞职了
我腿骨折了
+ 腿好了|石膏拆了，腿好利索了
- 腿快好了|石膏下周拆|脚好了
我住院了
+ 出院了
- 下周出院|快出院了|要出院了|明天就能出院了
I live in York
+ moved to Bristol in March|I've moved to Bristol|I moved to Bristol on Monday
+ we live in Bristol now|moving day was yesterday, I'm in Bristol now
+ we relocated to Bristol in the spring
- moving to Bristol in March for work|I'm moving to Bristol next month
- we're relocating to Bristol in the spring|I'll move to Bristol in June
- I move to Bristol on the 1st of March|I'll be living in Bristol from March
- new flat in Bristol from next month|I'm moving out in March|I still live in York until March
I work at a bakery
+ I started at Tesco in March, as a baker|I retired in June|I'm retiring today
- I'm starting at Tesco in March|I start at Tesco next week|starting a new job on Monday
- I'll be working at Tesco from May
I'm in hospital
+ I'm home again
- I'm coming home on Friday

# An illness is over by its name.
我对花生过敏
+ 医生说我不过敏|其实我不过敏
+ 我什么都不过敏了|我对花生不过敏了|花生我现在不过敏了|我不过敏了|查了，我对花生不过敏
+ 花生过敏是误诊
+ 我的花生过敏脱敏成功了
- 猫毛我不过敏了|我对花粉不过敏了|感冒好了|对猫不过敏了|石膏拆了|芒果过敏是误诊|血压正常了
我有鼻炎
+ 鼻炎好了|鼻炎痊愈了|鼻炎断根了|鼻炎治好了|我痊愈了|鼻炎不犯了
- 我对花生不过敏了|腿好了|感冒好了|膝盖不疼了|石膏拆了|贫血好了|失眠好了
I'm allergic to penicillin
+ had the test, I'm NOT allergic to penicillin after all|turns out I'm not allergic
+ I'm not allergic to penicillin|not allergic to anything|my penicillin allergy is gone
+ no longer allergic to penicillin
+ it wasn't true, I never was allergic to penicillin
- I'm not allergic to cats|my cat allergy is gone|my knee is fine now|cast is off
- fully recovered from the flu|not depressed anymore
I've got hay fever
- had the test, I'm NOT allergic to penicillin after all|my penicillin allergy is gone
- my back is fine now|cast came off|over the cold|I'm over the flu
I have eczema
+ got the all clear|my eczema is cured|my eczema cleared up, no more eczema
- my back is fine now|the cast is off|I'm not depressed anymore|fully recovered from the flu

# What is as it was ends nothing.
我在银行上班
+ 我换到证券公司上班了|我现在在证券公司上班|去了证券公司上班
- 没换工作，还在老地方干着呢|还在原来的公司上班|还在那儿上班|还是老样子，没辞
- 工作没变，还在老单位干活|没换，还在银行
我住在杭州
+ 不住杭州了，住苏州|我现在住苏州|搬到苏州了
- 没搬，还住那儿|还住在老地方|还住原来那套房子|还是住在那个小区|没搬家，还在原来的地方住着
- 还住杭州呢
我男朋友叫小川
+ 我跟小川分手了|我们分手了|我跟阿杰在一起了
- 没分，还在一起呢|没分手，还在一起|我们还好着呢|我跟小川还在一起
I work at a bakery
+ I work at a bank now|I've started working at a bank|I quit, working at a bank now
- still at the same place|still working at the same place|I'm still working there
- same job as before|still in the same job|haven't quit, still at it
# A step up is no other post, and what was sold was somebody else's.
我在一家医院做护士
+ 升了护士长，调去急诊上班|跳槽到药店上班了
- 升职了|转正啦|晋升了
I'm a nurse at St Mary's
+ I've started at a clinic, as a receptionist|handed my badge in at the hospital
- got promoted|I've been promoted|just got promoted!
we keep a goat
+ the goat was sold|sold the goat
- The chief's goat was sold|the neighbour's old goat was stolen
我养了条金毛
- 村长的金毛送人了|校长家的金毛丢了

# What was put in the place of a medicine ends that, and no illness.
我在吃氨氯地平
+ 大夫把氨氯地平停了，换缬沙坦|换成缬沙坦片了
体检说我高血压
- 大夫把氨氯地平停了，换缬沙坦|换缬沙坦了
doc has me on sertraline 50mg
+ my doctor changed me over to mirtazapine|the doctor switched me to mirtazapine

# Whom a plan is named after, it is moved with.
my pharmacology exam is on the 12th
+ they've moved pharmacology to the 19th
- they've moved anatomy to the 19th|they've moved in on the 19th

I live in Leeds
+ I live in Hull now|I've moved to Hull|we live in Hull these days
- still living in the same flat|haven't moved, still here|I still live there
- still in the same house in Leeds|I haven't moved|not moving, staying put
my boyfriend is called Tom
+ Tom and I broke up|we split up|I'm with Sam now
- still together|we haven't split, still going strong|I'm still with him
- Tom and I are still together

# What is called off is what is named.
周六上午十点我要上游泳课
+ 教练让推到周日
+ 游泳课取消了|课取消了|改到周日了|游泳课不去了|游泳改到周日了|时间改到周日了
- 大理不去了，小鹿要加班|莫干山不去了|面试改到周五了|婚礼取消了|健身不去了|周末的饭局取消了
我要飞去拉各斯，14号走
- 大理不去了|牙医改到周五了
Flying to Lagos on the 14th
+ it's the 16th now we fly|Lagos is off
- dentist's off
下个月搬去成都
+ 不搬了|成都不去了|成都的事黄了
- 大理不去了|面试取消了|牙医改到周五了
周四下午四点见房东
+ 房东那事儿取消了|见房东的事黄了|改到周五了
- 同事的饭局取消了|面试取消了|房东涨价了
meeting the landlord on Thursday at 4
+ the agency moved it to Friday
+ the landlord thing's off, he's got covid|it's been moved to Friday
+ the landlord meeting's cancelled|the appointment's been moved to Friday|landlord cancelled it
+ meeting's off
- Lisbon's off, Gaz broke his ankle|gig's been moved to the 19th|the wedding's off|Jo cancelled
- yoga's cancelled|the landlord's off sick
moving to Bristol in May for work
+ the move's off
+ Bristol's off, company pulled out|we're not moving to Bristol after all|I'm not moving any more
- Lisbon's off|dentist's cancelled|not moving the piano

# Where one comes from is not where one lives.
我现在住杭州滨江
+ 我家在余杭|我住绍兴|搬回绍兴老家了|我回绍兴老家住了|我现在住绍兴|回老家定居了
- 我老家在绍兴，爸妈还在那边|我老家绍兴的|我娘家在绍兴|婆家在绍兴|我户口在绍兴|我是绍兴人
- 过年回老家绍兴
I live in London
+ I've moved back home to York|I live in York now|moved to York|we moved back to York
+ I'm back living in York for good|I've moved in with my parents in York
- I'm from York|I'm from Yorkshire, originally|my hometown is York|my family home is in York
- my parents' place is in York|I was born in York

# Who is gone takes along what was told of them; who comes ends what was.
我男朋友在银行上班
+ 我跟陈屿分手了|我们分手了|我跟男朋友散了|我跟他分了|昨天分手了|我和他彻底断了
- 我闺蜜分手了|我男朋友换部门了，去了风控|我哥离婚了|我们结婚了|我跟沈默吵架了|看的剧里他们分手了
我男朋友叫陈屿
+ 我跟沈默在一起了嘿嘿，4月3号正式的|我和沈默正式在一起了|我跟沈默确定关系了|我跟沈默官宣了
+ 我现在的男朋友是沈默|我们分手了|我新男朋友叫沈默
- 我跟朋友在一起吃饭了|我跟陈屿在一起三年了|我跟爸妈在一起了|沈默跟小周在一起了|我跟陈屿在一起了
- 我跟沈默是同事
我跟陈屿分手了
+ 我跟陈屿复合了|我们和好了|我跟陈屿又在一起了
- 我跟沈默在一起了|我结婚了|我现在的男朋友是沈默
my boyfriend works at a bank
+ Tom and I broke up|we split up|me and Tom are over|I broke up with him|my boyfriend dumped me
+ I'm single again
- my sister and her husband split up|we got married|my brother got divorced|we split the bill
- my boyfriend got promoted at the bank|I nearly broke up with him
my boyfriend is called Tom
+ I'm with Sam now|I'm seeing Sam|I'm dating Sam now
- I'm seeing a doctor tomorrow|I'm seeing someone about my back
- Sam and Jo are together now|I'm with the kids now|Tom got a new job

# A liking turned, in other words.
我不吃香菜
+ 我开始吃香菜了你敢信|我现在吃香菜了|我居然能吃香菜了|我又吃上香菜了|香菜我现在爱上了
+ 我现在爱吃香菜
- 我开始喝茶了|我女儿开始吃香菜了|我开始吃药了|我开始吃素了|你开始吃香菜了吗|我想吃香菜试试
- 今天吃了香菜就吐
我讨厌香菜
+ 昨天吃了香菜拌牛肉，现在爱上了|香菜吃着吃着，居然上瘾了|现在能吃香菜了
- 昨天看了个电影，现在爱上了|昨天他们吃香菜，我走了|香菜涨价了
I hate mushrooms
+ actually I had mushrooms at that new place and I'm a convert, love them now
+ tried mushrooms again and I love them now|I eat mushrooms these days
+ I started eating mushrooms|had mushrooms last night, love them now|I love mushrooms now
- had mushrooms at Jo's, can't stand them|I got new boots, love them now
- my son loves mushrooms now|tried dumplings, love them now|I started drinking again
- I bought mushrooms for Sue
I love mushrooms
+ had too many mushrooms, sick of them now|I hate mushrooms now|I went off mushrooms
- had too many dumplings, sick of them now|I love leeks now|my son hates mushrooms

# Who parts, who is one again: what names others is theirs; who lives apart is married still.
我老公叫陈磊
+ 我和陈磊离婚了|我们离婚了
- 我和陈磊分居了|我和陈磊分居了，他搬去他姐家了|陈明和李丽离婚了|小雨和我弟分手了|我弟和小雨分手了
我老公是开地铁的
+ 我和老公离婚了|我们离婚了
- 我和陈磊分居了|我老公和我分居了
我和陈磊住在一起
+ 我和陈磊分居了|我们分居了
- 小雨和我弟分居了
我和陈磊分居了
+ 我和陈磊和好了|我们和好了|我和陈磊又在一起了|我跟老公和好了|我和陈磊昨天和好了
- 小雨和我弟和好了|我和小雨和好了|我弟和小雨和好了
小雨和我弟分手了
- 我和陈磊和好了|我们和好了
我跟小川分手了
+ 我跟小川复合了
- 陈明和李丽复合了
My husband is called Tom
+ We have divorced|Tom and I got divorced|I'm divorced
- Tom and I have separated|my husband and I separated
my boyfriend is called Tom
+ Tom and I separated|we've separated
My husband drives a bus
- Tom and I have separated
Tom and I have separated
+ Tom and I are back together|we're back together|Tom moved back in, we're giving it another try
- Sam and I are back together|Sam and Jo are back together|we're giving the car another try
choir is every Tuesday at 7
+ choir is every Thursday now
- I start at a lab on Monday|yoga is every Friday|we start at 9|the lab starts at 8 every Monday
每周三晚上我有瑜伽课
+ 瑜伽课改到周四了|瑜伽改到周四了
- 面试改到周四了|游泳课改到周四了|改天再约
I have yoga every Wednesday evening
+ yoga moved to Thursdays|yoga's moved to Thursday
- the dentist moved to Thursday|swimming has been moved to Thursday
我对芒果过敏
+ 我不对芒果过敏|其实我不对芒果过敏|骗你的，我不对芒果过敏|开玩笑的，我对芒果不过敏
+ 我没有对芒果过敏|我不是对芒果过敏|我并不对芒果过敏
- 我不对虾过敏|骗你的，我不对虾过敏|我是不是对芒果过敏|我弟不对芒果过敏|骗你的，我对芒果过敏
I'm allergic to mango
+ just kidding, I'm not allergic to mango|only joking, I am not allergic to mango
- just kidding, I'm not allergic to prawns|not kidding, I'm allergic to mango
我妈住扬州
+ 我妈住泰州|我妈搬到泰州了
- 我妈不住泰州|我妈没住泰州
我住杭州
- 我不是住苏州|我不在苏州住|我不住苏州
最近在学尤克里里
+ 尤克里里我卖掉了|尤克里里送人了
- 旧尤克里里卖了，换了把新的|吉他卖了
林静在苏州开花店
+ 林静的花店关了|林静把花店关了
我住在江畔云庐
+ 我不住江畔云庐了|我不再住江畔云庐
- 我今年不去云南了|我不住南山|我不在江北住|我不是住在江北
I live in Leeds
- I don't live in York|I'm not going to Spain this year
我在杭州工作
+ 我不在杭州工作了
- 我不在北京工作|我不是在北京工作
我老公叫赵磊
- 我不是单身，我结婚了|我又不是单身
my husband is called Tom
- I'm not single, I'm married
我叫林晓雯
+ 我的名字叫林小文|名字叫林小文
- 家里wifi名字叫星星|店的名字叫小满|我家猫的名字叫咪咪|那本书名字叫活着|项目的名字是启明
"""


def _rows() -> Iterator[tuple[str, str, bool]]:
    held = ""
    for line in filter(None, map(str.strip, TABLE.splitlines())):
        if line.startswith(("+ ", "- ")):
            yield from ((held, told, line[0] == "+") for told in line[2:].split("|"))
        elif not line.startswith("# "):
            held = line


@pytest.mark.parametrize(("held", "told", "ends"), [*dict.fromkeys(_rows())])
def test_a_change_ends_what_it_names_and_nothing_else(held: str, told: str, *, ends: bool) -> None:
    ended = any(
        is_ended_by(old, new, held) for old in slot_claims(held) for new in slot_claims(told)
    )

    assert ended is ends
