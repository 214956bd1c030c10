"""The terminal as a platform."""
