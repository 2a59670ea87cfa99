"""Runs, reports and exports of campaigns, as tests of several rooms need them."""

import io
from contextlib import contextmanager

import numpy as np
from django.utils import timezone

from annotation.models import Annotator, Judgment, Substitution
from scoring.exports.services import export_write
from scoring.models import Report, Run, Score
from scoring.reports.compute import report_get
from scoring.runs.queries import run_progress
from scoring.runs.start import run_start, run_update
from scoring.runs.work import run_work
from tests.factories import add_items, item_rows, make_campaign, make_user
from tests.scoring.archives.zips import files_of


def finish(run, steps=100):
    """Take steps until the run is over."""
    for _ in range(steps):
        run_work(run_pk=run.pk)
        run.refresh_from_db()
        if run.status not in Run.ACTIVE:
            return run
    raise AssertionError(f"{run} is not over after {steps} steps")


def started(campaign, spec="bleu"):
    return run_start(campaign=campaign, spec=spec, actor=make_user("alice"))


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


PAGES = ["agreement", "results", "gold", "runs", "runs/list", "correlation", "exports"]


def done_run(campaign, values, **fields):
    """A finished run with scores by text, as a worker leaves it."""
    run = run_start(campaign=campaign, spec=fields.pop("spec", "bleu"), actor=None)
    for text, value in values.items():
        Score.objects.create(
            run=run,
            substitution=Substitution.objects.get(campaign=campaign, text=text),
            value=value,
        )
    Run.objects.filter(pk=run.pk).update(
        status="done",
        done=len(values),
        started_at=run.created_at,
        finished_at=run.created_at,
        **fields,
    )
    run.refresh_from_db()
    return run


@contextmanager
def stored(kind):
    """What the report of this kind holds, to be changed to what an earlier version stored."""
    report = Report.objects.get(kind=kind)
    yield report.result
    report.save(update_fields=["result"])


def written(campaign, what, **options):
    stream = io.BytesIO()
    export_write(campaign=campaign, what=what, stream=stream, **options)
    return stream.getvalue()


def paper_of(campaign):
    """The files of the zip for a paper."""
    return files_of(written(campaign, "paper"))


def report_of(campaign, kind="agreement", **options):
    return report_get(campaign=campaign, kind=kind, actor=None, **options)


def judged(slug="camp", *, noise=0.3, items=24, texts=4):
    """Three annotators who judge every text of 12 phrases with as much noise; the first text is
    disputed."""
    campaign = make_campaign(slug, rows=item_rows(items, texts))
    rng = np.random.default_rng(4)
    voices = [
        Annotator.objects.create(campaign=campaign, code=code, origin="imported") for code in "xyz"
    ]
    units = [sub for item in campaign.items.order_by("pk") for sub in item.substitutions.all()]
    rows = []
    for scale in campaign.scales.all():
        truth = rng.integers(1, 6, len(units))
        for place, voice in enumerate(voices):
            values = np.clip(np.round(truth + rng.normal(0, noise, len(units))), 1, 5)
            values[0] = (1, 5, 5)[place]
            rows += [
                Judgment(
                    campaign=campaign,
                    annotator=voice,
                    substitution=unit,
                    scale=scale,
                    value=value,
                    status="counted",
                    recorded_at=timezone.now(),
                )
                for unit, value in zip(units, values.tolist(), strict=True)
            ]
    Judgment.objects.bulk_create(rows)
    return campaign
