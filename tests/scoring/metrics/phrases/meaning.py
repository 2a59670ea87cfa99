"""Scores of texts by the words that carry meaning."""

from scoring.metrics import Pair, create

GROUPS = "nation\tcountry\nhold a concert\tplay\npower\tforce\n국가\t나라\n"

# 1,000,000 pages; distance of nation and country .352 as in the paper, power and force below .35.
COUNTS = (
    "#total\t1000000\nnations\t1000\ncountries\t1000\nnations\tcountries\t88\n"
    "power\t1000\nforce\t1000\nforce\tpower\t324\nhold concert\t500\nplay\t1000\n"
)


def score(name, original, paraphrase, **options):
    return create(name, {"lang": "en", **options}).score(Pair(original, paraphrase))
