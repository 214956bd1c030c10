"""The background of one agent: what is due, and doing it piece by piece."""
