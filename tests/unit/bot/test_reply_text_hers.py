"""What of a reply a model only wrapped, noted, or put into other mouths; and what looks so."""

import pytest

from bot.conversation.echoes import NOTHING_OF_HER_OWN, in_her_words, surely_own
from memory.ports import Outcome, Replied, Truncated

FENCED = '```json\n{"reply": "下雨记得带伞呀", "emotion": "warm"}\n```'
TALK = "陈远航：我妈又催我结婚了。\n小祥：别急嘛。\n陈远航：可是我真的很烦。\n小祥：抱抱你。"
ALLERGY = "Ann: I'm allergic to penicillin.\nXiaoxiang: Noted!\nAnn: thanks"

WRAPPED = [
    (FENCED, "下雨了没带伞", "下雨记得带伞呀"),
    ('{"response": "弹琴真好"}', "我女儿在学钢琴", "弹琴真好"),
    ("{'reply': '好呀，去吧',}", "想去公园", "好呀，去吧"),
    ('{"message": {"role": "assistant", "content": "在呢"}}', "在吗", "在呢"),
    ('{"小祥": "在呢"}', "在吗", "在呢"),
    ('{"reply": "他说\\"好\\"\\n真的"}', "在吗", '他说"好"\n真的'),
    ('{"reply": "下雨记得', "在吗", "下雨记得"),
    ("<reply>在呢</reply>", "在吗", "在呢"),
    ("好的，以下是我的回复：\n\n小祥：剪短了清爽！", "我剪了头发", "剪短了清爽！"),
    ("以下是我的回复：“清爽！”", "我剪了头发", "清爽！"),
    (
        'Sure! Here\'s the response:\n\n"No coffee then."',
        "i don't drink coffee",
        "No coffee then.",
    ),
    ("Response: hello there", "hi", "hello there"),
    ('"That\'s fine."', "no coffee", "That's fine."),
    ("“清爽多了！”", "我剪了头发", "清爽多了！"),
    (
        "根据记忆 m1 和 m2，你叫陈远航。（程序附注：现在是 2027-01-08 20:00）",
        "你猜我叫啥",
        "你叫陈远航。",
    ),
    (
        "As noted in m1 and m2, your name is Ann. (Note by the program: it is 2027-01-08.)",
        "book club tonight",
        "Your name is Ann.",
    ),
    ("你对虾过敏（m3），别吃啦", "吃虾吗", "你对虾过敏，别吃啦"),
    ("别吃 [m1, m2] 虾", "吃啥", "别吃 虾"),
    ("记得的。\nm1｜2026-03-01｜事实｜主人喜欢拉面\n面嘛", "我爱吃啥", "记得的。\n面嘛"),
    (TALK, "刚跟我妈打电话 又催婚", "别急嘛。"),
    (ALLERGY, "im allergic to penicillin btw", "Noted!"),
    ("Noted!\nAnn: thanks", "im allergic", "Noted!"),
    ("好的呀\n用户：那明天呢\n小祥：明天见", "拜拜", "好的呀"),
    ("Sure.\n\nUser: ok\nAssistant: yes", "bye", "Sure."),
    ("小祥：好的。\n小祥：抱抱", "拜拜", "好的。\n抱抱"),
    ("小祥：好的。\n主人：嗯嗯", "拜拜", "好的。"),
]


@pytest.mark.parametrize(("reply", "said", "hers"), WRAPPED)
def test_only_her_words_are_kept_and_nothing_around_them_is_ever_shown(
    reply: str, said: str, hers: str
) -> None:
    name = "Ann" if said.isascii() else "陈远航"
    outcome = in_her_words(Replied(reply), reply, [said], name)

    assert outcome == Replied(hers)
    for end in range(len(reply) + 1):
        shown = surely_own(reply[:end], [said], name)
        assert hers.startswith(shown) or shown in {"A", "As"}


def test_who_speaks_for_somebody_unknown_is_cut_at_the_end() -> None:
    assert in_her_words(Replied(TALK), TALK, ["又催婚"]) == Replied("别急嘛。")


def test_what_was_asked_for_a_line_before_still_holds() -> None:
    document, talk = '{"reply": "x"}', "陈远航：你好\n小祥：你好"

    assert in_her_words(Replied(document), "", ["再来一个"], "", ["给个 JSON"]) == Replied(
        document
    )
    assert surely_own(document, ["再来一个"], "", ["给个 JSON"]) == document
    assert in_her_words(Replied(talk), "", ["再来"], "陈远航", ["我们演段对话"]) == Replied(talk)


