"""Measures which metric agrees with people on which open set of judgments (docs/which-metric.md).

    python -m tools.which_metric stsbenchmark=FOLDER parabank-eval=FOLDER ... --json one.json
    python -m tools.which_metric ... --json two.json --same one.json --page docs/which-metric.md

A set is named as in SETS, with the folder of its published files. Metrics without a model score
every text, those of a model about as many of each set as `--model-pairs` says; the same originals
are drawn every time. Every metric is measured that needs no file but a model, in a process of its
own (those of one model share one), whose greatest memory and processor time are told. Correlations
are Pearson's and Spearman's with the mean human score of a text, with 95 % intervals that resample
originals.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
import multiprocessing
import resource
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from scoring.metrics import Pair, create
from scoring.metrics.registry import metric_class, names
from scoring.metrics.resources.neural_models import MINILM, NEURAL_MODELS, ModelOption, known_model
from scoring.metrics.scored import with_groups
from scoring.stats.evaluation.ceiling import ceiling
from scoring.stats.evaluation.correlation import pearson, spearman
from scoring.stats.resampling import Bootstrap
from scoring.stats.table import RatingTable

SEED, REPLICATES, LEAST = 39, 500, 30
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


@dataclass
class Judged:
    """Texts with human scores by name; `raters` has (text, rater, score) of the scales with named
    or anonymous raters."""

    title: str
    language: str
    pairs: list[Pair] = field(default_factory=list)
    human: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    raters: dict[str, list[tuple[int, str, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    named: bool = True


def rows_of(path, delimiter="\t", quoting=csv.QUOTE_NONE, header=True):
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter, quoting=quoting)
        first = next(reader) if header else None
        yield from (dict(zip(first, row, strict=False)) if header else row for row in reader)


def sts(folder):
    found = Judged("STS Benchmark, test", "en")
    for row in rows_of(folder / "sts-test.csv", header=False):
        found.pairs.append(Pair(row[5], row[6], language="en"))
        found.human["similarity"].append(float(row[4]))
    return found


def korsts(folder):
    found = Judged("KorSTS, test", "ko")
    for row in rows_of(folder / "sts-test.tsv"):
        if row["score"]:
            found.pairs.append(Pair(row["sentence1"], row["sentence2"], language="ko"))
            found.human["similarity"].append(float(row["score"]))
    return found


def ppdb(folder):
    found = Judged("PPDB 2.0, phrases alone", "en", named=False)
    for row in rows_of(folder / "ppdb-sample.tsv", header=False):
        for at, one in enumerate(row[4].split(",")):
            found.raters["MEANING"].append((len(found.pairs), str(at), float(one)))
        found.pairs.append(Pair(row[2], row[3], language="en"))
        found.human["MEANING"].append(float(row[0]))
    return found


def pit(folder):
    found = Judged("PIT-2015, development", "en")
    for row in rows_of(folder / "dev.data", header=False):
        found.pairs.append(Pair(row[2], row[3], language="en"))
        found.human["votes"].append(float(row[4].strip("() ").split(",")[0]))
    return found


def parascore(name, title, language):
    def read(folder):
        found = Judged(title, language)
        for row in rows_of(folder / f"{name}.tsv"):
            if row["candidate"].strip() and row["source"].strip():
                references = (row["reference"],) if row["reference"].strip() else ()
                found.pairs.append(
                    Pair(row["source"], row["candidate"], references, language=language)
                )
                found.human["quality"].append(float(row["human_score"]))
        return found

    return read


def parabank(folder):
    found = Judged("ParaBank evaluation", "en")
    originals = {row["ref_id"]: row["ref_sent"] for row in rows_of(folder / "ref.tsv")}
    judged = defaultdict(list)
    for row in rows_of(folder / "candidates.tsv"):
        judged[originals[row["ref_id"]], row["candidate"]].append(row)
    for (original, text), rows in judged.items():
        who = [row["worker_id_anon"] for row in rows]
        scores = [row["human_score"] for row in rows]
        meaning = [(one, float(score)) for one, score in zip(who, scores, strict=True) if score]
        if original == text or not meaning:
            continue  # Copies are told apart by every metric.
        grammar = [(one, float(row["gm"])) for one, row in zip(who, rows, strict=True)]
        for scale, given in (("MEANING", meaning), ("GRAMMAR", grammar)):
            found.human[scale].append(sum(score for _, score in given) / len(given))
            found.raters[scale] += [(len(found.pairs), who, score) for who, score in given]
        found.pairs.append(Pair(original, text, language="en"))
    return found


def simplikert(folder):
    found = Judged("SimpLikert 2022", "en")
    judged = defaultdict(list)
    for row in rows_of(folder / "simplikert_2022.csv", ",", csv.QUOTE_MINIMAL):
        judged[row["Input.original"], row["Input.simplified"]].append(row)
    for (original, text), rows in judged.items():
        for scale, column in (
            ("MEANING", "adequacy"),
            ("GRAMMAR", "fluency"),
            ("simplicity", "simplicity"),
        ):
            given = [(row["WorkerId"], float(row[f"Answer.{column}"])) for row in rows]
            found.human[scale].append(sum(score for _, score in given) / len(given))
            found.raters[scale] += [(len(found.pairs), who, score) for who, score in given]
        found.pairs.append(Pair(original, text, language="en"))
    return found


SETS = {
    "stsbenchmark": sts,
    "parabank-eval": parabank,
    "twitter": parascore("twitter", "Twitter-Para", "en"),
    "pit2015-dev": pit,
    "ppdb2-human-pairs": ppdb,
    "simplikert-simpda-2022": simplikert,
    "korsts": korsts,
    "bq": parascore("bq", "BQ-Para", "zh"),
}


def drawn(judged, most):
    """Whole originals until there are `most` texts (0: all), the same ones every time."""
    places = defaultdict(list)
    for at, pair in enumerate(judged.pairs):
        places[pair.original].append(at)
    kept = []
    for at in np.random.default_rng(SEED).permutation(len(places)):
        if most and len(kept) >= most:
            break
        kept += list(places.values())[at]
    order = {at: n for n, at in enumerate(kept)}
    return replace(
        judged,
        pairs=list(with_groups([judged.pairs[at] for at in kept])),
        human={scale: [values[at] for at in kept] for scale, values in judged.human.items()},
        raters={
            scale: [(order[at], who, score) for at, who, score in given if at in order]
            for scale, given in judged.raters.items()
        },
    )


def groups():
    """(metric, options) of each process, and the model that it needs."""
    neural = []
    for name in names():
        found = metric_class(name)
        if any(isinstance(option, ModelOption) for option in found.OPTIONS):
            neural.append(name)
        elif all(option.default for option in found.OPTIONS) and name != "combine":
            yield [(name, {})], "WordNet" if name == "meteor" else ""
    for known in NEURAL_MODELS:
        yield [(name, {"model": known.name}) for name in neural], known.name


def measure(group, sets):
    """What one process says of its metrics."""
    found = {
        name: {"sets": {}, "spent": 0.0, "texts": 0, "higher": metric_class(name).higher_is_better}
        for name, _ in group
    }
    for key, judged in sets.items():
        for name, options in group:  # Metrics of one model find the vectors of a set.
            made, pairs = prepared(name, options, judged)
            if made is None:
                continue
            began = time.process_time()
            scores = made.score_many(pairs)
            found[name]["spent"] += time.process_time() - began
            found[name]["texts"] += len(pairs)
            # Digits beyond these depend on the processor.
            found[name]["sets"][key] = [one.value and round(one.value, 6) for one in scores]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    # What one metric computes and the others find is the work of each where it runs alone.
    spent = max(one["spent"] for one in found.values())
    for one in found.values():
        one["speed"] = one["texts"] / (spent if len(group) > 1 else one["spent"] or 1)
        one["memory"] = memory
    return found


def prepared(name, options, judged):
    """The metric for a set, ready to score, and its pairs; None where it reads another language."""
    cls = metric_class(name)
    given = cls.in_languages(options, [judged.language])
    allowed = {option.name: option.values for option in cls.OPTIONS}
    if "original" in allowed.get("against", ()):
        given["against"] = "original"
    if judged.language == "zh" and "zh" in allowed.get("tokenize", ()):
        given["tokenize"] = "zh"
    pairs = judged.pairs
    if name != "sari":  # The others are compared with the original alone.
        pairs = [replace(pair, references=()) for pair in pairs]
    try:
        metric = create(name, given)
    except ValueError:
        return None, pairs
    if known_model(options.get("model", "")) == MINILM and judged.language != "en":
        return None, pairs
    metric.use(metric.prepare(pairs))
    metric.score(pairs[0])  # Models are loaded now.
    return metric, pairs


def correlations(judged, scores, higher):
    """{scale: [r, low, high, rho, low, high, n]} of the texts that have a score."""
    codes = {text: n for n, text in enumerate(dict.fromkeys(p.original for p in judged.pairs))}
    clusters = np.array([codes[pair.original] for pair in judged.pairs])
    here = np.array([one is not None for one in scores])
    if here.sum() < LEAST:
        return {}
    values = np.array([one for one in scores if one is not None]) * (1 if higher else -1)
    plan, found = Bootstrap(REPLICATES, SEED), {}
    for scale, human in judged.human.items():
        people = np.array(human)[here]
        row = []
        for coefficient in (pearson, spearman):
            one = coefficient(people, values, clusters[here], plan)
            if one.value is None:
                break
            row += [round(x, 3) for x in (one.value, one.ci_low, one.ci_high)]
        else:
            found[scale] = [*row, int(here.sum())]
    return found


def ceilings(judged):
    """{scale: [one rater with the mean of the others (r), halves (r)]} where there are raters."""
    found = {}
    for scale, given in judged.raters.items():
        who = {name: n for n, name in enumerate(sorted({one for _, one, _ in given}))}
        matrix = np.full((len(judged.pairs), len(who)), np.nan)
        for text, name, score in given:
            matrix[text, who[name]] = score
        made = ceiling(RatingTable.from_dense(matrix), plan=Bootstrap(0, SEED))
        ways = ("leave_one_out", "split_half") if judged.named else ("split_half",)
        found[scale] = {
            way: round(made[way]["pearson"].value, 3)
            for way in ways
            if made[way]["pearson"].value is not None
        }
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="+", metavar="NAME=FOLDER", help=", ".join(SETS))
    parser.add_argument("--pairs", type=int, default=0, help="texts of each set (0: all)")
    parser.add_argument(
        "--model-pairs", type=int, default=600, help="for metrics of a model (default 600; 0: all)"
    )
    parser.add_argument("--json", type=Path, help="write all figures there")
    parser.add_argument("--same", type=Path, help="figures of an earlier run, which must be equal")
    parser.add_argument("--page", type=Path, help="put the tables into this page")
    chosen = parser.parse_args(arguments)
    folders = dict(one.split("=", 1) for one in chosen.sets)
    read = {name: SETS[name](Path(folder)) for name, folder in folders.items()}
    sets = {name: drawn(judged, chosen.pairs) for name, judged in read.items()}
    fewer = {name: drawn(judged, chosen.model_pairs) for name, judged in read.items()}
    figures = {"sets": {}, "metrics": []}
    for key, judged in sets.items():
        figures["sets"][key] = {
            "title": judged.title,
            "language": judged.language,
            "texts": len(judged.pairs),
            "originals": len({pair.original for pair in judged.pairs}),
            "model_texts": len(fewer[key].pairs),
            "ceiling": ceilings(judged),
        }
    for group, needs in groups():
        scored = fewer if known_model(needs) else sets
        with multiprocessing.get_context("fork").Pool(1) as alone:
            measured = alone.apply(measure, (group, scored))
        for name, found in measured.items():
            agreement = {
                key: correlations(scored[key], scores, found["higher"])
                for key, scores in found["sets"].items()
            }
            one = {"metric": name, "needs": needs, "agreement": agreement}
            figures["metrics"].append(one | {key: found[key] for key in ("speed", "memory")})
            print(f"{name} {needs} {found['speed']:.0f} texts/s", file=sys.stderr, flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    if chosen.same:
        told = differences(json.loads(chosen.same.read_text(encoding="utf-8")), figures)
        print("\n".join(told) or "equal to the earlier run", file=sys.stderr)
        if told:
            return 1
    if chosen.page:
        text = chosen.page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        after = rest.partition(END)[2]
        chosen.page.write_text(before + BEGIN + "\n" + tables(figures) + END + after, "utf-8")
    return 0


def differences(old, new):
    """What differs in coefficients, intervals and ceilings; speed and memory always do."""

    def rows(figures):
        for key, one in figures["sets"].items():
            yield f"{key} ceiling", one["ceiling"]
        for one in figures["metrics"]:
            for key, row in one["agreement"].items():
                yield f"{one['metric']} {one['needs']} {key}", row

    first, second = dict(rows(old)), dict(rows(new))
    return [
        f"{key}: {first.get(key)} and {second.get(key)}"
        for key in dict.fromkeys([*first, *second])
        if first.get(key) != second.get(key)
    ]


def tables(figures):
    """The figures as Markdown: a table of r for all, and one of rho with intervals by set."""
    from importlib.metadata import version

    columns = [
        (key, scale)
        for key, one in figures["sets"].items()
        for scale in dict.fromkeys(
            scale for row in figures["metrics"] for scale in row["agreement"].get(key, {})
        )
    ]
    libraries = ("numpy", "scipy", "sacrebleu", "nltk", "rapidfuzz", "tokenizers", "kiwipiepy")
    today = datetime.datetime.now(datetime.UTC)
    lines = [
        f"Measured on {today:%-d %B %Y} by `tools/which_metric.py`, with "
        + ", ".join(f"{one} {version(one)}" for one in libraries)
        + f", Python {sys.version.split()[0]}.",
        "",
    ]
    heads = [f"{figures['sets'][key]['title']}: {scale}" for key, scale in columns]
    lines += [
        "| metric | " + " | ".join(heads) + " | texts/s | MB | needs |",
        "|---|" + "---:|" * (len(heads) + 2) + "---|",
    ]

    def best(row):
        return -max((row["agreement"].get(k, {}).get(s, [-1])[0] for k, s in columns[:2]))

    # What needs references has no number where there are none.
    ordered = sorted(
        (one for one in figures["metrics"] if any(one["agreement"].values())), key=best
    )
    for row in ordered:
        cells = [row["agreement"].get(key, {}).get(scale) for key, scale in columns]
        told = [f"{cell[0]:.2f}" if cell else "" for cell in cells]
        speed = round(row["speed"], 2 - len(str(int(row["speed"]))))
        lines.append(
            f"| [{row['metric']}](metrics/{row['metric']}.md) | {' | '.join(told)} | "
            f"{speed:,.0f} | {row['memory']} | {row['needs']} |"
        )
    for way, label in (
        ("leave_one_out", "*one person with the mean of the others*"),
        ("split_half", "*half of the people with the other half*"),
    ):
        told = [figures["sets"][k]["ceiling"].get(s, {}).get(way) for k, s in columns]
        lines.append(
            f"| {label} | {' | '.join('' if one is None else f'{one:.2f}' for one in told)} | | | |"
        )
    counts = [
        f"{one['title']} ({one['language']}), {one['texts']:,} texts of {one['originals']:,} "
        f"({one['model_texts']:,})"
        for one in figures["sets"].values()
    ]
    lines += [
        "",
        "Texts and originals (texts for metrics of a model): " + "; ".join(counts) + ".",
        "",
    ]
    for key, scale in columns:
        one = figures["sets"][key]
        lines += [
            f"### {one['title']}: {scale}",
            "",
            "| metric | r | 95 % | rho | 95 % | n |",
            "|---|---:|---|---:|---|---:|",
        ]
        scored = [
            (row["agreement"][key][scale], row)
            for row in figures["metrics"]
            if scale in row["agreement"].get(key, {})
        ]
        for (r, low, high, rho, least, most, n), row in sorted(scored, key=lambda x: -x[0][0]):
            named = row["metric"] + (f", {row['needs']}" if row["needs"] else "")
            lines.append(
                f"| {named} | {r:.3f} | {low:.2f} to {high:.2f} | {rho:.3f} | {least:.2f} to "
                f"{most:.2f} | {n} |"
            )
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
