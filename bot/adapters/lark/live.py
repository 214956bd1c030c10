"""A card that is written to while people read it (CardKit)."""

from contextlib import suppress
from typing import Any, Final, Self

from bot.adapters.calls import PlatformUnreachable, RequestRejected
from bot.adapters.lark.api import LarkApi, route
from bot.adapters.lark.formatting import Card, LarkPayload, compact_json

SEQUENCE_STRIDE: Final = 10_000
"""More changes than a card sees in the ten minutes that it streams."""

TRIES: Final = 20
"""So often a change is numbered higher: more than there are crashes within one answer."""

_SEQUENCE_TOO_LOW: Final = 300317
_CARDS_PATH: Final = ("cardkit", "v1", "cards")


class LiveCard:
    """A card and the number of its last change: each change's must be higher than the last.

    ``sequence`` is where to begin; a card made by an earlier run of the program has seen fewer
    changes than ``STRIDE`` since the run before that.
    """

    def __init__(self, api: LarkApi, card: str, *, sequence: int = SEQUENCE_STRIDE) -> None:
        self.id: Final = card
        self._api = api
        self._sequence = sequence

    @classmethod
    async def create(cls, api: LarkApi, card: Card) -> Self:
        """Make a card, which nobody sees before it is sent; raises :class:`Trouble`."""
        body = {"type": "card_json", "data": compact_json(card)}
        told = await api.call("POST", route(*_CARDS_PATH), body=body)
        if not (identity := told.get("card_id")):
            raise PlatformUnreachable("a card without an id")
        return cls(api, str(identity), sequence=0)

    @property
    def payload(self) -> LarkPayload:
        """Return the message that shows the card. Lark sends each card once."""
        return LarkPayload(
            "interactive", compact_json({"type": "card", "data": {"card_id": self.id}})
        )

    async def write(self, element: str, text: str) -> None:
        """Let an element say the whole of a text; only while the card streams."""
        path = route(*_CARDS_PATH, self.id, "elements", element, "content")
        await self._change("PUT", path, {"content": text})

    async def close(self, card: Card) -> None:
        """Let the card be another one, which streams no more; may be done again."""
        path = route(*_CARDS_PATH, self.id)
        body = {"card": {"type": "card_json", "data": compact_json(card)}}
        await self._change("PUT", path, body)
        # The whole card says so already; the list of chats may want to hear it by itself.
        config = {key: card["config"][key] for key in ("streaming_mode", "summary")}
        settings = {"settings": compact_json({"config": config})}
        with suppress(RequestRejected):
            await self._change("PATCH", route(*_CARDS_PATH, self.id, "settings"), settings)

    async def _change(self, method: str, path: str, body: dict[str, Any]) -> None:
        for _ in range(TRIES):
            self._sequence += 1
            try:
                await self._api.call(method, path, body={**body, "sequence": self._sequence})
            except RequestRejected as error:
                if error.code != _SEQUENCE_TOO_LOW:
                    raise
                self._sequence += SEQUENCE_STRIDE
            else:
                return
        raise PlatformUnreachable("the card is changed by somebody else")
