"""The register of rules.

`verify` reads and never mends. Each rule is a query or a few over the whole campaign, whatever its
size; a broken rule names up to ten of the rows that break it. An app that stands on this one adds
rules about its own rows when it starts (scoring/apps.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.models import Campaign

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that does not hold, with rows that break it."""

    rule: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rule}: {', '.join(self.rows)}"


Rule = Callable[[Campaign], Iterator[str]]
RULES: dict[str, Rule] = {}


def rule(sentence: str) -> Callable[[Rule], Rule]:
    """Register a check under the sentence that it proves."""

    def register(check: Rule) -> Rule:
        RULES[sentence] = check
        return check

    return register


def verify(*, campaign: Campaign) -> list[Broken]:
    """Every rule that does not hold in the campaign; empty when all is well."""
    campaign = Campaign.objects.get(pk=campaign.pk)  # Its k may have changed since it was read.
    found = []
    for sentence, check in RULES.items():
        rows = tuple(islice(check(campaign), SHOWN))
        if rows:
            found.append(Broken(sentence, rows))
    return found


def broken_ids(rows: QuerySet[Any]) -> Iterator[str]:
    """The first rows of a query, each as `model id`."""
    name = rows.model._meta.verbose_name
    for pk in rows.order_by("pk").values_list("pk", flat=True)[:SHOWN]:
        yield f"{name} {pk}"
