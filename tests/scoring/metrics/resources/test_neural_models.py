"""Folders of models: what is found, what is refused, and that nothing in them is ever run."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.registry import metric_class
from scoring.metrics.resources import neural_models
from scoring.metrics.resources.neural_models import VARIABLE, WEIGHTS, model_names
from tests.scoring.metrics.neural_toy import edit_config, metric, value, write_model

NAMES = ("bert_ibleu", "bertscore", "embedding_f1", "parascore", "sentence_cosine")
A, B = "the cat sat on the mat", "a dog lay under the rug ."
neural_is_here = pytest.mark.service("neural")


def test_large_models_have_small_chunks(copied):
    usual = metric("sentence_cosine").chunk_size
    with (copied / WEIGHTS).open("ab") as stream:
        stream.truncate(1_000_000_000)
    assert (usual, metric("sentence_cosine").chunk_size) == (250, 12)


def test_the_signature_names_the_files_by_their_content(copied):
    first = str(metric("embedding_f1").signature())
    assert first.count("@") == 3 and "model:toy" not in first and str(copied) not in first
    for part in ("model@", "tokenizer@", "config@", "tokenizers="):
        assert f"|{part}" in first
    assert "torch=" not in first and "encoder=" not in first
    copied.rename(copied.with_name("renamed"))
    assert str(create("embedding_f1", {"model": "renamed"}).signature()) == first
    write_model(copied, seed=8)
    assert str(metric("embedding_f1").signature()) != first
    assert "|rapidfuzz=" in str(metric("parascore").signature())
    assert "|sacrebleu=" in str(metric("bert_ibleu").signature())


def test_a_model_that_was_replaced_is_read_anew(copied):
    before = value("sentence_cosine", A, B)
    write_model(copied, seed=8)
    assert value("sentence_cosine", A, B) != before


@pytest.mark.parametrize(
    "name", ["../toy", "/etc", "..", ".", "toy/", "a\\b", ".hidden", "toy\0", "~", "toy/../toy"]
)
def test_no_path_is_taken(models, name):
    with pytest.raises(ValueError, match="is not the name of a model"):
        metric("sentence_cosine", model=name)


def test_a_missing_model_is_named(copied, monkeypatch):
    not_installed = replace(neural_models.MINILM, inside="no_such_package/model.zip")
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", (not_installed,))
    with pytest.raises(ValueError, match="all-MiniLM-L6-v2 is not on .* `paraanno models get min"):
        create("sentence_cosine")
    with pytest.raises(ValueError, match="no model other on this machine; there are toy"):
        metric("sentence_cosine", model="other")
    (copied / "tokenizer.json").unlink()
    (copied.parent / "second").mkdir()
    assert model_names() == ()
    write_model(copied.parent / "third")
    with pytest.raises(ValueError, match="the model toy has no tokenizer.json"):
        metric("sentence_cosine")


@neural_is_here
def test_a_pickle_is_never_opened(copied):
    import torch

    class Trap:
        def __reduce__(self):
            return Path.touch, (copied / "opened",)

    torch.save({"x": Trap()}, copied / "pytorch_model.bin")
    assert value("sentence_cosine", A, A) == 1  # Beside safetensors it is left alone.
    (copied / WEIGHTS).unlink()
    write_model(copied.parent / "third")
    with pytest.raises(ValueError, match="toy are a Python pickle, which could run programs"):
        metric("sentence_cosine")
    assert not (copied / "opened").exists()


@neural_is_here
def test_code_of_a_model_is_never_run(copied):
    (copied / "own.py").write_text(f"open({str(copied / 'opened')!r}, 'w')\n")
    edit_config(copied, model_type="own", auto_map={"AutoConfig": "own.X", "AutoModel": "own.Y"})
    with pytest.raises(ValueError, match="The model toy cannot be read"):
        metric("sentence_cosine").load()
    assert not (copied / "opened").exists()


def test_broken_models_are_refused(copied):
    edit_config(copied, num_hidden_layers=3)
    with pytest.raises(ValueError, match=r"toy has no weights for encoder\.layer\.2"):
        metric("sentence_cosine").load()
    (copied / WEIGHTS).write_bytes(b"rubbish")
    with pytest.raises(ValueError, match="The model toy cannot be read"):
        metric("sentence_cosine").load()
    (copied / "tokenizer.json").write_text(json.dumps({}))
    with pytest.raises(ValueError, match="The model toy cannot be read"):
        metric("sentence_cosine").load()


@neural_is_here
def test_a_model_that_writes_texts_is_refused(tmp_path, monkeypatch, toy):
    from transformers import T5Config, T5Model

    config = T5Config(vocab_size=30, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    T5Model(config).save_pretrained(tmp_path / "toy")
    shutil.copy(toy / "toy" / "tokenizer.json", tmp_path / "toy")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(ValueError, match="toy is no encoder"):
        metric("sentence_cosine").load()


@pytest.mark.parametrize("name", NAMES)
def test_without_the_libraries_or_a_model_it_says_what_to_do(name, monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nothing"))
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", ())
    with monkeypatch.context() as without, pytest.raises(ValueError, match="make install-neural"):
        without.setattr(neural_models, "LIBRARIES", ("json", "no_such_library"))
        create(name, {"model": "toy"})
    with pytest.raises(ValueError, match=f"no neural model.*models get minilm.*{VARIABLE}"):
        create(name, {"model": "toy"})
    assert "models get minilm" in metric_class(name).lacking()
    assert metric_class(name).queue == "neural"


def test_a_model_that_numpy_does_not_compute_needs_torch(copied, monkeypatch):
    monkeypatch.setattr(neural_models, "TORCH", ("no_such_library",))
    assert value("sentence_cosine", A, A) == 1
    for change in (
        {"model_type": "mpnet"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
    ):
        edit_config(copied, **{"model_type": "bert", "hidden_act": "gelu"} | change)
        with pytest.raises(ValueError, match="make install-neural"):
            metric("sentence_cosine")


@pytest.mark.parametrize(
    ("languages", "name"),
    [
        ([], "all-MiniLM-L6-v2"),
        ([""], "all-MiniLM-L6-v2"),
        (["en", "en-GB", ""], "all-MiniLM-L6-v2"),
        (["ko"], "multilingual-e5-small"),
        (["en", "de"], "multilingual-e5-small"),
        (["und"], "all-MiniLM-L6-v2"),
    ],
)
def test_the_model_fits_the_language_of_the_texts(languages, name):
    for one in NAMES:
        given = metric_class(one).in_languages({}, languages)
        assert given["model"] == name
        assert metric_class(one).in_languages({"model": "toy"}, languages)["model"] == "toy"


def test_a_model_for_english_refuses_what_is_not_in_latin_letters(copied):
    copied.rename(copied.with_name("all-MiniLM-L6-v2"))
    scored = create("sentence_cosine")
    for text in ("\uc804\uae30\uac00 \ub098\uac14\ub2e4.", "\u043a\u043e\u0442"):
        assert "not in Latin letters" in scored.score(Pair(text, text)).reason
        # Who says that it is English is believed.
        assert "Latin" not in scored.score(Pair(text, text, language="en")).reason
    # The toy model knows nothing of some of these.
    for text in (A, "\U0001f389", "caf\u00e9 na\u00efve", "12"):
        assert "Latin" not in scored.score(Pair(text, text)).reason
    assert scored.score(Pair(A, A)).value == 1


def test_models_lie_in_the_data_folder_unless_a_variable_names_another(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PARAANNO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", ())
    for name in ("b", "a", ".hidden", "half"):
        (tmp_path / "models" / name).mkdir(parents=True)
        for file in neural_models.FILES[: 2 if name == "half" else 3]:
            (tmp_path / "models" / name / file).touch()
    assert model_names() == ("a", "b")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert model_names() == ()