AS_THEY_ARE = [
    ('{"name": "Ann"}', "给我一个 JSON 例子"),
    ('```json\n{"reply": "x"}\n```', "show me json"),
    ('{"reply": "x"}', "帮我看看这段代码"),
    ("```python\nprint(1)\n```", "怎么打印"),
    ("{笑}你呀", "哈"),
    ("“床前明月光，疑是地上霜。”", "李白那句诗怎么说"),
    ('"Hello" is how you greet.', "how do i greet"),
    ("“清爽”这个词真好", "我剪了头发"),
    ("“好”和“坏”", "两个字"),
    ("好的，以下是回复：\n\n房东您好，我想……", "帮我写个回复给房东"),
    ("好的，以下是我的建议：\n1. 早睡", "怎么办"),
    ("Here's my answer: yes!", "can we"),
    ("这是我的回答：行！", "行不行"),
    ("89（m2）的房子", "房子"),
    ("面积(m2)：20", "多大"),
    ("M1 芯片挺好", "电脑买啥"),
    ("坐 m1 线去吧", "m1 线还是 m2 线"),
    ("根据你说的，挺好", "嗯"),
    ("As you said, it is fine.", "hm"),
    ("（笑）好的", "嗯"),
    ("那是（程序附注：现在是八点）这种字", "什么叫程序附注"),
    ("给你列一下\n早餐：牛奶\n午餐：面", "今天吃啥"),
    ("Here you go:\nAnn: dishes\nBen: laundry", "split the chores"),
    ("陈远航：你好\n小祥：你好", "写一段我们的对话"),
    ("Ann: hi\nXiaoxiang: hello", "let's role-play"),
    ("时间：明天\n地点：公园", "约哪儿"),
    ("陈远航，别急嘛。\n慢慢来：先吃饭。", "烦"),
    ("主人：今天辛苦啦！", "下班了"),
    ("给你留个条：\n主人：记得吃早饭", "早"),
    ("host: a\nuser: root", "settings?"),
    ("回复得好慢呀", "嗯"),
    ("AI 是挺有意思的", "嗯"),
]


@pytest.mark.parametrize(("reply", "said"), AS_THEY_ARE)
def test_what_only_looks_so_stays_as_it_is(reply: str, said: str) -> None:
    name = "Ann" if said.isascii() else "陈远航"

    assert in_her_words(Replied(reply), reply, [said], name) == Replied(reply)
    grown = [surely_own(reply[:end], [said], name) for end in range(len(reply) + 1)]
    assert all(reply.startswith(each) for each in grown)


ENDLESS = Truncated("好呀。", at_limit=True, endless=True)
ENDED: list[tuple[Outcome, Outcome]] = [
    (Truncated('{"reply": "好', at_limit=True), Truncated("好", at_limit=True)),
    (
        Truncated("好呀。", at_limit=True, endless=True),
        Truncated("好呀。", at_limit=True, endless=True),
    ),
    (Truncated("", at_limit=True, endless=True), NOTHING_OF_HER_OWN),
    (Truncated("UPDATE:m1 主人在啃", at_limit=True), NOTHING_OF_HER_OWN),
    (Truncated('{"name": "remind", "arguments": {"text', at_limit=True), NOTHING_OF_HER_OWN),
    (Truncated("", at_limit=True), Truncated("", at_limit=True)),
    (Truncated("UPDATE:m1 my"), Truncated("")),
]


@pytest.mark.parametrize(("ended", "hers"), ENDED)
def test_what_was_cut_is_hers_as_well(ended: Outcome, hers: Outcome) -> None:
    assert in_her_words(ended, "", ["嗯"]) == hers


