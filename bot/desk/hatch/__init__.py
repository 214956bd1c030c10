"""The hatch: the desk of a running program, as the shell reaches it through a Unix socket."""
