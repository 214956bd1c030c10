"""What stands on the picture of the network."""

from typing import Final

from bot.texts.sentence import Sentence

GRAPH_AROUND: Final = Sentence(zh="“{name}”让我想起的", en="What “{name}” brings to mind")
GRAPH_TALKED_ABOUT: Final = Sentence(zh="我们正在聊的", en="What we are talking about")
GRAPH_NOW: Final = Sentence(zh="此刻", en="now")
GRAPH_EMPTY: Final = Sentence(zh="这里还没有可以画的记忆", en="There is nothing to draw yet")
GRAPH_ONCE_KNOWN: Final = Sentence(zh="曾记得", en="once known")
GRAPH_STRONGER: Final = Sentence(zh="线越粗，联系越紧", en="the thicker, the closer")
GRAPH_FADING: Final = Sentence(zh="正在淡忘", en="fading")
