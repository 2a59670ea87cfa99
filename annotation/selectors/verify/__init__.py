"""The rules of the data that no constraint can express; `manage.py verify` and tests run them."""

from annotation.selectors.verify import judgments, people, places, quality, texts
from annotation.selectors.verify.rules import RULES, Broken, broken_ids, rule, verify

__all__ = [
    "RULES",
    "Broken",
    "broken_ids",
    "judgments",
    "people",
    "places",
    "quality",
    "rule",
    "texts",
    "verify",
]
