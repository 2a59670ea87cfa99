"""English content words as lemmas, the same as those of simplemma 2.0.0 (Adrien Barbaresi;
lemmas.LICENSE.txt).

Its package holds the words of 54 languages, 19 MB; `python -m tools.lemmas` takes those of English.
"""

from __future__ import annotations

import lzma
import unicodedata
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from scoring.metrics.texts.tokenizers import LONGEST_KEPT, MOST_KEPT, words

VERSION = "2.0.0"  # Of simplemma.
TABLE = Path(__file__).with_name("lemmas.xz")
_CLITICS = ("n't", "'re", "'ve", "'ll", "'m", "'s", "'d")
_MOST_CLITICS = 2
_IRREGULAR_WHOLE = {"can't", "won't", "shan't"}
_PLURALS = ("doms", "isms", "ists", "ments", "nces", "ships", "tions", "ums")
_LONG = 7  # Characters, above which -cies is the plural of -cy.


def lemma_of(word: str) -> str:
    """The lemma of a word in lower case, as `words` cuts it; the word itself if none is known."""
    word = unicodedata.normalize("NFC", word)
    if word.isnumeric():
        return word
    form = word.replace("\u02bc", "'")  # A letter, and an apostrophe.
    return _table().get(form) or _without_clitics(form) or _by_rule(word) or word


@cache
def _table() -> dict[str, str]:
    """The lemma of each form. A line has a lemma and its forms: `+` is the lemma with an ending."""
    lemmas = {}
    for line in lzma.decompress(TABLE.read_bytes()).decode().splitlines():
        first, *forms = line.split(" ")
        for form in forms:
            lemmas[first + form[1:] if form[0] == "+" else form] = first
    return lemmas


def _without_clitics(word: str) -> str | None:
    if word in _IRREGULAR_WHOLE:
        return None
    for _ in range(_MOST_CLITICS):
        ends = (len(end) for end in _CLITICS if word.endswith(end) and len(word) > len(end))
        cut = next(ends, 0)
        if not cut:
            return None
        word = word[:-cut]
        if lemma := _table().get(word) or _table().get(_without_marks(word)):
            return lemma
    return None


def _without_marks(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return unicodedata.normalize("NFC", plain)


def _by_rule(word: str) -> str | None:
    if len(word) > _LONG and word.endswith("cies"):
        return f"{word[:-3]}y"
    if word.endswith((*_PLURALS, "erves")):
        return word[:-1]
    return f"{word[:-4]}ize" if word.endswith("ized") else None


# Content words.


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
    return CORRECTIONS.get(word) or lemma_of(word).lower()


def versions() -> dict[str, str]:
    """The dictionary of lemmas and our lists, for signatures."""
    return {"simplemma": VERSION, "english-words": LIST_VERSION}
