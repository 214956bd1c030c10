"""Loaded once by the server that forks programs which talk with Lark."""

from bot.adapters.lark import adapter, sdk

LOADED = (adapter, sdk._prepared())
