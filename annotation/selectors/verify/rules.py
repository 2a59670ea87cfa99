"""The registry of rules.

`verify` only reads. Each rule takes a few queries over the entire campaign, whatever its size. A
broken rule lists up to ten of the offending rows. An app built on this one names a module with
rules about its own rows at startup (scoring/apps.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.models import Campaign

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken rule, with offending rows."""

    rule: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rule}: {', '.join(self.rows)}"


Rule = Callable[[Campaign], Iterator[str]]
_RULES: dict[str, Rule] = {}
# Imported with the first use: what they need takes longer to load than all the rest of a start.
MORE_RULES: list[str] = []


def rule(sentence: str) -> Callable[[Rule], Rule]:
    """Register a check under the sentence that it proves."""

    def register(check: Rule) -> Rule:
        _RULES[sentence] = check
        return check

    return register


def rules() -> Mapping[str, Rule]:
    """Return all rules by their sentences, those of other apps too."""
    for module in MORE_RULES:
        import_module(module)
    return _RULES


def verify(*, campaign: Campaign) -> list[Broken]:
    """Return every broken rule of the campaign; empty if the data is sound."""
    campaign = Campaign.objects.get(
        pk=campaign.pk
    )  # k may have changed since the campaign was read.
    found = []
    for sentence, check in rules().items():
        rows = tuple(islice(check(campaign), SHOWN))
        if rows:
            found.append(Broken(sentence, rows))
    return found


def broken_ids(rows: QuerySet[Any]) -> Iterator[str]:
    """Yield the first rows of a query, each as `model id`."""
    name = rows.model._meta.verbose_name
    for pk in rows.order_by("pk").values_list("pk", flat=True)[:SHOWN]:
        yield f"{name} {pk}"
