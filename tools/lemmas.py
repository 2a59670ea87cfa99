"""Writes the table of English lemmas from the package simplemma: `python -m tools.lemmas`."""

import lzma
import sys
import unicodedata
from collections import defaultdict

from simplemma.strategies import DictionaryLookupStrategy
from simplemma.strategies.dictionaries import DEFAULT_DICTIONARY_FACTORY

from scoring.metrics.texts.content_words import TABLE

# Small letters whose capital is that of another too, such as the dotless i: both are looked up.
OTHER_CAPITALS = [
    (one, one.capitalize())
    for one in map(chr, range(sys.maxunicode + 1))
    if one.lower() == one and one.capitalize().lower() != one
]


def packed():
    """The table as scoring/metrics/texts/content_words.py reads it."""
    entries = DEFAULT_DICTIONARY_FACTORY.get_dictionary("en")
    lookup = DictionaryLookupStrategy()
    words = {key.lower().replace("’", "'").replace("ʼ", "'") for key in entries}
    words |= {
        first + key[len(capital) :]
        for first, capital in OTHER_CAPITALS
        for key in entries
        if key.startswith(capital)
    }
    forms = defaultdict(list)
    for word in sorted(filter(may_be_cut, words)):
        lemma = lookup.get_lemma(word, "en")
        if lemma is not None:
            forms[lemma.lower()].append(word)
    lines = (" ".join([lemma, *(short(form, lemma) for form in forms[lemma])]) for lemma in forms)
    return lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def may_be_cut(word):
    """Whether texts are cut into such words: of letters, marks, digits and apostrophes."""
    return all(unicodedata.category(one)[0] in "LMN" for one in word.replace("'", ""))


def short(form, lemma):
    return f"+{form.removeprefix(lemma)}" if form.startswith(lemma) else form


if __name__ == "__main__":
    TABLE.write_bytes(packed())
