"""The recipe `near_words`: the texts of a table, with their PG1, PG2 and PG3 in further columns."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import NamedTemporaryFile

from paraanno.plain.renaming import put_in_place
from paraanno.plain.sentence import Sentence, say, sentence_json
from scoring.building.recipes.options import ColumnOption, NamesOption
from scoring.building.recipes.recipe import Numbers, Progress, Recipe, Stage, StageInput
from scoring.building.texts.table import ID, TextTable, open_texts, write_texts
from scoring.building.vectors.replacing import (
    FEWEST_WORDS,
    REPLACE,
    SPLITS,
    VARIANTS,
    Replaced,
    replace_words,
)
from scoring.metrics.base import Option
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.vectors import load_vectors

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
            "vectors", 0,
            say("has %(n)s words; at least %(least)s are needed.",
                n=len(vectors.rows), least=FEWEST_WORDS),
        )  # fmt: skip
    step.progress(0.05)
    ranks = [VARIANTS.index(name) + 1 for name in variants]
    made = replace_words(
        [row[column] for row in rows], vectors, ranks, replace=options["replace"],
        tokenize=options["tokenize"], min_cosine=float(options["min_cosine"]),
        progress=lambda share: step.progress(0.05 + 0.85 * share),
    )  # fmt: skip
    if not made.known:
        raise FileRefused.at(
            "texts", 0,
            say("has no word with a vector; check the language, case and tokenisation of the "
                "vectors."),
        )  # fmt: skip
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
        "column": column, "words": made.words, "known": made.known, "coverage": made.coverage,
        "replaced": {name: made.replaced[rank] for name, rank in ranks.items()},
        "warnings": [sentence_json({"said": one}) for one in warnings],
    }  # fmt: skip


def _store(step: StageInput) -> Numbers:
    plain = step.before["replace"] / PLAIN
    figures = (step.before["replace"] / FIGURES).read_text(encoding="utf-8")
    (step.folder / FIGURES).write_text(figures, encoding="utf-8")
    columns = open_texts(step.inputs["texts"]).columns
    numbers = write_texts(
        TextTable((), 0, plain).rows(), step.folder, digest=sha256(plain),
        progress=lambda share: step.progress(0.5 * share), columns=columns,
    )  # fmt: skip
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
            "variants", "+".join(VARIANTS), say("Which neighbours, with + between them."),
            allowed=VARIANTS,
        ),
        Option(
            "replace", REPLACE[0],
            say("all words, as in the paper; or content: English function words stay."), REPLACE,
        ),
        DecimalOption(
            "min_cosine", "-1",
            say(
                "A word without a neighbour of at least this cosine stays; -1 replaces all, .6 "
                "is careful."
            ),
            low=-1,
        ),
        Option(
            "tokenize", "words",
            say("What a word is: words (letters and digits), or none (a piece between blanks)."),
            tuple(reversed(SPLITS)),
        ),
    ),
    stages=(Stage("replace", _replace), Stage("store", _store)),
    plain=PLAIN,
)  # fmt: skip
