"""The shell. Parsing costs nothing; each command imports what it needs when it runs."""
