"""The recipe `paraphrases`: from two parallel texts to a paraphrase table."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from paraanno.plain.sentence import say
from scoring.building.alignment.aligner import HEURISTICS, ITERATIONS, MODELS, SEED, align
from scoring.building.alignment.links import link_line, read_links
from scoring.building.alignment.parallel import read_parallel
from scoring.building.labels.parses import numbered_labels, read_labels
from scoring.building.labels.resource import parses_file
from scoring.building.paraphrases.counting import linked_text
from scoring.building.paraphrases.pivot import LEAST, MOST
from scoring.building.paraphrases.store import build_store, write_phrases
from scoring.building.paraphrases.table import LONGEST, paraphrase, save_for_paraeval
from scoring.building.recipes.corpus import as_text
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import YES_NO, Option
from scoring.metrics.decimal_option import DecimalOption
from scoring.metrics.files import FileRefused, sha256

PLAIN, LINKS = "table.tsv", "links.txt"
LABELLED = "phrases"  # A store with paraphrases by label, in that of the table.


def side_of(step: StageInput, role: str) -> Path:
    """The text of a side; that of a corpus in a folder of its own."""
    folder = step.folder / role
    folder.mkdir(exist_ok=True)
    return as_text(step.inputs[role], folder)


def align_sides(step: StageInput) -> Numbers:
    """Link the words of the pairs; the line of a pair left out is empty."""
    english, foreign = (side_of(step, role) for role in ("english", "foreign"))
    text = read_parallel(english, foreign)
    options = step.options
    links = align(
        [text.english[line] for line in text.kept],
        [text.foreign[line] for line in text.kept],
        model=options["model"],
        iterations=None if options["model"] == "eflomal" else int(options["iterations"]),
        symmetrize=options["symmetrize"], seed=int(options["seed"]), progress=step.progress,
    )  # fmt: skip
    lines = [""] * len(text.english)
    for line, pair in zip(text.kept, links, strict=True):
        lines[line] = link_line(pair)
    with (step.folder / LINKS).open("w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)
    return {"sentences": len(lines), "aligned": len(text.kept)}


def _pivot(step: StageInput) -> Numbers:
    """Write the table, as lines and as the store that `paraeval` maps."""
    text = read_parallel(side_of(step, "english"), side_of(step, "foreign"))
    links = read_links(step.before["align"] / LINKS, text.english, text.foreign)
    step.progress(0.1)
    longest, options = int(step.options["max_words"]), step.options
    names: dict[str, int] = {}
    labels = None
    if "parses" in step.inputs:
        found = read_labels(parses_file(step.inputs["parses"]), text.english, longest=longest)
        labels = numbered_labels(found, text.english, names)
    table = paraphrase(
        [linked_text(text.english, text.foreign, links, longest=longest, labels=labels)],
        longest=longest,
        least=float(options["least"]), most=int(options["most"]),
        min_count=int(options["min_count"]),
        progress=lambda share: step.progress(0.1 + 0.7 * share),
    )  # fmt: skip
    shown = table.mutual() if options["mutual"] == "yes" else table
    plain = step.folder / PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(shown.lines())
    step.progress(0.9)
    if not save_for_paraeval(shown, step.folder, source_sha256=_content(plain, step)):
        raise FileRefused.at(
            PLAIN, 0,
            say("has no pair of different phrases; use more text, or a lower min_count."),
        )  # fmt: skip
    if names:
        store = step.folder / LABELLED
        store.mkdir()
        write_phrases(build_store(table, tuple(names)), store, source_sha256=sha256(plain))
    return {
        "phrases": len(np.unique(shown.rows.phrase)),
        "labels": len(names),
        "pairs": len(shown.rows),
    }


def _content(plain: Path, step: StageInput) -> str:
    """What the store holds: a table with labels is another than the same rows without."""
    if "parses" not in step.inputs:
        return sha256(plain)
    trees = sha256(parses_file(step.inputs["parses"]))
    return hashlib.sha256(f"{sha256(plain)} {trees}".encode()).hexdigest()


ALIGNING = (
    Option("model", MODELS[0], say("How words are aligned."), MODELS),
    Option(
        "iterations", str(ITERATIONS),
        say(
            "Passes over the text in each direction; eflomal chooses them by the size of the "
            "text."
        ),
        least=1, most=50,
    ),
    Option(
        "symmetrize", HEURISTICS[0], say("How the links of both directions are joined."),
        HEURISTICS,
    ),
    Option("seed", str(SEED), say("For eflomal, which draws samples."), least=0, most=10**6),
)  # fmt: skip

PARAPHRASES = Recipe(
    name="paraphrases",
    title=say("Paraphrase table"),
    summary=say(
        "Phrases that share a translation, from two texts that are parallel line by line; for "
        "the metric paraeval."
    ),
    kind="table",
    inputs={"english": "corpus", "foreign": "corpus", "parses": "parses"},
    optional=frozenset({"parses"}),
    options=(
        *ALIGNING,
        Option("max_words", str(LONGEST), say("Words of the longest phrases."), least=1, most=8),
        DecimalOption(
            "least", f"{LEAST:g}", say("Paraphrases of lower probability are left out.")
        ),
        Option(
            "most", str(MOST), say(
                "At most this many paraphrases of a phrase are kept; 0 keeps all."
            ),
            least=0, most=10**6,
        ),
        Option(
            "min_count", "1",
            say(
                "Phrase pairs that occur fewer times are left out; 2 or 3 make a smaller and "
                "cleaner table."
            ),
            least=1, most=1000,
        ),
        Option(
            "mutual", "yes",
            say("Keep a pair only if each phrase is among the paraphrases of the other."), YES_NO,
        ),
    ),
    stages=(Stage("align", align_sides), Stage("pivot", _pivot)),
    plain=PLAIN,
    libraries=("numpy", "scipy", "sil-thot"),
    version="2",
)  # fmt: skip
