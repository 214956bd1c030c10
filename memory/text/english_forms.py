"""English words whose forms no stemmer brings together: bought and buy, children and child."""

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
