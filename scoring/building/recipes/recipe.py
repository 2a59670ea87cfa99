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
from functools import cache
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from tempfile import NamedTemporaryFile

from paraanno.common.on_disk import put_in_place
from paraanno.common.places import need_extra
from paraanno.common.texts import Sentence, say, sentence_json
from scoring.building.vectors import (
    FEWEST_WORDS,
    ID,
    REPLACE,
    SPLITS,
    VARIANTS,
    Replaced,
    TextTable,
    open_texts,
    replace_words,
    write_texts,
)
from scoring.metrics.base import DecimalOption
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.stores import ABOUT
from scoring.metrics.resources.vectors import load_vectors
from scoring.metrics.values import Option, Signature, with_suggestion

SIGNATURE, NUMBERS = "signature.txt", "numbers.json"
CLASSIFIERS = ("classifiers", "sklearn")  # An extra, and its package.
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
    before, or of the last one. `plan` gives the stages where they depend on options and roles;
    `fits` raises ValueError for stores that it cannot use, before anything is queued. Raise
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
    plan: Callable[[Mapping[str, str], Collection[str]], tuple[Stage, ...]] | None = None
    fits: Callable[[Mapping[str, Path]], object] = lambda stores: None

    def planned(self, options: Mapping[str, str], roles: Collection[str] = ()) -> tuple[Stage, ...]:
        """The stages for these options, which have been read, and inputs of these roles."""
        return self.stages if self.plan is None else self.plan(options, roles)

    def read(self, given: Mapping[str, object]) -> dict[str, str]:
        """The options with their defaults; ValueError names an unknown one, or a wrong value."""
        option_names = {option.name for option in self.options}
        for name in given:
            if name not in option_names:
                raise ValueError(
                    say(
                        "%(recipe)s: unknown option %(option)s; it takes %(names)s.",
                        recipe=self.name,
                        option=name,
                        names=", ".join(sorted(option_names)),
                    )
                )
        return {
            one.name: one.read(self.name, given.get(one.name, one.default)) for one in self.options
        }

    def check(self, roles: Collection[str]) -> None:
        """Raise ValueError unless there is an input for each role that is not optional."""
        if not set(self.inputs) - self.optional <= set(roles) <= set(self.inputs):
            raise ValueError(
                say(
                    "%(recipe)s: needs the inputs %(roles)s.",
                    recipe=self.name,
                    roles=", ".join(sorted(set(self.inputs) - self.optional)),
                )
            )

    def signature(self, inputs: Mapping[str, Path | str], options: Mapping[str, str]) -> str:
        """Recipe, options, SHA-256 of the inputs, and versions of the recipe and its libraries. An
        input that is no store yet is given by its SHA-256. Raises SentenceError if the extra that
        the recipe needs is not installed."""
        if options.get("tokenize") == "ko":
            need_extra("korean", "kiwipiepy")
        if "scikit-learn" in self.libraries:
            need_extra(*CLASSIFIERS)
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
    recipe: Recipe,
    inputs: Mapping[str, Path],
    folder: Path,
    options: Mapping[str, object],
    *,
    progress: Callable[[str, int, float], None] = lambda stage, number, share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Made:
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
    for number, stage in enumerate(recipe.planned(read, inputs), 1):

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


# Options of recipes that are names: columns of a table, several of a list.


