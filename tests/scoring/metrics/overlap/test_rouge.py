"""ROUGE beside slow forms: n-grams crossed off one by one, subsequences tried one by one."""

import pytest

from scoring.metrics import Pair, create

NAMES = ("rouge_1", "rouge_2", "rouge_l")
SCRIPTS = ("U2가 콘서트를 개최한 국가는", "ذهب الولد إلى المدرسة", "two words", "a 🎉 b c")
LONG, RECALL = "one two three " * 3000, {"part": "recall"}


def rouge(name, original, paraphrase, *references, **options):
    return create(name, options).score(Pair(original, paraphrase, references))


S1, S2, S3 = "police killed the gunman", "police kill the gunman", "the gunman kill police"
PORTER = {"stem": "porter"}


@pytest.mark.parametrize(
    ("name", "texts", "options", "value"),
    [
        # Lin (2004), section 3.1: one bigram of S1 is in either text, but S2 keeps the order.
        ("rouge_2", (S1, S2), {}, 1 / 3),
        ("rouge_2", (S1, S3), {}, 1 / 3),
        ("rouge_l", (S1, S2), {}, 0.75),
        ("rouge_l", (S1, S3), {}, 0.5),
        ("rouge_1", ("The CAT.", "the cat"), {}, 1),
        ("rouge_1", ("The CAT.", "the cat"), {"lowercase": "no"}, 0),
        ("rouge_1", ("the cat.", "the cat"), {"tokenize": "none"}, 0.5),
        ("rouge_1", ("countries playing", "country plays"), {}, 0),
        ("rouge_1", ("countries playing", "country plays"), PORTER, 1),
        ("rouge_l", ("countries playing", "country plays"), PORTER, 1),
        # Porter makes `wa` of `was`, but words of three letters stay.
        ("rouge_1", ("was", "wa"), PORTER, 0),
        # Several references.
        ("rouge_1", ("x", "a b", "a b", "a c"), {}, 1),
        ("rouge_1", ("x", "a b", "a b", "a c"), {"references": "mean"}, 0.75),
        ("rouge_1", ("x", "a b", "a b", "a c"), {"against": "original"}, 0),
        # No word counts more often than either text has it.
        ("rouge_1", ("b a b", "b b b c"), {}, 4 / 7),
        ("rouge_1", ("b b b c", "b a b"), {}, 4 / 7),
        ("rouge_2", ("b b a b", "b b b b b"), {}, 2 / 7),
        ("rouge_l", ("b a b", "b b b c"), {}, 4 / 7),
        # One word has no bigram.
        ("rouge_2", ("a", "a b"), {}, 0),
        *((name, (LONG, LONG), {}, 1) for name in NAMES),
        *((name, (text, text), {}, 1) for name in NAMES for text in SCRIPTS),
        *((name, (LONG, "one " * 3000), RECALL, 1 / 3) for name in ("rouge_1", "rouge_l")),
        ("rouge_2", (LONG, "one " * 3000), RECALL, 0),
    ],
)
def test_worked_by_hand(name, texts, options, value):
    assert rouge(name, *texts, **options).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "texts", "options", "reason"),
    [
        ("rouge_2", ("a", "a"), {}, "two words"),
        ("rouge_2", ("a", "a b"), RECALL, "two words"),
        ("rouge_1", ("학생", "학생"), {"tokenize": "rouge_score"}, "The text"),
    ],
)
def test_nothing_to_count_is_undefined(name, texts, options, reason):
    assert reason in rouge(name, *texts, **options).reason


# F scores of the Python package rouge-score 0.1.2 (rouge1, rouge2, rougeL) for these texts. It
# keeps a-z and 0-9 alone: `don't` are two words, and `café's` is `caf s`.
PUBLISHED = [
    (
        "Don't the café's 3.5-litre engines make noises?",
        "The cafe's engines don't make 3 noises.",
        (0.8, 0.111111, 0.5),
    ),
    (
        'She_said: "Über-cool countries!"',
        "she said countries were uber cool",
        (0.727273, 0.222222, 0.545455),
    ),
    ("A naïve résumé of cafés", "the naïf resumé of a café", (0.533333, 0.0, 0.4)),
    ("The Queen's 1,000 horses ran.", "The queen ran 1000 horses", (0.666667, 0.2, 0.5)),
    (
        "He was playing in the countries' parks.",
        "She plays in a country park",
        (0.153846, 0.0, 0.153846),
    ),
]


@pytest.mark.parametrize(("original", "paraphrase", "scores"), PUBLISHED)
def test_tokens_of_rouge_score(original, paraphrase, scores):
    found = [rouge(name, original, paraphrase, tokenize="rouge_score").value for name in NAMES]
    assert found == pytest.approx(scores, abs=5e-7)


def test_tokens_of_rouge_score_with_its_stems():
    original, paraphrase, _ = PUBLISHED[-1]
    options = {"tokenize": "rouge_score", "stem": "porter"}
    found = [rouge(name, original, paraphrase, **options).value for name in NAMES]
    assert found == pytest.approx((0.615385, 0.363636, 0.615385), abs=5e-7)


def test_options_that_go_together():
    assert "nltk=" in str(create("rouge_1", PORTER).signature())
    with pytest.raises(ValueError, match="always ignores case; leave lowercase=no out"):
        create("rouge_1", {"tokenize": "rouge_score", "lowercase": "no"})
