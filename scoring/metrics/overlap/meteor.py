"""METEOR in the form of Lavie and Agarwal (2007), with exactly the scores of nltk."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from paraanno.common.texts import joined, say
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, DecimalOption, Metric
from scoring.metrics.resources.synonyms import (
    MISSING,
    Synset,
    WordNet,
    find_wordnet,
    load_wordnet,
    wordnet_folder,
    wordnet_sha256,
    wordnet_version,
)
from scoring.metrics.texts.tokenizers import (
    NLTK,
    WORD_CUT,
    Tokens,
    stem,
    stem_versions,
    tokens,
    versions,
)
from scoring.metrics.values import AGAINST, Option, Score, lang_option, references_option

# Makes, for a word, the predicate that another word matches it.
Alike = Callable[[str], Callable[[str], bool]]
Places = list[tuple[int, str]]  # Words, or their stems, with their positions.
Match = tuple[int, int]  # A position in the paraphrase, and one in the text compared with.
TOKENIZE = replace(
    WORD_CUT,
    summary=joined(
        " ",
        [
            WORD_CUT.summary,
            say("nltk: as nltk's word_tokenize does within a sentence, punctuation included."),
        ],
    ),
    values=(*WORD_CUT.values, NLTK),
)


LOOKUP = Option(
    "lookup",
    "stems",
    say(
        "What is looked up in WordNet: stems, as in nltk, few of which it contains; words, which "
        "match if they share a synset, as in the paper; or none: words match exactly or by stem, "
        "and not as synonyms. Where WordNet is not installed, the default is none."
    ),
    ("stems", "words", "none"),
)
WITHOUT = joined(" ", [say("Words match exactly or by stem, and not as synonyms."), MISSING])
LANG = lang_option(
    "en",
    summary=say(
        "The language of the texts: stems and WordNet are English. texts takes the language "
        "given for each text; with en, texts without one are taken to be English."
    ),
)


class Meteor(Metric[Tokens]):
    """METEOR = (1 - gamma * (chunks / matches)^beta) * P * R / (alpha * P + (1 - alpha) * R).

    Equal to nltk's `meteor_score` of the same words, except that texts without words have no score.
    Not METEOR 1.5, which has other weights and paraphrase tables. Without WordNet the stage of
    synonyms is left out; the signature then has `lookup:none` and no WordNet.
    """

    name = "meteor"
    title = "METEOR (NLTK, 2007 form)"
    summary = say(
        "0 (no word in common) to nearly 1: words matched exactly, by stem, or as synonyms "
        "in WordNet, with a penalty if matched words are in a different order. For English."
    )
    family = "overlap"
    languages = ("en",)
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        TOKENIZE,
        DecimalOption("alpha", "0.9", say("The weight of recall against precision.")),
        DecimalOption("beta", "3", say("How steeply the word-order penalty grows."), high=100),
        DecimalOption("gamma", "0.5", say("The maximum word-order penalty.")),
        LOOKUP,
        LANG,
    )
    NAMES = {("lookup", "none"): "METEOR without WordNet"}

    def __init__(self, **options: Any) -> None:
        """Raises ValueError with the remedy if WordNet is missing and a look-up was asked for."""
        if "lookup" not in options and wordnet_folder() is None:
            options["lookup"] = "none"
            self.decided, self.remark = {"lookup": "none"}, WITHOUT
        super().__init__(**options)
        self._alpha, self._beta, self._gamma = (
            float(self.options[name]) for name in ("alpha", "beta", "gamma")
        )
        self._lookup = self.options["lookup"]
        self._folder = None if self._lookup == "none" else find_wordnet()
        self._wordnet: WordNet | None = None

    @property
    def wordnet(self) -> WordNet:
        """WordNet, opened lazily; only with a look-up."""
        if self._wordnet is None:
            self._wordnet = load_wordnet(self._folder or find_wordnet())
        return self._wordnet

    def load(self) -> None:
        if self._folder is not None:
            self._wordnet = load_wordnet(self._folder)

    def versions(self) -> dict[str, str]:
        wordnet = {} if self._folder is None else {"wordnet": wordnet_version(self._folder)}
        return versions(self.options["tokenize"]) | stem_versions() | wordnet

    def resources(self) -> dict[str, str]:
        return {} if self._folder is None else {"wordnet": wordnet_sha256(self._folder)}

    def _know(self, targets: tuple[str, ...]) -> Tokens:
        return tokens(targets[0], self.options["tokenize"], lowercase=True)

    def _score(self, target: Tokens, paraphrase: str) -> Score:
        words = self._know((paraphrase,))
        if not target:
            return Score.undefined(NO_WORDS_TARGET)
        if not words:
            return Score.undefined(NO_WORDS)
        matches = self._align(words, target)
        if not matches:
            return Score(0.0)
        precision, recall = len(matches) / len(words), len(matches) / len(target)
        mean = precision * recall / (self._alpha * precision + (1 - self._alpha) * recall)
        penalty = self._gamma * (_chunks(matches) / len(matches)) ** self._beta
        return Score((1 - penalty) * mean)

    def _align(self, words: Sequence[str], others: Sequence[str]) -> list[Match]:
        """Match words: identical ones, then equal stems, then synonyms if these are looked up.

        Each stage goes from the last word of the paraphrase to the first and takes the last free
        match.
        """
        own, theirs = list(enumerate(words)), list(enumerate(others))
        matches, own, theirs = _match_equal(own, theirs)
        if own and theirs:
            stemmed, own, theirs = _match_equal(_stems(own), _stems(theirs))
            matches += stemmed
        if own and theirs and self._lookup != "none":
            if self._lookup == "words":
                own = [(place, words[place]) for place, _ in own]
                theirs = [(place, others[place]) for place, _ in theirs]
                matches += _match_alike(own, theirs, self._shares_synset)
            else:
                matches += _match_alike(own, theirs, self._is_synonym)
        matches.sort()
        return matches

    def _is_synonym(self, word: str) -> Callable[[str], bool]:
        return _synonyms(self.wordnet, word).__contains__

    def _shares_synset(self, word: str) -> Callable[[str], bool]:
        synsets = _synsets(self.wordnet, word)
        return lambda other: not synsets.isdisjoint(_synsets(self.wordnet, other))


@lru_cache(maxsize=65_536)
def _synonyms(wordnet: WordNet, word: str) -> frozenset[str]:
    return wordnet.synonyms(word)


@lru_cache(maxsize=65_536)
def _synsets(wordnet: WordNet, word: str) -> frozenset[Synset]:
    return wordnet.synsets(word)


def _stems(words: Places) -> Places:
    return [(place, stem(word)) for place, word in words]


def _match_equal(own: Places, theirs: Places) -> tuple[list[Match], Places, Places]:
    """The matches of equal words, and the unmatched words of both sides."""
    free: dict[str, list[int]] = {}
    for place, word in theirs:
        free.setdefault(word, []).append(place)
    matches, rest = [], []
    for one in reversed(own):
        places = free.get(one[1])
        if places:
            matches.append((one[0], places.pop()))
        else:
            rest.append(one)
    rest.reverse()
    taken = {place for _, place in matches}
    return matches, rest, [other for other in theirs if other[0] not in taken]


def _match_alike(own: Places, theirs: Places, alike: Alike) -> list[Match]:
    free = theirs[::-1]
    matches = []
    for place, word in reversed(own):
        matching = alike(word)
        for at, (other, candidate) in enumerate(free):
            if matching(candidate):
                matches.append((place, other))
                del free[at]
                break
    return matches


def _chunks(matches: Sequence[Match]) -> int:
    """The number of chunks: maximal runs of matches that are adjacent in both texts."""
    return 1 + sum(
        (one + 1, other + 1) != following for (one, other), following in itertools.pairwise(matches)
    )
