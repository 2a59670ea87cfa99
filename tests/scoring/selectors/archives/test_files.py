"""Files of archives are apart from exports."""

import pytest

from annotation.errors import NotFound
from scoring.archives.rows import restore_job_get, whole_files, whole_get
from scoring.archives.services import whole_order
from scoring.exports.rows import export_files
from scoring.models import RestoreJob
from tests.factories import make_campaign, make_user


def test_archives_are_no_exports():
    campaign, other = make_campaign(items=1), make_campaign("other", items=1)
    file = whole_order(campaign=campaign, actor=None, what="archive")
    assert list(whole_files(campaign=campaign, what="archive")) == [file]
    assert not whole_files(campaign=campaign, what="package")
    assert not export_files(campaign=campaign)
    assert whole_get(campaign=campaign, key=file.key) == file
    with pytest.raises(NotFound):
        whole_get(campaign=other, key=file.key)


def test_a_restore_is_its_senders():
    job = RestoreJob.objects.create(file_name="a", path="a", created_by=make_user("alice"))
    assert restore_job_get(user=make_user("alice"), key=job.key) == job
    with pytest.raises(NotFound):
        restore_job_get(user=make_user("dora"), key=job.key)
