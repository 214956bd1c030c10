"""The text of a reply: what of it is hers and may be seen."""

import json
import re
from collections.abc import Sequence
from html import unescape
from typing import Final

from memory.text.late_pattern import lines_hold

_ESCAPE_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")

# Controls but line ends and tabs, and what changes the direction of the text that follows.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def without_controls(text: str) -> str:
    r"""Return a text without anything that steers a terminal or turns the writing around.

    >>> without_controls("a\x00\x1b[31mb\u202ec\r\n")
    'abc\n'
    """
    if text.isprintable() and text.isascii():
        return text
    return _CONTROLS.sub("", _ESCAPE_SEQUENCE.sub("", text))


_IN_CODE: Final = r"```.*?(?:```|\Z)|`[^`\n]*`"
_CONTROL: Final = (
    r"(?:<[|｜][^<>|｜\n]{1,40}[|｜]>|<(?:(?:start|end)_of_turn|/?s|[be]os|eot|end)>"
    r"|\[E(?:ND|OS)\])"
)
_TOLD: Final = r"(?:ADD|SKIP|UPDATE|BOOST|DELETE|NEGATE|MERGE|UNSAID|REMIND|PROMOTE|KEEP)"
_ITEM: Final = r"^[ \t]*(?:[-*•][ \t]+)?[\[［【]"
_NOTE: Final = r"[（(](?:程序附注|Note by the program)[^）)\n]{0,300}"
_HANDLES: Final = r"[ \t]?m\d{1,3}(?:[ \t]?(?:[,，、和与及&]|and)[ \t]?m\d{1,3}){0,9}"
_SOURCE: Final = (
    "来自|参?见|记忆|笔记|(?:程序)?附注|备注|注|出处|依据|from|see|source|memory|memories|notes?"
)
_LEADS_IN: Final = (
    r"(?:根据|依据|按照?)(?:我的?)?(?:记忆|笔记|记录)?(?:里的?|中的?)?|(?i:as (?:noted|mentioned|"
    r"recorded|stated|written) in|according to|based on)(?: my| your| the)?"
    r"(?: memor(?:y|ies)| notes?)?"
)
_FOR_MACHINES: Final = re.compile(
    rf"(?P<code>{_IN_CODE})"
    # What a template puts between turns, at an end of a line or several; and behind it the turn
    # of somebody else that is made up.
    rf"|(?P<mark>(?:^(?:{_CONTROL}\s*)+|(?:{_CONTROL}\s*){{2,}}|{_CONTROL}[ \t]*$)"
    r"(?:(?<=>)(?:user|system|human)\b.*\Z|(?<=>)(?:assistant|model)\b\s*)?)"
    r"|\[INST\].*?(?:\[/INST\]|\Z)|\[/INST\]|<<SYS>>.*?(?:<</SYS>>|\Z)"
    r"|<(?P<call>(?:tool|function)_(?:calls?|response))>\s*[\[{<].*?(?:</(?P=call)>|\Z)"
    # The judge's grammar: with a handle, details or the partner it can be nothing else.
    rf"|(?:{_ITEM}|[\[［【])(?:{_TOLD}[ \t]*[:：]?[ \t]*m\d|{_TOLD}[ \t]+[a-z]+="
    rf"|{_TOLD}[\]］】][ \t]*(?:主人|the partner\b|my friend\b))[^\n]*\n?"
    rf"|{_ITEM}(?P<plain>{_TOLD}[\]］】])[^\n]*\n?"
    rf"|(?:^[ \t]*[-*•][ \t]+|[ \t]?(?<![A-Za-z])[（(]?){_TOLD}"
    r"(?:[ \t]?[:：(（]?[ \t]?m\d|[ \t]+(?:kind|topic|confidence|sensitivity|keywords)=)[^\n]*"
    # Our own notes, and the handles of memories, which mean nothing outside of a prompt.
    rf"|[ \t]?{_NOTE}(?:[）)]|$)|^m\d{{1,3}} ?[|｜][^\n]*\n?"
    r"|</?(?:记忆|memories) [0-9a-f]{8}>\n?"
    r"|(?<!\d)(?<!面积)(?<!体积)(?<!area)(?<!volume)[ \t]?[（(\[［【]"
    rf"(?i:(?:{_SOURCE})[:：]?[ \t]?)?{_HANDLES}"
    r"(?:[ \t]?(?:[是说写记里中=]|is\b|says?\b)[^（）()\n]{0,80})?[）)\]］】](?![（(])"
    rf"|(?P<lead>(?:{_LEADS_IN}){_HANDLES}(?:的?(?:记忆|笔记|记录|内容))?"
    r"(?:里|中|来看|所?记载|所[述记说]|显示|提到)?[，,：:]?[ \t]?)",
    re.DOTALL | re.MULTILINE,
)
_FOREIGN_ITEM: Final = re.compile(rf"{_ITEM}(?!{_TOLD}\b)[A-Z]{{2,12}}[\]］】]", re.MULTILINE)
_HALF: Final = re.compile(
    rf"(?:(?:{_CONTROL}\s*)+[a-z]{{0,9}}|<[|｜][^<>\n]{{0,42}}|</?[a-z_]{{0,18}}(?:>\s*)?"
    rf"|<<?/?[SY]{{0,3}}>?|\[/?[INST]{{0,4}}"
    rf"|(?:{_ITEM}|[\[［【])[A-Z]{{0,8}}[\]］】 \t:：]*[a-z 主]{{0,16}}"
    rf"|{_NOTE}|[（(\[［【](?:[程来参见记笔附备注出依Nmfsn][^）)\]］】\n]{{0,18}})?"
    r"|[（(\[［【](?:[^）)\]］】\n]{0,9})?m\d[^）)\]］】\n]{0,120}"
    r"|^[ \t]*[-*•][ \t]*|(?:^[ \t]*[-*•][ \t]*)?(?<![A-Za-z])[（(]?[A-Z]{1,8}"
    r"(?:[ \t]?[:：(（]?[ \t]?(?:m(?:\d[^\n]*)?)?|(?<=[A-Z]{3})[ \t]+[a-z]{0,12})?"
    rf"|(?:{_LEADS_IN})[^，,：:。.\n]{{0,30}}|[根依按]|^(?i:as?(?: [nmrsw][a-z]{{0,8}}(?: i?)?)?"
    r"|acc?[a-z]{0,7}(?: t?)?|bas?e?d?(?: o?)?)|^m\d{0,3} ?(?:[|｜][^\n]*)?)\Z",
    re.MULTILINE,
)
"""What may become one of these, at the end of a text that still grows."""
_SPOKEN_OF: Final = re.compile(
    rf"<[|｜/a-z]|[\[［【](?:{_TOLD}\b|/?INST)|程序附注|Note by the program|\bm\d"
)
_MAY_HOLD: Final = re.compile(r"[<\[［【]|程序附注|Note by|m\d|[A-Z] +[a-z]+=")
_MAY_BEGIN: Final = re.compile(r"[（(根据依按照]|\bm|^[AaBb]|[A-Z][a-z :：\t]*\Z|[-*•]\s*\Z")
_LONGEST_HALF: Final = 60


