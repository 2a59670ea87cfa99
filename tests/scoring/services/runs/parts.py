"""What the tests of runs do again and again."""

from __future__ import annotations

from annotation.models import Campaign, Substitution
from scoring.models import Run
from tests.factories import add_items, item_rows


def values(run: Run) -> dict[int, tuple[float | None, str]]:
    return {pk: rest for pk, *rest in run.scores.values_list("substitution", "value", "reason")}  # type: ignore[misc]


def later(campaign: Campaign, number: int = 1, text: str = "came later") -> Substitution:
    """A new paraphrase of an item that is there."""
    row = item_rows(number + 1, 1)[number]
    add_items(campaign, [{**row, "paraphrase": text, "system": "late"}])
    return Substitution.objects.get(campaign=campaign, text=text)
