"""What the names of columns with judgments say: the scale, and who judged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotation.importers.tables.names import concepts, lexicon_plain_name, scale_named

_BETWEEN = re.compile(r"[_:\-–|/]|\.(?=\D)")


def parts(name: str) -> list[str]:
    """Return what stands between the brackets and signs of a name."""
    pieces = re.split(r"[()\[\];,/（），；]", name)
    return [piece.strip() for piece in pieces if piece.strip()]


def without(name: str, scale: str | None, scales: Sequence[str]) -> str:
    """Return a name without the scale and words for values, annotators and the like."""
    words = []
    for word in _BETWEEN.sub(" ", name).split():
        bare = word.strip("()[],.;")
        plain = lexicon_plain_name(bare)
        if scale and (scale_named(bare, [scale]) or plain == lexicon_plain_name(scale)):
            rest = plain.replace(lexicon_plain_name(scale), "").strip()
            if rest and rest != plain and len(rest) < 8:
                words.append(rest)
            continue
        if concepts(bare) & {"value", "scale"} and "annotator" not in concepts(bare):
            continue
        if bare.startswith("1") and any(sign in word for sign in "–-") and "(" in word:
            continue
        words.append(bare)
    left = " ".join(word for word in words if word)
    return left if lexicon_plain_name(left) and not _is_range(left) else ""


def _is_range(text: str) -> bool:
    plain = lexicon_plain_name(text).split()
    return len(plain) == 2 and all(one.isdigit() for one in plain) and plain[0] in ("0", "1")


def differ_in_a_number(names: Sequence[str]) -> bool:
    """Whether names have a common stem, and a number or letter each: R1, R2; A, B."""
    stems = set()
    for name in names:
        words = lexicon_plain_name(name).split()
        if not words:
            return False
        last = words[-1]
        if last.isdigit() or (len(last) == 1 and last.isalpha()):
            stems.add(" ".join(words[:-1]))
        elif len(words) == 1 and name.isupper() and len(name) <= 3:
            stems.add("")
        else:
            return False
    return len(stems) == 1 and bool(names)
