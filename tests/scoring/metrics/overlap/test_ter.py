"""TER beside sacrebleu itself: the shortcuts must not change a number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from scoring.metrics import Pair, create
from tests.scoring.metrics.overlap.ter_texts import ter

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
