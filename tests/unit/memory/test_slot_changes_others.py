"""What is told of somebody or something else ends nothing; what is told of the same ends it.

A row is what is held, then what is told and ends it, then what is told and does not.
"""

from collections.abc import Iterator

import pytest

from memory.text.slot_changes import is_ended_by
from memory.text.slots import slot_claims

TABLE = r"""
# A death or a parting is of the one it names: what ended stays ended, whoever else is gone.
My wife Margaret passed away in June
- Frank died last night|My brother Tom died|Old Mr Dawes died on Sunday|Queenie next door passed away
- My boyfriend broke up with me|Ivan left me
My husband left me last year
- Old Mr Dawes died on Sunday|Ben died|My neighbour passed away|My boyfriend broke up with me
My wife works as a nurse
+ My wife died in June|my wife passed away|my wife left me|we got divorced|my wife and I split up
+ I lost my wife|I'm divorced|we broke up
- Frank died last night|Old Mr Dawes died on Sunday|Ben and Sue broke up|Harold passed away
- Rosie died yesterday|Mr Patel walked out
My husband works at a bank
+ Ben and I broke up|Ben left me|My husband left me
- My boyfriend broke up with me|my girlfriend died
My boyfriend works at a bank
+ Ben and I broke up|my boyfriend dumped me|My bf broke up with me
- Frank died last night|My wife left me
My boyfriend Ben works at a bank
+ Ben died last night|Ben dumped me|Ben and I broke up
- Frank died last night
我老婆在银行上班
+ 我老婆去世了|我们离婚了|我和老婆离婚了|我老婆走了
- 张叔去世了|老方昨晚走了|隔壁老李病逝了|陈教授过世了|王婶出车祸没了
我老婆去世三年了
- 张叔去世了|我男朋友把我甩了|我们分手了|老李过世了
我男朋友小周在银行上班
+ 小周去世了|我们分手了|我男朋友把我甩了|我跟小周分手了
- 张叔去世了|老李病逝了
"""


def _rows() -> Iterator[tuple[str, str, bool]]:
    held = ""
    for line in filter(None, map(str.strip, TABLE.splitlines())):
        if line.startswith(("+ ", "- ")):
            yield from ((held, told, line[0] == "+") for told in line[2:].split("|"))
        elif not line.startswith("# "):
            held = line


@pytest.mark.parametrize(("held", "told", "ends"), [*dict.fromkeys(_rows())])
def test_what_is_told_of_another_ends_nothing(held: str, told: str, *, ends: bool) -> None:
    ended = any(
        is_ended_by(old, new, held) for old in slot_claims(held) for new in slot_claims(told)
    )

    assert ended is ends
