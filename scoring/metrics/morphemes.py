"""Korean morphemes by Kiwi, and which of them carry meaning."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from scoring.metrics.base import Option
from scoring.metrics.texts import LONGEST_KEPT, MOST_KEPT

SEGMENTATION = Option(
    "segmentation",
    "merged",
    "Korean: merged makes one morpheme of letters and digits that touch (U2) and of a noun with "
    "its verb suffix; raw takes them as the analyser cuts them.",
    ("merged", "raw"),
)
AUXILIARIES = Option(
    "auxiliaries",
    "keep",
    "Korean: keep counts the positive copula and auxiliary verbs as meaningful; drop leaves them "
    "out, the auxiliary of negation among them.",
    ("keep", "drop"),
)

# The analyser refuses halves of characters; it cuts at what stands here instead.
_HALVES = re.compile("[\ud800-\udfff]")
_opening = Lock()


def morphemes(text: str) -> Sequence[Any]:
    """The analyser's tokens of a text in order, marks among them; kept for a while for short
    texts. Not to be changed."""
    return _kept(text) if len(text) <= LONGEST_KEPT else _analysed(text)


@lru_cache(maxsize=MOST_KEPT)
def _kept(text: str) -> Sequence[Any]:
    return _analysed(text)


def _analysed(text: str) -> Sequence[Any]:
    found: Sequence[Any] = _analyser().tokenize(_HALVES.sub("\ufffd", text))
    return found


def _form(token: Any) -> str:
    """Names of several words come with their blanks, which writers set or leave out."""
    form: str = token.form
    return form.replace(" ", "")


def _analyser() -> Any:
    """Kiwi, opened once per process: 510 MB and some seconds."""
    with _opening:
        return _opened(os.getpid())


@lru_cache(maxsize=1)
def _opened(process: int) -> Any:
    # By process, since a child that was forked off must not go on with what its parent opened.
    from kiwipiepy import Kiwi

    with warnings.catch_warnings():
        # It warns that 0 has come to mean one thread, which is what we want: 1 is one more.
        warnings.filterwarnings("ignore", "behavior of `num_workers=0`", DeprecationWarning)
        kiwi = Kiwi(num_workers=0)
    kiwi.tokenize("")  # Half of it is only read by the first call.
    return kiwi


def load() -> None:
    """Open the analyser now rather than with the first text."""
    _analyser()


def meaningful(text: str, *, segmentation: str, auxiliaries: str) -> tuple[str, ...]:
    """The forms, in lower case, of the morphemes that carry meaning: all but endings, particles
    and marks."""
    found: list[str] = []
    merged = segmentation == "merged"
    dropped = ("grammar", "mark", "auxiliary" if auxiliaries == "drop" else "")
    before, end = "", -1  # What the morpheme before is if it was kept, and where it ends.
    for token in morphemes(text):
        what = _what(token.tag)
        if what in dropped:
            before = ""
            continue
        form = _form(token)
        if not (form.isalnum() or what == "latin" or _is_word(form, token.tag)):
            before = ""
            continue
        joins = merged and before and (what == "suffix" or what == before == "latin")
        if joins and token.start == end:
            found[-1] += form.lower()
        else:
            found.append(form.lower())
        before, end = what, token.end
    return tuple(found)


@cache
def _what(tag: str) -> str:
    """What a tag is to us."""
    if tag[0] in "EJ":
        return "grammar"
    if tag in ("SL", "SH", "SN"):
        return "latin"
    # Letters of scripts that the analyser does not know are tagged like signs: SW.
    if tag[0] == "S" and tag != "SW":
        return "mark"
    if tag.startswith(("XSV", "XSA")):
        return "suffix"
    return "auxiliary" if tag.startswith(("VCP", "VX")) else "word"


def _is_word(form: str, tag: str) -> bool:
    """Of what is no mere letters; invisible marks of direction are tagged like names."""
    return tag == "W_EMOJI" or (tag != "SW" and any(map(str.isalnum, form)))


def cut_morphemes(text: str) -> str:
    """The morphemes of a text, marks among them, with blanks between: the tokenizer `ko`."""
    return " ".join(map(_form, morphemes(text)))