HANDLES = [
    ("Sure. Note: m1 says so.", "is it so?", "Sure."),
    ("Sure. m1 says so. Have fun!", "is it so?", "Sure. Have fun!"),
    ("Yes, on Monday. Source: m1, m12.", "when?", "Yes, on Monday."),
    (
        "Note: m1 says you are allergic to nuts, so no satay.",
        "satay?",
        "Note: my memory says you are allergic to nuts, so no satay.",
    ),
    ("m1 and m12 say you like tea.", "tea?", "My memories say you like tea."),
    ("You like tea, as m7 mentions.", "tea?", "You like tea, as my memory mentions."),
    ("I have that from memory m4.", "how so?", "I have that from memory."),
    ("You moved in June (m3)! See m4.", "when?", "You moved in June! See my memory."),
    ("好的。附注：m1是这么说的。", "是吗", "好的。"),
    ("Sure, noted. m12 says so.", "make a note of it", "Sure, noted."),
    ("你对花生过敏，m1里写着呢。", "能吃吗", "你对花生过敏，记忆里写着呢。"),
    ("m1说你对花生过敏，别吃啦。", "能吃吗", "记忆里说你对花生过敏，别吃啦。"),
    ("我看了 m1 和 m12 ，你是周四去。", "哪天", "我看了记忆，你是周四去。"),
    ("我看了笔记m12的说法，是周四。", "哪天", "我看了笔记的说法，是周四。"),
    ("（附注）好的，主人说得对。", "对吧", "好的，主人说得对。"),
    ("【附注】好的。", "对吧", "好的。"),
    ("(Note) Sure, let's go.", "shall we", "Sure, let's go."),
    ("[Note by the program] Sure, let's go.", "shall we", "Sure, let's go."),
]


@pytest.mark.parametrize(("reply", "said", "hers"), HANDLES)
def test_no_handle_of_a_memory_is_shown_nor_half_of_one(reply: str, said: str, hers: str) -> None:
    assert in_her_words(Replied(reply), reply, [said]) == Replied(hers)
    for end in range(len(reply) + 1):
        assert hers.startswith(surely_own(reply[:end], [said]))


def test_nothing_but_a_handle_is_no_answer() -> None:
    for reply in ("m1 says so.", "（附注）", "Note: m1."):
        assert in_her_words(Replied(reply), reply, ["嗯"]) == NOTHING_OF_HER_OWN


NO_HANDLES = [
    ("Take the M1 motorway north.", "which road?"),
    ("Take the m1 north, then the m25.", "which way?"),
    ("An M1 chip is plenty. So is an m2 mac.", "which laptop?"),
    ("The flat has 50 m2 and 120 m3 of air.", "how big?"),
    ("It costs 30 euros per m2 and 5 per m3.", "how much?"),
    ("Fifty m2 is small.", "enough?"),
    ("Night m8, sleep well.", "night"),
    ("m1 says it is platform one.", "what says the sign on M1?"),
    ("Use `m1 = 3` then.", "how?"),
    ("```\nm1 says so\n```", "show me"),
    ("I'm 1 of 3.", "how many?"),
    ("Dm1 and m100x are names.", "names?"),
    ("坐m1号线就到。", "怎么走"),
    ("房子有89m2，阳台6 m2。", "多大"),
    ("M1芯片够用了。", "买啥"),
    ("他在信末写了“（附注）款已收”。", "写了啥"),
    ("合同的附注：另行通知。", "写了啥"),
    ("附注要看清楚。", "要注意啥"),
    ("Note: the shop shuts at six.", "when?"),
    ("Notes are fine. No, really.", "ok?"),
    ("Nothing to note (note the date).", "so?"),
    ("（附注）见下", "附注怎么写"),
    ("Source: the BBC.", "who says?"),
]


@pytest.mark.parametrize(("reply", "said"), NO_HANDLES)
def test_what_only_looks_like_a_handle_stays(reply: str, said: str) -> None:
    assert in_her_words(Replied(reply), reply, [said]) == Replied(reply)
    assert all(reply.startswith(surely_own(reply[:end], [said])) for end in range(len(reply) + 1))


