"""Loaded once by the server that forks programs which talk with Lark."""

from websockets.asyncio import client

from bot.adapters.lark.adapter import LarkAdapter
from bot.adapters.lark.sdk import loaded_sdk

LOADED = (LarkAdapter, loaded_sdk(), client)
