"""English content words as lemmas."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from scoring.metrics.texts import lemmas
from scoring.metrics.texts.words import LONGEST_KEPT, MOST_KEPT, words

MOST_WORDS = 16_384  # Cache size of lemmas.
LIST_VERSION = "1"  # Version of the two lists below: increase it when one changes.
# Function words: articles, pronouns, question words, prepositions, conjunctions, auxiliaries.
# `not`, `no`, `never`, `without` and words of number or degree carry meaning and are not listed.
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
# simplemma 2 gives playe, thinke, singe and so on, or does not change the form.
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
# The stems of contractions without `n't`.
_IRREGULAR = {"ca": "can", "wo": "will", "sha": "shall"}


def content_words(text: str) -> tuple[str, ...]:
    """The lemmas of the content words in order, in lower case; cached."""
    return _cached_words(text) if len(text) <= LONGEST_KEPT else _cut(text)


@lru_cache(maxsize=MOST_KEPT)
def _cached_words(text: str) -> tuple[str, ...]:
    return _cut(text)


class _Lemmas(dict[str, tuple[str, ...]]):
    """A cache: the content lemmas of a word, or of the two words that it contracts."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= MOST_WORDS:
            self.clear()
        content = [part for part in _parts(word) if part not in FUNCTION_WORDS]
        every = (_lemma(part) for part in content)
        self[word] = content_lemmas = tuple(lemma for lemma in every if lemma not in FUNCTION_WORDS)
        return content_lemmas


_lemmas_of = _Lemmas().__getitem__


def _cut(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_lemmas_of, words(text.lower()))))


def _parts(word: str) -> tuple[str, ...]:
    """The word, or the two words of a contraction."""
    if word == "cannot":
        return ("can", "not")
    if word.endswith("n't"):
        stem = word.removesuffix("n't")
        # Tokenized corpora write `do n't`: there the stem is the word before.
        return (_IRREGULAR.get(stem, stem), "not") if stem else ("not",)
    stem, apostrophe, rest = word.rpartition("'")
    return (stem, rest) if apostrophe and f"'{rest}" in FUNCTION_WORDS else (word,)


def _lemma(word: str) -> str:
    return CORRECTIONS.get(word) or lemmas.lemma_of(word).lower()


def versions() -> dict[str, str]:
    """The dictionary of lemmas and our lists, for signatures."""
    return {"simplemma": lemmas.VERSION, "english-words": LIST_VERSION}
