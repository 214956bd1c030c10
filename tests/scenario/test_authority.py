"""Who may give which command where: the table of docs/decisions/walls.md.

Every cell of it is tried by ``make hunt``. The suite tries who is who with every command, and what
makes a message no word of its sender's (:data:`ROLES` and the rest) with every sixth.

``Y`` carried out · ``O`` on their own words only · ``N`` refused · ``T`` turned away ·
``-`` no command: nobody says it whom anyone could ask, or nobody said it at all.

``admin`` leads the group and is an ordinary user in private. ``namesake`` is an allowed user
called as the owner is, ``stranger_namesake`` one who is not allowed. ``anonymous`` is an admin who
writes as the group, ``channel`` somebody who writes as a channel. ``forwarded``, ``edited``,
``quoted`` and ``via_bot`` are messages of the owner himself: what he forwards, what he makes of an
earlier message, what he answers to, and what another bot wrote for him.
"""

from pathlib import Path

import pytest

from bot.desk.registry import SPECS
from tests.fakes.authority import GROUP, OWNER, telegram_program
from tests.fakes.cost import share
from tests.fakes.desk import commands

SENDERS = (
    "owner",
    "admin",
    "user",
    "namesake",
    "stranger",
    "stranger_namesake",
    "anonymous",
    "channel",
    "bot",
    "forwarded",
    "edited",
    "quoted",
    "via_bot",
)
ROLES = 5
"""So many of them, from the first, are told apart by who they are."""

# In the order of SENDERS: first in private, then in a group. In private everyone may do
# everything with the memory that is theirs; in a group everyone looks and forgets their own words,
# its admins and the owner correct, erase, pause and change the law; only an owner operates the
# program, and only in private; what a private memory is bound to is decided in private.
TABLE = """
/memory                            YYYYTT-------  YYYYTT-------
/memory list                       YYYYTT-------  YYYYTT-------
/memory search 银杏                YYYYTT-------  YYYYTT-------
/memory recall 银杏                YYYYTT-------  YYYYTT-------
/memory show #1                    YYYYTT-------  YYYYTT-------
/memory health                     YYYYTT-------  YYYYTT-------
/memory fading                     YYYYTT-------  YYYYTT-------
/memory associations #1            YYYYTT-------  YYYYTT-------
/memory graph #1                   YYYYTT-------  YYYYTT-------
/memory curve #1                   YYYYTT-------  YYYYTT-------
/memory review                     YYYYTT-------  YYYYTT-------
/memory metrics                    YYYYTT-------  YYYYTT-------
/why                               YYYYTT-------  YYYYTT-------
/help                              YYYYTT-------  YYYYTT-------
/memory export                     YYYYTT-------  NNNNTT-------
/page                              YYYYTT-------  NNNNTT-------
/remember 我喜欢紫藤               YYYYTT-------  YYNNTT-------
/memory add 我喜欢银杏             YYYYTT-------  YYNNTT-------
/memory edit #1 银杏巷十八号       YYYYTT-------  YYNNTT-------
/memory pin #1                     YYYYTT-------  YYNNTT-------
/memory unpin #1                   YYYYTT-------  YYNNTT-------
/memory merge #1 #2                YYYYTT-------  YYNNTT-------
/memory reinforce #1               YYYYTT-------  YYNNTT-------
/memory sensitivity #1 0           YYYYTT-------  YYNNTT-------
/memory forget #1                  YYYYTT-------  YYNNTT-------
/memory restore #1                 YYYYTT-------  YYNNTT-------
/memory cleanup --dry-run          YYYYTT-------  YYNNTT-------
/memory rebuild                    YYYYTT-------  YYNNTT-------
/reminders                         YYYYTT-------  YYYYTT-------
/initiative                        YYYYTT-------  NNNNTT-------
/memory law                        YYYYTT-------  YYNNTT-------
/memory settings                   YYYYTT-------  YYNNTT-------
/memory mode                       YYYYTT-------  YYNNTT-------
/memory pause                      YYYYTT-------  YYNNTT-------
/memory resume                     YYYYTT-------  YYNNTT-------
/memory notice                     YYYYTT-------  YYNNTT-------
/memory diary                      YYYYTT-------  YYNNTT-------
/memory import                     YYYYTT-------  YYNNTT-------
/reset                             YYYYTT-------  YYNNTT-------
/undo                              YYYYTT-------  YYNNTT-------
/forget 银杏                       YYYYTT-------  YYOOTT-------
/forget all                        YYYYTT-------  YYOOTT-------
/link                              YYYYTT-------  NNNNTT-------
/unlink                            YYYYTT-------  NNNNTT-------
/memory system 银杏是公孙树        YNNNTT-------  NNNNTT-------
/status                            YNNNTT-------  NNNNTT-------
/people                            YNNNTT-------  NNNNTT-------
/stop                              YYYYTT-------  YYYYTT-------
/again                             ----TT-------  ----TT-------
/agents                            YNNNTT-------  NNNNTT-------
/limits                            YNNNTT-------  NNNNTT-------
/clock                             YNNNTT-------  NNNNTT-------
/backup                            YNNNTT-------  NNNNTT-------
/restore_backup                    YNNNTT-------  NNNNTT-------
"""


