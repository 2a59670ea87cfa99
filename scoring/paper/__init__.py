"""Files for a paper about a campaign: tables, a methods paragraph, a datasheet, and the
mt-metrics-eval layout. Pure functions from reports and facts to text. No database, no Django."""

from scoring.paper.datasheet import datasheet, datasheet_json
from scoring.paper.facts import (
    CampaignDesign,
    ExclusionFacts,
    Facts,
    RepeatFacts,
    ScaleFacts,
    SourceFacts,
)
from scoring.paper.methods import methods_paragraph
from scoring.paper.mtme import MetricScores, Segments, mtme_files
from scoring.paper.reproducible_zip import Bundle
from scoring.paper.rows import agreement_rows, correlation_rows, results_rows
from scoring.paper.tables import latex_table

__all__ = [
    "Bundle",
    "CampaignDesign",
    "ExclusionFacts",
    "Facts",
    "MetricScores",
    "RepeatFacts",
    "ScaleFacts",
    "Segments",
    "SourceFacts",
    "agreement_rows",
    "correlation_rows",
    "datasheet",
    "datasheet_json",
    "latex_table",
    "methods_paragraph",
    "mtme_files",
    "results_rows",
]
