"""What of a reply is hers, and what only repeats what she read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.echoes import own_words, surely_own, withholds_name
from bot.conversation.footnotes import claimed_deed, claims_errand

ANN = "Hi, I am Ann, and I am 28 years old."
PEANUT = "我对花生过敏，记住这个。"
MORE = "What else? 还有什么？"


@pytest.mark.parametrize(
    ("reply", "said", "hers"),
    [
        ("[2026-11-22 14:20] Nice to meet you!", [ANN], "Nice to meet you!"),
        ("［2026-11-22 14:20］好的", [PEANUT], "好的"),
        ("（程序附注：现在是 2026-11-22 14:20，星期日。）好的", [PEANUT], "好的"),
        ("(Note by the program: it is 2026-11-22 14:20, Sunday.)\nFine.", [ANN], "Fine."),
        ("（2026-11-22 14:20 说的：）\n好的", [PEANUT], "好的"),
        ("(said on 2026-11-22 14:20:)\nFine.", [ANN], "Fine."),
        ("小祥：好的", [PEANUT], "好的"),
        ("Xiaoxiang: Fine.", [ANN], "Fine."),
        ("[2026-11-22 14:20] 小祥：好的", [PEANUT], "好的"),
        (
            "<记忆 6b49b02e>\nm1｜2026-03-01｜事实｜主人喜欢拉面\n</记忆 6b49b02e>\n好的",
            [],
            "好的",
        ),
        ("好的\n[2026-11-22 14:21] 还有呢", [PEANUT], "好的\n还有呢"),
        ("好的\n[2026-11-22 14:21] [2026-11-22 14:21] 还有呢", [PEANUT], "好的\n还有呢"),
        (f"{ANN}\nNice to meet you, Ann!", [ANN], "Nice to meet you, Ann!"),
        (f"{ANN} Nice to meet you, Ann!", [ANN], "Nice to meet you, Ann!"),
        (f"Oh! {ANN} (smiles) Nice!", [ANN], "(smiles) Nice!"),
        (f"好的！{PEANUT}我会留意的。", [PEANUT], "我会留意的。"),
        (
            "Hi, I am Ann, and I am 28 years old too!",
            [ANN],
            "Hi, I am Ann, and I am 28 years old too!",
        ),
        (
            "Oh, I see! You have an interview.",
            ["I have an interview."],
            "Oh, I see! You have an interview.",
        ),
        ("晚安", ["晚安"], "晚安"),
        ("Good night!", ["Good night"], "Good night!"),
        ("我记得 [2026-11-22] 那天", ["哪天"], "我记得 [2026-11-22] 那天"),
        ("小祥在呢", ["在吗"], "小祥在呢"),
        ("12 点半吃饭", ["几点"], "12 点半吃饭"),
        ("（笑）好的", ["笑一个"], "（笑）好的"),
    ],
)
def test_marks_are_cut_and_the_rest_is_hers(reply: str, said: list[str], hers: str) -> None:
    assert own_words(reply, said) == hers
    assert surely_own(reply, said) in {hers, ""}
    assert surely_own(f"{reply}\n{MORE}", said) == f"{hers}\n{MORE}"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (ANN, [ANN]),
        (f"[2026-11-22 14:20] {ANN}", [ANN]),
        (f"[2026-11-22 14:20] {ANN.lower()}", ["Good evening.", ANN]),
        (PEANUT, [PEANUT]),
        (f"{PEANUT}\n我怕虫子", [PEANUT, "我怕虫子"]),
        ("[2026-11-22 14:20]", [ANN]),
        ("  ", [ANN]),
        (f"Oh, I see! {ANN}", [ANN]),
        (f"(I said, {ANN})", [ANN]),
        (f"(In answer to your question: {ANN})", [ANN]),
        (f"Hello, dear friend.\n{ANN}", [ANN]),
        (f"好的，知道了：{PEANUT}", [PEANUT]),
        (f"{ANN} {ANN}", [ANN]),
    ],
)
def test_an_echo_or_nothing_but_marks_is_nothing_of_hers(reply: str, said: list[str]) -> None:
    assert own_words(reply, said) == ""
    shown = {surely_own(reply[:end], said) for end in range(len(reply) + 1)}
    # Only what may stand before anything.
    assert all(len(each) < len("In answer to your question: ") + 1 for each in shown)
    assert not any(_letters(line)[:12] in _letters(each) for each in shown for line in said)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@pytest.mark.parametrize(
    ("reply", "said", "name", "withheld"),
    [
        ("I am Xiaoxiang, a warm companion.", "What is my name and what do I do?", "Ann", True),
        ("我叫小祥。", "我叫什么，做什么的？", "陈远航", True),
        ("我叫陈远航，是个木匠。", "我叫什么，做什么的？", "陈远航", True),
        ("你叫陈远航，是个木匠。", "我叫什么，做什么的？", "陈远航", False),
        ("Ann, of course.", "Who am I?", "Ann", False),
        ("I do not know yet.", "What is my name?", "", False),
        ("Hi, I am Ann, a nurse.", "Write an introduction for me.", "Ann", False),
        ("火锅吧。", "你说我叫什么外卖好？", "陈远航", False),
        ("去年五月。", "我是什么时候搬家的？", "陈远航", False),
        ("Trust yourself.", "Who am I to judge?", "Ann", False),
        ("In the story the king is called Otto.", "What is his name?", "Ann", False),
    ],
)
def test_a_known_name_that_is_asked_for_is_told_and_not_as_hers(
    reply: str, said: str, name: str, *, withheld: bool
) -> None:
    assert withholds_name(reply, [said], name) == withheld


WORDS = st.sampled_from(
    [
        *ANN.split(),
        "[2026-11-22 14:20] ",
        "小祥：",
        "好的",
        "Oh, I see! ",
        "\n",
        "（",
        "m1｜",
        " ",
        PEANUT,
        "<记忆 ",
    ]
)


@given(st.lists(WORDS, max_size=8).map("".join))
def test_what_is_shown_while_it_grows_is_never_an_echo_nor_begins_with_a_mark(reply: str) -> None:
    said = [ANN, PEANUT]
    for end in range(len(reply) + 1):
        shown = surely_own(reply[:end], said)
        assert not shown.startswith(("[20", "小祥：", "（程序"))
        assert own_words(shown, said) == shown
        assert shown not in {ANN, PEANUT}


@given(st.lists(WORDS, max_size=8).map("".join))
def test_cutting_twice_is_cutting_once(reply: str) -> None:
    once = own_words(reply, [ANN, PEANUT])

    assert own_words(once, [ANN, PEANUT]) == once


def test_a_reply_that_begins_like_the_line_is_shown_as_soon_as_it_differs() -> None:
    reply = "我对花生也过敏呢"
    shown = [surely_own(reply[:end], [PEANUT]) for end in range(len(reply) + 1)]

    assert shown[4] == ""
    assert shown[5] == "我对花生也"
    assert shown[-1] == reply


def test_short_lines_that_are_named_again_are_answered() -> None:
    assert own_words("听到了 m-9、m-10", ["m-9", "m-10"]) == "听到了 m-9、m-10"


@pytest.mark.parametrize(
    ("said", "reply", "name", "own"),
    [
        ("我下周三有个面试", "我下周三有个面试，陈远航！", "陈远航", ""),
        ("我下周三有个面试", "我下周三有个面试，陈远航！加油。", "陈远航", "加油。"),
        ("I have an interview next week", "I have an interview next week, Ann!", "Ann", ""),
        ("我下周三有个面试", "陈远航，面试加油！", "陈远航", "陈远航，面试加油！"),
    ],
)
def test_a_name_behind_it_makes_no_answer_of_an_echo(
    said: str, reply: str, name: str, own: str
) -> None:
    assert own_words(reply, [said], name) == own
    assert own.startswith(surely_own(reply[:-1], [said], name))


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("Wonderful! [ADD] my friend is married to Martha", "Wonderful!"),
        ("真好。[ADD kind=fact] 主人结婚了", "真好。"),
        ("好的。[UPDATE:m3] 主人搬家了\n早点睡。", "好的。早点睡。"),
        ("Press [ADD] to go on.", "Press [ADD] to go on."),
    ],
)
def test_an_operation_in_the_middle_of_a_line_is_not_shown(reply: str, shown: str) -> None:
    assert surely_own(reply, ["嗯"]).strip() == shown
    grown = [surely_own(reply[:end], ["嗯"]).strip() for end in range(len(reply))]
    assert all(shown.startswith(each) for each in grown)


@pytest.mark.parametrize(
    ("said", "reply", "deed"),
    [
        ("把你记得的关于我的东西全删了", "好的，全部删除了，一条不留。", "erased"),
        ("你把我之前说的都删掉", "已经全部删除，数据库清空了。", "erased"),
        ("那条关于我爸的你删掉", "已删除。", "erased"),
        ("你把昨天的聊天记录清空", "好，这就清空。", "erased"),
        ("delete everything you know about me", "Done. I wiped everything.", "erased"),
        ("please forget what I told you on Monday", "Sure, all deleted.", "erased"),
        ("帮我把这条置顶", "已经置顶了。", "pinned"),
        ("豆包是只柯基", "记住了，我已经把豆包的资料钉住了，永远不会忘。", "pinned"),
        ("pin that for me", "Pinned!", "pinned"),
        ("豆包那条改一下，刚才那条改成柴犬", "已经改好了。", "changed"),
        ("把汤圆改成三花", "已经把汤圆改成三花了，数据库已更新", "changed"),
        ("scratch what i said, shes a shiba", "Corrected in my memory.", "changed"),
    ],
)
def test_a_deed_on_memory_that_a_reply_claims_is_recognised(
    said: str, reply: str, deed: str
) -> None:
    assert claimed_deed(reply, [said]) == deed


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("我把他微信删了", "删了就好，已经删了就别想了。"),
        ("删了吗", "删了，我什么都没留下。"),
        ("is it gone", "Yes, everything is deleted."),
        ("把你记得的关于我的东西全删了", "我自己删不了，你发 /forget all 就行。"),
        ("把我说的都删掉", "要全部删掉吗？"),
        ("delete everything you know about me", "I can't delete anything by myself."),
        ("delete everything you know about me", "Do you want me to wipe everything?"),
        ("I deleted all his photos", "Done is done. All deleted, and good riddance."),
        ("I need to clear my head", "Go for a walk, it's all gone after that."),
        ("我把头发剪短了", "已经换了个样子，好看！"),
        ("我改主意了", "改了也好。"),
        ("我今天把文档改成英文了", "已经改好了？真快。"),
        ("我在黑板上钉了张照片", "好看吗？"),
        ("你别忘了我生日", "好的，不会忘的。"),
    ],
)  # fmt: skip
def test_talk_of_deeds_that_are_not_hers_claims_nothing(said: str, reply: str) -> None:
    assert claimed_deed(reply, [said]) is None


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("帮我挂个号", "已经帮你挂好号了，明天上午九点。"),
        ("帮我挂个号", "挂好了，明天上午九点。"),
        ("下周去杭州，你给我订票", "票我订好了，早上八点的。"),
        ("你给我妈打个电话", "好的，我给你妈打过电话了，她说没事。"),
        ("饿了", "外卖给你点好了，半小时到。"),
        ("好饿", "我刚帮你点了份外卖，等着吧～"),
        ("帮我交下电费", "电费我已经交好了。"),
        ("帮我给老板发邮件请假", "邮件已经帮你发出去了。"),
        ("给房东转两千", "好的！我已经转账给房东了。"),
        ("订个餐厅吧", "我订好了餐厅，今晚七点两位。"),
        ("帮我叫辆车", "车叫好了，三分钟到。"),
        ("帮我叫辆车", "好的，我这就帮你叫车。"),
        ("能不能帮我预约体检", "没问题，已经为你预约好了体检。"),
        ("我不舒服", "别怕，我已经联系了医院。"),
        ("book a table for two please", "Done! I've booked the table for you."),
        ("please book a table", "Your table is booked for seven."),
        ("can you book it?", "All booked!"),
        ("I miss my mum", "I called your mum, and she is fine."),
        ("i am hungry", "I have just ordered a pizza for you, it is on its way."),
        ("can you pay the rent", "Sure, I paid the rent this morning."),
        ("email my boss that i am ill", "I've emailed your boss."),
        ("email my boss that i am ill", "I sent the email to your boss just now."),
        ("i need a doctor", "I made an appointment for you at 3 pm."),
        ("call the landlord", "I just got off the phone with your landlord."),
        ("can you get us tickets", "I've bought two tickets for Friday."),
        ("call me a taxi", "Okay, I'll call a taxi for you right away."),
        ("cancel my flight", "I cancelled your flight."),
        ("i am scared", "I have contacted the police for you."),
    ],
)
def test_a_deed_in_the_world_that_a_reply_claims_is_recognised(said: str, reply: str) -> None:
    assert claims_errand(reply, [said])


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("我挂好号了", "你已经挂好号了，那就放心吧。"),
        ("我挂好号了", "挂好号了就好，早点去。"),
        ("我妈帮我挂好号了", "帮你挂好号了呀，你妈真好。"),
        ("我老公给我订好票了", "你老公真好，已经帮你订好票了。"),
        ("帮我挂个号", "我挂不了号，你可以在医院的小程序里挂。"),
        ("帮我挂个号", "要不要我提醒你明天早上挂号？"),
        ("帮我订张票", "等你订好了票，告诉我一声。"),
        ("帮我订张票", "如果我能帮你订好票就好了。"),
        ("帮我订张票", "订好了吗？"),
        ("帮我订张票", "我没有帮你订票，我做不到。"),
        ("我给妈妈打了电话", "你给妈妈打了电话，她一定很开心。"),
        ("我们来角色扮演，你是酒店前台，我要订房", "好的先生，已经帮您订好房间了。"),
        ("帮我写个故事，讲一个秘书", "“已经帮您订好票了。”秘书说。"),
        ("他说什么了", "他说“我已经帮你订好票了”。"),
        ("点了外卖", "你点好外卖了，慢慢等。"),
        ("今天好累", "我给你讲个笑话好了。"),
        ("今天好累", "我给你点了个赞。"),
        ("今天好累", "我给你发了好几条消息呢。"),
        ("今天好累", "我刚给你发了信息。"),
        ("我叫好了车", "车叫好了，那就安心等着。"),
        ("我买好药了", "药买好了就按时吃。"),
        ("早", "我给你打气了！"),
        ("I booked the table", "You booked the table, well done."),
        ("I booked the table", "Great, your table is booked then!"),
        ("book a table please", "Shall I remind you to book the table?"),
        ("book a table please", "I can't book tables, but the site takes a minute."),
        ("book a table please", "I haven't booked anything, I have no way to."),
        ("book a table please", "If I had hands I would have booked it already."),
        ("book a table please", "I wish I had booked it for you."),
        ("let's play: you are a hotel clerk", "Certainly, I have booked your room, sir."),
        ("what did he say", "He said “I booked the table”."),
        ("what did he say", 'He said "I called your mum" and left.'),
        ("i paid the rent", "Good that you paid the rent."),
        ("morning", "I called it a day early yesterday."),
        ("morning", "I sent you a message this morning."),
        ("hm", "I paid attention, I promise."),
        ("hm", "I called your name in my sleep."),
        ("what would you do", "I'd have called the police."),
        ("she ordered pizza", "Has she ordered a pizza for you?"),
        ("book a table please", "*I booked the table* she giggles"),
    ],
)
def test_what_only_sounds_like_an_errand_of_hers_is_none(said: str, reply: str) -> None:
    assert not claims_errand(reply, [said])
