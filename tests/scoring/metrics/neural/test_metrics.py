"""Metrics on a neural model, beside the same sums done plainly on what the model gives out."""

import math

import numpy as np
import pytest

from scoring.metrics import Pair
from tests.scoring.metrics.neural.vectors import NAMES, A, B, neural_is_here
from tests.scoring.metrics.neural_toy import MOST_TOKENS, metric, token_numbers, value


def hidden(folder, text, layer=-1):
    """The rows that transformers' own classes give for the numbers of the tokens."""
    import torch
    from transformers import BertModel

    model = BertModel.from_pretrained(folder / "toy").eval()
    with torch.no_grad():
        ids = torch.tensor([token_numbers(text)])
        return model(ids, output_hidden_states=True).hidden_states[layer][0].numpy()


def plain_f1(one, other):
    """BERTScore by its definition: loops over tokens, those around the text left out."""

    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))

    one, other = one[1:-1].tolist(), other[1:-1].tolist()
    precision = sum(max(cosine(a, b) for b in other) for a in one) / len(one)
    recall = sum(max(cosine(a, b) for a in one) for b in other) / len(other)
    return precision, recall, 2 * precision * recall / (precision + recall)


@neural_is_here
@pytest.mark.parametrize(("original", "paraphrase"), [(A, B), ("the cat", "dog")])
def test_sentence_cosine_equals_the_plain_sum(models, original, paraphrase):
    one, other = hidden(models, original), hidden(models, paraphrase)
    for pooling, a, b in (
        ("mean", one.mean(axis=0), other.mean(axis=0)),
        ("cls", one[0], other[0]),
    ):
        plain = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
        found = value("sentence_cosine", original, paraphrase, pooling=pooling)
        assert found == pytest.approx(plain, abs=2e-6)
        assert abs(found) < 0.999  # The toy tells texts apart.


@neural_is_here
@pytest.mark.parametrize("layer", ["last", "2", "1", "0"])
def test_embedding_f1_equals_the_plain_loops(models, layer):
    number = -1 if layer == "last" else int(layer)
    plain = plain_f1(hidden(models, B, number), hidden(models, A, number))
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


def plain_bertscore(one, other, idf):
    """Sums of bert_score 0.3.13: tokens around a text are matched and have no weight."""

    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))

    def weighted(text, rest):
        weights = [0.0 if number in (2, 3) else idf(number) for number in text.ids]
        best = [max(cosine(a, b) for b in rest.hidden.tolist()) for a in text.hidden.tolist()]
        return sum(w * b for w, b in zip(weights, best, strict=True)) / sum(weights)

    precision, recall = weighted(one, other), weighted(other, one)
    return 2 * precision * recall / (precision + recall)


def test_bertscore_equals_the_plain_loops(models):
    found = metric("bertscore").encoder.encode([A, B])
    plain = plain_bertscore(found[B], found[A], lambda number: 1.0)
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

    found = scored.encoder.encode([A, B])
    plain = plain_bertscore(found[B], found[A], idf)
    assert scored.score(Pair(A, B)).value == pytest.approx(plain, abs=2e-6)
    assert scored.score(Pair(A, B)).value != value("bertscore", A, B)
    scored.use(scored.prepare([Pair("cat", "cat")]))
    assert "none has a weight" in scored.score(Pair("cat", "cat")).reason
