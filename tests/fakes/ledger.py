"""Messages and turns for tests of the ledger, put in through its own doors."""

from bot.conversation.ledger import Accepted, Ledger, Received, TurnAnswer, TurnEntry
from bot.conversation.messages import ConversationKey, Incoming, Sender
from tests.fakes.clock import NOON

HOME = ConversationKey(platform="telegram", account="7", chat="42")
ANN = Sender(id="42", name="安")


def incoming(
    key: str = "1",
    text: str = "我喜欢拉面",
    *,
    conversation: ConversationKey = HOME,
    sender: Sender = ANN,
) -> Incoming:
    return Incoming(dedupe_key=key, conversation=conversation, sender=sender, at=NOON, text=text)


async def accepted(ledger: Ledger, *keys: str) -> list[Received]:
    received = []
    for key in keys:
        receipt = await ledger.inbox.accept(incoming(key), NOON)
        assert isinstance(receipt, Accepted)
        received.append(receipt.message)
    return received


async def finished(ledger: Ledger, messages: list[Received]) -> TurnEntry:
    turn = await ledger.turns.begin(messages, NOON)
    turn = await ledger.turns.record_answer(turn, TurnAnswer("reply", "好吃", at=NOON))
    await ledger.turns.record_sending(turn)
    await ledger.turns.record_sent(turn)
    return await ledger.turns.record_committed(turn)