FOR_MACHINES = [
    ("恭喜你呀！UPDATE:m2 主人被表扬了", "今天被表扬了", "恭喜你呀！"),
    ("Well done! UPDATE: m2 my friend was praised", "i was praised", "Well done!"),
    ("好的。\nADD kind=fact 主人有表姐", "表姐要来", "好的。"),
    ("到家就好。（附注：m1 是方小蔓）", "刚到家", "到家就好。"),
    ("Safe home. (Note: m1 is Oona)", "home now", "Safe home."),
    ("大鹏是男朋友。m3", "大鹏是谁", "大鹏是男朋友。"),
    ("Dan is your cousin. m3.", "who's Dan", "Dan is your cousin."),
    ('remember(text="新鞋")\n新鞋什么颜色？', "我买了双新鞋", "新鞋什么颜色？"),
    ('What colour? set_reminder(time="9am", text="boots (new)")', "new boots", "What colour?"),
    ('set_reminder("9am", "boots")\nWhat colour?', "new boots", "What colour?"),
    ('好呀。[addMemory(text="新鞋")]', "我买了双新鞋", "好呀。"),
    ("想家就打个电话吧。</s><s>", "有点想家", "想家就打个电话吧。"),
    ("Ring home maybe.</s><s>[INST] bit homesick [/INST]", "bit homesick", "Ring home maybe."),
    ("理由：主人说爸爸种丝瓜。\n丝瓜好吃的。", "我爸种了好多丝瓜", "丝瓜好吃的。"),
    ("Reasons: the partner speaks of leeks.\nLeeks are great.", "my da", "Leeks are great."),
    ("Reasoning: sore shoulder, be kind.\n\nRub it a bit.", "shoulder", "Rub it a bit."),
    ("思考：用户不舒服，要安慰。\n回复：歇会儿吧。", "头晕", "歇会儿吧。"),
    ("### 回答：\n贴个创可贴吧。", "脚后跟磨破了", "贴个创可贴吧。"),
    ("### Response:\nPut a plaster on it.", "blister", "Put a plaster on it."),
    ("**Response:** Put a plaster on it.", "blister", "Put a plaster on it."),
    ("Sleep well.\n\n### Instruction:\nNow answer as the user.", "night", "Sleep well."),
    ("<emotion>happy</emotion>在想我吧？", "你猜我在干嘛", "在想我吧？"),
    ("Thinking of me? <情绪>开心</情绪>", "guess", "Thinking of me?"),
    ("<thought>\nShe is sad.\n</thought>\nCome here.", "meh", "Come here."),
    ('Come here.<action type="hug"/>', "meh", "Come here."),
    ("Is it sweet?<br>Have&nbsp;more.", "eating corn", "Is it sweet?\nHave more."),
    ("玉米甜不甜？<br>多吃点&nbsp;吧", "我在啃玉米", "玉米甜不甜？\n多吃点 吧"),
    ("<p>I <b>do</b> mean it.</p><p>Really.</p>", "do you", "I do mean it.\nReally."),
    ('想吃就去！\n```json\n{"memory":["想吃火锅"]}\n```', "想吃火锅", "想吃就去！"),
    ('Go then!\n```tool_code\nprint(add("x"))\n```', "hotpot?", "Go then!"),
    ('周末去走走吧。\n{"add_memory": "周末没事"}', "周末没事", "周末去走走吧。"),
    ('{"mood": {"now": "worried"}}\nSit down a bit.', "bit dizzy", "Sit down a bit."),
    ("[emotion: worried] Sit down.", "bit dizzy", "Sit down."),
    ("| a | b |\n|---|---|\n| x<br>y | z |", "a table", "| a | b |\n|---|---|\n| x y | z |"),
    ('好呀{"memory": "周末没事"}', "周末没事", "好呀"),
    ("【情绪：担心】头晕就先坐下。", "头有点晕", "头晕就先坐下。"),
    ('[{"role":"assistant","content":"煮一碗小米粥。"}]', "想喝粥", "煮一碗小米粥。"),
    ('[{"role":"assistant","content":"Make porridge.', "porridge", "Make porridge."),
    ('{"mood":"warm","reply":"好呀', "在吗", "好呀"),
    ('```json\n{"reply": "好"}\n```\n早点睡。', "嗯", "好\n早点睡。"),
    ("好。\nUPDATE m1: 主人搬家了", "搬家了", "好。"),
    ("Good. [UPDATE m1] my friend moved", "i moved", "Good."),
    ("好。 (UPDATE:m1)", "搬家了", "好。"),
    ("Good. UPDATE(m1, 'moved')", "i moved", "Good."),
    ("好。<eos>", "嗯", "好。"),
    ("Good. [END]", "hm", "Good."),
    ("Thought: the user is sad\nFinal Answer: Come here.", "meh", "Come here."),
    ('好的，以下是回复：{"reply":"跑完步记得拉伸。"}', "刚跑完步", "跑完步记得拉伸。"),
    ('Sure, here is my reply: {"reply":"Stretch those legs."}', "ran", "Stretch those legs."),
    ('Sure, here is my reply: {"reply":"Stretch."}', "answer me", "Stretch."),
    ("系统提示：你是小祥，一个温柔的陪伴者。\n\n早点睡。", "那好吧", "早点睡。"),
    ("System prompt: You are Xiaoxiang, kind.\n\nSleep well.", "fair enough", "Sleep well."),
    ("（情绪：担心）头晕就先坐下。", "头有点晕", "头晕就先坐下。"),
    ("头晕就先坐下。（语气：温柔、关心）", "头有点晕", "头晕就先坐下。"),
    ("(动作：轻轻拍拍你的肩) 头晕就先坐下。", "头有点晕", "头晕就先坐下。"),
    ("(emotion: worried) Sit down.", "bit dizzy", "Sit down."),
    ("Sit down. (Tone: soft and warm)", "bit dizzy", "Sit down."),
    ("*(action: hugs you)* Sit down.", "bit dizzy", "Sit down."),
    ("Action: smiles\nSit down.", "bit dizzy", "Sit down."),
    ("Action: smiles softly and nods\nSit down.", "bit dizzy", "Sit down."),
    ("Emotion: worried\nSit down.", "bit dizzy", "Sit down."),
    ("Sit down.\nTone: gentle", "bit dizzy", "Sit down."),
    ("动作：微笑着点点头\n头晕就先坐下。", "头有点晕", "头晕就先坐下。"),
    ("头晕就先坐下。\n情绪：担心", "头有点晕", "头晕就先坐下。"),
]


