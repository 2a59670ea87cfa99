"""Folders of neural models, and the files that they must contain.

A model is a folder below PARAANNO_MODEL_DIR, and is selected by name only: a form never supplies a
path. Weights are read from safetensors and tokenizers from JSON: plain data, so that no model can
run a program.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from paraanno.common.places import data_dir
from paraanno.common.texts import say
from scoring.metrics.files import sha256
from scoring.metrics.values import Option

VARIABLE = "PARAANNO_MODEL_DIR"
LIBRARIES = ("torch", "transformers", "tokenizers")
WEIGHTS = "model.safetensors"
FILES = ("config.json", WEIGHTS, "tokenizer.json")
NO_LIBRARIES = say(
    "A library of the optional extra `neural` is missing on this machine: run `make "
    "install-neural` and restart the application."
)
NO_MODEL = say(
    "A model is missing on this machine: put a folder with %(files)s into the folder "
    "that %(variable)s names, or into `models` in the data folder.",
    files=", ".join(FILES),
    variable=VARIABLE,
)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt")


@dataclass(frozen=True, slots=True)
class ModelOption(Option):
    """An option that names a model."""

    def read(self, metric: str, given: object) -> str:
        """The name. Raises ValueError if it is missing or not a name, such as a path."""
        name = str(given).strip()
        if not name:
            raise ValueError(
                say(
                    "%(metric)s: the option %(option)s=NAME is missing; there are %(names)s.",
                    metric=metric,
                    option=self.name,
                    names=", ".join(model_names()),
                )
            )
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
    "model", "", say("The model: the name of a folder that the administrator added to the models.")
)


def models_folder() -> Path:
    """The folder in PARAANNO_MODEL_DIR, else `models` in the data folder."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named).expanduser() if named else data_dir() / "models"


def model_names() -> tuple[str, ...]:
    """The names of the models that can be used, sorted."""
    folder = models_folder()
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(one.name for one in folder.iterdir() if _NAME.fullmatch(one.name) and not _lack(one))
    )


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
    return folder


def _lack(folder: Path) -> str:
    """The first required file that the folder lacks; empty if it is complete."""
    return next((name for name in FILES if not (folder / name).is_file()), "")


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file that affects scores."""
    config, weights, tokenizer = (sha256(folder / name) for name in FILES)
    return {"config": config, "model": weights, "tokenizer": tokenizer}


def versions() -> dict[str, str]:
    """The versions of the libraries that affect scores."""
    return {name: version(name) for name in LIBRARIES}
