"""No refusal lacks Chinese words: by its type it takes sentences, which have both languages.

Words that are put together already go around that, so they are let in at a few named places.
"""

import ast

from tests.architecture.sources import PRODUCT, name, nodes

MAY_WORD = {
    "bot/desk/command.py": "it is refused in the language of the agent, wherever it was given",
    "bot/desk/parser.py": "how the command is written stands below the refusal, in that language",
    "bot/desk/control_socket.py": "the running program sends its refusals in both languages",
}


def test_ready_words_are_refused_with_only_where_it_is_known_who_reads() -> None:
    using = {
        name(path)
        for path in PRODUCT
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Worded"
    }

    assert using == MAY_WORD.keys()
