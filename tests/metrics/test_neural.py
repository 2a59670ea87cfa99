"""Metrics on a neural model, beside the same sums done plainly on what the model gives out."""

import itertools
import json
import math

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.metrics import Pair, create, neural, neural_encoder
from tests.metrics.neural_toy import MOST_TOKENS, metric, token_numbers, value

NAMES = ("bert_ibleu", "embedding_f1", "parascore", "sentence_cosine")
neural_is_here = pytest.mark.service("neural")
VOCABULARY = ["the", "cat", "cats", "dog", "sat", "lay", "on", "mat", "rug", "sitting", "."]
TWO_WORDS = list(itertools.combinations(VOCABULARY, 2))
TEXTS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12).map(" ".join)
# The toy lies in the environment of the module: nothing of it changes between examples.
same_toy = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


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


A, B = "the cat sat on the mat", "a dog lay under the rug ."


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


@neural_is_here
def test_layers_differ_and_one_beyond_the_last_is_refused(models):
    found = {layer: value("embedding_f1", A, B, layer=layer) for layer in ("last", "0", "1", "2")}
    assert found["last"] == found["2"] and len(set(found.values())) == 3
    with pytest.raises(ValueError, match="layer=3 is not allowed; the model toy has 2"):
        metric("embedding_f1", layer=3).load()
    with pytest.raises(ValueError, match="layer=first is not allowed"):
        metric("embedding_f1", layer="first")


@neural_is_here
@same_toy
@given(texts=st.lists(TEXTS, min_size=2, max_size=6, unique=True))
def test_what_else_is_scored_makes_no_difference(models, texts):
    """Batches with padding give what each text gives alone."""
    pairs = [Pair(one, other) for one in texts for other in texts]
    for name in ("sentence_cosine", "embedding_f1"):
        neural_encoder._loaded.cache_clear()
        together = metric(name).score_many(pairs)
        neural_encoder._loaded.cache_clear()
        alone = [metric(name).score(pair) for pair in reversed(pairs)][::-1]
        for one, other in zip(together, alone, strict=True):
            assert one.value == pytest.approx(other.value, abs=2e-6)


@neural_is_here
@same_toy
@given(one=TEXTS, other=TEXTS)
def test_bounds_identity_and_symmetry(models, one, other):
    for name in ("sentence_cosine", "embedding_f1"):
        assert value(name, one, one) == 1
        assert value(name, one, other) == value(name, other, one)
        assert -1 <= value(name, one, other) <= 1
    assert value("embedding_f1", one, other, part="precision") == value(
        "embedding_f1", other, one, part="recall"
    )
    assert value("bert_ibleu", one, one) == 0
    assert 0 <= value("bert_ibleu", one, other) <= 1
    assert value("parascore", one, one) == 0.95
    assert -1.05 <= value("parascore", one, other) <= 1.0175


@neural_is_here
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


@neural_is_here
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


@neural_is_here
def test_of_several_references_the_best_or_the_mean(models):
    for name in ("sentence_cosine", "embedding_f1"):
        one, other = value(name, "x", B, A), value(name, "x", B, "dog")
        assert value(name, "x", B, A, "dog") == max(one, other)
        mean = value(name, "x", B, A, "dog", references="mean")
        assert mean == pytest.approx((one + other) / 2)


@neural_is_here
@pytest.mark.parametrize("name", NAMES)
def test_odd_texts(models, name):
    scored = metric(name)
    for text in ("", " \n", "\u200b"):
        assert scored.score(Pair(A, text)).reason == "The paraphrase has no words."
        assert scored.score(Pair(text, A)).reason == "The text compared with has no words."
    for text in ("🎉", "مرحبا بالعالم", "a \ud800 cat \udfff", "[SEP] the cat", "\0 cat"):
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


@neural_is_here
def test_a_row_without_a_reference_is_undefined_and_the_others_are_scored(models):
    found = metric("sentence_cosine", against="references").score_many(
        [Pair(A, B), Pair("x", B, (B,))]
    )
    assert [one.value for one in found] == [None, 1]


@neural_is_here
def test_metrics_share_the_model_and_its_vectors(models, monkeypatch):
    ran = []
    real = neural_encoder.Encoder._run
    monkeypatch.setattr(
        neural_encoder.Encoder,
        "_run",
        lambda self, batch, layer: ran.append(len(batch)) or real(self, batch, layer),
    )
    neural_encoder._loaded.cache_clear()
    for name in NAMES:
        metric(name).score_many([Pair(A, B), Pair(A, "the rug"), Pair("the rug", B)])
    assert ran == [3]
    assert metric("parascore").encoder is metric("sentence_cosine").encoder


@neural_is_here
def test_metrics_on_a_file_share_vectors_however_long_it_is(models, monkeypatch, tmp_path, capsys):
    """The model sees each text once, though the vectors of all are not kept."""
    ran = []
    real = neural_encoder.Encoder._encode
    monkeypatch.setattr(
        neural_encoder.Encoder,
        "_encode",
        lambda self, texts, layer: ran.extend(texts) or real(self, texts, layer),
    )
    monkeypatch.setattr(neural, "_BYTES", 0)  # Blocks of ten pairs.
    monkeypatch.setattr(neural_encoder, "_KEPT", 20 * 6 * 16 * 4)  # The texts of a block.
    neural_encoder._loaded.cache_clear()
    rows = [f"{n},{one},{other} {one} cat" for n, (other, one) in enumerate(TWO_WORDS)]
    (tmp_path / "pairs.csv").write_text("\n".join(["id,original,paraphrase", *rows]))
    asked = [part for name in NAMES for part in ("--metric", f"{name}:model=toy")]
    call_command("score", str(tmp_path / "pairs.csv"), *asked, "--json")
    assert len(ran) == len(set(ran)) == 10 + len(rows) == 65
    scores = json.loads(capsys.readouterr().out)["metrics"]
    for name in NAMES:
        found = scores[f"{name}:model=toy"]["scores"]
        expected = [value(name, *row.split(",")[1:]) for row in rows]
        assert list(found.values()) == pytest.approx(expected, abs=2e-6)


@neural_is_here
def test_what_is_kept_is_bounded(models, monkeypatch):
    monkeypatch.setattr(neural_encoder, "_KEPT", 5000)
    neural_encoder._loaded.cache_clear()
    encoder = metric("sentence_cosine").encoder
    texts = [f"cat {'mat ' * n}" for n in range(1, 20)]
    assert set(encoder.encode(texts)) == set(texts)
    assert 0 < sum(one.hidden.nbytes for one in encoder._kept.values()) == encoder._size <= 5000
    for text in texts:
        encoder.encode([text])
    kept = [text for _, text in encoder._kept]
    assert kept and kept == texts[-len(kept) :]  # those seen last


@neural_is_here
def test_many_pairs_are_scored_in_blocks(models):
    scored = metric("sentence_cosine")
    scored.chunk_size = 2
    pairs = [Pair(A, "cat " * n) for n in range(1, 8)]
    assert [one.value for one in scored.score_many(pairs)] == [
        scored.score(pair).value for pair in pairs
    ]
    assert scored.score_many([]) == []