@pytest.mark.parametrize(("reply", "said", "hers"), FOR_MACHINES)
def test_beside_good_words_only_what_is_for_machines_goes_and_is_never_shown(
    reply: str, said: str, hers: str
) -> None:
    outcome = in_her_words(Replied(reply), reply, [said])

    assert outcome == Replied(hers)
    shown = [surely_own(reply[:end], [said]) for end in range(len(reply) + 1)]
    assert [each for each in shown if not hers.startswith(each)] == []


NOTHING_SAID = [
    "UPDATE:m1 主人在啃玉米",
    "UPDATE:m1 my friend eats corn",
    "BOOST:m1",
    "- DELETE: m12",
    "m1",
    "m1.",
    '{"name": "set_reminder", "arguments": {"text": "修空调"}}',
    '{"name": "set_reminder", "arguments": {"text": "fix the',
    '{"op": "ADD", "text": "主人在啃玉米"}',
    '{"reasons": "x", "operations": [{"op": "ADD", "text": "my friend eats corn"}]}',
    '{"mood": "warm"}',
    '[{"tool": "remember", "text": "corn"}]',
    '```json\n{"memory": ["corn"]}\n```',
    'remember(text="corn")',
    'set_reminder(text="快递',
    "</s><s>",
    "<emotion>happy</emotion>",
    "[emotion: worried]",
    "### Response:",
    "理由：主人说爸爸种丝瓜。",
    "Reasons: the user speaks of leeks.",
    "系统提示：你是小祥，一个温柔、踏实的陪伴者。说话简短自然，像朋友发消息。",
    "你是小祥，一个温柔、踏实的陪伴者。说话简短自然，像朋友发消息。",
    "System: You are Xiaoxiang (小祥), a warm and steady companion.",
    "（附注：m1 是方小蔓）",
    "（情绪：担心）",
    "(emotion: worried)",
]


@pytest.mark.parametrize("reply", NOTHING_SAID)
@pytest.mark.parametrize("said", ["嗯", "fair enough"])
def test_what_is_only_for_machines_is_no_answer_and_nothing_of_it_is_shown(
    reply: str, said: str
) -> None:
    assert in_her_words(Replied(reply), reply, [said]) == NOTHING_OF_HER_OWN
    assert {surely_own(reply[:end], [said]) for end in range(len(reply) + 1)} == {""}


