"""A small job of every kind that waits, as people ask for it; `n` makes each another one."""

import io

from annotation.importing.jobs import import_order
from annotation.models import Campaign
from scoring.archives.services import restore_order
from scoring.exports.services import export_order
from scoring.metrics.files import sha256
from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.resources.services import resource_upload
from scoring.runs.work import run_work
from scoring.shared_tasks.models import Track
from scoring.shared_tasks.submissions import submit, task_close
from tests.factories import item_rows, jsonl, make_campaign, make_user
from tests.scoring.builds import asked, corpus
from tests.scoring.factories import started
from tests.scoring.rich import archived
from tests.scoring.shared_tasks.made import choices_file, make_task, make_team


def of_import(n, folder):
    return import_order(
        campaign=campaign(),
        what="items",
        stream=jsonl(item_rows(n + 4)[-2:]),
        name="a.jsonl",
        actor=None,
    )


def of_export(n, folder):
    return export_order(campaign=campaign(), actor=None, what="items", format="csv")


def of_report(n, folder):
    return Report.objects.create(
        campaign=campaign(),
        kind="results",
        options=Choice().as_json(),
        options_hash=Choice().digest(),
        fingerprint=str(n),
    )


def of_restore(n, folder):
    stream = archived(campaign())
    stream.seek(0)
    return restore_order(stream=stream, name="a.zip", slug=f"again{n}", actor=make_user("alice"))


def of_build(n, folder):
    return asked(corpus(folder, 50 + n))


def of_resource(n, folder):
    file = folder / "v.txt"
    file.write_text(f"1 2\ncat 1 {n}\n")
    return resource_upload(
        kind="vectors", file=file, digest=sha256(file), file_name="v.txt", actor=None
    )[0]


def of_run(n, folder):
    return started(campaign(), f"pinc:max_n={n + 1}")


def of_chunk(n, folder):
    run = started(campaign(), f"pinc:max_n={n + 1}")
    run_work(run_pk=run.pk)
    return run.chunks.get()


def of_submission(n, folder):
    task = make_task(f"game{n}")
    return submit(
        track=Track.objects.get(task=task),
        team=make_team(task),
        file_name="c.tsv",
        actor=None,
        stream=io.BytesIO(choices_file(task)),
    )


def of_board(n, folder):
    return task_close(task=make_task(f"game{n}"), actor=None).boards.get(part="final")


def campaign():
    return Campaign.objects.filter(slug="camp").first() or make_campaign(items=3, open_it=False)
