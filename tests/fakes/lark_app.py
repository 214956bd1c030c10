"""The app as the developer console knows it: its secret, tokens, scopes and subscriptions."""

from typing import Any

from tests.fakes.lark_faults import REVOKED
from tests.fakes.lark_messages import NAMES, Asked
from tests.fakes.lark_rules import Refused
from tests.fakes.lark_world import APP_ID, APP_SECRET, BOT, BOT_NAME, World

IM = "/open-apis/im/v1"
KIT = "/open-apis/cardkit/v1/cards"
APPLICATION = "/open-apis/application/v6"
ROUTES: dict[str, tuple[str, str]] = {
    "token": ("POST", "/open-apis/auth/v3/tenant_access_token/internal"),
    "bot": ("GET", "/open-apis/bot/v3/info"),
    "granted": ("GET", f"{APPLICATION}/scopes"),
    "about": ("GET", f"{APPLICATION}/applications/{{app_id}}"),
    "version": ("GET", f"{APPLICATION}/applications/{{app_id}}/app_versions/{{version_id}}"),
    "create": ("POST", f"{IM}/messages"),
    "reply": ("POST", f"{IM}/messages/{{message_id}}/reply"),
    "patch": ("PATCH", f"{IM}/messages/{{message_id}}"),
    "update": ("PUT", f"{IM}/messages/{{message_id}}"),
    "delete": ("DELETE", f"{IM}/messages/{{message_id}}"),
    "get": ("GET", f"{IM}/messages/{{message_id}}"),
    "react": ("POST", f"{IM}/messages/{{message_id}}/reactions"),
    "unreact": ("DELETE", f"{IM}/messages/{{message_id}}/reactions/{{reaction_id}}"),
    "resource": ("GET", f"{IM}/messages/{{message_id}}/resources/{{file_key}}"),
    "upload_image": ("POST", f"{IM}/images"),
    "upload_file": ("POST", f"{IM}/files"),
    "chat": ("GET", f"{IM}/chats/{{chat_id}}"),
    "members": ("GET", f"{IM}/chats/{{chat_id}}/members"),
    "user": ("GET", "/open-apis/contact/v3/users/{user_id}"),
    "card": ("POST", KIT),
    "card_write": ("PUT", f"{KIT}/{{card_id}}/elements/{{element_id}}/content"),
    "card_settings": ("PATCH", f"{KIT}/{{card_id}}/settings"),
    "card_replace": ("PUT", f"{KIT}/{{card_id}}"),
    "endpoint": ("POST", "/callback/ws/endpoint"),
    "ws": ("GET", "/ws"),
}
OPEN = frozenset({"token", "endpoint", "ws"})
"""Routes that want no token."""

HEARS_ALL = "im:message.group_msg"
HEARS_NAMED = "im:message.group_at_msg:readonly"
HEARS_PRIVATE = "im:message.p2p_msg:readonly"
SENDS = ("im:message:send_as_bot", "im:message")
NEEDS: dict[str, tuple[str, ...]] = {
    "create": SENDS,
    "reply": SENDS,
    "patch": SENDS,
    "update": SENDS,
    "delete": SENDS,
    "get": ("im:message:readonly", "im:message"),
    "react": ("im:message.reactions:write_only", "im:message"),
    "unreact": ("im:message.reactions:write_only", "im:message"),
    "resource": ("im:message:readonly", "im:message", "im:resource"),
    "upload_image": ("im:resource",),
    "upload_file": ("im:resource",),
    "chat": ("im:chat:readonly", "im:chat"),
    "members": ("im:chat.members:read", "im:chat:readonly", "im:chat"),
    "user": ("contact:contact.base:readonly",),
    "card": ("cardkit:card:write",),
    "card_write": ("cardkit:card:write",),
    "card_settings": ("cardkit:card:write",),
    "card_replace": ("cardkit:card:write",),
    "about": ("application:application:self_manage",),
    "version": ("application:application:self_manage",),
}
EVENTS = (
    "im.message.receive_v1",
    "im.message.message_read_v1",
    "im.message.recalled_v1",
    "im.message.reaction.created_v1",
    "im.message.reaction.deleted_v1",
    "im.chat.member.bot.added_v1",
    "im.chat.member.bot.deleted_v1",
    "im.chat.disbanded_v1",
    "im.chat.access_event.bot_p2p_chat_entered_v1",
    "card.action.trigger",
)
TOKEN_SECONDS = 7200


