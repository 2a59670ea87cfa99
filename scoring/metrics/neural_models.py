"""Where neural models lie, and what a folder must hold to be one.

A model is a folder below the folder that PARAANNO_MODEL_DIR names, and is asked for by its name
alone: no path ever comes from a form. Weights are read from safetensors and tokenizers from JSON:
plain data, so that no model can run a program.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from scoring.metrics.base import Option
from scoring.metrics.files import data_folder, sha256

VARIABLE = "PARAANNO_MODEL_DIR"
LIBRARIES = ("torch", "transformers", "tokenizers")
WEIGHTS = "model.safetensors"
FILES = ("config.json", WEIGHTS, "tokenizer.json")
NO_LIBRARIES = (
    "A library of the optional extra `neural` is missing on this machine: run "
    "`make install-neural` and start the application again."
)
NO_MODEL = (
    f"A model is missing on this machine: put a folder with {', '.join(FILES)} into the folder "
    f"that {VARIABLE} names, or into `models` in the data folder."
)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")


@dataclass(frozen=True, slots=True)
class ModelOption(Option):
    """An option that names a model."""

    def read(self, metric: str, given: object) -> str:
        """The name. Raises ValueError where it is missing or none, such as a path."""
        name = str(given).strip()
        if not name:
            raise ValueError(
                f"{metric}: the option {self.name}=NAME is missing; there are "
                f"{', '.join(model_names())}."
            )
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{metric}: {self.name}={name} is no name of a model; write the name of a folder, "
                "of letters, digits, dots, hyphens and underscores, not a path."
            )
        return name


MODEL = ModelOption(
    "model", "", "The model: the name of a folder that the administrator put among the models."
)


def models_folder() -> Path:
    """The folder that PARAANNO_MODEL_DIR names, else `models` in the data folder."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named).expanduser() if named else data_folder() / "models"


def model_names() -> tuple[str, ...]:
    """The names of the models that can be used, sorted."""
    folder = models_folder()
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(one.name for one in folder.iterdir() if _NAME.fullmatch(one.name) and not _lack(one))
    )


def lacking() -> str:
    """What this machine lacks for all neural metrics, with the remedy; empty for nothing."""
    if not all(find_spec(name) for name in LIBRARIES):
        return NO_LIBRARIES
    return "" if model_names() else NO_MODEL


def find_model(metric: str, name: str) -> Path:
    """The folder of a model. Raises ValueError, saying what to do, where it cannot be used."""
    folder = models_folder() / name
    if not folder.is_dir():
        raise ValueError(
            f"{metric}: there is no model {name} on this machine; there are "
            f"{', '.join(model_names())}."
        )
    lack = _lack(folder)
    if lack == WEIGHTS and any(one.suffix in _PICKLES for one in folder.iterdir()):
        raise ValueError(
            f"{metric}: the weights of the model {name} are a Python pickle, which could run "
            f"programs; save them as {WEIGHTS}."
        )
    if lack:
        raise ValueError(f"{metric}: the model {name} has no {lack}; save it with all its files.")
    return folder


def _lack(folder: Path) -> str:
    """The first file that a model needs and the folder has not; empty where it is complete."""
    return next((name for name in FILES if not (folder / name).is_file()), "")


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file that numbers depend on."""
    config, weights, tokenizer = (sha256(folder / name) for name in FILES)
    return {"config": config, "model": weights, "tokenizer": tokenizer}


def versions() -> dict[str, str]:
    """The versions of the libraries that numbers depend on."""
    return {name: version(name) for name in LIBRARIES}
