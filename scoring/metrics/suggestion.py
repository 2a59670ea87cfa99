"""Names that a user may have meant by one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from paraanno.plain.sentence import Sentence, say

MOST = 3
# What other programs and papers call a metric, as `_bare` leaves it.
_ALSO_CALLED = {
    "bertscore": "embedding_f1",
    "levenshtein": "edit_similarity",
    "sacrebleu": "bleu",
    "sbert": "sentence_cosine",
    "sentencebert": "sentence_cosine",
    "wordmoversdistance": "wmd",
}


def _bare(name: str) -> str:
    """The name without case and punctuation; `chrF++` is written `chrfpp` here."""
    return "".join(filter(str.isalnum, name.lower().replace("+", "p")))


def suggestions(name: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that are meant most probably, best first; empty if none is like it."""
    by_bare: dict[str, list[str]] = {}
    for one in names:
        by_bare.setdefault(_bare(one), []).append(one)
    wanted = _bare(name)
    other = _ALSO_CALLED.get(wanted, "")
    if other and _bare(other) in by_bare:
        return [other]
    if wanted in by_bare:
        return by_bare[wanted]
    near = get_close_matches(wanted, sorted(by_bare), n=MOST, cutoff=0.7)
    return [one for bare in near for one in by_bare[bare]][:MOST]


def with_suggestion(problem: Sentence, name: str, names: Iterable[str]) -> Sentence:
    """The problem, behind the question whether another name is meant if one is like it."""
    found = suggestions(name, names)
    if not found:
        return problem
    return say("Did you mean %(names)s? %(problem)s", names=", ".join(found), problem=problem)
