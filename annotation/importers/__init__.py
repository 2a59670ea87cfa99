"""Pure readers of files: bytes in, checked rows and problems out. No database, no Django."""

from annotation.importers.campaign_template import TemplateRead, read_template
from annotation.importers.ccb import CcbOriginal, CcbParsed, read_ccb, recover_case, shout
from annotation.importers.columns import Identity, Memory, NewMemory
from annotation.importers.gold import (
    ExpectedRow,
    GoldRow,
    ambiguous,
    iter_gold,
    read_expected,
    read_gold,
)
from annotation.importers.items import ItemRow, Target, iter_items, read_items
from annotation.importers.judgments import (
    JudgmentRow,
    Repeats,
    ScoreRow,
    ScoresParsed,
    column_label,
    iter_judgments,
    read_judgments,
    read_scores,
)
from paraanno.common.cells import unescape
from paraanno.common.records import FORMATS
from paraanno.common.texts import (
    MAX_PROBLEMS,
    MAX_TEXT,
    Parsed,
    Problem,
    ProblemLog,
    TextError,
    clean_text,
    find_spans,
    nfc_offset,
    shown,
)

__all__ = [
    "FORMATS",
    "MAX_PROBLEMS",
    "MAX_TEXT",
    "CcbOriginal",
    "CcbParsed",
    "ExpectedRow",
    "GoldRow",
    "Identity",
    "ItemRow",
    "JudgmentRow",
    "Memory",
    "NewMemory",
    "Parsed",
    "Problem",
    "ProblemLog",
    "Repeats",
    "ScoreRow",
    "ScoresParsed",
    "Target",
    "TemplateRead",
    "TextError",
    "ambiguous",
    "clean_text",
    "column_label",
    "find_spans",
    "iter_gold",
    "iter_items",
    "iter_judgments",
    "nfc_offset",
    "read_ccb",
    "read_expected",
    "read_gold",
    "read_items",
    "read_judgments",
    "read_scores",
    "read_template",
    "recover_case",
    "shout",
    "shown",
    "unescape",
]
