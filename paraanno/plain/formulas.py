"""Escaping of texts in CSV and TSV that a spreadsheet would take for formulas."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escape(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    A text that begins with apostrophes and then such a character gets one more, so that removing
    one is the exact inverse.
    """
    return "'" + text if _FORMULA.match(text) else text


def unescape(cell: str) -> str:
    """Remove the apostrophe that keeps a spreadsheet from reading a text as a formula."""
    return cell[1:] if _ESCAPED.match(cell) else cell
