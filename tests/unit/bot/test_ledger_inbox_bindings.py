"""A conversation keeps its agent."""

from dataclasses import replace
from pathlib import Path

from bot.conversation.messages import ConversationKey
from tests.fakes.clock import NOON
from tests.fakes.ledger import HOME, incoming
from tests.fakes.postgres import OpenLedger


async def test_a_conversation_keeps_its_agent_until_it_is_bound_anew(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    other = ConversationKey(platform="lark", account="7", chat="oc_1")

    assert await ledger.bindings.agent_id(HOME, private=True) == "tg-p-42"
    await ledger.bindings.bind(other, "tg-p-42")
    await ledger.close()

    again = await open_ledger(tmp_path)
    assert await again.bindings.agent_id(other, private=True) == "tg-p-42"
    assert set(await again.bindings.conversations("tg-p-42")) == {HOME, other}
    await again.close()


async def test_a_new_thread_is_heard_by_the_agent_of_its_chat(
    tmp_path: Path, open_ledger: OpenLedger
) -> None:
    ledger = await open_ledger(tmp_path)
    await ledger.bindings.bind(HOME, "lark-p-7")
    thread = replace(HOME, thread="9")

    await ledger.inbox.accept(replace(incoming("1"), conversation=thread), NOON)

    assert await ledger.bindings.agent_id(thread, private=True) == "lark-p-7"
    await ledger.close()
