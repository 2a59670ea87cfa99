"""Metrics on a neural model, beside the same sums done plainly on what the model gives out."""

import math

import numpy as np
import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.neural.vectors import NAMES, A, B
from tests.scoring.metrics.neural_toy import MOST_TOKENS, metric, token_numbers, value


def rows(text, layer=-1):
    """The vectors of the tokens; test_encoder.py compares them with those of transformers."""
    return metric("embedding_f1").encoder.encode([text], layer)[text].hidden


def plain_bertscore(one, other, own, others):
    """Precision, recall and F by loops over tokens that have weights."""

    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))

    def weighted(text, rest, weights):
        best = [max(cosine(a, b) for b in rest.tolist()) for a in text.tolist()]
        return sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights)

    precision, recall = weighted(one, other, own), weighted(other, one, others)
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(("original", "paraphrase"), [(A, B), ("the cat", "dog")])
def test_sentence_cosine_equals_the_plain_sum(models, original, paraphrase):
    one, other = rows(original), rows(paraphrase)
    for pooling, a, b in (
        ("mean", one.mean(axis=0), other.mean(axis=0)),
        ("cls", one[0], other[0]),
    ):
        plain = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        found = value("sentence_cosine", original, paraphrase, pooling=pooling)
        assert found == pytest.approx(plain, abs=2e-6)
        assert abs(found) < 0.999  # The toy tells texts apart.


@pytest.mark.parametrize("layer", ["last", "2", "1", "0"])
def test_embedding_f1_equals_the_plain_loops(models, layer):
    number = -1 if layer == "last" else int(layer)
    # Tokens around a text are left out.
    one, other = rows(B, number)[1:-1], rows(A, number)[1:-1]
    plain = plain_bertscore(one, other, [1] * len(one), [1] * len(other))
    for part, expected in zip(("precision", "recall", "f"), plain, strict=True):
        found = value("embedding_f1", A, B, part=part, layer=layer)
        assert found == pytest.approx(expected, abs=2e-6)
    assert len({round(one, 3) for one in plain}) == 3


def test_layers_differ_and_one_beyond_the_last_is_refused(models):
    found = {layer: value("embedding_f1", A, B, layer=layer) for layer in ("last", "0", "1", "2")}
    assert found["last"] == found["2"] and len(set(found.values())) == 3
    with pytest.raises(ValueError, match="layer=3 is not allowed; the model toy has 2"):
        metric("embedding_f1", layer=3).load()
    with pytest.raises(ValueError, match="layer=first is not allowed"):
        metric("embedding_f1", layer="first")


def test_of_several_references_the_best_or_the_mean(models):
    for name in ("sentence_cosine", "embedding_f1"):
        one, other = value(name, "x", B, A), value(name, "x", B, "dog")
        assert value(name, "x", B, A, "dog") == max(one, other)
        mean = value(name, "x", B, A, "dog", references="mean")
        assert mean == pytest.approx((one + other) / 2)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts(models, name):
    scored = metric(name)
    for text in ("", " \n", "\u200b"):
        assert scored.score(Pair(A, text)).reason == "The paraphrase has no words."
        assert scored.score(Pair(text, A)).reason == "The text compared with has no words."
    # All emoji are the same unknown token, and no paraphrases of each other.
    for text in ("🎉", "مرحبا بالعالم"):
        assert (
            scored.score(Pair("cat 😢", text)).reason
            == "The model knows nothing of the paraphrase."
        )
        assert "nothing of the text compared with" in scored.score(Pair(text, "cat 😢")).reason
    for text in ("cat 🎉", "a \ud800 cat \udfff", "[SEP] the cat", "\0 cat"):
        assert -1.05 <= scored.score(Pair(A, text)).value <= 1.0175
    assert scored.score(Pair(A, "cat " * (MOST_TOKENS - 2))).value is not None
    # The tokenizer of the toy would cut at 8 tokens: nothing is cut off in silence.
    assert value(name, A, "cat cat cat cat cat cat dog dog dog dog") != value(
        name, A, "cat cat cat cat cat cat"
    )
    long = scored.score(Pair(A, "cat " * (MOST_TOKENS - 1)))
    assert long.reason == "The paraphrase has 25 tokens: the model takes at most 24."
    long = scored.score(Pair("cat " * 500, A))
    assert long.reason == "The text compared with has 502 tokens: the model takes at most 24."
    assert "characters" in scored.score(Pair(A, "a" * 100_001)).reason


def test_a_row_without_a_reference_is_undefined_and_the_others_are_scored(models):
    found = metric("sentence_cosine", against="references").score_many(
        [Pair(A, B), Pair("x", B, (B,))]
    )
    assert [one.value for one in found] == [None, 1]


