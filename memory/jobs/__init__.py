"""The background of one agent: what is due, read off its state, and doing it piece by piece."""
