"""What the tests of runs do again and again."""

from annotation.models import Substitution
from scoring.runs.queries import run_progress
from scoring.runs.start import run_update
from tests.factories import add_items, item_rows
from tests.scoring.services.runs.started import finish


def values(run):
    return {pk: rest for pk, *rest in run.scores.values_list("substitution", "value", "reason")}


def later(campaign, number=1, text="came later"):
    """A new paraphrase of an item that is there."""
    row = item_rows(number + 1, 1)[number]
    add_items(campaign, [{**row, "paraphrase": text, "system": "late"}])
    return Substitution.objects.get(campaign=campaign, text=text)


def progress_of(run):
    return run_progress(campaign=run.campaign, key=run.key)


def updated(run):
    return finish(run_update(run=run, actor=None))
