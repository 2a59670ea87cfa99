"""Tokenizers by name: words (letters, marks and digits of any script, inner apostrophes kept),
Korean morphemes by Kiwi, with those that carry meaning, and those defined in papers, which
sacrebleu supplies.
"""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from paraanno.common.places import need_extra
from paraanno.common.texts import say
from scoring.metrics.values import YES_NO, Option

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize.destructive import NLTKWordTokenizer

WORD_CUT = Option(
    "tokenize",
    "words",
    say(
        "How texts are tokenized: words (letters and digits of any script, without "
        "punctuation), 13a (mteval), intl (Unicode punctuation), char, zh, ko (Korean "
        "morphemes), or none (at white space)."
    ),
    ("words", "13a", "intl", "char", "zh", "ko", "none"),
)
FOLD = Option("lowercase", "yes", say("Ignore case."), YES_NO)


class _Table(dict[int, str]):
    """A translation table filled lazily: each character becomes itself or a space."""

    def __missing__(self, code: int) -> str:
        is_word = unicodedata.category(chr(code))[0] in "LMN"
        self[code] = character = chr(code) if is_word else " "
        return character


_TABLE = _Table({ord("'"): "'", ord("’"): "'"})
_WORD = re.compile(r"[^\s'](?:\S*[^\s'])?")
# The table for ASCII texts: translating bytes takes a third of the time.
_ASCII = "".join(_TABLE[code] for code in range(128)).encode() + bytes(128)


def words(text: str) -> list[str]:
    """The words of a text; inner apostrophes are kept, as in `don't`."""
    text = text.encode().translate(_ASCII).decode() if text.isascii() else text.translate(_TABLE)
    cut = text.split()
    if "'" not in text:
        return cut
    return [word for piece in cut if (word := piece.strip("'"))]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of `words` begins and ends in the text, in which apostrophes stay typed."""
    return [match.span() for match in _WORD.finditer(text.translate(_TABLE))]


# Counting n-grams.


Ngram = tuple[str, ...]


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """All n-grams of one order, by position; none if the text is shorter."""
    return zip(*[tokens[at:] for at in range(order)], strict=False)


def all_ngrams(tokens: Sequence[str], orders: int) -> Iterator[Iterator[Ngram]]:
    """The n-grams of each order from 1 to `orders`."""
    tails = []
    for at in range(orders):
        tails.append(tokens[at:])
        yield zip(*tails)  # noqa: B905 - with `strict` it takes a fifth longer


def ngram_counts(tokens: Sequence[str], orders: int) -> Counter[Ngram]:
    """Counts of the n-grams of orders 1 to `orders`; the length of a key is its order.

    One counter for all orders takes half the time of one counter for each.
    """
    return Counter(chain.from_iterable(all_ngrams(tokens, orders)))


def matches(one: Mapping[Ngram, int], two: Mapping[Ngram, int], orders: int) -> list[int]:
    """For each order from 1, the number of n-grams in common, with repeats (clipped counts)."""
    counts = [0] * (orders + 1)
    for ngram in one.keys() & two.keys():
        own, theirs = one[ngram], two[ngram]
        counts[len(ngram)] += own if own < theirs else theirs
    return counts[1:]


# Sizes of caches of text analyses.


# A chunk has about 250 paraphrases with their originals and references. Longer texts are not
# cached, so that a cache stays within some 10 MB for each tokenizer.
MOST_KEPT = 1024
LONGEST_KEPT = 1000  # characters


# Korean morphemes.


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


# Tokenizers by name.


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
    return sacrebleu_tokenizer("tokenizer_13a:Tokenizer13a")


def _cut(name: str) -> Callable[[str], str]:
    if name == "none":
        return str
    if name == "13a":
        return cut_13a
    if name == "ko":
        return cut_morphemes
    if name not in _FOUND_IN:
        raise ValueError(f"tokenize={name} is not allowed; use {', '.join(TOKENIZE.values)}.")
    return sacrebleu_tokenizer(_FOUND_IN[name])


def sacrebleu_tokenizer(place: str, **options: bool) -> Callable[[str], str]:
    """The tokenizer of the class at `module:Class` of sacrebleu's tokenizers."""
    module, _, attribute = place.partition(":")
    # Imported here so that listing the metrics stays cheap; the package first, so that no two
    # threads wait for each other's part of it.
    import_module("sacrebleu")
    factory = getattr(import_module(f"sacrebleu.tokenizers.{module}"), attribute)
    return cast(Callable[[str], str], factory(**options))


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