NOT_FOR_MACHINES = [
    ("Write <br> where the line ends.", "how do i write a <br>?"),
    ("Use &nbsp; between them, or <b>bold</b>.", "how do i keep words together in html"),
    ("<mood>happy</mood> works.", "what xml tag for the mood"),
    ("用 print(text='好') 就行。", "教我写个函数"),
    ("Wrap it in <div> and set a width.", "how do i center a div"),
    ('remember(text="x") 就是一次调用。', "函数调用长什么样"),
    ('call set_reminder(time="9am")', "show me a function call"),
    ('```python\nremember(text="x")\n```', "how"),
    ("Put `set_reminder(x)` there.", "how"),
    ('Add this:\n```json\n{"ignore": ["tests"]}\n```', "how do i make eslint skip tests"),
    ('{"memory": 1}', "一个 JSON 例子"),
    ("别去吧。\n理由：\n1. 太远\n2. 太贵", "说服我"),
    ("理由：太远了，也太贵。\n还是别去。", "去不去"),
    ("理由：主人累了，明天还要早起。\n所以早点睡。", "给我个理由"),
    ("Reasons: your partner is tired.\nSo stay in.", "why should we stay in"),
    ("Reasons to go: sun. Reasons to stay: cake.", "go or stay"),
    ("My reasoning: it may rain.", "hm"),
    ("Update: the bus was late.", "any news"),
    ("UPDATE: all is well!", "any news"),
    ("OK! BOOST your mood: have cake.", "meh"),
    ("[笑] 你呀", "哈"),
    ("[lol] sure", "ha"),
    ("(emotion: none, I am a rock)", "ha"),
    ("【担心】怎么了", "头晕"),
    ("I <3 you, <grin> and so on", "x"),
    ("a < b and c > d", "which is it"),
    ("# 计划\n\n先吃饭。\n\n## 回答别人\n\n再睡。", "列个计划"),
    ("## Day one\nRest.\n## Answers\nNone.", "plan?"),
    ("他问“系统提示：更新吗？”", "他问啥"),
    ("系统提示：内存不足，就是说放不下了。", "手机弹出系统提示，啥意思"),
    ("你是小祥的朋友呀。", "我是谁的朋友"),
    ("你是小祥，我是你。开始吧！", "我们来角色扮演，互换身份"),
    ("like(d) it, movie(s) too", "film?"),
    ("f(x=2) is 4.", "square of two"),
    ("AT&T and R&D, salt & pepper", "names"),
    ("打开 https://example.org/a?b=1 看看", "网址"),
    ("He said {sic} and [so].", "what did he say"),
    ("see you at nine (maybe ten)", "when"),
    ("Thought: maybe Sunday?", "when"),
    ("分析：对方先动手的，你没错。\n别自责。", "我和他打架了"),
    ("理由：主人最棒！", "夸我"),
    ("Reasons: your partner snores.", "i sleep badly"),
    ("Thoughts: my friend, you did well.", "today was hard"),
    ("[心情:好] 晴，去了公园。", "给日记写个心情"),
    ("[tone: soft] hm", "which tone"),
    ("ADD sugar=2 spoons", "recipe"),
    ("Here is my reply: {smile}", "x"),
    ("Read <https://example.org> and <a@example.org>", "link"),
    ("心情：😊", "今天怎么样"),
    ("系统：Windows 11\n内存：16G", "我电脑什么样"),
    ("打给我(记得带证件)，用app(叫Keep)记录", "咋办"),
    ("tent (2-person), stove(s), map", "camping list"),
    ("KEEP: my spot", "seat"),
    ("Press [END] or <Esc> to stop.", "keys"),
    ("Final answer: yes!", "sure"),
    ('他发来“{"名": 1}”', "他发啥"),
    ("It's 3:30. Q: who cooks? A: me.", "who"),
    ("（笑）你呀", "哈"),
    ("你呀（开玩笑的）", "哈"),
    ("Sure (just kidding).", "ha"),
    ("Action: none needed, you did well.", "what now"),
    ("Action: none needed, you did well.\nRest.", "what now"),
    ("Action: call the bank, then rest.\nMood: that is up to you.", "what now"),
    ("动作：先热身，再拉伸。\n每天十分钟。", "怎么练"),
    ("（情绪：别急，慢慢来，总会好的。）", "唉"),
    ("（心情：一般）你呢", "心情怎么样"),
    ("(mood: sleepy) and you?", "what's your mood"),
    ("Mood: sleepy.", "hm"),
    ("Mood: sleepy", "hm"),
    ("动作：微笑", "哈"),
    ("语气：温柔一点，别急。\n他会听的。", "我怎么跟他说"),
    ("(tone: it matters a lot, really)", "hm"),
]


@pytest.mark.parametrize(("reply", "said"), NOT_FOR_MACHINES)
def test_what_only_looks_as_if_it_were_for_machines_stays(reply: str, said: str) -> None:
    assert in_her_words(Replied(reply), reply, [said]) == Replied(reply)
    assert all(reply.startswith(surely_own(reply[:end], [said])) for end in range(len(reply) + 1))
