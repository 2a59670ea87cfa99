"""Statistics of agreement, reliability and metric evaluation: pure functions, usable in a notebook.

from scoring.stats import RatingTable, agreement_report
agreement_report({"MEANING": RatingTable.from_dense([[1, 2], [4, 4], [5, 3]])})
"""

from scoring.stats.agreement.report import agreement_report, agreement_statistics
from scoring.stats.evaluation.report import correlation_report
from scoring.stats.intervals import Bootstrap
from scoring.stats.resampling import Threshold, pass_table
from scoring.stats.systems.results import results
from scoring.stats.systems.values import SystemTexts
from scoring.stats.table import Estimate, RatingTable, undefined

__all__ = [
    "Bootstrap",
    "Estimate",
    "RatingTable",
    "SystemTexts",
    "Threshold",
    "agreement_report",
    "agreement_statistics",
    "correlation_report",
    "pass_table",
    "results",
    "undefined",
]
