"""One room per platform; nothing of a platform leaks out of its room."""
