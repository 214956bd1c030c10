"""What becomes of memories: nights, steps by the partner, undo and health. Plans only."""