def test_many_pairs_are_scored_in_blocks(models):
    scored = metric("sentence_cosine")
    scored.chunk_size = 2
    pairs = [Pair(A, "cat " * n) for n in range(1, 8)]
    assert [one.value for one in scored.score_many(pairs)] == [
        scored.score(pair).value for pair in pairs
    ]
    assert scored.score_many([]) == []


def with_idf(idf):
    """F of B against A by the sums of bert_score 0.3.13: tokens around a text are matched and have
    no weight."""
    own, others = (
        [0.0 if number in (2, 3) else idf(number) for number in token_numbers(text)]
        for text in (B, A)
    )
    return plain_bertscore(rows(B), rows(A), own, others)[2]


def test_bertscore_equals_the_plain_loops(models):
    plain = with_idf(lambda number: 1.0)
    assert value("bertscore", A, B) == pytest.approx(plain, abs=2e-6)
    rescaled = value("bertscore", A, B, rescale="0.25")
    assert rescaled == pytest.approx((plain - 0.25) / 0.75, abs=2e-6)
    assert value("bertscore", A, A) == 1 == value("bertscore", A, A, rescale=0.25)
    for wrong in ("1", "-0.1", "nan", "yes"):
        with pytest.raises(ValueError, match="use no or a number from 0"):
            metric("bertscore", rescale=wrong)


def test_idf_counts_the_distinct_texts_compared_with(models):
    scored = metric("bertscore", idf="yes")
    with pytest.raises(ValueError, match="prepare"):
        scored.score(Pair(A, B))
    pairs = [Pair(A, B), Pair(A, "the cat"), Pair("a cat", B), Pair("dog", B)]
    state = scored.prepare(pairs)
    assert state["texts"] == 3 and state["having"]["2"] == 3  # The token that begins each.
    scored.use(state)
    texts = [token_numbers(text) for text in (A, "a cat", "dog")]

    def idf(number):
        return math.log(4) - math.log(1 + sum(number in one for one in texts))

    assert scored.score(Pair(A, B)).value == pytest.approx(with_idf(idf), abs=2e-6)
    assert scored.score(Pair(A, B)).value != value("bertscore", A, B)
    scored.use(scored.prepare([Pair("cat", "cat")]))
    assert "none has a weight" in scored.score(Pair("cat", "cat")).reason


# What a neural model says of the meaning, together with how much the wording changes.


def test_bert_ibleu_by_hand(models):
    meaning = value("embedding_f1", A, B, against="original")
    copied = create("self_bleu").score(Pair(A, B)).value / 100
    assert 0 < copied < 1
    for beta in (4, 1):
        expected = ((beta / meaning + 1 / (1 - copied)) / (beta + 1)) ** -1
        assert value("bert_ibleu", A, B, beta=beta) == pytest.approx(expected, abs=2e-6)
    # It compares with the original whatever the references are.
    assert value("bert_ibleu", A, B, A) == value("bert_ibleu", A, B)
    assert value("bert_ibleu", A, A.upper()) != 0
    assert value("bert_ibleu", A, A.upper(), lowercase=True) == 0


def test_the_parts_are_shown(models):
    pair = Pair(A, B, ("rug",))
    (meaning, copied) = metric("bert_ibleu").score(pair).detail["parts"]
    own, self_bleu = (
        value("embedding_f1", A, B, against="original"),
        create("self_bleu").score(pair),
    )
    assert meaning == ["embedding_f1", own, own, 4.0]
    assert copied == ["self_bleu", self_bleu.value, 1 - self_bleu.value / 100, 1.0]
    copy = metric("bert_ibleu").score(Pair(A, A)).detail["parts"]
    assert copy[1][:3] == ["self_bleu", 100.0, 0.0]
    found = metric("parascore").score(pair)
    assert [part[0] for part in found.detail["parts"]] == ["embedding_f1", "edit_distance"]
    weighted = sum(weight * term for *_, term, weight in found.detail["parts"])
    assert found.value == pytest.approx(weighted, abs=1e-6)


def test_parascore_by_hand(models):
    # `cat` to `dog` are three of 22 characters: below .35, so -1 + d * 1.35 / .35.
    near = "the dog sat on the mat"
    expected = value("embedding_f1", A, near) + 0.05 * (3 / 22 * 1.35 / 0.35 - 1)
    assert value("parascore", A, near) == pytest.approx(expected, abs=2e-6)
    # Nothing in common but blanks: far beyond .35.
    expected = value("embedding_f1", A, B) + 0.05 * 0.35
    assert value("parascore", A, B) == pytest.approx(expected, abs=2e-6)
    # A reference that says the same has a likeness of 1; the wording is that of the original.
    assert value("parascore", A, B, "rug", B) == pytest.approx(1 + 0.05 * 0.35)
    assert value("parascore", A, B, B, free=True) == value("parascore", A, B)
    assert value("parascore", A, B, "[UNK] .") >= value("parascore", A, B)
