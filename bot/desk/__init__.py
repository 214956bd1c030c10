"""The commands that inspect and steer memory, the same on every platform and in the shell."""
