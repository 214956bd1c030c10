"""Secrets: how private a text is, redaction, sealing, and the vault."""
