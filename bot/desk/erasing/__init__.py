"""Erasing for good, everywhere: what ``/forget`` means, shows and does."""
