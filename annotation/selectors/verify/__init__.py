"""Data rules that no constraint can express; run by `manage.py verify` and by tests."""

from annotation.selectors.verify import judgments, people, quality, sheets, texts
from annotation.selectors.verify.rules import MORE_RULES, Broken, broken_ids, rule, rules, verify

__all__ = [
    "MORE_RULES",
    "Broken",
    "broken_ids",
    "judgments",
    "people",
    "quality",
    "rule",
    "rules",
    "sheets",
    "texts",
    "verify",
]
