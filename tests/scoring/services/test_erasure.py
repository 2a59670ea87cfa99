"""After an erasure no export, report or file of the campaign has anything of the person."""

import pytest
from django.contrib.auth.models import User

from annotation.people.stored_data import account_erase
from paraanno.jobs.engine import job_work
from scoring.exports.rows import exports_of
from scoring.exports.services import export_order
from scoring.models import ExportFile, Report
from scoring.shared_tasks.access import tasks_of
from scoring.shared_tasks.models import Submission, TeamMember
from tests.annotation.services.accounts.test_erasure import NAME, another_in, zoe_in
from tests.factories import make_user
from tests.scoring.factories import report_of, written
from tests.scoring.shared_tasks.made import choices_file, make_task, make_team, send

pytestmark = pytest.mark.django_db(transaction=True)
WHAT = ("judgments", "history", "annotators")


def exported(campaign):
    return "".join(written(campaign, what).decode() for what in WHAT)


def test_exports_made_before_are_gone_and_new_ones_know_nothing():
    kept, gone = zoe_in("kept", removes=False), zoe_in("gone", removes=True)
    for annotator in (kept, gone):
        another_in(annotator.campaign)
        order = export_order(
            campaign=annotator.campaign, what="judgments", format="csv", actor=annotator.user
        )
        job_work("export", order.pk)
        report_of(annotator.campaign)
    files = [one.stored for one in ExportFile.objects.all()]
    assert len(files) == 2 and all(path.exists() for path in files)
    zoe = User.objects.get(username=NAME)
    assert len(list(exports_of(zoe)["exports"])) == 2
    assert NAME in exported(kept.campaign) and gone.code in exported(gone.campaign)
    account_erase(user=zoe, typed=NAME, actor=None)
    assert not any(path.exists() for path in files) and not ExportFile.objects.exists()
    assert [one.campaign.slug for one in Report.objects.all()] == ["kept"]
    assert NAME not in exported(kept.campaign) and kept.code in exported(kept.campaign)
    after = exported(gone.campaign)
    assert NAME not in after and gone.code not in after and "A02" in after


def test_a_team_keeps_what_was_sent():
    task = make_task()
    team = make_team(task, "kite", "anna")
    anna = make_user("anna")
    one = send(task, team, choices_file(task))
    Submission.objects.filter(pk=one.pk).update(created_by=anna)
    about = {name: list(rows) for name, rows in tasks_of(anna).items()}
    assert about["teams"][0]["team__name"] == "kite" and len(about["submissions"]) == 1
    account_erase(user=anna, typed="anna", actor=None)
    one.refresh_from_db()
    assert one.created_by is None and not TeamMember.objects.exists()
