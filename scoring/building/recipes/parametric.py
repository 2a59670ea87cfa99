"""The recipe `parametric`: how good a paraphrase table is, compared with links by hand."""

from __future__ import annotations

import csv
import json
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paraanno.plain.sentence import say
from scoring.building.paraphrases.aligned import aligned_file, read_aligned
from scoring.building.paraphrases.parametric import (
    LONGEST,
    Rating,
    gold_of,
    has_probabilities,
    paraphrases_of,
    rate,
)
from scoring.building.recipes.paraphrases import PLAIN as BUILT
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import Option
from scoring.metrics.files import sha256
from scoring.metrics.resources.stores import ABOUT
from scoring.metrics.resources.table import DIRECTED, load_table
from scoring.metrics.resources.table_reading import RawTable, read_rows

REPORT, PLAIN = "report.json", "parametric.csv"
# Probabilities from which on paraphrases count; 0 counts those without probability too.
LEASTS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
COLUMNS = (
    "least", "precision", "recall", "phrases_with_paraphrases", "phrases_with_gold", "table_pairs",
    "gold_pairs", "shared_pairs",
)  # fmt: skip


def _rate(step: StageInput) -> Numbers:
    """Write the report, and its rows as a table."""
    sure = step.options["links"] == "sure"
    longest = int(step.options["max_words"])
    gold = gold_of(read_aligned(aligned_file(step.inputs["aligned"]), sure_only=sure),
                   longest=longest)  # fmt: skip
    step.progress(0.2)
    table, directed = open_rows(step.inputs["table"])
    step.progress(0.7)
    leasts = LEASTS if has_probabilities(table) else LEASTS[:1]
    rows = [
        {"least": least, **_row(rate(paraphrases_of(table, gold.phrases, least=least), gold)),
         "gold_pairs": gold.pairs}
        for least in leasts
    ]  # fmt: skip
    report = {
        "rows": rows, "phrases": len(gold.phrases), "directed": directed, "max_words": longest,
        "links": step.options["links"],
    }  # fmt: skip
    (step.folder / REPORT).write_text(json.dumps(report), encoding="utf-8")
    plain = step.folder / PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    numbers = {"phrases": len(gold.phrases), "pairs": gold.pairs}
    (step.folder / ABOUT).write_text(json.dumps({"sha256": sha256(plain), **numbers}))
    return numbers


def _row(rating: Rating) -> dict[str, float | int | None]:
    return {
        "precision": rating.precision,
        "recall": rating.recall,
        "phrases_with_paraphrases": rating.with_paraphrases,
        "phrases_with_gold": rating.with_gold,
        "table_pairs": rating.table_pairs,
        "shared_pairs": rating.shared_pairs,
    }


def open_rows(path: Path) -> tuple[RawTable, bool]:
    """The rows of a table, and whether they have a direction: a store of PPDB, of a phrase table,
    or of rows without probability keeps pairs in both."""
    if not path.is_dir():
        return read_rows(path, lambda share: None), True
    for name in (DIRECTED, BUILT):
        if (path / name).exists():
            return read_rows(path / name, lambda share: None), True
    stored = load_table(str(path))
    each = np.diff(stored.offsets)
    raw = RawTable({stored.phrases[at]: at for at in range(len(stored.phrases))})
    raw.left = array("i", np.repeat(np.arange(len(each), dtype=np.int32), each).tobytes())
    raw.right = array("i", stored.partners.astype(np.int32).tobytes())
    known = stored.probabilities if stored.weighted else np.full(len(stored.partners), np.nan)
    raw.probabilities = array("d", known.astype(np.float64).tobytes())
    return raw, False


def report_of(folder: Path) -> Mapping[str, Any]:
    """The report in the folder of a rating that was made."""
    found: Mapping[str, Any] = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    return found


PARAMETRIC = Recipe(
    name="parametric",
    title=say("Rating of a paraphrase table"),
    summary=say(
        "ParaMetric: the share of a table’s paraphrases that people linked in sentences with the "
        "same meaning, and the share of those linked that the table has."
    ),
    kind="parametric",
    inputs={"table": "table", "aligned": "aligned_pairs"},
    options=(
        Option("max_words", str(LONGEST), say("Words of the longest phrases."), least=1, most=10),
        Option(
            "links", "all", say("sure leaves out links that are only possible."), ("all", "sure")
        ),
    ),
    stages=(Stage("rate", _rate),),
    plain=PLAIN,
)
