"""English words that carry meaning, each by its lemma."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import version
from itertools import chain

from scoring.metrics.texts import LONGEST_KEPT, MOST_KEPT
from scoring.metrics.words import words

MOST_WORDS = 16_384  # Whose lemmas are kept.
LIST_VERSION = "1"  # Of the two lists below: raise it when one changes.
# Words of grammar: articles, pronouns, question words, prepositions, conjunctions, auxiliaries.
# `not`, `no`, `never`, `without` and words of number or degree carry meaning and stay.
_WORDS = """
    a an the this that these those there here such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    oneself who whom whose which what when where why how whoever whatever whichever
    and or but nor so yet if then than because as while although though unless until whether
    of in on at by for from to into onto upon with within about over under above below between
    among through during before after against along across around behind beside besides beyond
    near off out up down via per toward towards since
    be am is are was were been being do does did doing done have has had having
    will would shall should can could may might must ought
    'd 'll 'm 're 's 've d ll m re s ve t
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
# simplemma 2 gives playe, thinke, singe and so on, or leaves the form as it is.
CORRECTIONS = {
    "buying": "buy",
    "cutting": "cut",
    "fixed": "fix",
    "fixes": "fix",
    "fixing": "fix",
    "growing": "grow",
    "mixed": "mix",
    "mixes": "mix",
    "mixing": "mix",
    "playing": "play",
    "proclaiming": "proclaim",
    "singing": "sing",
    "sitting": "sit",
    "springing": "spring",
    "swearing": "swear",
    "swinging": "swing",
    "thinking": "think",
    "winging": "wing",
    "writing": "write",
}
# What is left of these once `n't` is cut off.
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}


def content_words(text: str) -> tuple[str, ...]:
    """The lemmas of the content words in order, in lower case; kept for a while."""
    return _kept(text) if len(text) <= LONGEST_KEPT else _cut(text)


@lru_cache(maxsize=MOST_KEPT)
def _kept(text: str) -> tuple[str, ...]:
    return _cut(text)


class _Lemmas(dict[str, tuple[str, ...]]):
    """Of a word, or of the two that it contracts, the lemmas of those that carry meaning; kept for
    a while."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= MOST_WORDS:
            self.clear()
        content = [part for part in _parts(word) if part not in FUNCTION_WORDS]
        lemmas = (_lemma(part) for part in content)
        self[word] = found = tuple(lemma for lemma in lemmas if lemma not in FUNCTION_WORDS)
        return found


_lemmas_of = _Lemmas().__getitem__


def _cut(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_lemmas_of, words(text.lower()))))


def _parts(word: str) -> tuple[str, ...]:
    """The word, or the two that a contraction is made of."""
    if word == "cannot":
        return ("can", "not")
    if word.endswith("n't"):
        stem = word.removesuffix("n't")
        # Tokenized corpora write `do n't`: there the stem is a word before.
        return (_IRREGULAR.get(stem, stem), "not") if stem else ("not",)
    stem, apostrophe, rest = word.rpartition("'")
    return (stem, rest) if apostrophe and f"'{rest}" in FUNCTION_WORDS else (word,)


def _lemma(word: str) -> str:
    if word in CORRECTIONS:
        return CORRECTIONS[word]
    from simplemma import lemmatize

    return str(lemmatize(word, "en")).lower()


def versions() -> dict[str, str]:
    """The dictionary of lemmas and our lists, for signatures."""
    return {"simplemma": version("simplemma"), "english-words": LIST_VERSION}
