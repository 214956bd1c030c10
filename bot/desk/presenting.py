"""The port behind which documents become what a platform shows."""

from collections.abc import Mapping
from typing import Protocol, TypeAlias

from bot.conversation.messages import ConversationKey, Platform
from bot.desk.documents import Document


class Presenter(Protocol):
    """A platform that can show documents."""

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document; what goes wrong with the platform is the presenter's own affair."""


Presenters: TypeAlias = Mapping[Platform, Presenter]
