"""Words that say nothing about what a text is about, in Chinese and English."""

from typing import Final

_ENGLISH: Final = """
a about above after again against all also am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
don't down during each few for from further had hadn't has hasn't have haven't having he he'd
he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if in into is
isn't it it's its itself just let's me more most my myself no nor not of off on once only or other
our ours ourselves out over own same shall she she'd she'll she's should shouldn't so some such
than that that's the their theirs them themselves then there there's these they they'd they'll
they're they've this those through to too under until up us very was wasn't we we'd we'll we're
we've were weren't what what's when when's where where's which while who who's whom why why's will
with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
ok okay yeah yes oh hi hey hello wow um uh well really
"""

_CHINESE: Final = """
的 了 和 是 在 我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 咱们 咱 自己 这 那 这个 那个
这些 那些 这样 那样 这么 那么 这里 那里 这儿 那儿 有 没有 没 不 也 都 就 还 又 很 太 更 最
再 才 只 吗 呢 吧 啊 呀 哦 嗯 哈 嘛 啦 哎 唉 噢 喔 呃 把 被 让 给 对 对于 关于 从 到 向 往
与 及 或 或者 而 而且 但 但是 因为 所以 如果 虽然 然后 以及 并 并且 之 其 其中 等 等等 着 过
地 得 会 能 可以 可 应该 要 想 上 下 里 中 什么 怎么 怎样 怎么样 如何 为什么 哪 哪个 哪些
哪里 哪儿 谁 多少 几 是否 一个 一些 一下 一 个 些 种 请 请问 好 好的 呗 哪位 啥 咋 吧 嘿 喂
时候 以 为 于 由 由于 则 即 将 已 已经 曾 曾经 正在 时 后 前
"""

STOP_WORDS: Final = frozenset((_ENGLISH + _CHINESE).split())
"""Left out of every index and every query; normalised, lower case."""

STOP_CHARACTERS: Final = frozenset(
    "的了和是在我你您他她它这那吗呢吧啊呀哦嗯嘛啦着过也都就还很与及或而"
)
"""A bigram with one of these says nothing a word does not say better."""
