"""Conversations: their messages, turns and answers. No platform and no HTTP in here."""
