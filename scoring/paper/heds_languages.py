"""The languages that the form of HEDS 3.0 lists, by their ISO 639-1 codes in its order."""

from __future__ import annotations

from paraanno.plain.language_tags import TWO_LETTERS, primary

# Its first option is "not applicable", its last "other".
CODES = TWO_LETTERS
PLACES = {code: at for at, code in enumerate(CODES, 2)}
OTHER = len(CODES) + 2


def place_of(language: str) -> int:
    """The option of a language in BCP 47; "other" for one that is not listed."""
    return PLACES.get(primary(language), OTHER)
