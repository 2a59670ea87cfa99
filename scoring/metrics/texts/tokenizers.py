"""Tokenizers by name; sacrebleu supplies those defined in papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

from paraanno.common.places import need_extra
from paraanno.common.texts import say
from scoring.metrics.texts.morphemes import cut_morphemes
from scoring.metrics.texts.words import LONGEST_KEPT, MOST_KEPT, words
from scoring.metrics.values import YES_NO, Option

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize.destructive import NLTKWordTokenizer


ROUGE_SCORE, NLTK = "rouge_score", "nltk"
Tokenizer = Callable[[str], list[str]]

TOKENIZE = Option(
    "tokenize",
    "13a",
    say(
        "How texts are tokenized: 13a (mteval), intl (Unicode punctuation), char, zh, ko "
        "(Korean morphemes), or none (at white space)."
    ),
    ("13a", "intl", "char", "zh", "ko", "none"),
)
_FOUND_IN = {
    "intl": "tokenizer_intl:TokenizerV14International",
    "char": "tokenizer_char:TokenizerChar",
    "zh": "tokenizer_zh:TokenizerZh",
}
# Everything that is no token of rouge-score 0.1.2 (its tokenize.py), in lower case.
_NOT_ROUGE = re.compile("[^a-z0-9]+")
LOWERCASE = Option("lowercase", "no", say("Ignore case."), YES_NO)


# The separate tokens of mteval-v13a: ASCII punctuation; a full stop or comma that is not between
# digits; a dash after a digit. It begins with a plain class, which `re` scans quickly.
_MARKS_13A = re.compile(
    r"[!-/:-@\[-`{-~](?:"
    r"(?<=[!-&(-+:-@/\[-`{-~])|(?<=[.,])(?![0-9])|(?<![0-9].)(?<=[.,])|(?<=[0-9]-))"
)
_RUN_13A = re.compile(r"[.,][.,]")
_ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}


@cache
def tokenizer(name: str, *, lowercase: bool) -> Tokenizer:
    """A function from text to tokens."""
    if name == ROUGE_SCORE:
        return cut_rouge_score
    if name == NLTK:
        # nltk divides the text as it is: some of its rules depend on case.
        return (lambda text: [token.lower() for token in cut_nltk(text)]) if lowercase else cut_nltk
    cut = words if name == "words" else _split(_cut(name))
    return (lambda text: cut(text.lower())) if lowercase else cut


def cut_rouge_score(text: str) -> list[str]:
    """The tokens of the Python package rouge-score: runs of a-z and 0-9 of the lower-cased text."""
    return _NOT_ROUGE.sub(" ", text.lower()).split()


def cut_nltk(text: str) -> list[str]:
    """The tokens of nltk's `word_tokenize(text, preserve_line=True)`: the text is one sentence."""
    return list(_nltk().tokenize(text))


@cache
def _nltk() -> NLTKWordTokenizer:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


def _split(cut: Callable[[str], str]) -> Tokenizer:
    return lambda text: cut(text.rstrip()).split()


def cut_13a(text: str) -> str:
    """The text with spaces around its punctuation: the tokens of sacrebleu's 13a in a sixth of the
    time, which dominates BLEU and its variants."""
    cut = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in cut:
        for entity, mark in _ENTITIES.items():
            cut = cut.replace(entity, mark)
    if _RUN_13A.search(cut):
        # mteval splits `...` irregularly, depending on what its rules have consumed.
        return _slow_13a()(text)
    return _MARKS_13A.sub(r" \g<0> ", cut)


@cache
def _slow_13a() -> Callable[[str], str]:
    return _of_sacrebleu("tokenizer_13a:Tokenizer13a")


def _cut(name: str) -> Callable[[str], str]:
    if name == "none":
        return str
    if name == "13a":
        return cut_13a
    if name == "ko":
        return cut_morphemes
    if name not in _FOUND_IN:
        raise ValueError(f"tokenize={name} is not allowed; use {', '.join(TOKENIZE.values)}.")
    return _of_sacrebleu(_FOUND_IN[name])


def _of_sacrebleu(place: str) -> Callable[[str], str]:
    module, _, attribute = place.partition(":")
    # Imported here so that listing the metrics stays cheap.
    factory = getattr(import_module(f"sacrebleu.tokenizers.{module}"), attribute)
    return cast(Callable[[str], str], factory())


def versions(name: str) -> dict[str, str]:
    """The version of the library behind a tokenizer, for signatures."""
    if name == "ko":
        need_extra("korean", "kiwipiepy")
        return {library: version(library) for library in ("kiwipiepy", "kiwipiepy_model")}
    if name == NLTK:
        return {"nltk": version("nltk")}
    return {} if name in ("none", "words", ROUGE_SCORE) else {"sacrebleu": version("sacrebleu")}


# A cache of the tokens of texts, shared by metrics.


Tokens = tuple[str, ...]


def tokens(text: str, cut: str, *, lowercase: bool) -> Tokens:
    """The tokens of a text by the named tokenizer."""
    return reader(cut, lowercase)(text)


@cache
def reader(cut: str, lowercase: bool) -> Callable[[str], Tokens]:
    """A cached function from a text to its tokens, for metrics that tokenize thousands of texts."""
    split = tokenizer(cut, lowercase=lowercase)

    def made(text: str) -> Tokens:
        return tuple(split(text))

    cached = lru_cache(maxsize=MOST_KEPT)(made)

    def read(text: str) -> Tokens:
        return cached(text) if len(text) <= LONGEST_KEPT else made(text)

    return read


# The Porter stems of English words (Porter 1980), by nltk.


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word; cached, as the algorithm takes 20 microseconds."""
    return str(_stemmer().stem(word))


@cache
def _stemmer() -> PorterStemmer:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


def stem_versions() -> dict[str, str]:
    """The version of the stemming library, for signatures."""
    return {"nltk": version("nltk")}
