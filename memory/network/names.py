"""When two spellings are one word: the same rule for keywords, entities and what recall asks."""

import unicodedata


def normalised_name(text: str) -> str:
    """Return the form under which spellings are compared: NFKC, case-folded, single spaces.

    Half and full width, capitals and surrounding blanks make no other name.

    >>> normalised("  ＡＩ  Lab ") == normalised("ai lab")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
