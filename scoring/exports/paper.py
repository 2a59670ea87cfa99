"""The zip file for a paper: all tables and texts, and the ratings behind them.

The zip to publish, with the program that computes the numbers again, is made by `package.py`.
"""

from __future__ import annotations

import io
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

import numpy
import scipy
from django.utils.translation import gettext as _
from django.utils.translation import override

import paraanno
from annotation.errors import Conflict, NotFound
from annotation.exporters.columns import Column
from annotation.exporters.writers import write_rows
from annotation.models import Campaign
from paraanno.common.progress import step, steps
from scoring.correlation.figures import FigureRequest, figure_get
from scoring.correlation.one_metric import points_for
from scoring.correlation.words import cannot_apart
from scoring.exports.design import (
    RATING_COLUMNS,
    SegmentTexts,
    data_digest,
    facts_get,
    rating_rows,
    segments_get,
)
from scoring.exports.gold import golds, table
from scoring.figures.data import Figure, numbers_csv
from scoring.figures.paper import draw
from scoring.metrics.base import Metric
from scoring.metrics.registry import names, printed_names
from scoring.metrics.values import Vector, add_vectors
from scoring.models import Run, Score, SystemScore
from scoring.models.runs import EXTERNAL
from scoring.paper import facts as paper_facts
from scoring.paper.datasheet import datasheet, datasheet_json
from scoring.paper.facts import Facts, compared_with
from scoring.paper.methods import methods_paragraph
from scoring.paper.mtme import Corpus, MetricScores, Segments, mtme_files
from scoring.paper.reproducible_zip import Bundle
from scoring.paper.rows import (
    AGREEMENT,
    CORRELATION,
    RESULTS,
    agreement_rows,
    correlation_rows,
    results_rows,
)
from scoring.paper.tables import Report, agreement_table, correlation_table, results_table
from scoring.ratings.choice import Choice, fingerprint
from scoring.ratings.tables import Ratings, ratings_get
from scoring.reports.compute import report_get, report_make
from scoring.runs.queries import newest_done_runs, run_columns, run_labels
from scoring.runs.texts import metric_of_run
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.evaluation import catalogue as evaluation
from scoring.stats.intervals import TWO_SYSTEMS, cannot_tell, few_clusters, how_made
from scoring.stats.systems import catalogue as systems

# The figures of the zip for a paper: each as PDF, and its numbers as CSV.


Reports = Mapping[str, Any]
OF_A_METRIC = ("scatter", "values", "roc", "systems", "per-system")


