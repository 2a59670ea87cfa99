"""NIST beside the figures of mteval-v13a and a plain form of Doddington's equations."""

import json
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create

TEXT = st.lists(st.sampled_from(["a", "b", "c", "d", "E", "e"]), min_size=1, max_size=9).map(
    " ".join
)
SEGMENT = st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3))
# The example of NLTK's documentation; mteval-v13a's figures are quoted in NLTK's pull request 3901.
FIRST = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
SECOND = "It is to insure the troops forever hearing the activity guidebook that party direct"
REFERENCES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)


def prepared(pairs, **options):
    """The metric as a worker has it: its state went through a database as JSON."""
    metric = create("nist", options)
    metric.use(json.loads(json.dumps(metric.prepare(pairs))))
    return metric


def pairs_of(segments):
    return [Pair(f"original {at}", text, tuple(refs)) for at, (text, refs) in enumerate(segments)]


def grams(text, n):
    words = text.split()
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def plain_nist(segments, campaign, most=5):
    """Equations 2 and 3 of Doddington (2002), order by order, matches as in mteval-v13a."""
    references = [one for _, refs in campaign for one in refs]
    words = sum(len(one.split()) for one in references)
    score = 0.0
    for n in range(1, most + 1):
        whole = sum((grams(one, n) for one in references), Counter())
        before = sum((grams(one, n - 1) for one in references), Counter())
        gained = said = 0
        for text, refs in segments:
            clip = Counter()
            for one in refs:
                clip |= grams(one, n)
            for gram, count in grams(text, n).items():
                said += count
                if gram in clip:
                    prefix = before[gram[:-1]] if n > 1 else words
                    gained += min(count, clip[gram]) * math.log2(prefix / whole[gram])
        score += gained / said if said else 0
    length = sum(len(text.split()) for text, _ in segments)
    theirs = sum(sum(len(one.split()) for one in refs) / len(refs) for _, refs in segments)
    beta = math.log(0.5) / math.log(1.5) ** 2
    return score * math.exp(beta * math.log(min(length / theirs, 1)) ** 2)


@pytest.mark.parametrize(("text", "figure"), [(FIRST, 5.0379), (SECOND, 2.1139)])
def test_three_references_score_as_in_mteval_v13a(text, figure):
    pairs = [Pair("the original", text, REFERENCES)]
    metric = prepared(pairs, tokenize="none")
    assert metric.corpus_score(pairs).value == pytest.approx(figure, abs=5e-5)
    assert metric.score(pairs[0]).value == pytest.approx(figure, abs=5e-5)


@given(st.lists(SEGMENT, min_size=1, max_size=5), st.integers(1, 6))
def test_texts_and_systems_score_as_in_the_plain_form(segments, most):
    pairs = pairs_of(segments)
    metric = prepared(pairs, max_n=most)
    whole = plain_nist(segments, segments, most)
    assert metric.corpus_score(pairs).value == pytest.approx(whole, abs=1e-9)
    for segment, score in zip(segments, metric.score_many(pairs), strict=True):
        assert score.value == pytest.approx(plain_nist([segment], segments, most), abs=1e-9)


@given(st.lists(SEGMENT, min_size=1, max_size=4))
def test_texts_count_once_however_many_paraphrases_they_have(segments):
    pairs = pairs_of(segments)
    again = [Pair(pair.original, "other words", pair.references) for pair in pairs]
    assert create("nist").prepare(pairs + again) == create("nist").prepare(pairs)


def test_the_state_is_the_same_on_every_machine():
    # Words always, longer n-grams where they occur twice: `a`, `b`, `c` and `a b`.
    state = create("nist").prepare([Pair("a b c", "x"), Pair("a b", "x")])
    assert state == {
        "words": 5,
        "hashes": "Nz9jZM0HLBtA+J45W2ZCL4RywuNNhU91xM+LIA5GQvQ=",
        "counts": "AQAAAAIAAAACAAAAAgAAAA==",
    }


def test_a_state_of_an_earlier_form_is_refused():
    with pytest.raises(ValueError, match="earlier version of the software"):
        create("nist").use({"": 2, "a": 1, "b": 1})


def test_the_state_is_part_of_the_signature_and_must_be_there():
    with pytest.raises(ValueError, match="prepare the whole set of pairs"):
        create("nist").score(Pair("a", "a"))
    one, two = (prepared([Pair(text, "x")]) for text in ("a b", "a c"))
    assert one.state is None  # No text stays in memory.
    assert "state@" in str(one.signature()) != str(two.signature())


def test_a_text_that_came_after_the_counts_is_undefined_and_not_worth_nothing():
    metric = prepared([Pair("a b", "a")])
    late = Pair("a z", "a z")
    assert metric.score(late).reason.startswith(
        "The text compared with has words that are not in the information counts"
    )
    assert metric.corpus_score([late]).value is None
    assert metric.corpus_score([Pair("a b", " ")]).value is None


def test_case_counts_unless_told_otherwise():
    pairs = [Pair("The cat", "the cat"), Pair("a dog", "x")]
    kept, folded = (prepared(pairs, lowercase=fold).score(pairs[0]).value for fold in (False, True))
    assert kept < folded


# CIDEr and CIDEr-D beside values of their authors' programs.


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


def of_cider(name, pairs, **options):
    """The metric as a worker has it: its state went through a database as JSON."""
    metric = create(name, options)
    metric.use(json.loads(json.dumps(metric.prepare(pairs))))
    return metric


@pytest.mark.parametrize(("name", "values"), PUBLISHED.items())
def test_values_are_those_of_the_authors_programs(name, values):
    # A second paraphrase of an original does not make a second document.
    again = Pair(PAIRS[0].original, "something else", PAIRS[0].references)
    metric = of_cider(name, [again, *PAIRS])
    found = [score.value for score in metric.score_many(PAIRS)]
    assert found == pytest.approx(values, abs=1e-11)
    mean = metric.score_many([again, *PAIRS])
    assert "|idf:campaign|" in str(metric.signature()) and "|state@" in str(metric.signature())
    assert mean[0].value == 0


def test_one_original_has_no_frequencies_to_weigh_with():
    alone = of_cider("cider", PAIRS[2:3])
    assert "only one original" in alone.score(PAIRS[2]).reason
    assert of_cider("cider", PAIRS[2:3], idf="none").score(PAIRS[2]).value == pytest.approx(7.5)
