"""The zip file for a paper: all tables and texts, and the ratings behind them.

The zip to publish, with the program that computes the numbers again, is made by `package.py`.
"""

from __future__ import annotations

import hashlib
import io
import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy
import scipy
from django.utils.translation import gettext as _
from django.utils.translation import override

import paraanno
from annotation.errors import Conflict
from annotation.exporters import Column, write_rows
from annotation.models import Campaign
from paraanno.plain.progress import step, steps
from scoring.paper import (
    Bundle,
    Facts,
    agreement_rows,
    citing,
    correlation_rows,
    datasheet,
    datasheet_json,
    methods_paragraph,
    mtme_files,
    results_rows,
)
from scoring.paper.compared import compared_with
from scoring.paper.latex_reports import agreement_table, correlation_table, results_table
from scoring.paper.tables import AGREEMENT, CORRELATION, RESULTS, Report
from scoring.selectors.exports.gold import golds
from scoring.selectors.exports.paper import RATING_COLUMNS, facts_get, rating_rows
from scoring.selectors.exports.segments import segments_get
from scoring.selectors.exports.table import table
from scoring.selectors.ratings.fingerprint import fingerprint
from scoring.selectors.ratings.tables import ratings_get
from scoring.services.reports.compute import report_get, report_make
from scoring.services.reports.paper_figures import figure_files
from scoring.services.reports.paper_metrics import printed_names, signed_metrics, with_metrics
from scoring.stats.agreement.catalogue import coefficients
from scoring.stats.evaluation import catalogue as evaluation
from scoring.stats.systems import catalogue as systems

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
    mark = hashlib.sha256(b"".join([*data_files.values(), repr(facts.scales).encode()])).hexdigest()
    signature = f"paraanno {paraanno.__version__} (data {mark[:12]})"
    agreement, results, correlation = (
        reports[kind] for kind in ("agreement", "results", "correlation")
    )
    names = {key: one.printed for key, one in coefficients().items()}
    printed = {key: evaluation.COEFFICIENTS[key].printed for key in evaluation.at("main")}
    called = {one.key: one.printed for one in systems.CATALOGUE if one.printed}
    bundle = Bundle()
    for kind, report in reports.items():
        bundle.add_json(f"{kind}.json", _without_keys(report))
    bundle.add_table("agreement.csv", AGREEMENT, agreement_rows(agreement))
    bundle.add_table("results.csv", RESULTS, results_rows(results))
    bundle.add_table("results-gold.csv", RESULTS, results_rows(reports["results-gold"]))
    bundle.add("agreement.tex", agreement_table(agreement, names, signature, facts.scales))
    bundle.add("results.tex", results_table(results, called, signature))
    if correlation["runs"]:
        bundle.add_table("correlation.csv", CORRELATION, correlation_rows(correlation))
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
    metrics = compared_with(runs, printed_names(run["label"] for run in runs))
    bundle.add(
        "methods.md",
        methods_paragraph(
            facts, agreement, results, names=names, signature=signature, metrics=metrics,
            correlation=correlation,
        ),
    )  # fmt: skip
    bundle.add("datasheet.md", datasheet(facts, agreement, names=names, signature=signature))
    bundle.add_json("heds.json", datasheet_json(facts, agreement, names=names, signature=signature))
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
        name for block in of_people for found in block.get("further", {}).values() for name in found
    )
    keys = citing.cited(
        coefficients=[*(name for block in blocks for name in block), *further],
        metrics=[name for text in signatures.values() for name in signed_metrics(text)],
        phrases=facts.items > facts.design.whole,
    )
    version, data = paraanno.__version__, mark[:12]
    printed = printed_names(signatures)
    named = {printed[label]: text for label, text in signatures.items()}
    bundle.add("references.bib", citing.bibliography(version, data, keys))
    bundle.add("CITATION.md", citing.citation_page(version, data, named))


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
            "manage.py agreement ratings.csv --cluster phrase --bootstrap 1000",
        ],
    }