class App:
    """``scopes`` and ``events`` are what it was given and what it is subscribed to.

    One method per route, named as the route is; each returns the whole answer.
    """

    def __init__(self, world: World, app_id: str = APP_ID, secret: str = APP_SECRET) -> None:
        self.id = app_id
        self.scopes = {each for needed in NEEDS.values() for each in needed}
        self.scopes |= {HEARS_ALL, HEARS_NAMED, HEARS_PRIVATE, NAMES}
        self.events = set(EVENTS)
        self.subscription = "websocket"
        self.request_url = ""
        self.published = True
        self.tokens: dict[str, float] = {}
        self.ws_url = ""
        self.ws_config: dict[str, int] = {
            "ReconnectCount": -1,
            "ReconnectInterval": 120,
            "ReconnectNonce": 30,
            "PingInterval": 120,
        }
        self._secret = secret
        self._world = world

    def check(self, name: str, authorization: str) -> None:
        """Raises :class:`Refused` unless the call may be made."""
        if name in OPEN:
            return
        token = authorization.removeprefix("Bearer ")
        if token in {"", "None"}:
            raise Refused(99991661, "Missing access token for authorization.")
        if self.tokens.get(token, 0.0) <= self._world.clock.now():
            raise Refused(REVOKED, "Invalid access token for authorization.")
        needed = NEEDS.get(name, ())
        if needed and not self.scopes & set(needed):
            words = (
                f"Access denied. One of the following scopes is required: [{', '.join(needed)}]"
            )
            raise Refused(99991672, words)

    def token(self, asked: Asked) -> object:
        if asked.body.get("app_id") != self.id:
            raise Refused(10003, "invalid param", status=200)
        if asked.body.get("app_secret") != self._secret:
            raise Refused(10014, "app secret invalid", status=200)
        token = self._world.new("t")
        self.tokens[token] = self._world.clock.now() + TOKEN_SECONDS
        return {"code": 0, "msg": "ok", "tenant_access_token": token, "expire": TOKEN_SECONDS}

    def bot(self, asked: Asked) -> object:
        about = {"activate_status": 2, "app_name": BOT_NAME, "avatar_url": "", "open_id": BOT}
        return {"code": 0, "msg": "ok", "bot": {**about, "ip_white_list": []}}

    def granted(self, asked: Asked) -> object:
        every = {
            HEARS_ALL,
            NAMES,
            *(each for needed in NEEDS.values() for each in needed),
        } | self.scopes
        scopes = [
            {
                "scope_name": each,
                "grant_status": 1 if each in self.scopes else 2,
                "scope_type": "tenant",
            }
            for each in sorted(every)
        ]
        return _data({"scopes": scopes})

    def about(self, asked: Asked) -> object:
        callbacks = {"card.action.trigger"}
        application = {
            "app_id": self.id,
            "app_name": BOT_NAME,
            "status": 1,
            "online_version_id": "oav_1" if self.published else "",
            "event": {
                "subscription_type": self.subscription,
                "request_url": self.request_url,
                "subscribed_events": sorted(self.events - callbacks),
            },
            "callback": {
                "callback_type": self.subscription,
                "request_url": self.request_url,
                "subscribed_callbacks": sorted(self.events & callbacks),
            },
        }
        return _data({"app": application})

    def version(self, asked: Asked) -> object:
        infos = [{"event_type": each, "event_name": each} for each in sorted(self.events)]
        return _data({"app_version": {"version_id": "oav_1", "status": 1, "event_infos": infos}})

    def endpoint(self, asked: Asked) -> object:
        """Tell where the long connection is."""
        if (asked.body.get("AppID"), asked.body.get("AppSecret")) != (self.id, self._secret):
            return {"code": 514, "msg": "app_id or app_secret is invalid", "data": None}
        ticket = self._world.new("ticket")
        url = f"{self.ws_url}?device_id=42&service_id=7&ticket={ticket}"
        return {"code": 0, "msg": "", "data": {"URL": url, "ClientConfig": self.ws_config}}


def _data(data: dict[str, Any]) -> dict[str, Any]:
    return {"code": 0, "msg": "success", "data": data}
