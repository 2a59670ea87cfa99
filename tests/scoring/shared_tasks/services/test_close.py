"""Which submission of a team counts once its task is closed."""

from scoring.shared_tasks.models import Submission
from scoring.shared_tasks.submissions import task_close
from tests.scoring.shared_tasks.made import make_task, make_team, send


def test_a_failed_submission_never_becomes_primary():
    task = make_task()
    kite, onyx = make_team(task), make_team(task, "onyx")
    good = send(task, kite)
    failed = [send(task, kite), send(task, onyx)]
    Submission.objects.filter(pk__in=[one.pk for one in failed]).update(
        status=Submission.Status.FAILED, error="no numbers"
    )
    task_close(task=task, actor=None)
    assert list(Submission.objects.filter(primary=True, baseline="")) == [good]
