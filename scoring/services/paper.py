"""The zip file for a paper: every table and text, and the ratings that they were made of."""

from __future__ import annotations

import io
import platform
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

import numpy
import scipy
from django.utils.translation import gettext as _
from django.utils.translation import override

import paraanno
from annotation.exporters import Column, write_rows
from annotation.models import Campaign
from annotation.services.errors import Conflict
from scoring.paper import (
    Bundle,
    agreement_rows,
    correlation_rows,
    datasheet,
    methods_paragraph,
    mtme_files,
    results_rows,
)
from scoring.paper.latex_reports import agreement_table, correlation_table, results_table
from scoring.paper.tables import AGREEMENT, CORRELATION, RESULTS
from scoring.selectors.exports_gold import golds
from scoring.selectors.fingerprint import fingerprint
from scoring.selectors.paper import RATING_COLUMNS, facts_get, rating_rows, segments_get
from scoring.selectors.ratings import ratings_get
from scoring.services.reports import report_get, report_make

KINDS = ("agreement", "results", "results-gold", "correlation")
UNDETERMINED = "und-und"  # The campaign does not know its language: ISO 639-2 has a code for that.


def paper_write(*, campaign: Campaign, stream: BinaryIO) -> int:
    """Write the zip; returns the number of files. The same judgments give the same bytes.

    Reports that are not there yet are computed. Raises Conflict where another process is at it, or
    a report failed, and where judgments come in meanwhile.
    """
    mark = fingerprint(campaign=campaign).text
    with override("en"):
        reports = {kind: _report(campaign, kind) for kind in KINDS}
        bundle = _bundle(campaign, reports, mark)
    if fingerprint(campaign=campaign).text != mark:
        raise Conflict(_("Judgments came in while the file was made: try again."))
    bundle.write(stream, _about(campaign, reports, mark))
    return len(bundle.files)


def _report(campaign: Campaign, kind: str) -> dict[str, Any]:
    view = report_get(campaign=campaign, kind=kind, actor=None)
    if not view.fresh and view.waiting is not None:
        report_make(report_pk=view.waiting.pk)
        view = report_get(campaign=campaign, kind=kind, actor=None)
    if not view.fresh or view.result is None:
        raise Conflict(
            _("The report %(kind)s is not ready: open its page, and try again.") % {"kind": kind}
        )
    return view.result


def _bundle(campaign: Campaign, reports: dict[str, dict[str, Any]], mark: str) -> Bundle:
    signature = f"paraanno {paraanno.__version__} (data {mark[:12]})"
    ratings = ratings_get(campaign=campaign)
    facts = facts_get(campaign=campaign, ratings=ratings)
    agreement, results, correlation = (
        reports[kind] for kind in ("agreement", "results", "correlation")
    )
    bundle = Bundle()
    for kind, report in reports.items():
        bundle.add_json(f"{kind}.json", report)
    bundle.add_table("agreement.csv", AGREEMENT, agreement_rows(agreement))
    bundle.add_table("results.csv", RESULTS, results_rows(results))
    bundle.add_table("results-gold.csv", RESULTS, results_rows(reports["results-gold"]))
    bundle.add("agreement.tex", agreement_table(agreement, signature))
    bundle.add("results.tex", results_table(results, signature))
    if correlation["runs"]:
        bundle.add_table("correlation.csv", CORRELATION, correlation_rows(correlation))
        bundle.add("correlation.tex", correlation_table(correlation, signature))
    bundle.add("ratings.csv", _csv(rating_rows(campaign=campaign, ratings=ratings), RATING_COLUMNS))
    gold = golds(campaign=campaign)
    bundle.add("gold.csv", _csv(gold.rows, gold.columns))
    bundle.add("methods.md", methods_paragraph(facts, agreement, results, signature=signature))
    bundle.add("datasheet.md", datasheet(facts, agreement, signature=signature))
    segments = segments_get(campaign=campaign, ratings=ratings)
    for name, text in mtme_files(segments, pair=UNDETERMINED):
        bundle.add(f"mt-metrics-eval/{campaign.slug}/{name}", text)
    return bundle


def _csv(rows: Iterable[dict[str, Any]], columns: Sequence[Column]) -> bytes:
    stream = io.BytesIO()
    write_rows(rows, stream, columns, format="csv")
    return stream.getvalue()


def _about(campaign: Campaign, reports: dict[str, dict[str, Any]], mark: str) -> dict[str, Any]:
    """What made the numbers. No time: the same judgments give the same file."""
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
