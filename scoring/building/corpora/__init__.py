"""Corpora: texts of one sentence a line, whose phrases are counted and found by a suffix array."""

from scoring.building.corpora.corpus import Corpus, open_corpus, write_corpus
from scoring.building.corpora.indexing import TOKENIZERS, index_corpus

__all__ = ["TOKENIZERS", "Corpus", "index_corpus", "open_corpus", "write_corpus"]
