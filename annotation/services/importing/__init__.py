"""Import files into campaigns.

A file is parsed and compared with the campaign before anything is written. If it has any error,
nothing is written. The rows are then written in short transactions, each complete in itself, so
that annotators can keep saving. Importing again changes nothing and completes an interrupted
import.
"""

from annotation.services.importing.gold import gold_import
from annotation.services.importing.items import items_import
from annotation.services.importing.judgments import judgments_import
from annotation.services.importing.report import ImportReport

__all__ = ["ImportReport", "gold_import", "items_import", "judgments_import"]
