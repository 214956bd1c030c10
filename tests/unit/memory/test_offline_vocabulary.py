"""A question is known without its mark, and words that only look like one ask nothing."""

import pytest

from memory.offline.vocabulary import is_question

ASKS = (
    "what cant i eat",
    "who dont i like",
    "what shouldnt i drink",
    "where havent we been yet",
    "doesnt my sister work there",
    "what medicine cant i take",
    "我妹妹做啥的",
    "我住哪裡",
    "我跟老吴现在咋样了",
    "九寨沟去了没",
    "我结过几次婚",
    "那支鋼筆是誰的",
    "我有幾個小孩",
    "我手術是哪一天",
    "我開什麼車",
    "面试过了没",
    "还喝咖啡不",
    "手术做完没有",
    "how old's my mam",
    "我住哪",
    "我多大了",
    "朵朵几岁了",
    "我儿子在哪",
    "我老伴呢",
    "那后来呢",
    "我的医保卡放哪了",
    "明天我要干嘛",
    "你是人还是机器",
    "中国首都是哪",
    "我学什么专业的",
    "我是做什么的",
    "我对什么过敏来着",
    "我有什么病",
    "我弟读几年级",
    "我在北京几年了",
    "你最近怎么样",
    "我该怎么办",
    "小雨喜不喜欢猫",
    "我们在哪认识的",
    "昨天我考过了什么来着",
    "你怎么了😟",
    "where do I live",
    "what's my favourite colour",
    "who keeps texting me",
    "am I vegetarian",
    "which cat is older",
    "hey, where is my bank card",
    "did I tell you about Leah",
    "does Kyle owe me money",
    "is Rex still ill",
    "what happened to my dad",
)

TELLS = (
    "i dont know what cant wait",
    "cant wait for friday",
    "dont you worry",
    "wont be long",
    "我去过几次北京",
    "我有几个朋友",
    "他不咋样",
    "去了没用",
    "我已经离婚了没有孩子",
    "哪一天都行",
    "做饭啥的",
    "没什么",
    "我在看书呢",
    "说好了的嘛",
    "还拍了许多照片呢。",
    "我什么都不想吃",
    "谁都不理我",
    "我有几个朋友在上海",
    "好几个人都这么说",
    "我不知道该怎么办",
    "不知道为什么很难过",
    "今天怎么这么倒霉",
    "我哪儿也不想去",
    "多少有点失望",
    "不管怎样我都会去",
    "我十几岁的时候住在北京",
    "没人知道我在想什么",
    "他忘了我们约几点",
    "昨天有人问我几岁",
    "买了点苹果什么的",
    "说不说都一样",
    "在那儿住了几年",
    "what a day",
    "how nice",
    "when I was a kid we lived in Leeds",
    "I don't know what to do",
    "I know who did it",
    "what I did was stupid",
    "have a nice day",
    "do Pilates on Mondays",
    "Will Smith was great",
)


@pytest.mark.parametrize("text", ASKS)
def test_a_question_needs_no_mark(text: str) -> None:
    assert is_question(text)
    assert is_question(f"{text}？")


@pytest.mark.parametrize("text", TELLS)
def test_what_only_looks_like_a_question_tells(text: str) -> None:
    assert not is_question(text)
