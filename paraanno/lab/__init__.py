"""Agreement, results, gold, metrics and correlation on pandas frames, for notebooks and papers.

    from paraanno import lab
    lab.agreement(frame, item="text", annotator="rater", value="MEANING", cluster="phrase")

Arguments are names of columns; answers are frames with the columns `value`, `low`, `high`, `n`,
`method` and `reason`. The numbers are those of the site's pages and of the commands on files. There
is no Django here and no settings. Judgments of a site come by `Client`.
"""

from paraanno.lab.analyses import agreement, compare, correlate, gold, results, score
from paraanno.lab.client import Client, SiteRefused
from paraanno.lab.frames import ColumnError, Statistics

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
