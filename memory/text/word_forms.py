"""Words by the forms that they are found by: bought by buy, children by child, 邊度 by 哪里."""

import re
from typing import Final

_TEXT: Final = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun;
bend bent; bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought;
build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove
driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung;
hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lead led;
lean leant; leap leapt; learn learnt; leave left; lend lent; light lit; lose lost; make made;
mean meant; meet met; mistake mistook mistaken; overcome overcame; pay paid; ride rode ridden;
ring rang rung; rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt; speak spoke spoken;
spell spelt; spend spent; spill spilt; spin spun; spring sprang sprung; stand stood;
steal stole stolen; stick stuck; sting stung; strike struck; strive strove striven;
swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; weave wove woven; weep wept; win won; withdraw withdrew withdrawn;
write wrote written;
child children; man men; woman women; foot feet; tooth teeth; goose geese; mouse mice; wife wives;
knife knives; shelf shelves; loaf loaves; wolf wolves; thief thieves; half halves; scarf scarves
"""

BASE_FORMS: Final = {
    form: base for group in _TEXT.split(";") for base, *forms in [group.split()] for form in forms
}
"""The form that others are found by, of each other form. What is a common word of its own as well
(rose, bit, ground, lives) is left as it is."""

CANTONESE: Final = {
    "而家": "现在", "今日": "今天", "寻日": "昨天", "琴日": "昨天", "听日": "明天", "几时": "何时",
    "边度": "哪里", "边个": "哪个", "边位": "哪位", "几多": "多少", "点解": "为何", "点样": "怎样",
    "乜嘢": "什么", "咩嘢": "什么", "唔使": "不用", "钟意": "喜欢", "返工": "上班", "返学": "上学",
    "啱啱": "刚刚", "得闲": "有空", "倾偈": "聊天", "关係": "关系", "联係": "联系", "体係": "体系",
}  # fmt: skip
"""Words of Cantonese, of as many characters in Mandarin."""

CANTONESE_WORD: Final = re.compile(
    "而家|今日|寻日|(?<![钢提风])琴日|听日(?![本语文])|几时|几多|边度(?![假过])"
    "|(?<![旁那这右左路身周一两])边[个位](?![子置体])|点解(?![释决散开除说读析答题放])"
    "|(?<!有)点样(?![子品本])|[乜咩]嘢|唔使|(?<!分)钟意|返[工学]|啱啱|得闲|倾偈|[关联体]係"
)

CANTONESE_CHARACTERS: Final = (
    "喺咗唔嘅佢冇喇嘞咧咯喽囉啦嚟俾畀睇揸返搵揾攞啱噉咁俺係嗰咩乜嘢啲哋㗎嚹吖",
    "在了不的他没了了了了了了了来给给看开回找找拿刚这这我是那啥啥事些们啊了啊",
)
