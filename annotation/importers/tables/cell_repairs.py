"""Repairs of single cells and rows: entities, marks, parts of a sentence, several texts in one."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from annotation.importers.tables.books import Cell, is_empty
from annotation.importers.tables.lexicon import concepts

# Marks around a phrase, by name; the text between stands in a group.
MARKS = {
    "<b>": re.compile(r"<(b|strong|em|i|u|mark|span)\b[^>]*>(.+?)</\1>", re.IGNORECASE | re.DOTALL),
    "[[ ]]": re.compile(r"(\[\[)\s*(.+?)\s*\]\]"),
    "**": re.compile(r"(\*\*)(\S.*?)\*\*"),
    "__": re.compile(r"(__)(\S.*?)__"),
    "{ }": re.compile(r"(\{)\s*([^{}]+?)\s*\}"),
    "[ ]": re.compile(r"(\[)\s*([^\[\]]+?)\s*\]"),
    "< >": re.compile(r"(<)\s*([^<>/]+?)\s*>"),
    "*": re.compile(r"(?<![\w*])(\*)(\S[^*]*?)\*(?![\w*])"),
    "_": re.compile(r"(?<![\w_])(_)(\S[^_]*?)_(?![\w_])"),
}
SPLITS = ("|", ";", "\n", "/", ",", "\t")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"\s*</?(?:br|p|div)\b[^<>]{0,100}>\s*", re.IGNORECASE)
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CLOSING = re.compile(r"[.,;:!?…)\]}»”’。，、；：？！）]")
_COMPUTED = frozenset({"mean", "median", "sd", "sum", "count"})
_NUMBERED = re.compile(r"\s*(?:[0-9]{1,2}[.)]|[-•*])\s+")


def decoded(text: str) -> str:
    """Return a text with its entities decoded, also those that were encoded twice."""
    for _ in range(2):
        if not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return _TAG.sub(" ", text.replace("\xa0", " ")).strip()


def has_entity(text: str) -> bool:
    """Whether a text has an entity that stands for a sign, or a tag that breaks its lines."""
    if _TAG.search(text):
        return True
    found = _ENTITY.search(text)
    return found is not None and html.unescape(found[0]) != found[0]


def unmarked(cell: Cell, mark: re.Pattern[str]) -> tuple[Cell, Cell, Cell]:
    """Return a text without its mark, the marked phrase, and where it starts."""
    found = mark.search(cell) if isinstance(cell, str) else None
    if not isinstance(cell, str) or found is None:
        return cell, None, None
    before = cell[: found.start()].lstrip()
    text = (before + found[2] + cell[found.end() :]).rstrip()
    return text, found[2], len(before)


def joined_cells(left: Cell, key: Cell, right: Cell, *, space: bool) -> tuple[Cell, Cell, Cell]:
    """Return the sentence of its three parts, the phrase and where it starts; `space` puts one
    between parts, but for signs that close."""
    one, two, three = ("" if is_empty(part) else str(part) for part in (left, key, right))
    phrase = two.strip()
    if not phrase:
        return (one + three).strip() or None, None, None
    before = one.lstrip()
    if space and before and not before.endswith((" ", "(", "“", "«", "„")):
        before += " "
    after = three.rstrip()
    if space and after and not after.startswith(" ") and not _CLOSING.match(after):
        after = f" {after}"
    return before + phrase + after, phrase, len(before)


def needs_space(texts: Sequence[str]) -> bool:
    """Whether parts of sentences are joined by a space: they have none at their ends, and are not
    written in Chinese or Japanese."""
    return not any(map(_NO_SPACE.search, texts)) and not any(text != text.strip() for text in texts)


def is_total(cells: Sequence[Cell]) -> bool:
    """Whether a row holds numbers and says that they are sums or means: no text of its own."""
    filled = [cell for cell in cells if not is_empty(cell)]
    words = [cell.strip() for cell in filled if isinstance(cell, str) and not _a_number(cell)]
    return (
        0 < len(words) <= 2
        and len(filled) > len(words)
        and all(len(word) <= 30 for word in words)
        and bool(concepts(words[0]) & _COMPUTED)
    )


def _a_number(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[+-]?[0-9]+([.,][0-9]+)?\s*%?\s*", text))


def is_head_again(cells: Sequence[Cell], names: Sequence[str]) -> bool:
    """Whether a row repeats the names of the columns."""
    pairs = [
        (str(cell).strip(), name)
        for cell, name in zip(cells, names, strict=False)
        if not is_empty(cell)
    ]
    return len(pairs) > 1 and all(cell == name for cell, name in pairs)


def parts_of(cell: Cell, sign: str) -> list[str]:
    """Return the texts in a cell, without the numbers before them."""
    if not isinstance(cell, str):
        return []
    parts = (_NUMBERED.sub("", part, count=1).strip() for part in cell.split(sign))
    return [part for part in parts if part]
