"""The recipe `paraphrases`: from two parallel texts to a paraphrase table."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from paraanno.common.texts import say
from scoring.building.alignment import (
    HEURISTICS,
    ITERATIONS,
    MODELS,
    SEED,
    align,
    link_line,
    links_file,
    read_links,
    read_parallel,
)
from scoring.building.labels import numbered_labels, parses_file, read_labels
from scoring.building.paraphrases.counting import LinkedText, count_pairs, linked_text
from scoring.building.paraphrases.features import LABELLED
from scoring.building.paraphrases.parametric import LONGEST as LONGEST_PHRASE
from scoring.building.paraphrases.parametric import (
    Rating,
    aligned_file,
    gold_of,
    has_probabilities,
    paraphrases_of,
    rate,
    read_aligned,
)
from scoring.building.paraphrases.table import (
    LEAST,
    LONGEST,
    MOST,
    build_store,
    paraphrase,
    save_for_paraeval,
    write_phrases,
)
from scoring.building.recipes.corpus import as_text
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.metrics.base import DecimalOption
from scoring.metrics.files import FileRefused, sha256
from scoring.metrics.resources.stores import ABOUT
from scoring.metrics.resources.table import DIRECTED, RawTable, load_table, read_rows
from scoring.metrics.resources.translations import convert
from scoring.metrics.values import YES_NO, Option

PLAIN, LINKS = "table.tsv", "links.txt"


def side_of(step: StageInput, role: str) -> Path:
    """The text of a side; that of a corpus in a folder of its own."""
    folder = step.folder / role
    folder.mkdir(exist_ok=True)
    return as_text(step.inputs[role], folder)


# Corpora that a table can be the mean over: each is a text with its translation. The roles of the
# second and further ones end with their number.
CORPORA = 5


def roles_of(number: int) -> dict[str, str]:
    """The roles of a corpus by what they are."""
    names = ("english", "foreign", "links", "parses")
    return {name: name if number == 1 else f"{name}_{number}" for name in names}


def corpora_of(roles: Collection[str]) -> list[int]:
    """The numbers of the corpora that are given."""
    return [n for n in range(1, CORPORA + 1) if roles_of(n)["foreign"] in roles]


def _check_corpora(stores: Mapping[str, Path]) -> None:
    """Raise ValueError for what belongs to a corpus without a translation."""
    for number in range(2, CORPORA + 1):
        roles = roles_of(number)
        given = [role for role in roles.values() if role in stores]
        if given and roles["foreign"] not in stores:
            raise ValueError(
                say(
                    "%(role)s needs %(foreign)s, the translations of a further corpus.",
                    role=given[0],
                    foreign=roles["foreign"],
                )
            )


def _english_role(step: StageInput, number: int, name: str = "english") -> str:
    """The role of the English text of a corpus, or of what belongs to it: those of the first one
    serve all that have no English of their own."""
    own = roles_of(number)
    return own[name] if own["english"] in step.inputs else name


def align_sides(step: StageInput, number: int = 1) -> Numbers:
    """Link the words of the pairs of a corpus, or take the links that are given for it; the line of
    a pair left out is empty."""
    roles = roles_of(number)
    english = side_of(step, _english_role(step, number))
    foreign = side_of(step, roles["foreign"])
    text = read_parallel(english, foreign)
    options = step.options
    if roles["links"] in step.inputs:
        given = links_file(step.inputs[roles["links"]])
        read_links(given, text.english, text.foreign)
        shutil.copyfile(given, step.folder / LINKS)
        return {"sentences": len(text.english), "aligned": len(text.english)}
    links = align(
        [text.english[line] for line in text.aligned],
        [text.foreign[line] for line in text.aligned],
        model=options["model"],
        iterations=None if options["model"] == "eflomal" else int(options["iterations"]),
        symmetrize=options["symmetrize"],
        seed=int(options["seed"]),
        progress=step.progress,
    )
    lines = [""] * len(text.english)
    for line, pair in zip(text.aligned, links, strict=True):
        lines[line] = link_line(pair)
    with (step.folder / LINKS).open("w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)
    return {"sentences": len(lines), "aligned": len(text.aligned)}


def _linked(
    step: StageInput, number: int, longest: int, names: dict[str, int], labelled: bool
) -> LinkedText:
    text = read_parallel(
        side_of(step, _english_role(step, number)), side_of(step, roles_of(number)["foreign"])
    )
    links = read_links(step.before[_stage(number)] / LINKS, text.english, text.foreign)
    labels = None
    if labelled:
        trees = parses_file(step.inputs[_english_role(step, number, "parses")])
        span_labels = read_labels(trees, text.english, longest=longest)
        labels = numbered_labels(span_labels, text.english, names)
    return linked_text(text.english, text.foreign, links, longest=longest, labels=labels)


def _stage(number: int) -> str:
    return "align" if number == 1 else f"align-{number}"


def _parsed(step: StageInput) -> list[Path]:
    """The parses of the English of every corpus; none unless all have some."""
    roles = [_english_role(step, number, "parses") for number in corpora_of(step.inputs)]
    if not all(role in step.inputs for role in roles):
        return []
    return [parses_file(step.inputs[role]) for role in dict.fromkeys(roles)]


def _pivot(step: StageInput) -> Numbers:
    """Write the table, as lines and as the store that `paraeval` maps."""
    longest, options = int(step.options["max_words"]), step.options
    names: dict[str, int] = {}
    trees = _parsed(step)
    texts = [
        _linked(step, number, longest, names, bool(trees)) for number in corpora_of(step.inputs)
    ]
    step.progress(0.1)
    table = paraphrase(
        texts,
        longest=longest,
        least=float(options["least"]),
        most=int(options["most"]),
        min_count=int(options["min_count"]),
        progress=lambda share: step.progress(0.1 + 0.7 * share),
    )
    shown = table.mutual() if options["mutual"] == "yes" else table
    plain = step.folder / PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(shown.lines())
    step.progress(0.9)
    if not save_for_paraeval(shown, step.folder, source_sha256=_content(plain, trees)):
        raise FileRefused.at(
            PLAIN,
            0,
            say("has no pair of different phrases; use more text, or a lower min_count."),
        )
    if names:
        store = step.folder / LABELLED
        store.mkdir()
        write_phrases(build_store(table, tuple(names)), store, source_sha256=sha256(plain))
    return {
        "phrases": len(np.unique(shown.rows.phrase)),
        "labels": len(names),
        "pairs": len(shown.rows),
    }


def _content(plain: Path, trees: Sequence[Path]) -> str:
    """What the store holds: a table with labels is another than the same rows without."""
    if not trees:
        return sha256(plain)
    digests = " ".join(map(sha256, (plain, *trees)))
    return hashlib.sha256(digests.encode()).hexdigest()


def _plan(_options: Mapping[str, str], roles: Collection[str]) -> tuple[Stage, ...]:
    numbers = corpora_of(roles) or [1]
    aligning = [Stage(_stage(n), partial(align_sides, number=n)) for n in numbers]
    return (*aligning, Stage("pivot", _pivot))


ALIGNING = (
    Option("model", MODELS[0], say("How words are aligned."), MODELS),
    Option(
        "iterations",
        str(ITERATIONS),
        say(
            "Passes over the text in each direction; eflomal chooses them by the size of the text."
        ),
        least=1,
        most=50,
    ),
    Option(
        "symmetrize",
        HEURISTICS[0],
        say("How the links of both directions are joined."),
        HEURISTICS,
    ),
    Option("seed", str(SEED), say("For eflomal, which draws samples."), least=0, most=10**6),
)

_KINDS = {"english": "corpus", "foreign": "corpus", "links": "links", "parses": "parses"}
_INPUTS = {
    role: _KINDS[name]
    for number in range(1, CORPORA + 1)
    for name, role in roles_of(number).items()
}

PARAPHRASES = Recipe(
    name="paraphrases",
    title=say("Paraphrase table"),
    summary=say(
        "Phrases that share a translation, from texts that are parallel line by line, the mean "
        "over those of several languages; for the metric paraeval and for test sets."
    ),
    kind="table",
    inputs=_INPUTS,
    optional=frozenset(_INPUTS) - {"english", "foreign"},
    options=(
        *ALIGNING,
        Option("max_words", str(LONGEST), say("Words of the longest phrases."), least=1, most=8),
        DecimalOption("least", f"{LEAST:g}", say("Paraphrases of lower probability are left out.")),
        Option(
            "most",
            str(MOST),
            say("At most this many paraphrases of a phrase are kept; 0 keeps all."),
            least=0,
            most=10**6,
        ),
        Option(
            "min_count",
            "1",
            say(
                "Phrase pairs that occur fewer times are left out; 2 or 3 make a smaller and "
                "cleaner table."
            ),
            least=1,
            most=1000,
        ),
        Option(
            "mutual",
            "yes",
            say("Keep a pair only if each phrase is among the paraphrases of the other."),
            YES_NO,
        ),
    ),
    stages=(),
    plan=_plan,
    fits=_check_corpora,
    plain=PLAIN,
    libraries=("numpy", "scipy", "sil-thot"),
    version="2",
)


# The recipe `parametric`: how good a paraphrase table is, compared with links by hand.


REPORT, PARAMETRIC_PLAIN = "report.json", "parametric.csv"
# Probabilities from which on paraphrases count; 0 counts those without probability too.
LEASTS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
COLUMNS = (
    "least",
    "precision",
    "recall",
    "phrases_with_paraphrases",
    "phrases_with_gold",
    "table_pairs",
    "gold_pairs",
    "shared_pairs",
)


def _rate(step: StageInput) -> Numbers:
    """Write the report, and its rows as a table."""
    sure = step.options["links"] == "sure"
    longest = int(step.options["max_words"])
    gold = gold_of(
        read_aligned(aligned_file(step.inputs["aligned"]), sure_only=sure), longest=longest
    )
    step.progress(0.2)
    table, directed = open_rows(step.inputs["table"])
    step.progress(0.7)
    leasts = LEASTS if has_probabilities(table) else LEASTS[:1]
    rows = [
        {
            "least": least,
            **_row(rate(paraphrases_of(table, gold.phrases, least=least), gold)),
            "gold_pairs": gold.pairs,
        }
        for least in leasts
    ]
    report = {
        "rows": rows,
        "phrases": len(gold.phrases),
        "directed": directed,
        "max_words": longest,
        "links": step.options["links"],
    }
    (step.folder / REPORT).write_text(json.dumps(report), encoding="utf-8")
    plain = step.folder / PARAMETRIC_PLAIN
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
    for name in (DIRECTED, PLAIN):
        if (path / name).exists():
            return read_rows(path / name, lambda share: None), True
    stored = load_table(str(path))
    each = np.diff(stored.offsets)
    raw = RawTable({stored.phrases[at]: at for at in range(len(stored.phrases))})
    raw.left = array("i", np.repeat(np.arange(len(each), dtype=np.int32), each).tobytes())
    raw.right = array("i", stored.partners.astype(np.int32).tobytes())
    probabilities = (
        stored.probabilities if stored.weighted else np.full(len(stored.partners), np.nan)
    )
    raw.probabilities = array("d", probabilities.astype(np.float64).tobytes())
    return raw, False


def report_of(folder: Path) -> Mapping[str, Any]:
    """The report in the folder of a rating that was made."""
    report: Mapping[str, Any] = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    return report


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
        Option(
            "max_words",
            str(LONGEST_PHRASE),
            say("Words of the longest phrases."),
            least=1,
            most=10,
        ),
        Option(
            "links", "all", say("sure leaves out links that are only possible."), ("all", "sure")
        ),
    ),
    stages=(Stage("rate", _rate),),
    plain=PARAMETRIC_PLAIN,
)


# The recipe `translations`: from two parallel texts to a phrase table.


TRANSLATIONS_PLAIN = "phrases.txt"


def _count(step: StageInput) -> Numbers:
    """Write the phrase table in the form of Moses, and its store."""
    text = read_parallel(side_of(step, "english"), side_of(step, "foreign"))
    links = read_links(step.before["align"] / LINKS, text.english, text.foreign)
    longest = int(step.options["max_words"])
    step.progress(0.1)
    linked = linked_text(text.english, text.foreign, links, longest=longest)
    plain = step.folder / TRANSLATIONS_PLAIN
    with plain.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(table_lines(linked, longest, int(step.options["min_count"])))
    step.progress(0.7)
    return convert(plain, step.folder, progress=lambda share: step.progress(0.7 + 0.3 * share))


def table_lines(text: LinkedText, longest: int, least: int) -> Iterator[str]:
    """`foreign ||| phrase ||| p(f|e) 1 p(e|f)`, sorted by phrase and foreign phrase.

    Probabilities are relative frequencies among pairs that occurred at least `least` times; lexical
    weights are not computed and stand as 1.
    """
    pairs = count_pairs(text, longest=longest)
    frequent = pairs.times >= least
    english, foreign, times = (
        pairs.english[frequent],
        pairs.foreign[frequent],
        pairs.times[frequent],
    )
    given_english = times / np.bincount(english, times)[english]
    given_foreign = times / np.bincount(foreign, times)[foreign]
    rows = zip(
        text.english.texts(english),
        text.foreign.texts(foreign),
        given_english.tolist(),
        given_foreign.tolist(),
        strict=True,
    )
    for phrase, other, p_f, p_e in sorted(rows):
        yield f"{other} ||| {phrase} ||| {p_f:.10g} 1 {p_e:.10g}\n"


TRANSLATIONS = Recipe(
    name="translations",
    title=say("Translations of phrases"),
    summary=say(
        "What phrases are in another language, from two texts that are parallel line by line; "
        "for the metric pivot_f1."
    ),
    kind="translations",
    inputs={"english": "corpus", "foreign": "corpus", "links": "links"},
    optional=frozenset({"links"}),
    options=(
        *ALIGNING,
        Option("max_words", "3", say("Words of the longest phrases."), least=1, most=8),
        Option(
            "min_count",
            "1",
            say(
                "Phrase pairs that occur fewer times are left out; 2 or 3 make a smaller and "
                "cleaner table."
            ),
            least=1,
            most=1000,
        ),
    ),
    stages=(Stage("align", align_sides), Stage("count", _count)),
    plain=TRANSLATIONS_PLAIN,
    libraries=("numpy", "sil-thot"),
)
