"""Agreement, results, gold, metrics and correlation on pandas frames, for notebooks and papers.

    from paraanno import lab
    lab.agreement(frame, item="text", annotator="rater", value="MEANING", cluster="phrase")

    agreement   how far annotators agree: alpha, kappa, ICC ...
    results     the mean of every system, and which cannot be told apart
    compare     the difference of every two systems, with tests
    gold        the gold value of every item
    score       scores of metrics: BLEU, PINC ...
    correlate   how far metrics agree with people, beside how far people do
    Client      the campaigns of a site: their judgments and reports
    Statistics  what these functions return: a pandas DataFrame with `report`, `to_latex` and `plot`

Arguments are names of columns; a wrong column raises ColumnError, which names it. Answers have the
columns `value`, `low`, `high`, `n`, `method` and `reason`; that of `score` has one for each metric.
The numbers are those of the site's pages and of the commands on files.
"""

from paraanno.lab.client import Client, SiteRefused
from paraanno.lab.frames import ColumnError, Statistics
from paraanno.lab.metrics import correlate, score
from paraanno.lab.ratings import agreement, compare, gold, results

__all__ = [
    "Client",
    "ColumnError",
    "SiteRefused",
    "Statistics",
    "agreement",
    "compare",
    "correlate",
    "gold",
    "results",
    "score",
]


def __dir__() -> list[str]:
    return __all__
