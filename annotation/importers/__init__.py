"""Pure readers of files: bytes in, checked rows and problems out. No database, no Django."""

from annotation.importers.campaign_template import TemplateRead, read_template
from annotation.importers.ccb import CcbOriginal, CcbParsed, read_ccb, recover_case
from annotation.importers.ccb_lines import shout
from annotation.importers.expected import ExpectedRow, read_expected
from annotation.importers.gold import GoldRow, ambiguous, iter_gold, read_gold
from annotation.importers.items import ItemRow, iter_items, read_items
from annotation.importers.judgments import JudgmentRow, Repeats, iter_judgments, read_judgments
from annotation.importers.memory import Memory, NewMemory
from annotation.importers.scores import ScoreRow, ScoresParsed, column_label, read_scores
from annotation.importers.spans import Identity
from annotation.importers.targets import Target
from paraanno.plain.formulas import unescape
from paraanno.plain.problems import MAX_PROBLEMS, Parsed, Problem, ProblemLog, shown
from paraanno.plain.records import FORMATS
from paraanno.plain.texts import MAX_TEXT, TextError, clean_text, find_spans, nfc_offset

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