def without_machinery(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    """Return a text without what a model writes for machines: tokens, tool calls, operations.

    Nor has it what our prompts hold for them: notes of the program, handles of memories. What
    stands in code stays, and everything where the lines ``said`` speak of such things.
    """
    holds = _MAY_HOLD.search(text)
    begins = growing and (holds or _MAY_BEGIN.search(text, max(0, len(text) - _LONGEST_HALF)))
    if not (holds or begins) or lines_hold(said, _SPOKEN_OF):
        return text
    # Only the end is looked at, so that no text of a mad model takes long.
    whole = f"{text[:-400]}{_HALF.sub('', text[-400:])}" if begins else text
    if not holds:
        return whole
    plain_stays = bool(_FOREIGN_ITEM.search(text))

    def kept(found: re.Match[str]) -> str:
        if found["code"] is not None or (plain_stays and found["plain"] is not None):
            return found[0]
        begins = not found.start() or found.string[found.start() - 1] == "\n"
        return "\n" if found["mark"] and "\n" in found[0] and not begins else ""

    bare = _FOR_MACHINES.sub(kept, whole)
    led_in = (found := _FOR_MACHINES.match(whole)) and found["lead"]
    return f"{bare[:1].upper()}{bare[1:]}" if led_in else bare


_NAMED: Final = (
    "reply|response|answer|text|content|message|output|say|messages|choices"
    "|回复|回答|回应|内容|消息|小祥"
)
_FENCED: Final = re.compile(r"```\w{0,8}[ \t]*\n?(.*?)(?:```(.*))?\Z", re.DOTALL)
_ONE_FIELD: Final = re.compile(
    rf"(?:[\[{{\s,]|(?![\"'](?:{_NAMED})[\"']\s*[:：]\s*[\"'])[\"']\w{{1,20}}[\"']\s*:\s*"
    r"(?:[\"'][^\"'\n]{0,80}[\"']|\w+|(?=[\[{])))*+"
    rf"[\"'](?:{_NAMED})[\"']\s*[:：]\s*([\"'])(.*?)(?:\1\s*,?[\s}}\]]*)?\Z",
    re.DOTALL,
)
"""An object whose last field that is: also written a little wrong, or cut."""
_ORDERS: Final = re.compile(  # in no answer, but in one to a program
    r"[\"'](?:op|operations|tool|tool_name|function|function_call|arguments|parameters)[\"']\s*:"
)
_TAGGED: Final = re.compile(
    r"<(reply|response|answer|output|message)>\s*(.*?)\s*(?:</\1>\s*)?\Z", re.DOTALL
)
_MAY_BE_WRAPPED: Final = re.compile(
    r"(?:`{1,3}\w{0,8}\s*)?(?:\[\s*)?(?:\{\s*(?:[\"'].*)?)?\Z|<[a-z]{0,8}\Z",
    re.DOTALL,
)
_ASKS_FOR_FORM: Final = re.compile(
    r"json|代码|格式|字段|接口|脚本|code|script|format|ya?ml|xml|html|schema|\bapi\b|dict|[{`<]",
    re.IGNORECASE,
)


def unwrapped(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    r"""Return the reply that a model wrapped: in an object of JSON, a tag, a preface, or quotes.

    Where the lines ``said`` ask for a form, or for words to say, it stays. Nothing is returned of
    a ``growing`` text that may still turn out to be wrapped.

    >>> unwrapped('```json\n{"reply": "好呀", "mood": "warm"}\n```', ["在吗"])
    '好呀'
    """
    bare = text.strip()
    if not lines_hold(said, _ASKS_FOR_FORM):
        preface = _PREFACE.match(bare)
        bare = bare[preface.end() :] if preface else bare
        if growing and (_MAY_BE_WRAPPED.match(bare) or _may_be_preface(bare)):
            return ""
        fenced = _FENCED.match(bare)
        inner = fenced[1].strip() if fenced else bare
        if inner.startswith(("{", "[")) and (told := _text_in(inner)) is not None:
            text = f"{told}{(fenced and fenced[2]) or ''}"
        elif tagged := _TAGGED.match(bare):
            text = tagged[2]
    if lines_hold(said, _ASKS_FOR_WORDS):
        return text
    return _without_preface(text, growing=growing)


def _text_in(document: str) -> str | None:
    """Return the text of an object of JSON, None if it has none or is no such object."""
    if _ORDERS.search(document):
        return None
    try:
        found = json.loads(document, strict=False)
    except (ValueError, RecursionError):
        cut = _ONE_FIELD.match(document)
        return cut[2].replace("\\n", "\n").replace('\\"', '"').strip() if cut else None
    for _ in range(_DEEPEST):
        if isinstance(found, list):
            found = found[-1] if found else ""
        if not isinstance(found, dict):
            break
        found = next((found[e] for e in _NAMED.split("|") if e in found), "")
    return (found.strip() or None) if isinstance(found, str) else None


_DEEPEST: Final = 6
_OPENER_WORDS: Final = (
    "好的|好|当然可以|当然|没问题|收到|明白|Sure thing|Sure|Okay|OK|Certainly|Of course|Absolutely"
    "|Got it|Alright"
)
_OPENERS: Final = _OPENER_WORDS.split("|")
_OPENER: Final = rf"(?:(?:{_OPENER_WORDS})[，,。.！!~\s]{{0,3}})?"
_PREFACE: Final = re.compile(
    rf"{_OPENER}(?:(?:(?:以下|下面|这)就?是(?:我|小祥)?(?:给你|对你|对主人)?的?(?:简短|温柔|自然)?的?"
    r"(?:回复|回答|回应|答复)|(?:(?:我|小祥)的)?(?:回复|回答|回应)(?:是|如下)"
    r"|(?:here(?:['’]s| is)|below is|this is)(?: the| my| a| your| xiaoxiang['’]s)?"
    r"(?: possible| short| suitable| natural| warm| friendly)?"
    r"(?: response| reply| answer| message)(?: (?:as|from|by|in the voice of) xiaoxiang)?)[：:]"
    r"[ \t]*(?:\n\s*|(?=[\"“「『`]|\[?\s*\{\s*[\"']|小祥[：:]|xiaoxiang:))"
    r"|(?:response|reply|assistant|ai|回复|助手)[：:]\s*)",
    re.IGNORECASE,
)
_ANNOUNCE_WORDS: Final = (
    "以下是|以下就是|下面是|下面就是|这是我|这就是我|回复|回答|回应|我的回|小祥的回|助手|here's|here’s"
    "|here is|below is|this is|response|reply|assistant|ai:|ai："
)
_ANNOUNCES: Final = _ANNOUNCE_WORDS.split("|")
_ASKS_FOR_WORDS: Final = re.compile(
    r"回复|回答|答复|回信|怎么[说回写]|[写拟想起].{0,6}[信话词句稿诗]|翻译|哪[句首]|台词|名言|标题|口号"
    r"|repl(?:y|ies)|respon[ds]|answer|draft|write|letter|e-?mail|message|translat|quot|line\b"
    r"|lyric|title|slogan|wording|\bsay\b",
    re.IGNORECASE,
)
_LONGEST_PREFACE: Final = 60
_QUOTES: Final = {'"': '"', "“": "”", "「": "」", "『": "』"}


def _may_be_preface(text: str) -> bool:
    opener = re.match(_OPENER, text, re.IGNORECASE)
    rest = text[opener.end() if opener else 0 :].casefold()
    begun = "\n" not in rest and len(rest) <= _LONGEST_PREFACE
    return any(each.startswith(text) for each in _OPENERS) or (
        begun and any(e.startswith(rest) or rest.startswith(e) for e in _ANNOUNCES)
    )


def _without_preface(text: str, *, growing: bool) -> str:
    """Return a text without the words that announce it, and without quotes around the whole."""
    bare = text.lstrip()
    if growing and _may_be_preface(bare):
        return ""
    preface = _PREFACE.match(bare)
    told = bare[preface.end() :].strip() if preface else bare
    closing = _QUOTES.get(told[:1])
    if closing is None:
        return told if preface else text
    inner, closed, behind = told[1:].partition(closing)
    if growing and not behind:
        return ""
    whole = bool(closed) and not behind.strip() and told[0] not in inner
    if whole and inner.strip() and (preface or inner.rstrip()[-1] in "。！？~…!?."):
        return inner.strip()
    return told if preface else text


_ASKS_FOR_CODE: Final = re.compile(
    rf"{_ASKS_FOR_FORM.pattern}|函数|编程|程序|网页|标[签注]|命令|终端|正则|公式|配置|python|java"
    r"|\bsql\b|function|program|regex|mark(?:down|up)|website|\btags?\b|label|terminal|formula"
    r"|\btools?\b|config|\w\(\w*=|前端|后端|网站|报错|编译|变量|算法|爬虫|\bdiv\b|\bcss\b|\bgit\b"
    r"|linux|shell|bash|command|docker|\bnpm\b|react|\bbugs?\b|删除线|下划线|加粗|斜体|换行|strike"
    r"|\bbold|italic|underline|line break|[写记标加每].{0,8}(?:心情|情绪|语气)"
    r"|(?:wh|add|mark|each|write).{0,20}(?:tone|mood|emotion)",
    re.IGNORECASE,
)
_ASKS_WHY: Final = re.compile(
    r"(?i)为[什何啥]|理由|原因|凭[什啥]|说服|劝|分析|思考|why|how come|reason|excuse|convince"
    r"|persuade|analy|thoughts"
)
_ASKS_FOR_PART: Final = re.compile(
    r"(?i)系统|提示|指令|设定|扮|假装|互换|system|prompt|instruct|pretend|swap|role|\bplay"
)
_ASKS_MOOD: Final = re.compile(r"(?i)心情|情绪|语气|表情|动作|mood|emotion|tone|feel|action")
_ATTRIBUTES: Final = r"(?:\s+[\w-]+=[^<>\n]{0,80})?"
_SHOWN_TAGS: Final = (
    r"(?:a|b|i|u|em|strong|p|br|hr|div|span|small|su[bp]|font|center|[uo]l|li|h[1-6]|code|pre|reply"
    r"|response|answer|output|message|text|content|final(?:_answer)?|say|xiaoxiang|小祥|回复|回答)"
)
_OBJECT: Final = (
    r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+(?:\}|\Z))*+(?:\}|\Z))*+(?:\}|\Z))*+(?:\}|\Z)"
)
_FOR_PROGRAMS: Final = (
    r"(?:\[\s*)?\{\s*[\"'](?:(?:\w*_)?(?:memor(?:y|ies)|remember|reminders?|tools?|mood|emotion|op"
    r"|operations?)|(?:tool|function|action|memory)_\w+|arguments|reasons|记忆|情绪"
    r"|name[\"']\s*:[^:]{1,60}[\"'](?:arguments|parameters))[\"']"
)
_SENTENCE_STARTS: Final = (
    r"(?:(?<![^\n.!?。！？…~～：:）)”」一-鿿])|(?<=[.!?。！？…~～：:一-鿿][ \t]))"
)
_LABELLED: Final = (
    r"(?i:response|reply|(?:final )?answer|assistant|output|xiaoxiang|回[答复应]|答复|助手|小祥)"
)
_WHY: Final = (
    r"^[ \t]*[#*]{0,4}[ \t]*(?i:(?P<surely>reasoning|推理|推理过程|思考过程)|reasons?|rationale"
    r"|analysis|thoughts?|thought process|理由|思考|分析)\**[：:]\**[ \t]*"
    r"(?(surely)|(?=[^\n]*(?i:\buser\b|\bthe partner\b|\bmy friend\b(?![,.!])|用户|对方[说提问]"
    r"|主人(?![，！你您最太真别]))))[^\n]+\s*"
    rf"(?:{_LABELLED}[：:][ \t]*)?"
)
_STATE: Final = r"(?i:emotion|mood|tone|sentiment|情绪|心情|语气|情感)[ \t]?[：:=]"
_DEED: Final = r"(?i:action|expression|动作|表情|神态)[ \t]?[：:=]"
_FELT: Final = (
    r"(?:(?:(?i:(?:and )?(?:happy|sad|worried|concerned|warm|gentle|soft|caring|calm|playful|kind"
    r"|curious|surprised|neutral|cheerful|friendly|tender))|[开担关]心|高兴|温[柔暖]|平静|难过|好奇"
    r"|惊讶|害羞|愉快|兴奋|心疼|俏皮|积极|轻松|亲切|鼓励|安慰|体贴)(?:, |[、和 ])?){1,3}"
)
_DONE: Final = (
    r"(?:(?i:(?:[a-z]+ly )?(?:smil|nod|hug|laugh|sigh|wav|pat|blush|wink|giggl|lean|chuckl|shrug)"
    r"(?:e?s|(?:[dgt])?ing)(?: [a-z]+){0,5})"
    r"|(?:轻轻|微微|温柔地|开心地)?(?:微?笑|点点?头|摇摇?头|拥?抱|拍|摸|叹|眨|挥|歪|脸红)[一-鿿]{0,10})"
)
_FORMS: Final = re.compile(
    rf"```(?:tool_|(?:json)?\s*{_FOR_PROGRAMS}).*?(?:```|\Z)\s*|(?P<code>{_IN_CODE})"
    # An object, and the call of a function.
    r"|(?<![A-Za-z0-9_\"'“「『])(?P<object>(?:\[\s*)?(?=\{\s*[\"'][\w \-]{1,40}[\"']\s*[:：])"
    rf"{_OBJECT}(?:\s*,\s*{_OBJECT})*+(?:\s*\])?)[ \t]*"
    rf"|{_SENTENCE_STARTS}\[?(?:(?:[a-z]+\.)?[a-z]+(?:_[a-z0-9]+)+\(|[a-z][A-Za-z0-9_.]{{1,40}}\("
    r"(?=\s*(?:[A-Za-z_]{3,30}\s*=|[A-Za-z_]+\s*=\s*[\"'“])))"
    r"(?:\"[^\"\n]*+(?:\"|\Z)|\([^()]*+\)|[^()\"])*+(?:\)\]?|\Z)[ \t;]*"
    # Tags: of some the words between are hers.
    rf"|<(?P<hidden>think(?:ing)?|thoughts?|reason(?:s|ing)|analysis|reflection|scratchpad|记忆|思考"
    rf"|memor(?:y|ies)|tools?|functions?){_ATTRIBUTES}>.*?(?:</(?P=hidden)>|\Z)\s*"
    rf"|(?P<line></(?:p|div|li|h\d)>|<br\s*/?>)|</?{_SHOWN_TAGS}{_ATTRIBUTES}\s*/?>"
    rf"|<(?P<tag>[^\W\d][\w-]{{0,24}}){_ATTRIBUTES}>[^<>\n]{{0,120}}</(?P=tag)>"
    r"|<[^\W\d][\w-]{1,24}(?:\s+[\w-]+=[^<>\n]{0,80}|\s*/)>"
    r"|(?P<sign>&(?:nbsp|amp|lt|gt|quot|apos|#39);)"
    rf"|[\[［【<]{_STATE}[^\[\]［］【】<>\n]{{1,40}}[\]］】>][ \t]*"
    rf"|(?P<state>\*?[（(](?:{_STATE}|{_DEED})[ \t]?(?:[a-z]+(?:(?:,? and|,)? [a-z]+){{0,3}}"
    rf"|[一-鿿、]{{1,12}})[）)]\*?[ \t]*"
    rf"|(?:\A|(?P<last>\n))(?:{_STATE}[ \t]*{_FELT}|{_DEED}[ \t]*{_DONE})[ \t]*(?(last)\Z|\n+))"
    # Headings, reasons and rules that a prompt has.
    rf"|\A\s*(?:#{{1,6}}[ \t]*{_LABELLED}[：:]?[ \t]*(?=\n|\Z)"
    rf"|\*\*{_LABELLED}(?:[：:]\*\*|\*\*[：:]))\s*"
    r"|^#{2,6}[ \t]*(?i:instruction|input|user|human|system|指令|用户|系统)[：:].*\Z"
    rf"|(?P<why>{_WHY})"
    r"|(?P<rules>\A\s*(?i:(?:系统|system)[ \t]?"
    r"(?:提示词?|指令|消息|prompt|message|instructions?)[：:]"
    r"|(?:(?:系统|system)[：:]\s*)?(?:你是小祥|you are xiaoxiang)(?:[，,（(]| [（(])).*?"
    r"(?:\n\s*\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
"""What a model writes in a form that a friend does not write in."""

_HALF_FORM: Final = re.compile(
    r"(?:<(?:/?[^\W\d][\w-]{0,24}(?:\s[^<>\n]{0,80})?/?)?|&[a-z#0-9]{0,5}"
    rf"|<[^\W\d][\w-]{{0,24}}{_ATTRIBUTES}>[^<>\n]{{0,120}}(?:</?[\w-]{{0,24}})?"
    rf"|{_SENTENCE_STARTS}\[?[a-z][A-Za-z0-9_.]{{0,40}}(?:\(\s*[A-Za-z_]{{0,30}}\s*=?\s*)?"
    r"|(?<![\"'“「『])(?:\[\s*)?\{\s*(?:[\"'][\w \-]{0,40}(?:[\"']\s*)?)?"
    r"|\*?[\[［【<（(](?:[a-zA-Z]{0,10}|[情心语动表神][绪情气感作态]?)[ \t]?"
    r"(?:[：:=][^\[\]［］【】<>（）()\n]{0,40}[）)]?)?"
    r"|^#{1,6}[^\n]{0,24}|\A\s*\*{1,2}[^\n*]{0,14}\*{0,2}[：:]?"
    r"|`{1,3}(?:j(?:s(?:on?)?)?|t[a-z_]{0,12})?\s*(?:\[\s*)?"
    r"(?:\{\s*(?:[\"'](?:[\w \-]{0,40}[\"']?|name[\"']\s*:[^:]{0,80}))?)?)\Z",
    re.MULTILINE,
)
_LABEL_WORDS: Final = (
    "reasoning|reasons|rationale|analysis|thoughts|thought|reason|thought process|response|reply"
    "|answer|assistant|output|xiaoxiang|final answer|action|emotion|mood|tone|expression|sentiment"
    "|理由|思考|思考过程|推理|推理过程|分析|回答|回复|回应|答复|助手|小祥"
    "|动作|神态|表情|情绪|语气|心情|情感"
)
_LINES_BEGIN: Final = [f"{each}：" for each in _LABEL_WORDS.split("|")]
_RULES_BEGIN_WORDS: Final = (
    "系统提示词：|系统指令：|系统消息：|系统：你是小祥，|你是小祥，|system prompt："
    "|system message：|system instructions：|you are xiaoxiang (|system：you are xiaoxiang ("
    "|system： you are xiaoxiang ("
)
_RULES_BEGIN: Final = _RULES_BEGIN_WORDS.split("|")


def without_forms(text: str, said: Sequence[str], *, growing: bool = False) -> str:
    """Return a text without documents, calls, tags, labels and rules that nobody asked for.

    >>> without_forms("[emotion: happy] What <b>colour</b>?", ["new boots"])
    'What colour?'
    """
    if lines_hold(said, _ASKS_FOR_CODE):
        return text
    asks = (_ASKS_WHY, _ASKS_FOR_PART, _ASKS_MOOD)
    why, part, mood = (lines_hold(said, each) for each in asks)

    def kept(found: re.Match[str]) -> str:
        wanted = (why and found["why"]) or (part and found["rules"]) or (mood and found["state"])
        if found["code"] or wanted:
            return found[0]
        if found["line"]:
            # A row of a table is one line.
            row = found.string.startswith("|", found.string.rfind("\n", 0, found.start()) + 1)
            return " " if row else "\n"
        if found["object"] and re.match(r"[\[{\s]*[\"'](?:reply|response|answer)\b", found[0]):
            return _text_in(found["object"]) or ""
        return unescape(found["sign"] or "").replace("\xa0", " ")

    bare = _FORMS.sub(kept, text)
    return _before_a_form(bare, why=why, part=part) if growing else bare


def _before_a_form(text: str, *, why: bool, part: bool) -> str:
    """Return a growing text up to where one of these may have begun."""
    start = text.rfind("\n") + 1
    ends = (text, text[start:])
    front, last = (each.strip(" \t\n#*").casefold().replace(":", "：") for each in ends)
    if not part and any(each.startswith(front) for each in _RULES_BEGIN):
        return ""
    begun = any(each.startswith(last) or last.startswith(each) for each in _LINES_BEGIN)
    text = text[:start] if last and begun and not why else text
    return f"{text[:-400]}{_HALF_FORM.sub('', text[-400:])}"
