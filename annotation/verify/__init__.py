"""Data rules that no constraint can express; run by `manage.py verify` and by tests."""

from __future__ import annotations

from annotation.verify import people
from annotation.verify.rules import MORE_RULES, Broken, broken_ids, rule, rules, verify

__all__ = [
    "MORE_RULES",
    "Broken",
    "broken_ids",
    "people",
    "rule",
    "rules",
    "verify",
]
