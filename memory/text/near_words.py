"""Words that people use for one another: who asks for one is also told of by the others.

Written down by hand, taken from no data: everyday matters in which a question and what was told
years ago seldom agree on the word. Each group is told by its stems, or by its Chinese words.
"""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Final

from memory.text.tokens import tokens

_GROUPS_EN: Final = """
job work career employ occupation profession; boss manager supervisor; colleague coworker teammate
quit resign leave notice; hire recruit; fire sack layoff; salary wage pay income earn
company firm; interview candidate; university college uni campus; school class; exam test quiz
grade mark score; teacher professor tutor instructor; study major degree; child kid son daughter
baby newborn infant; mother mom mum mama mommy mummy; father dad papa daddy pop
parent mother father mom dad; grandmother grandma granny nana; grandfather grandpa granddad
husband spouse wife partner; boyfriend girlfriend partner; brother sister sibling
marry wed wedding marriage engage propose; pregnant pregnancy expect due; divorce separate split
pet dog cat puppy kitten; dog puppy; cat kitten; car vehicle drive; bike bicycle cycle
trip travel vacation holiday journey visit; flight plane fly; hotel hostel airbnb
house home apartment flat; rent lease landlord tenant; move relocate; movie film cinema
book novel read; song music band; picture photo photograph; paint painting draw
doctor physician gp clinic hospital; ill sick illness disease; pain ache hurt sore
headache migraine; injury injure hurt wound; fall trip slip; medicine medication pill tablet drug
surgery operation operate; allergy allergic; tired exhausted; sad upset unhappy depressed
angry mad furious annoyed row; afraid scared fear frighten; happy glad joy
argue argument fight quarrel row; cry tear weep; buy purchase; sell sale; cost price pay
cheap inexpensive; money cash fund; debt owe loan lend borrow; gift present
party celebrate celebration; birthday born; begin start; end finish; repair fix mend; break damage
build make; cook bake; meal dinner lunch supper; breakfast brunch; food eat dish
restaurant cafe diner; drink beverage; sport exercise workout gym train; run jog race marathon
swim pool; hike walk trek; game play match; win victory; team club; garden plant
phone mobile cell; computer laptop; email mail letter; store shop; clothes outfit dress wear
color colour; favorite favourite; city town; country nation; sea ocean beach; forest wood
mountain hill; rain storm wet; snow ice; police officer; lawyer attorney solicitor; church temple
friend pal buddy; big large huge; small little tiny; difficult hard tough; help assist support
decide choose choice; plan intend; dream wish; hate dislike; enjoy love; learn study; teach lesson
hobby pastime interest; volunteer charity; award prize; name call
"""

_GROUPS_ZH: Final = """
工作 上班 公司 单位 职业 班; 老板 领导 上司 经理; 同事 同僚; 辞职 离职 跳槽; 招聘 面试 招人 入职
工资 薪水 收入 月薪; 挣钱 赚钱 赚; 大学 学校 学院 高校; 考试 测验 期末; 分数 成绩
老师 教师 班主任; 孩子 儿子 女儿 小孩 宝宝 娃; 妈妈 母亲 老妈 妈; 爸爸 父亲 老爸 爸; 父母 爸妈
奶奶 外婆 姥姥 祖母; 爷爷 外公 姥爷; 丈夫 老公 爱人; 妻子 老婆 太太 媳妇; 男友 男朋友 对象
女友 女朋友 对象 未婚妻; 结婚 婚礼 领证 订婚 求婚; 怀孕 预产期; 离婚 分手; 宠物 猫 狗
汽车 车 开车; 自行车 骑车 单车; 旅行 旅游 出游 出差; 火车 高铁 动车; 飞机 航班; 酒店 宾馆 民宿
房子 家 公寓 住; 房租 租金 租房 月租; 房东 租客; 搬家 搬; 电影 片子; 书 小说; 歌 音乐
照片 相片 拍照; 医生 大夫 医院 看病 就诊 复诊; 生病 病 不舒服 发烧; 疼 痛 疼痛; 头疼 头痛 偏头痛
受伤 摔 骨折 摔倒; 药 吃药 服药; 手术 开刀; 过敏 忌口 不吃; 累 疲惫 辛苦; 难过 伤心 难受
生气 发火 吵架; 害怕 怕 担心; 开心 高兴; 哭 流泪; 买 购买 下单; 卖 出售; 价格 多少钱 块钱 价钱 花
便宜 划算; 欠 借 债; 礼物 送; 生日 过生日; 开始 开学; 结束 完成; 修 修理 维修; 做饭 烧菜 下厨
饭 吃饭 聚餐 午饭 晚饭; 餐馆 饭店 餐厅; 运动 锻炼 健身; 跑步 晨跑; 游泳 泳池; 爬山 徒步 登山
比赛 球赛; 手机 电话; 电脑 笔记本; 商店 超市; 衣服 裙子; 颜色 色; 城市 地方; 海边 沙滩 海; 下雨 雨
下雪 雪; 律师 官司; 朋友 好友 闺蜜; 学习 学; 爱好 兴趣; 名字 叫; 体检 检查; 邻居 隔壁
"""


def near_words(term: str) -> frozenset[str]:
    """Return what people say for a term of a search: stems for a stem, words for a Chinese word.

    >>> sorted(near_words("电影"))
    ['片子']
    """
    return _near(_GROUPS_EN if term.isascii() else _GROUPS_ZH).get(term, frozenset())


@cache
def _near(groups: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in groups.replace(";", "\n").splitlines():
        said = [tokens(word) if word.isascii() else [word] for word in line.split()]
        alike = frozenset(chain.from_iterable(said))
        for word in alike:
            found.setdefault(word, set()).update(alike - {word})
    return {word: frozenset(others) for word, others in found.items()}
