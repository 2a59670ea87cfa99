"""Korean morphemes by Kiwi, and which of them carry meaning."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from paraanno.common.places import need_extra
from paraanno.common.texts import say
from scoring.metrics.texts.words import LONGEST_KEPT, MOST_KEPT
from scoring.metrics.values import Option

SEGMENTATION = Option(
    "segmentation",
    "merged",
    say(
        "Korean: merged joins adjacent letters and digits (U2), and a noun with its verb "
        "suffix, into one morpheme; raw keeps the analyser's morphemes."
    ),
    ("merged", "raw"),
)
AUXILIARIES = Option(
    "auxiliaries",
    "keep",
    say(
        "Korean: keep counts the positive copula and auxiliary verbs as meaningful; drop "
        "leaves them out, including the auxiliary of negation."
    ),
    ("keep", "drop"),
)

# The analyser rejects lone surrogates; they are replaced by a character at which it splits.
_HALVES = re.compile("[\ud800-\udfff]")
_opening = Lock()


def morphemes(text: str) -> Sequence[Any]:
    """The analyser's tokens of a text in order, including punctuation; cached for short texts. Do
    not modify the result."""
    return _cached_morphemes(text) if len(text) <= LONGEST_KEPT else _analysed(text)


@lru_cache(maxsize=MOST_KEPT)
def _cached_morphemes(text: str) -> Sequence[Any]:
    return _analysed(text)


def _analysed(text: str) -> Sequence[Any]:
    tokens: Sequence[Any] = _analyser().tokenize(_HALVES.sub("\ufffd", text))
    return tokens


def _form(token: Any) -> str:
    """The form without spaces: writers may omit those inside names of several words."""
    form: str = token.form
    return form.replace(" ", "")


def _analyser() -> Any:
    """Kiwi, loaded once per process: 510 MB and some seconds."""
    with _opening:
        return _opened(os.getpid())


@lru_cache(maxsize=1)
def _opened(process: int) -> Any:
    # By process, since a forked child must not use its parent's analyser.
    need_extra("korean", "kiwipiepy")
    from kiwipiepy import Kiwi

    with warnings.catch_warnings():
        # It warns that 0 now means one thread, which is what we want: 1 adds another one.
        warnings.filterwarnings("ignore", "behavior of `num_workers=0`", DeprecationWarning)
        kiwi = Kiwi(num_workers=0)
    kiwi.tokenize("")  # Half of it is loaded only by the first call.
    return kiwi


def load() -> None:
    """Load the analyser now rather than with the first text."""
    _analyser()


def meaningful(text: str, *, segmentation: str, auxiliaries: str) -> tuple[str, ...]:
    """The lower-case forms of the meaningful morphemes: all but endings, particles and
    punctuation."""
    forms: list[str] = []
    merged = segmentation == "merged"
    dropped = ("grammar", "mark", "auxiliary" if auxiliaries == "drop" else "")
    before, end = "", -1  # The class of the previous morpheme if it was kept, and its end.
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
            forms[-1] += form.lower()
        else:
            forms.append(form.lower())
        before, end = what, token.end
    return tuple(forms)


@cache
def _what(tag: str) -> str:
    """The class of a tag."""
    if tag[0] in "EJ":
        return "grammar"
    if tag in ("SL", "SH", "SN"):
        return "latin"
    # Letters of scripts unknown to the analyser are tagged as symbols: SW.
    if tag[0] == "S" and tag != "SW":
        return "mark"
    if tag.startswith(("XSV", "XSA")):
        return "suffix"
    return "auxiliary" if tag.startswith(("VCP", "VX")) else "word"


def _is_word(form: str, tag: str) -> bool:
    """Whether a non-alphabetic form is a word; invisible direction marks are tagged like names."""
    return tag == "W_EMOJI" or (tag != "SW" and any(map(str.isalnum, form)))


def cut_morphemes(text: str) -> str:
    """The morphemes of a text, including punctuation, joined by spaces: the tokenizer `ko`."""
    return " ".join(map(_form, morphemes(text)))
