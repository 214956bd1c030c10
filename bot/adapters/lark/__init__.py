"""Lark and Feishu: everything that knows their platform."""
