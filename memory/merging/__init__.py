"""Bringing memories together: alike ones, two agents of one person, an export, a backup."""
