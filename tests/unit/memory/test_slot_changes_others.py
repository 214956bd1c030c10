"""What is told of somebody or something else ends nothing; what is told of the same ends it.

A row is what is held, then what is told and ends it, then what is told and does not.
"""

from collections.abc import Iterator

import pytest

from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims

TABLE = r"""
# A death or a parting is of the one it names: what ended stays ended, whoever else is gone.
My wife Margaret passed away in June
- Frank died last night|My brother Tom died|Old Mr Dawes died on Sunday
- Queenie next door passed away
- My boyfriend broke up with me|Ivan left me
My husband left me last year
- Old Mr Dawes died on Sunday|Ben died|My neighbour passed away|My boyfriend broke up with me
My wife works as a nurse
+ My wife died in June|my wife passed away|my wife left me|we got divorced|my wife and I split up
+ I lost my wife|I'm divorced|we broke up
- Frank died last night|Old Mr Dawes died on Sunday|Ben and Sue broke up|Harold passed away
- Rosie died yesterday|Mr Patel walked out
My husband works at a bank
+ Ben and I broke up|Ben left me|My husband left me
- My boyfriend broke up with me|my girlfriend died
My boyfriend works at a bank
+ Ben and I broke up|my boyfriend dumped me|My bf broke up with me
- Frank died last night|My wife left me
My boyfriend Ben works at a bank
+ Ben died last night|Ben dumped me|Ben and I broke up
- Frank died last night
我老婆在银行上班
+ 我老婆去世了|我们离婚了|我和老婆离婚了|我老婆走了
- 张叔去世了|老方昨晚走了|隔壁老李病逝了|陈教授过世了|王婶出车祸没了
我老婆去世三年了
- 张叔去世了|我男朋友把我甩了|我们分手了|老李过世了
我男朋友小周在银行上班
+ 小周去世了|我们分手了|我男朋友把我甩了|我跟小周分手了
- 张叔去世了|老李病逝了

# What gets another name is what is named, and not who tells of it.
我叫许可
+ 我改名叫林夏了|我昨天去派出所改名叫林夏了|我正式改名叫林夏|改名叫林夏了|我身份证上改名叫林夏了
+ 我的名字改名叫林夏|我上个月刚改名叫林夏|从今天起我改名叫林夏
- 我们项目改名叫青鸟|我的店改名叫小文书屋|海棠改名叫“玉兰”了|我们店改名叫“老味道”了
- 群改名叫「打工人」了|我家猫改名叫汤圆了|这条街改名叫幸福路了|我们小区改名叫锦绣园
- 公司改名叫远山科技了|我们乐队改名叫夜航|那本书改名为长夜|我的公众号改名叫半亩田
- 学校改名叫第九中学了|李老师改名叫李明轩了
my name is Moira
+ I changed my name to Ava|I've changed my name, it is Ava now|I'm Ava from today
- We renamed the project Bluebird|my shop is called Ava now|the street is now called Ava Road

# To begin something, to travel to work and to stock a shop is no new job.
我现在在台积电做制程
+ 我现在在阿里上班|我现在开出租车了|现在改做设计了|我转行开网约车了|我现在送外卖|我进了邮局
+ 我现在阿里上班|现在开了家面馆
- 我现在开始吃牛肉了|现在开始学钢琴了|我如今开始早睡了|我刚开始练瑜伽|现在开始攒钱了
- 机车坏了，现在改搭公车上班|现在改骑车上班|我现在坐地铁上班|我现在每天走路上班|现在开车上班
- 进了20箱矿泉水|进了三十箱矿泉水|我刚进了两批布
我开宝马
+ 我现在开奔驰
- 我开了间咖啡厅|我开了个小卖部|现在开车上班|我现在开始跑步了
我開了間咖啡廳
+ 咖啡廳不幹了|我現在送外賣
- 我現在開始吃牛肉了|我現在改搭公車上班|進了20箱礦泉水
I run a coffee shop
+ I sold the coffee shop
- I've started eating beef now|I take the bus to work now|I've started running

# The year at school, the school, what is learnt there and a class beside it are four things.
我高三
+ 我高中毕业了|我考上北大了|我升大一了|我今年大一了
- 我报的是数学|我报了个数学补习班|我报了雅思班|我学的是理科|我在八中读书|我修了数学
我在一中读高二，理科实验班
+ 转去国际部了
- 我报了个英语补习班
I'm majoring in chem
+ declared philosophy this morning
- I take pottery classes
我在七中读高二
+ 我升高三了|我转学到八中了|我在八中读高三
- 我报了个数学补习班|我报的是物理|我报了辅导班|我上了个托福班
我在一中读书
+ 我转学到二中了
- 我9月1号去学校报到了
我学的是法律
+ 我转专业学计算机了
- 我大三了|我在武汉大学读书|我报了个雅思班
I'm in year 9
+ I'm in year 10 now|I've started uni
- I take French classes|I'm doing a first aid course|I go to Leeds Grammar School
I'm studying law at York
+ I'm studying medicine at Leeds now|I transferred to Leeds University|I dropped out of uni
- I'm in my third year|I take pottery classes|I'm a final-year student

# A house that others buy is none of one's own; and where one is from stays so wherever one lives.
i live in a bungalow in skegness
+ i bought a house in lincoln|bought a flat in spain|me and bob bought a house in spain
+ we've bought a house in spain|my wife and i bought a house in lincoln
- doreen also says her son bought a house in spain|doreen bought a house in spain
- her daughter got a flat in leeds|his brother rents a place in hull
- the council bought a house in hull|doreen says her son lives in spain
- Doreen's lad bought a house in Spain
I'm from Cork originally
- We have shifted to Slough|I moved to Reading|I live in London now|we've relocated to Hull
- I live in Slough|I'm living in Reading now
I come from Cork
- We have shifted to Slough|I live in London now
We live in Reading
+ We have shifted to Slough|we moved to Slough
- I'm from Cork originally
我是成都人
- 我搬到深圳了|我现在住深圳|我在深圳定居了
我老家在成都
- 我搬到深圳了|我现在住深圳
我来自成都
- 我搬到深圳了|我现在住深圳

# What is swapped is what it names; a gig or a shift on a day is a date and no new job.
I work at Tesco
+ I swapped Tesco for Aldi|I left Tesco for Aldi|I got a new job at Aldi
+ I landed my first gig at Aldi|got a new gig at a bakery|I swapped Tesco for a bakery
- i swapped from bass to drums|swapped coffee for tea|I traded my bike for a scooter
- I swapped the guitar for a ukulele
- first gig is 5 dec at the youth club
- our first gig is on friday|my first gig was a wedding|first shift is on Monday
- swapped sugar for honey
i swapped from bass to drums
+ i swapped drums for keys
- first gig is 5 dec at the youth club|I got a new job at Aldi|I swapped Tesco for Aldi
I'm a nurse
+ I swapped nursing for teaching|I quit nursing
- I swapped the piano for a cello|swapped running for swimming
I take metformin
+ I swapped metformin for insulin|swapped my pills for insulin
- I swapped sugar for honey|swapped coffee for tea|I swapped Tesco for Aldi
我在腾讯上班
+ 我从腾讯跳槽到阿里了
- 我从贝斯换成架子鼓了|我把咖啡换成茶了|第一场演出是12月5号

# Who leaves a job, a school or a town is who is named, and not who tells of it.
我开了家花店
+ 我不干了|花店不干了|我把花店关了|花店转让出去了|店倒闭了
- 阿芬不干了，回老家了|阿芳不干了|王师傅不干了|小戴不干了|李思源辞职了
- 对面老周不干了|帮工小李不干了|隔壁的小陈不干了
我在腾讯上班
+ 我辞职了|我去阿里上班了|我跳槽到阿里了|我退休了
- 陈浩然退休了|徐丹去阿里上班了|孙浩然跳槽到阿里了|王强被裁了|刘经理调到上海分公司了
- 我昨天去公司报到了|我回单位上班了
- 小林去阿里入职了|周建国在阿里上班|张海东辞职了
我在阿里上班
+ 阿里不干了|从阿里离职了
我在郑州外国语学校读理科
+ 我转学了|我转学到八中了|我退学了|我在八中读文科|我毕业了
- 李思源转学了，去了洛阳|小戴退学了|吴双转学到八中了|陈浩然在八中读文科|张子轩毕业了
我住在苏州
+ 我搬到洛阳了|搬到洛阳了|我现在住洛阳
- 陈浩然搬到洛阳了|李思源现在住洛阳|阿芬回洛阳定居了|孙浩然在洛阳买房了
"""


def _rows() -> Iterator[tuple[str, str, bool]]:
    held = ""
    for line in filter(None, map(str.strip, TABLE.splitlines())):
        if line.startswith(("+ ", "- ")):
            yield from ((held, told, line[0] == "+") for told in line[2:].split("|"))
        elif not line.startswith("# "):
            held = line


@pytest.mark.parametrize(("held", "told", "ends"), [*dict.fromkeys(_rows())])
def test_what_is_told_of_another_ends_nothing(held: str, told: str, *, ends: bool) -> None:
    ended = any(
        is_ended_by(old, new, held) for old in slot_claims(held) for new in slot_claims(told)
    )

    assert ended is ends
