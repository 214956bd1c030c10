"""A card that is written to while people read it (CardKit)."""

from contextlib import suppress
from typing import Any, Final, Self

from bot.adapters.calls import Away, Rejected
from bot.adapters.lark.api import LarkApi, route
from bot.adapters.lark.formatting import Card, Message, compact

STRIDE: Final = 10_000
"""More changes than a card sees in the ten minutes that it streams."""

TRIES: Final = 20
"""So often a change is numbered higher: more than there are crashes within one answer."""

_OUTRUN: Final = 300317
_CARDS: Final = ("cardkit", "v1", "cards")


class LiveCard:
    """A card and the number of its last change: each change's must be higher than the last.

    ``sequence`` is where to begin; a card made by an earlier run of the program has seen fewer
    changes than ``STRIDE`` since the run before that.
    """

    def __init__(self, api: LarkApi, card: str, *, sequence: int = STRIDE) -> None:
        self.id: Final = card
        self._api = api
        self._sequence = sequence

    @classmethod
    async def made(cls, api: LarkApi, card: Card) -> Self:
        """Make a card, which nobody sees before it is sent; raises :class:`Trouble`."""
        body = {"type": "card_json", "data": compact(card)}
        told = await api.call("POST", route(*_CARDS), body=body)
        if not (identity := told.get("card_id")):
            raise Away("a card without an id")
        return cls(api, str(identity), sequence=0)

    @property
    def message(self) -> Message:
        """Return the message that shows the card. Lark sends each card once."""
        return Message("interactive", compact({"type": "card", "data": {"card_id": self.id}}))

    async def write(self, element: str, text: str) -> None:
        """Let an element say the whole of a text; only while the card streams."""
        path = route(*_CARDS, self.id, "elements", element, "content")
        await self._changed("PUT", path, {"content": text})

    async def close(self, card: Card) -> None:
        """Let the card be another one, which streams no more; may be done again."""
        path = route(*_CARDS, self.id)
        body = {"card": {"type": "card_json", "data": compact(card)}}
        await self._changed("PUT", path, body)
        # The whole card says so already; the list of chats may want to hear it by itself.
        config = {key: card["config"][key] for key in ("streaming_mode", "summary")}
        settings = {"settings": compact({"config": config})}
        with suppress(Rejected):
            await self._changed("PATCH", route(*_CARDS, self.id, "settings"), settings)

    async def _changed(self, method: str, path: str, body: dict[str, Any]) -> None:
        for _ in range(TRIES):
            self._sequence += 1
            try:
                await self._api.call(method, path, body={**body, "sequence": self._sequence})
            except Rejected as error:
                if error.code != _OUTRUN:
                    raise
                self._sequence += STRIDE
            else:
                return
        raise Away("the card is changed by somebody else")
