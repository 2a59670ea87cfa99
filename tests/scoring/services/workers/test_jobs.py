"""The registry of jobs."""

from annotation.models import ImportJob
from annotation.services.importing.jobs import TASK as IMPORT_MAKE
from paraanno.celery import app
from scoring.models import RestoreJob
from scoring.services.archives.jobs import TASK as RESTORE_MAKE
from scoring.services.workers.jobs import JOBS


def test_every_job_has_a_task_and_the_one_that_its_service_sends():
    app.loader.import_default_modules()
    assert set(JOBS.values()) <= set(app.tasks)
    assert (JOBS[ImportJob], JOBS[RestoreJob]) == (IMPORT_MAKE, RESTORE_MAKE)