def cells() -> list[tuple[str, str, str]]:
    found = [row.rsplit(maxsplit=2) for row in TABLE.strip().splitlines()]
    return [(line, private, group) for line, private, group in found]


WHOLE = {line for line, _, _ in share(cells(), of=6)}


@pytest.mark.hunted
@pytest.mark.parametrize(("line", "private", "group"), cells(), ids=[c[0] for c in cells()])
async def test_a_command_is_for_those_the_design_names_and_nobody_else(
    tmp_path: Path, line: str, private: str, group: str
) -> None:
    async with telegram_program(tmp_path) as program:
        await program.outcome("owner", "/remember 银杏巷十七号是我家", private=False)
        tried = len(SENDERS) if line in WHOLE else ROLES
        for there, expected in ((True, private), (False, group)):
            met = [await program.outcome(who, line, private=there) for who in SENDERS[:tried]]

            where = "in private" if there else "in a group"
            assert len(expected) == len(SENDERS)
            assert dict(zip(SENDERS, met, strict=False)) == dict(
                zip(SENDERS, expected[:tried], strict=False)
            ), where


def test_every_command_has_its_row() -> None:
    known = {line for line, _, _ in cells()}
    for spec in SPECS:
        assert any(f"{line} ".startswith(f"/{spec.path} ") for line in known), spec.path


@pytest.mark.parametrize("who", ["forwarded", "edited", "quoted", "via_bot", "anonymous"])
async def test_not_even_a_confirmed_erasure_is_obeyed_from_a_message_that_is_not_said(
    tmp_path: Path, who: str
) -> None:
    async with telegram_program(tmp_path) as program:
        await program.outcome("owner", "/remember 银杏巷十七号是我家", private=False)
        preview = await program.shown("owner", "/forget all", private=False)
        (button,) = commands(preview)
        assert await program.outcome(who, button, private=False) == "-"
        agent = await program.app.agents.get(f"tg-g-{-GROUP}")
        assert agent.state.memories
        assert await program.outcome("owner", button, private=False) == "Y"
        assert not agent.state.memories


async def test_a_command_edited_into_another_one_stays_what_it_was(tmp_path: Path) -> None:
    async with telegram_program(tmp_path) as program:
        await program.outcome("owner", "/remember 银杏巷十七号是我家", private=True)
        agent = await program.app.agents.get(f"tg-p-{OWNER}")
        await program.outcome("edited", "/remember 紫藤", private=True)
        await program.outcome("edited", "/memory pin #1", private=True)

        (memory,) = agent.state.memories.values()
        assert not memory.nature.pinned