def figure_files(*, campaign: Campaign, reports: Reports) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content): coefficients, metrics among each other, systems, and for each human
    column the metric that is closest to it. What has nothing to draw is left out."""
    for name, figure in _figures(campaign, reports):
        yield f"figures/{name}.pdf", draw(figure, "pdf")
        yield f"figures/{name}.csv", numbers_csv(figure)


def _figures(campaign: Campaign, reports: Reports) -> Iterator[tuple[str, Figure]]:
    runs = {run["label"]: run["key"] for run in reports["correlation"]["runs"]}
    requests: list[tuple[str, str, dict[str, str]]] = [
        ("coefficients", "coefficients", {}),
        ("among", "among", {}),
    ]
    for number, (human, block) in enumerate(reports["correlation"]["human"].items(), 1):
        best = _closest(block["metrics"])
        if best is not None:
            about = {"run": runs[best], "scale": human, "metric": best}
            requests += [(f"{name}-{number}", name, about) for name in OF_A_METRIC]

    def report(kind: str, about: Mapping[str, str] | None = None) -> Any:
        if kind == "one-metric":  # Not stored: this file is made by a worker or a command.
            return points_for(campaign=campaign, choice=Choice(), parameters=about)
        return reports[kind]

    for file, name, data in requests:
        request = FigureRequest(campaign, Choice(), data, report)
        try:
            yield file, figure_get(name=name, request=request)
        except NotFound:
            continue


def _closest(metrics: Mapping[str, Any]) -> str | None:
    """The metric with the greatest Pearson correlation; None if none is defined."""
    values = {
        label: estimates["pearson"]["value"]
        for label, estimates in metrics.items()
        if estimates["pearson"]["value"] is not None
    }
    return max(values, key=lambda label: (values[label], label)) if values else None


# The scores of metrics for the folder of mt-metrics-eval.


def with_metrics(*, campaign: Campaign, ratings: Ratings, texts: SegmentTexts) -> Segments:
    """The segments with the newest finished run of each metric and option."""
    runs = newest_done_runs(campaign=campaign)
    labels = run_labels(runs)
    columns = run_columns(runs=runs, substitutions=ratings.units)
    scores = {}
    for run in runs:
        metric = _metric(run)
        corpus = None
        if metric is not None and metric.system_kind == "corpus":
            corpus = _corpus(metric, _statistics(run, ratings), texts.units)
        elif metric is None:
            corpus = _stored(run, len(texts.whole))
        scores[labels[run.pk]] = MetricScores(
            texts.of_units(columns[run.pk]),
            run.full_signature,
            _read_references(run, metric, texts),
            corpus,
            run.higher_is_better,
        )
    return replace(texts.segments, metrics=scores)


def _metric(run: Run) -> Metric[Any] | None:
    """The metric of a run; None if it is not ours, or if one of its files is gone."""
    if run.metric == EXTERNAL:
        return None
    try:
        return metric_of_run(run)
    except ValueError:
        return None


def _statistics(run: Run, ratings: Ratings) -> list[Vector | None]:
    """What each unit adds to a corpus score; None where it could not be compared."""
    rows = Score.objects.filter(run=run).values_list("substitution_id", "statistics")
    by_text = {
        pk: tuple(statistics)
        for pk, statistics in rows.iterator(chunk_size=5000)
        if statistics is not None
    }
    return [by_text.get(pk) for pk in ratings.units.tolist()]


def _corpus(
    metric: Metric[Any],
    statistics: Sequence[Vector | None],
    units: Mapping[str, Sequence[int | None]],
) -> Corpus:
    """The metric's own score of a system over some segments, from what runs stored of each text.

    A run's stored score of a system covers all its texts of every rank, the excluded ones too: the
    score here is that of the texts in the folder.
    """

    def score(system: str, segments: Sequence[int]) -> float | None:
        chosen = [unit for at in segments if (unit := units[system][at]) is not None]
        return metric.corpus_value(add_vectors(statistics[unit] for unit in chosen)).value

    return score


def _stored(run: Run, every: int) -> Corpus | None:
    """Scores of whole systems that were imported, or that a metric gave whose files are gone; they
    are not known for a part of the segments."""
    rows = run.system_scores.filter(kind=SystemScore.Kind.CORPUS)
    scores = dict(rows.values_list("system__label", "value"))
    if not scores:
        return None
    return lambda system, segments: scores.get(system) if len(segments) == every else None


def _read_references(run: Run, metric: Metric[Any] | None, texts: SegmentTexts) -> tuple[str, ...]:
    """The sets of references of which the run read a text that a system of the folder met."""
    reads = run.options.get("against", "original") != "original"
    if metric is not None:
        reads = metric.reads_references()
    if not reads:
        return ()
    met = [
        (run.scope == Run.Scope.SENTENCE or texts.whole[at])
        and any(
            column[at] is not None and column[at] not in texts.own_context
            for column in texts.units.values()
        )
        for at in range(len(texts.whole))
    ]
    return tuple(
        name
        for name, column in texts.references.items()
        if any(
            pk is not None and met[at] and (run.last_reference is None or pk <= run.last_reference)
            for at, pk in enumerate(column)
        )
    )


def signed_metrics(signature: str) -> list[str]:
    """The metrics named in a signature: its own, and those that it is made of."""
    metric_names = set(names())
    return [word for word in dict.fromkeys(re.findall(r"\w+", signature)) if word in metric_names]


KINDS = ("agreement", "results", "results-gold", "correlation")
SYSTEMS = "correlation-systems"  # Where there are metrics.


def paper_write(*, campaign: Campaign, stream: BinaryIO) -> int:
    """Write the zip; return the number of files. The same judgments give the same bytes.

    Missing reports are computed. Raises Conflict if another process is computing one, if one
    failed, or if judgments arrive meanwhile.
    """
    mark = fingerprint(campaign=campaign).text
    with override("en"):
        with step(0, 0.4):
            reports = {kind: report_now(campaign, kind) for kind in steps(KINDS)}
        with step(0.4, 0.5):
            if reports["correlation"]["runs"]:
                reports[SYSTEMS] = report_now(campaign, SYSTEMS)
        with step(0.5, 1):
            bundle, data = _bundle(campaign, reports)
    if fingerprint(campaign=campaign).text != mark:
        raise Conflict(_("Judgments arrived while the file was being made: try again."))
    bundle.write(stream, _about(campaign, reports, data))
    return len(bundle.files)


def report_now(campaign: Campaign, kind: str) -> Report:
    """The report of the judgments as they are, made here if there is none. Raises Conflict."""
    view = report_get(campaign=campaign, kind=kind, actor=None)
    if not view.fresh and view.waiting is not None:
        report_make(report=view.waiting)
        view = report_get(campaign=campaign, kind=kind, actor=None)
    if not view.fresh or view.result is None:
        raise Conflict(
            _("The report %(kind)s is not ready: open its page, and try again.") % {"kind": kind}
        )
    report: Report = view.result
    return report


def _with_words(report: Report) -> Report:
    """The report with how its intervals were made, and what so few phrases cannot tell apart."""
    cannot = cannot_apart(report)
    if report.get("pairs"):
        cannot = cannot_tell(report["phrases"], TWO_SYSTEMS)
    return {**report, "how_made": how_made(report), "cannot_tell": cannot}


def _add_rows(
    bundle: Bundle, name: str, columns: Sequence[str], rows: Iterable[Mapping[str, object]]
) -> None:
    """Add a table whose last column warns of intervals from few clusters."""
    bundle.add_table(
        name, (*columns, "warning"), ({**row, "warning": _warning(row)} for row in rows)
    )


def _warning(row: Mapping[str, object]) -> str | None:
    clusters = row.get("clusters") if row.get("ci_low") is not None else None
    return few_clusters([clusters]) if isinstance(clusters, int) else None


def _without_keys(report: Report) -> Report:
    """The report without the ids of runs and items, which another site does not know."""
    if "runs" in report:
        return {**report, "runs": [_without(run, "key") for run in report["runs"]]}
    if "scales" not in report:
        return report
    scales = {
        name: {**block, "disputed": [_without(text, "item") for text in block["disputed"]]}
        if "disputed" in block
        else block
        for name, block in report["scales"].items()
    }
    return {**report, "scales": scales}


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}


def _bundle(campaign: Campaign, reports: Mapping[str, Report]) -> tuple[Bundle, str]:
    """The files, and a hash of the data: the same wherever the campaign is."""
    ratings = ratings_get(campaign=campaign)
    facts = facts_get(campaign=campaign, ratings=ratings)
    wide, gold = table(campaign=campaign), golds(campaign=campaign)
    data_files = {
        "ratings.csv": _csv(rating_rows(ratings=ratings), RATING_COLUMNS),
        "table.csv": _csv(wide.rows, wide.columns),
        "gold.csv": _csv(gold.rows, gold.columns),
    }
    mark = data_digest(ratings=ratings)
    signature = f"paraanno {paraanno.__version__} (data {mark[:12]})"
    agreement, results, correlation = (
        _with_words(reports[kind]) for kind in ("agreement", "results", "correlation")
    )
    names = {key: one.printed for key, one in coefficients().items()}
    printed = {key: evaluation.COEFFICIENTS[key].printed for key in evaluation.at("main")}
    called = {one.key: one.printed for one in systems.CATALOGUE if one.printed}
    bundle = Bundle()
    for kind, report in reports.items():
        bundle.add_json(f"{kind}.json", _without_keys(report))
    _add_rows(bundle, "agreement.csv", AGREEMENT, agreement_rows(agreement))
    _add_rows(bundle, "results.csv", RESULTS, results_rows(results))
    _add_rows(bundle, "results-gold.csv", RESULTS, results_rows(reports["results-gold"]))
    bundle.add("agreement.tex", agreement_table(agreement, names, signature, facts.scales))
    bundle.add("results.tex", results_table(results, called, signature))
    if correlation["runs"]:
        _add_rows(bundle, "correlation.csv", CORRELATION, correlation_rows(correlation))
        bundle.add(
            "correlation.tex",
            correlation_table(
                correlation,
                printed,
                signature,
                metrics=printed_names(run["label"] for run in correlation["runs"]),
            ),
        )
        for name, content in figure_files(campaign=campaign, reports=reports):
            bundle.add(name, content)
    for name, content in data_files.items():
        bundle.add(name, content)
    runs = correlation["runs"]
    printed_metrics = printed_names(run["label"] for run in runs)
    bundle.add(
        "methods.md",
        methods_paragraph(
            facts,
            agreement,
            results,
            names=names,
            signature=signature,
            metrics=compared_with(runs, printed_metrics),
            correlation=correlation,
            printed=printed_metrics,
        ),
    )
    sheet: dict[str, Any] = {"names": names, "signature": signature, "results": results}
    bundle.add("datasheet.md", datasheet(facts, agreement, **sheet))
    bundle.add_json("heds.json", datasheet_json(facts, agreement, **sheet))
    citations_add(bundle, facts, reports, mark)
    texts = segments_get(campaign=campaign, ratings=ratings)
    segments = with_metrics(campaign=campaign, ratings=ratings, texts=texts)
    for name, text in mtme_files(segments, name=campaign.slug):
        bundle.add(f"mt-metrics-eval/{name}", text)
    return bundle, mark


def citations_add(bundle: Bundle, facts: Facts, reports: Mapping[str, Report], mark: str) -> None:
    """How to cite the software, its version, and the methods behind the numbers."""
    blocks = reports["agreement"]["scales"].values()
    signatures = {run["label"]: run["signature"] for run in reports["correlation"]["runs"]}
    of_people = reports["correlation"]["human"].values()
    further = (
        name
        for block in of_people
        for estimates in block.get("further", {}).values()
        for name in estimates
    )
    keys = paper_facts.cited(
        coefficients=[*(name for block in blocks for name in block), *further],
        metrics=[name for text in signatures.values() for name in signed_metrics(text)],
        phrases=facts.items > facts.design.whole,
    )
    version, data = paraanno.__version__, mark[:12]
    printed = printed_names(signatures)
    named = {printed[label]: text for label, text in signatures.items()}
    bundle.add("references.bib", paper_facts.bibliography(version, data, keys))
    bundle.add("CITATION.md", paper_facts.citation_page(version, data, named))


def _csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[Column]) -> bytes:
    stream = io.BytesIO()
    write_rows(rows, stream, columns, format="csv")
    return stream.getvalue()


def _about(campaign: Campaign, reports: Mapping[str, Report], mark: str) -> dict[str, object]:
    """Versions and settings behind the numbers. No timestamp: the same judgments give the same
    file."""
    return {
        "campaign": campaign.slug,
        "data": mark,
        "made_with": {
            "paraanno": paraanno.__version__,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "scipy": scipy.__version__,
        },
        "metrics": [run["signature"] for run in reports["correlation"]["runs"]],
        "made_again_by": [
            f"manage.py export {campaign.slug} --what paper -o FILE.zip",
            "manage.py agreement ratings.csv --cluster phrase",
        ],
    }
