"""Numbers as people write them in tables."""

from __future__ import annotations

import re

_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_POINT = re.compile(r"\s*[+-]?\d+\.\d+\s*")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
# Digits and signs of East Asian input methods.
_WIDE = str.maketrans("０１２３４５６７８９．，－", "0123456789.,-")


def has_decimal_comma(text: str) -> bool:
    """True for a number with a comma before its fraction: 3,5."""
    return _COMMA.fullmatch(text) is not None


def has_decimal_point(text: str) -> bool:
    """True for a number with a point before its fraction: 3.5."""
    return _POINT.fullmatch(text) is not None


def plain_number_text(text: str, decimal: str = ".") -> str:
    """Return a number as programs write it: with a point, without spaces around.

    With the decimal sign ",", points between thousands are removed. A text that is no number comes
    back stripped.
    """
    found = text.strip().translate(_WIDE)
    if decimal == ",":
        if _GROUPED.fullmatch(found):
            found = found.replace(".", "")
        if has_decimal_comma(found):
            found = found.replace(",", ".")
    return found


def read_number(text: str, decimal: str = ".") -> float | None:
    """Return the number in a text; None if there is none."""
    found = plain_number_text(text, decimal)
    return float(found) if len(found) < 40 and _NUMBER.fullmatch(found) else None