@dataclass(frozen=True, slots=True)
class NamesOption(Option):
    """Names with + between them, some of those `allowed` if there are any."""

    allowed: tuple[str, ...] = ()

    def read(self, metric: str, given: object) -> str:
        names = [one.strip() for one in str(given).split("+") if one.strip()]
        wrong = [one for one in names if self.allowed and one not in self.allowed]
        if not names or wrong:
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use names with + between "
                    "them: %(allowed)s.",
                    metric=metric,
                    option=self.name,
                    value=str(given),
                    allowed=", ".join(self.allowed) or "a+b",
                )
            )
        return "+".join(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class ColumnOption(Option):
    """The name of a column."""

    def read(self, metric: str, given: object) -> str:
        return str(given).strip() or self.default


# Recipes by name. A module is imported when its recipe is first asked for.


_TARGETS = {
    "corpus": "scoring.building.recipes.corpus:CORPUS",
    "lm": "scoring.building.recipes.corpus:LANGUAGE_MODEL",
    "vectors": "scoring.building.recipes.corpus:VECTORS",
    "paraphrases": "scoring.building.recipes.paraphrases:PARAPHRASES",
    "translations": "scoring.building.recipes.paraphrases:TRANSLATIONS",
    "parametric": "scoring.building.recipes.paraphrases:PARAMETRIC",
    "pem_style": "scoring.building.recipes.corpus:PEM_STYLE",
    "near_words": "scoring.building.recipes.recipe:NEAR_WORDS",
    "extrinsic": "scoring.building.recipes.extrinsic:EXTRINSIC",
    "test_set": "scoring.building.recipes.test_set:TEST_SET",
}


def names() -> tuple[str, ...]:
    """The names of all recipes, in display order."""
    return tuple(_TARGETS)


@cache
def recipe(name: str) -> Recipe:
    """The recipe called `name`; ValueError if there is none."""
    if name not in _TARGETS:
        problem = say(
            "There is no recipe called %(name)s; there are %(names)s.",
            name=name,
            names=", ".join(names()),
        )
        raise ValueError(with_suggestion(problem, name, names()))
    resolved: Recipe = resolve_name(_TARGETS[name])
    return resolved


# The recipe `near_words`: the texts of a table, with their PG1, PG2 and PG3 in further columns.


PLAIN, FIGURES = "texts.jsonl", "near_words.json"
ITEMS = "items.jsonl"
MOST_TEXTS = 200_000
_TELL_TEXTS = 500
LOW_COVERAGE = 0.5


def _replace(step: StageInput) -> Numbers:
    """Write the table with the new columns, and the figures of the page."""
    options = step.options
    table, column = open_texts(step.inputs["texts"]), options["column"]
    variants = options["variants"].split("+")
    _check_columns(table, column, variants)
    rows = [row for row in table.rows() if row.get(column)]
    vectors = load_vectors(str(step.inputs["vectors"]))
    if len(vectors.rows) < FEWEST_WORDS:
        raise FileRefused.at(
            "vectors",
            0,
            say(
                "has %(n)s words; at least %(least)s are needed.",
                n=len(vectors.rows),
                least=FEWEST_WORDS,
            ),
        )
    step.progress(0.05)
    ranks = [VARIANTS.index(name) + 1 for name in variants]
    made = replace_words(
        [row[column] for row in rows],
        vectors,
        ranks,
        replace=options["replace"],
        tokenize=options["tokenize"],
        min_cosine=float(options["min_cosine"]),
        progress=lambda share: step.progress(0.05 + 0.85 * share),
    )
    if not made.covered:
        raise FileRefused.at(
            "texts",
            0,
            say(
                "has no word with a vector; check the language, case and tokenisation of the "
                "vectors."
            ),
        )
    names = {name: name.upper() for name in variants}
    with (step.folder / PLAIN).open("w", encoding="utf-8", newline="") as stream:
        for at, row in enumerate(rows):
            new = {names[v]: made.texts[r][at] for v, r in zip(variants, ranks, strict=True)}
            stream.write(json.dumps(row | new, ensure_ascii=False) + "\n")
    figures = _figures(made, column, dict(zip(names.values(), ranks, strict=True)))
    (step.folder / FIGURES).write_text(json.dumps(figures, ensure_ascii=False), encoding="utf-8")
    return {"left_out": table.n - len(rows)}


def _check_columns(table: TextTable, column: str, variants: list[str]) -> None:
    table.check_columns(column)
    there = [name.upper() for name in variants if name.upper() in table.columns]
    if there:
        raise FileRefused.at(
            "texts", 1, say("has a column %(name)s already; rename it.", name=there[0])
        )
    if table.n > MOST_TEXTS:
        raise FileRefused.at(
            "texts", 0, say("has %(n)s texts; use %(most)s at most.", n=table.n, most=MOST_TEXTS)
        )


def _figures(made: Replaced, column: str, ranks: dict[str, int]) -> dict[str, object]:
    warnings: list[Sentence] = []
    if made.coverage < LOW_COVERAGE:
        warnings.append(
            say(
                "Only %(share)s of the words have a vector: check the language, case and "
                "tokenisation of the vectors.",
                share=f"{made.coverage:.0%}",
            )
        )
    return {
        "column": column,
        "words": made.words,
        "known": made.covered,
        "coverage": made.coverage,
        "replaced": {name: made.replaced[rank] for name, rank in ranks.items()},
        "warnings": [sentence_json({"said": one}) for one in warnings],
    }


def _store(step: StageInput) -> Numbers:
    plain = step.before["replace"] / PLAIN
    figures = (step.before["replace"] / FIGURES).read_text(encoding="utf-8")
    (step.folder / FIGURES).write_text(figures, encoding="utf-8")
    columns = open_texts(step.inputs["texts"]).columns
    numbers = write_texts(
        TextTable((), 0, plain).rows(),
        step.folder,
        digest=sha256(plain),
        progress=lambda share: step.progress(0.5 * share),
        columns=columns,
    )
    write_items(step.folder, progress=lambda share: step.progress(0.5 + 0.5 * share))
    return numbers


def write_items(store: Path, progress: Progress = lambda share: None) -> Path:
    """Write the file of items that a campaign imports: a row for each text and system. Columns of
    the table that are neither are attributes of the items."""
    figures = json.loads((store / FIGURES).read_text(encoding="utf-8"))
    column, systems, table = figures["column"], tuple(figures["replaced"]), open_texts(store)
    path = store / ITEMS
    with NamedTemporaryFile("w", encoding="utf-8", dir=store, delete=False) as stream:
        for at, row in enumerate(table.rows(), 1):
            others = {name: row[name] for name in row if name not in (column, ID, *systems)}
            item = {"sentence": row[column]}
            item |= {f"attr.item.{name}": value for name, value in others.items()}
            item |= {"item": row[ID]} if ID in row else {}
            for system in systems:
                made = {**item, "paraphrase": row[system], "system": system}
                stream.write(json.dumps(made, ensure_ascii=False) + "\n")
            if at % _TELL_TEXTS == 0:
                progress(at / table.n)
    return put_in_place(Path(stream.name), path)


NEAR_WORDS = Recipe(
    name="near_words",
    title=say("Paraphrases by nearest words"),
    summary=say(
        "PG1, PG2 and PG3: each word of a text is replaced by its nearest, second or third "
        "nearest word. They are imported on a page of the campaign."
    ),
    kind="texts",
    inputs={"texts": "texts", "vectors": "vectors"},
    options=(
        ColumnOption("column", "text", say("The column with the texts.")),
        NamesOption(
            "variants",
            "+".join(VARIANTS),
            say("Which neighbours, with + between them."),
            allowed=VARIANTS,
        ),
        Option(
            "replace",
            REPLACE[0],
            say("all words, as in the paper; or content: English function words stay."),
            REPLACE,
        ),
        DecimalOption(
            "min_cosine",
            "-1",
            say(
                "A word without a neighbour of at least this cosine stays; -1 replaces all, .6 "
                "is careful."
            ),
            low=-1,
        ),
        Option(
            "tokenize",
            "words",
            say("What a word is: words (letters and digits), or none (a piece between blanks)."),
            tuple(reversed(SPLITS)),
        ),
    ),
    stages=(Stage("replace", _replace), Stage("store", _store)),
    plain=PLAIN,
)
