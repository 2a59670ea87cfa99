"""What the tests of runs do again and again."""

from __future__ import annotations

from annotation.models import Campaign, Substitution
from scoring.models import Run
from scoring.selectors.runs import RunProgress, run_progress
from scoring.services.runs.update import run_update
from tests.factories import add_items, item_rows
from tests.scoring.services.runs.started import finish


def values(run: Run) -> dict[int, tuple[float | None, str]]:
    return {pk: rest for pk, *rest in run.scores.values_list("substitution", "value", "reason")}  # type: ignore[misc]


def later(campaign: Campaign, number: int = 1, text: str = "came later") -> Substitution:
    """A new paraphrase of an item that is there."""
    row = item_rows(number + 1, 1)[number]
    add_items(campaign, [{**row, "paraphrase": text, "system": "late"}])
    return Substitution.objects.get(campaign=campaign, text=text)


def progress_of(run: Run) -> RunProgress:
    return run_progress(campaign=run.campaign, key=run.key)


def updated(run: Run) -> Run:
    return finish(run_update(run=run, actor=None))
