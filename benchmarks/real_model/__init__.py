"""A real small language model on this machine's processor, and talks with it."""
