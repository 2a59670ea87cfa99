"""Files into campaigns.

A file is parsed and compared with the campaign before anything is written; one problem anywhere,
and nothing is. Then the rows go in in short writes, each whole in itself, so that annotators can
save meanwhile. Importing again changes nothing, which also completes an import that was cut off.
"""

from annotation.services.importing.gold import gold_import
from annotation.services.importing.items import items_import
from annotation.services.importing.judgments import judgments_import
from annotation.services.importing.report import ImportReport

__all__ = ["ImportReport", "gold_import", "items_import", "judgments_import"]
