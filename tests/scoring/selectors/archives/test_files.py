"""Files of archives are apart from exports."""

from uuid import uuid4

import pytest

from annotation.errors import NotFound
from scoring.archives.rows import (
    changed_texts,
    reader_of,
    restore_job_get,
    whole_files,
    whole_get,
    writer_of,
)
from scoring.archives.services import whole_order
from scoring.exports.rows import export_files
from scoring.models import Resource, RestoreJob
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


# Ids in JSON.


def test_keys_become_tokens_and_other_texts_stay():
    campaign = make_campaign(items=2)
    scale = campaign.scales.order_by("pk").last()
    resource = Resource.objects.create(
        kind="lm", name="L", sha256="c" * 64, size=1, status="ready", path="x", scope="site"
    )
    write, resources = writer_of(campaign)
    strange = str(uuid4())
    data = {
        "scale": str(scale.key),
        "list": ["@at", "@@", "text", str(resource.key), strange, 3],
        str(scale.key): None,
        "gone": f"resource:lm:{'d' * 64}",
    }
    written = changed_texts(data, write)
    assert written["scale"] == f"@key:scale:{campaign.scales.count()}"
    assert written["list"][3] == f"@resource:lm:{'c' * 64}"
    assert [one["name"] for one in resources] == ["L"]
    keys = {"scale": list(campaign.scales.order_by("pk").values_list("key", flat=True))}
    assert changed_texts(written, reader_of(keys)) == data


def test_a_token_of_no_row_stays_a_text():
    assert reader_of({"scale": []})("@key:scale:7") == "@key:scale:7"
    assert reader_of({})("@resource:lm:x") == "resource:lm:x"
