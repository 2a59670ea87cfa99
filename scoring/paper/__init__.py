"""What a paper needs of a campaign, as files: tables, a methods paragraph, a datasheet, the folder
of mt-metrics-eval. Pure: reports and facts in, text out. No database, no Django."""

from scoring.paper.bundle import Bundle
from scoring.paper.datasheet import datasheet
from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.latex import latex_table
from scoring.paper.methods import methods_paragraph
from scoring.paper.mtme import Segments, mtme_files
from scoring.paper.tables import agreement_rows, correlation_rows, results_rows

__all__ = [
    "Bundle",
    "Facts",
    "ScaleFacts",
    "Segments",
    "agreement_rows",
    "correlation_rows",
    "datasheet",
    "latex_table",
    "methods_paragraph",
    "mtme_files",
    "results_rows",
]
