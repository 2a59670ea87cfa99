"""The Porter stems of English words (Porter 1980), by nltk."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer


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
