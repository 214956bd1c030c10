"""Telegram as a platform. Nothing outside this room imports the library it stands on."""
