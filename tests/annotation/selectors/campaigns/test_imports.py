"""What is told of a job that has ended, whichever way."""

from annotation.importing.jobs import ended_report
from annotation.models import ImportJob
from tests.factories import make_campaign


def test_a_job_that_failed_without_a_report_says_why_in_one():
    campaign = make_campaign(open_it=False)
    job = ImportJob(campaign=campaign, what="items", file_name="a.csv", status="running")
    assert ended_report(job) is None
    job.status, job.error = "failed", "The worker ended."
    report = ended_report(job)
    assert not report["ok"]
    assert [one["message"] for one in report["problems"]] == ["The worker ended."]
