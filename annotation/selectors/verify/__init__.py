"""Data rules that no constraint can express; run by `manage.py verify` and by tests."""

from annotation.selectors.verify import judgments, people, quality, sheets, texts
from annotation.selectors.verify.rules import RULES, Broken, broken_ids, rule, verify

__all__ = [
    "RULES",
    "Broken",
    "broken_ids",
    "judgments",
    "people",
    "quality",
    "rule",
    "sheets",
    "texts",
    "verify",
]
