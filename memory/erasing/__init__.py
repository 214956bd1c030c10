"""Erasing: finding everything that rests on what the partner wants gone, and removing it."""
