"""What a recipe is, and how its stages are carried out: a killed process loses one at most.

A recipe works in a folder of its own. Each stage writes to a folder `STAGE....part`, which is
renamed to `STAGE` when it is whole; a stage that is there already is not done again.
"""

from __future__ import annotations

import errno
import json
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import say
from scoring.metrics.base import Option, Signature
from scoring.metrics.files import sha256
from scoring.metrics.resources.stores import ABOUT

SIGNATURE, NUMBERS = "signature.txt", "numbers.json"
Progress = Callable[[float], None]
Numbers = dict[str, int]


class BuildCancelled(Exception):
    """The work was cancelled; finished stages are left in the folder."""


@dataclass(frozen=True, slots=True)
class StageInput:
    """What a stage is given: the inputs by role (files, or stores of resources), the options read,
    the folders of the stages before, an empty folder to write to, and where to report the share
    done (0 to 1), which raises BuildCancelled if nobody wants the work any more."""

    inputs: Mapping[str, Path]
    options: Mapping[str, str]
    before: Mapping[str, Path]
    folder: Path
    progress: Progress


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the work. `run` writes into the step's folder and returns counts to show."""

    name: str
    run: Callable[[StageInput], Numbers]


@dataclass(frozen=True, slots=True)
class Made:
    """What a recipe made: the kind of resource; the folder with its store; the plain file that the
    importer of the kind takes; counts; and the signature: all that decides the bytes."""

    kind: str
    store: Path
    plain: Path
    numbers: Numbers
    signature: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe by its name; `inputs` has the kind of resource of each role, which must be given
    unless it is `optional`. The last stage writes the store; the file `plain` is of the stage
    before, or of the last one. `plan` gives the stages where they depend on the options. Raise
    `version` when the same inputs give other bytes."""

    name: str
    title: str
    summary: str
    kind: str
    inputs: Mapping[str, str]
    options: tuple[Option, ...]
    stages: tuple[Stage, ...]
    plain: str
    libraries: tuple[str, ...] = ("numpy",)
    version: str = "1"
    optional: frozenset[str] = frozenset()
    plan: Callable[[Mapping[str, str]], tuple[Stage, ...]] | None = None

    def planned(self, options: Mapping[str, str]) -> tuple[Stage, ...]:
        """The stages for these options, which have been read."""
        return self.stages if self.plan is None else self.plan(options)

    def read(self, given: Mapping[str, object]) -> dict[str, str]:
        """The options with their defaults; ValueError names an unknown one, or a wrong value."""
        known = {option.name for option in self.options}
        for name in given:
            if name not in known:
                raise ValueError(
                    say(
                        "%(recipe)s: unknown option %(option)s; it takes %(names)s.",
                        recipe=self.name, option=name, names=", ".join(sorted(known)),
                    )
                )  # fmt: skip
        return {
            one.name: one.read(self.name, given.get(one.name, one.default)) for one in self.options
        }

    def check(self, roles: Collection[str]) -> None:
        """Raise ValueError unless there is an input for each role that is not optional."""
        if not set(self.inputs) - self.optional <= set(roles) <= set(self.inputs):
            raise ValueError(
                say(
                    "%(recipe)s: needs the inputs %(roles)s.",
                    recipe=self.name, roles=", ".join(sorted(set(self.inputs) - self.optional)),
                )
            )  # fmt: skip

    def signature(self, inputs: Mapping[str, Path | str], options: Mapping[str, str]) -> str:
        """Recipe, options, SHA-256 of the inputs, and versions of the recipe and its libraries. An
        input that is no store yet is given by its SHA-256."""
        return str(
            Signature(
                metric=self.name,
                options=tuple(options.items()),
                resources=tuple((role, _content(path)) for role, path in inputs.items()),
                versions=(
                    *((library, version(library)) for library in self.libraries),
                    (f"{self.name}-recipe", self.version),
                ),
            )
        )


def make(
    recipe: Recipe, inputs: Mapping[str, Path], folder: Path, options: Mapping[str, object], *,
    progress: Callable[[str, int, float], None] = lambda stage, number, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Made:  # fmt: skip
    """Carry out a recipe in a folder that is its own; call it again to go on where it was stopped.

    `progress` gets the stage's name and number from 1, and the share of it that is done;
    `cancelled` is asked as often. Stages of other inputs, options or versions are removed first.
    Raises ValueError for wrong options or inputs, FileRefused (a ValueError) for a bad file,
    BuildCancelled, and OSError.
    """
    recipe.check(inputs)
    read = recipe.read(options)
    signature = recipe.signature(inputs, read)
    _begin(folder, signature)
    before: dict[str, Path] = {}
    numbers: Numbers = {}
    for number, stage in enumerate(recipe.planned(read), 1):

        def tell(share: float, stage: Stage = stage, number: int = number) -> None:
            if cancelled():
                raise BuildCancelled
            progress(stage.name, number, share)

        tell(0.0)
        done = folder / stage.name
        if not done.exists():
            _carry_out(stage, StageInput(inputs, read, dict(before), _part(done), tell), done)
        numbers |= json.loads((done / NUMBERS).read_text(encoding="utf-8"))
        before[stage.name] = done
        tell(1.0)
    plain = next(path for one in before.values() if (path := one / recipe.plain).exists())
    return Made(recipe.kind, done, plain, numbers, signature)


def _begin(folder: Path, signature: str) -> None:
    """Make the folder, or remove what another signature has left in it."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / SIGNATURE
    if mark.exists() and mark.read_text(encoding="utf-8") == signature:
        return
    for left in folder.iterdir():
        if left.is_dir():
            shutil.rmtree(left)
    # Written last: without it everything begins anew.
    draft = folder / f"{SIGNATURE}.part"
    draft.write_text(signature, encoding="utf-8")
    put_in_place(draft, mark)


def _part(done: Path) -> Path:
    """A folder of this attempt alone: one that was taken for dead may still write to its own."""
    return Path(tempfile.mkdtemp(prefix=f"{done.name}.", suffix=".part", dir=done.parent))


def _carry_out(stage: Stage, step: StageInput, done: Path) -> None:
    numbers = stage.run(step)
    (step.folder / NUMBERS).write_text(json.dumps(numbers), encoding="utf-8")
    try:
        put_in_place(step.folder, done)
    except OSError as error:
        # Another attempt has finished the same stage.
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise


def _content(path: Path | str) -> str:
    """The SHA-256 of a file, or of the source of a store."""
    if isinstance(path, str):
        return path
    if path.is_dir():
        return str(json.loads((path / ABOUT).read_text(encoding="utf-8"))["sha256"])
    return sha256(path)
