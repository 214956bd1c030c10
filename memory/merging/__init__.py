"""One memory made of several: alike memories, two agents of one person, an imported state."""
