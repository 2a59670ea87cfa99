"""Texts to vectors by a transformer model, on one thread of the processor."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.neural import encoder as neural_encoder
from scoring.metrics.resources.neural_models import VARIABLE, write_tensors
from tests import HOME
from tests.needs import need
from tests.scoring.metrics.neural.vectors import (
    NAMES,
    TEXTS,
    VOCABULARY,
    A,
    B,
    neural_is_here,
    same_toy,
)
from tests.scoring.metrics.neural_toy import (
    edit_config,
    metric,
    token_numbers,
    value,
    weights,
)

# Beside the toy: three models of other sizes, whose numbers transformers computes too.
SHAPES = {
    "bert": {"vocab_size": 30, "max_position_embeddings": 40, "type_vocab_size": 2},
    "roberta": {"vocab_size": 30, "max_position_embeddings": 41, "pad_token_id": 0},
    "xlm-roberta": {"vocab_size": 30, "max_position_embeddings": 63, "pad_token_id": 22},
}


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


def test_what_is_kept_is_bounded(models, monkeypatch):
    monkeypatch.setattr(neural_encoder, "_CACHE_BYTES", 5000)
    neural_encoder._loaded.cache_clear()
    encoder = metric("sentence_cosine").encoder
    texts = [f"cat {'mat ' * n}" for n in range(1, 20)]
    assert set(encoder.encode(texts)) == set(texts)
    assert 0 < sum(one.hidden.nbytes for one in encoder._encoded.values()) == encoder._size <= 5000
    for text in texts:
        encoder.encode([text])
    kept = [text for _, text in encoder._encoded]
    assert kept and kept == texts[-len(kept) :]  # those seen last


@neural_is_here
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("threads", ["1", "3"])
def test_vectors_equal_those_of_transformers(kind, threads, tmp_path, toy, monkeypatch):
    """Texts of all lengths in one batch, each layer, within 1e-4."""
    import torch
    from transformers import AutoConfig, AutoModel

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
    torch.manual_seed(3)
    config = AutoConfig.for_model(
        kind,
        **SHAPES[kind],
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=96,
        initializer_range=0.4,
    )
    model = AutoModel.from_config(config).eval()
    model.save_pretrained(tmp_path, safe_serialization=True)
    shutil.copy(toy / "toy" / "tokenizer.json", tmp_path)
    encoder = neural_encoder.Encoder(tmp_path)
    assert encoder.layers == 3 and encoder.most == 40
    monkeypatch.setattr(neural_encoder, "_BATCH", 40)
    texts = [" ".join(VOCABULARY[n % 11] for n in range(m, 2 * m + 1)) for m in range(30)]
    for layer in (-1, 0, 1, 2, 3):
        for text, found in encoder.encode(texts, layer).items():
            with torch.no_grad():
                ids = torch.tensor([list(found.ids)])
                hidden = model(ids, output_hidden_states=True).hidden_states[layer][0]
            assert found.hidden == pytest.approx(hidden.numpy(), abs=1e-4), text


def test_matrices_in_four_bits_are_read(copied):
    """Numbers that four bits hold exactly give the same vectors as in float32."""
    config = {**json.loads((copied / "config.json").read_text()), "hidden_size": 64}
    (copied / "config.json").write_text(json.dumps(config | {"intermediate_size": 64}))
    draw = np.random.default_rng(1)
    plain = dict(weights(config | {"intermediate_size": 64}, draw))
    packed = {}
    for name, array in plain.items():
        if array.ndim == 2 and "position" not in name and "type" not in name:
            halves = draw.integers(0, 256, (len(array), 2, 16), dtype=np.uint8)
            scales = draw.uniform(0.01, 0.2, (len(array), 2)).astype(np.float16)
            packed |= {f"{name}.q4": halves, f"{name}.scale": scales}
            parts = [
                [(int(byte) & 15) - 8 for byte in block] + [(int(byte) >> 4) - 8 for byte in block]
                for block in halves.reshape(-1, 16)
            ]
            array = np.array(parts, np.float32) * scales.reshape(-1, 1).astype(np.float32)
            plain[name] = array.reshape(plain[name].shape)
        else:
            packed[name] = array
    write_tensors(copied / "model.safetensors", plain)
    expected = neural_encoder.Encoder(copied).encode([A, B])
    write_tensors(copied / "model.safetensors", packed)
    for text, found in neural_encoder.Encoder(copied).encode([A, B]).items():
        assert found.hidden == pytest.approx(expected[text].hidden, abs=1e-6)


def test_what_a_model_expects_before_a_text_is_no_word_of_it(copied):
    alone = value("embedding_f1", A, B)
    edit_config(copied, text_prefix="the dog ")
    encoder = metric("embedding_f1").encoder
    ids, words = encoder.cut("a cat")
    assert [int(one) for one in words] == [0, 0, 0, 1, 1, 0]
    assert list(ids) == token_numbers("the dog a cat")
    assert value("embedding_f1", A, B) != alone and value("embedding_f1", A, A) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:4],
        lambda data: b"\xff" * 8 + data[8:],
        lambda data: data.replace(b'"F32"', b'"F99"', 1),
        lambda data: data.replace(b"[22,16]", b"[22,17]", 1),
    ],
)
def test_damaged_weights_are_refused(copied, damage):
    path = copied / "model.safetensors"
    data = damage(path.read_bytes())
    path.write_bytes(data)
    with pytest.raises(ValueError, match="The model toy cannot be read"):
        neural_encoder.Encoder(copied)


@pytest.mark.slow
def test_the_values_that_the_documentation_prints(monkeypatch, tmp_path):
    need("minilm")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    text = (HOME / "docs" / "metrics.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if " | 0." in line]
    names = ("sentence_cosine", "bertscore", "embedding_f1", "bert_ibleu", "parascore")
    assert len(rows) == 2
    for paraphrase, *expected in rows:
        for name, one in zip(names, expected, strict=True):
            found = create(name, {"model": "all-MiniLM-L6-v2"}).score(
                Pair("The power went out last night.", paraphrase)
            )
            assert found.value == pytest.approx(float(one), abs=1.5e-6), name
