"""TER beside sacrebleu itself: the shortcuts must not change a number."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import BeamEditDistance, trace_to_alignment
from sacrebleu.metrics.ter import TER

from scoring.metrics import Pair, create
from scoring.metrics.overlap.ter import align, distance


def ter(text, texts, **options):
    return create("ter", options).score(Pair("the original", text, tuple(texts)))


def assert_as_sacrebleu(text, reference):
    expected = TER().sentence_score(text, [reference]).score
    assert ter(text, [reference]).value == pytest.approx(expected, abs=1e-9)


def moved_about(rng, words, vocabulary):
    """The words with some blocks moved and some words put in, taken out or replaced."""
    words = list(words)
    for _ in range(rng.randint(0, 5)):
        start = rng.randrange(len(words) + 1)
        block = words[start : start + rng.randint(1, 8)]
        del words[start : start + len(block)]
        what = rng.random()
        if what < 0.7:
            target = rng.randint(0, len(words))
            words[target:target] = block
        elif what < 0.85:
            words.insert(start, rng.choice(vocabulary))
    return words


def random_pair(rng, most):
    vocabulary = [str(number) for number in range(rng.choice([2, 4, 10, 30, 200]))]
    reference = [rng.choice(vocabulary) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.3:
        text = [rng.choice(vocabulary) for _ in range(rng.randint(0, most))]
    else:
        text = moved_about(rng, reference, vocabulary)
    return " ".join(text), " ".join(reference)


NAMES = ("normalized", "no_punct", "asian_support", "case_sensitive")

# Few distinct words, so that much can be moved; marks, case, Chinese, Korean.
WORD = st.sampled_from(["a", "b", "c", "D", "d", "it's", "e.", "(f)", "你好。", "고양이", "3,4"])

TEXT = st.lists(WORD, min_size=1, max_size=14).map(" ".join)

FLAGS = st.fixed_dictionaries({name: st.booleans() for name in NAMES})


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), FLAGS)
def test_a_text_scores_as_in_sacrebleu(text, references, flags):
    known = [one for one in references if create("ter", flags).words(one)]
    score = ter(text, references, **flags)
    if known:
        expected = TER(**flags).sentence_score(text, known).score
        assert score.value == pytest.approx(expected, abs=1e-9)
    else:
        assert score.reason == "The text compared with has no words."


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
def test_a_system_scores_as_a_corpus_in_sacrebleu(rows):
    texts, ones, twos = zip(*rows, strict=True)
    pairs = [Pair("x", text, (one, two)) for text, one, two in rows]
    ours = create("ter").corpus_score(pairs).value
    assert ours == pytest.approx(TER().corpus_score(texts, [ones, twos]).score, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "references", "options", "value"),
    [
        # One block moved and one word replaced, of six words.
        ("d e f a b x", ["a b c d e f"], {}, 100 * 2 / 6),
        ("a b c d e f", ["x y"], {}, 300),
        # Of several references the nearest counts, over the mean length.
        ("a b", ["a b", "c d e f"], {}, 0),
        ("a x", ["a b", "c d e f"], {}, 100 * 1 / 3),
        ("a x", ["a b", "c d e f"], {"references": "max"}, 50),
        ("a x", ["a b", "c d e f"], {"references": "mean"}, 75),
        # One without words is left out; a paraphrase without any lacks all.
        ("a b", ["...", "a b", "a b"], {"no_punct": "yes"}, 0),
        (" ", ["a b"], {}, 100),
    ],
)
def test_worked_by_hand(text, references, options, value):
    assert ter(text, references, **options).value == pytest.approx(value)


def test_less_is_better_and_nothing_is_undefined():
    assert create("ter").higher_is_better is False
    score = ter("a b", ["..."], no_punct="yes")
    assert (score.value, score.reason) == (None, "The text compared with has no words.")
    assert create("ter").corpus_score([Pair("a b", ""), Pair("a b", "a b")]).value == 50
    assert create("ter").corpus_score([Pair(" ", "a")]).value is None


# Edit distances of TER and what is aligned by them, as sacrebleu finds them.


@pytest.mark.slow
@settings(max_examples=8)
@given(st.integers(0, 10**9))
def test_long_texts_are_compared_within_the_same_band(seed):
    assert_as_sacrebleu(*random_pair(random.Random(seed), 60))


@given(st.integers(0, 10**9))
def test_the_band_is_filled_and_read_as_in_sacrebleu(seed):
    # Long halves are swapped, so that the cheapest way often leaves the band.
    rng = random.Random(seed)
    one = [chr(rng.randint(1, rng.choice([3, 300]))) for _ in range(rng.randint(1, 90))]
    cut = rng.randint(0, len(one))
    two = (one[cut:] + one[:cut])[rng.randint(0, 10) :]
    edits, trace = BeamEditDistance(one)(two)
    places, wrong_reference, wrong = trace_to_alignment(
        trace.translate({ord("i"): "d", ord("d"): "i"})
    )
    found = align("".join(two), "".join(one))
    assert distance("".join(two), "".join(one)) == edits
    assert found.places == [places[at] for at in range(len(one))]
    assert found.wrong == sum(bit << at for at, bit in enumerate(wrong))
    assert found.wrong_reference == sum(bit << at for at, bit in enumerate(wrong_reference))


def test_a_way_outside_of_the_band_is_not_taken():
    # 60 edits would do: take 30 words out, put them in elsewhere.
    one, two = [f"a{n}" for n in range(40)], [f"b{n}" for n in range(30)]
    reference, text = " ".join(one + two), " ".join(two + one)
    edits, _ = BeamEditDistance(one + two)(two + one)
    assert edits == 70
    assert ter(text, [reference]).value == pytest.approx(100)


# The greedy search of TER for the block of words whose move saves most edits.


@settings(max_examples=150)
@given(st.integers(0, 10**9), st.sampled_from([6, 15, 24, 26]))
def test_blocks_are_moved_as_sacrebleu_moves_them(seed, most):
    assert_as_sacrebleu(*random_pair(random.Random(seed), most))


@pytest.mark.slow
def test_the_search_stops_where_sacrebleu_stops():
    # More than a thousand candidates for a move.
    rng = random.Random(5)
    assert_as_sacrebleu(*(" ".join(rng.choices("ab", k=40)) for _ in range(2)))
