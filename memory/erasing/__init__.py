"""Erasing: everything that rests on what the partner wants gone, found and removed."""
