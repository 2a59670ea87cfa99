"""Texts to vectors by a transformer model, on one thread of the processor."""

import itertools
import json

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair
from scoring.metrics.neural import encoder as neural_encoder
from scoring.metrics.neural import metrics
from tests.scoring.metrics.neural.vectors import (
    NAMES,
    TEXTS,
    VOCABULARY,
    A,
    B,
    neural_is_here,
    same_toy,
)
from tests.scoring.metrics.neural_toy import metric, value

TWO_WORDS = list(itertools.combinations(VOCABULARY, 2))


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
    monkeypatch.setattr(metrics, "_BYTES", 0)  # Blocks of ten pairs.
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
