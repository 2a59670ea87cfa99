"""CIDEr and CIDEr-D beside values of their authors' programs."""

import json

import pytest

from scoring.metrics import Pair, create

TEXTS = [
    ("a cat sat on the mat", ("the cat sat on the mat", "a cat was sitting on a mat")),
    ("the the the the dog dog ran", ("the dog ran away quickly", "a dog ran off")),
    ("he bought it", ("he bought it",)),
    (
        "people walk in the rain with the umbrellas they bought",
        ("people with umbrellas walk in the rain", "the rain falls on people who walk"),
    ),
    ("nothing alike here", ("the sun is up", "a sun rises over the mat")),
]
PAIRS = [Pair(f"original {at}", *text) for at, text in enumerate(TEXTS)]
# github.com/vrama91/cider, pyciderevalcap/cider with df_mode "corpus"; pycocoevalcap 1.2.
PUBLISHED = {
    "cider": [4.890345843671, 2.3262865699, 7.5, 2.972602860264, 0],
    "cider_d": [4.877437809475, 1.585988744487, 7.5, 2.617043716267, 0],
}


def prepared(name, pairs, **options):
    """The metric as a worker has it: its state went through a database as JSON."""
    metric = create(name, options)
    metric.use(json.loads(json.dumps(metric.prepare(pairs))))
    return metric


@pytest.mark.parametrize(("name", "values"), PUBLISHED.items())
def test_values_are_those_of_the_authors_programs(name, values):
    # A second paraphrase of an original does not make a second document.
    again = Pair(PAIRS[0].original, "something else", PAIRS[0].references)
    metric = prepared(name, [again, *PAIRS])
    found = [score.value for score in metric.score_many(PAIRS)]
    assert found == pytest.approx(values, abs=1e-11)
    mean = metric.score_many([again, *PAIRS])
    assert "|idf:campaign|" in str(metric.signature()) and "|state@" in str(metric.signature())
    assert mean[0].value == 0


def test_one_original_has_no_frequencies_to_weigh_with():
    alone = prepared("cider", PAIRS[2:3])
    assert "only one original" in alone.score(PAIRS[2]).reason
    assert prepared("cider", PAIRS[2:3], idf="none").score(PAIRS[2]).value == pytest.approx(7.5)
