"""A folder of a small WordNet."""

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.resources.synonyms import FILES

# Synonyms of each other, other forms, irregular ones, words that WordNet does not have.
VOCABULARY = [
    *("car", "cars", "auto", "automobile", "happy", "glad", "felicitous", "run", "running", "ran"),
    *("geese", "goose", "big", "large", "larger", "quickly", "rapidly", "countries", "country"),
    *(
        "nation",
        "study",
        "survey",
        "woman",
        "women",
        "well",
        "better",
        "the",
        "of",
        "xyzzy",
        "나라",
    ),
    *("don't", "lay", "lie", "walked", "cloth", "fabric", "zoo", "menagerie"),
]

wordnet_is_here = pytest.mark.service("wordnet")


def meteor(original, paraphrase, *references, **options):
    return create("meteor", {"lang": "en", **options}).score(Pair(original, paraphrase, references))


def write_wordnet(folder, version="3.1"):
    """A WordNet of one verb: `hop` and `leap`, with `leapt` as an irregular form."""
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text("  1 WordNet\n")
    (folder / "data.adj").write_text(f"  1 WordNet {version} Copyright 2011 by Princeton\n")
    (folder / "data.verb").write_text("00000000 38 v 02 hop 0 leap 0 000 | jump lightly\n")
    (folder / "index.verb").write_text("hop v 1 1 @ 1 0 00000000\nleap v 1 0 1 0 00000000\n")
    (folder / "verb.exc").write_text("leapt leap\n")
    return folder
