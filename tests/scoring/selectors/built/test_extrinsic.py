"""Extrinsic evaluations that were made."""

import pytest

from annotation.errors import NotFound
from scoring.builds.queries import (
    EXTRINSIC,
    TOLD_FOR,
    extrinsic_report,
    outcomes_file,
)
from scoring.models import Build, Resource
from tests.factories import make_user
from tests.scoring.services.builds.conftest import campaign
from tests.scoring.services.builds.test_extrinsic import ASKED, evaluated, table

__all__ = ["campaign"]
pytestmark = pytest.mark.usefixtures("data_dir")


def test_an_evaluation_has_a_report_until_it_is_removed(campaign, tmp_path):
    alice, build = make_user("alice"), evaluated(campaign, file=table(tmp_path))
    other = Build.objects.create(recipe="lm", name="M", options_hash="x", created_by=alice)
    assert EXTRINSIC.get(user=alice, campaign=campaign, key=build.key) == build
    with pytest.raises(NotFound):
        EXTRINSIC.get(user=alice, campaign=campaign, key=other.key)
    report = extrinsic_report(build=build)
    assert report["columns"] == ["text", "PG1"]
    assert outcomes_file(build=build).read_text().startswith("id,system,classifier")
    failed = evaluated(campaign, file=table(tmp_path), options={**ASKED, "label": "grade"})
    assert EXTRINSIC.builds(user=alice, campaign=campaign) == [failed, build]
    Build.objects.filter(pk=failed.pk).update(finished_at=failed.finished_at - TOLD_FOR)
    assert EXTRINSIC.builds(user=alice, campaign=campaign) == [build]
    Resource.objects.filter(kind="extrinsic").delete()
    build.refresh_from_db()
    assert EXTRINSIC.builds(user=alice, campaign=campaign) == []
    assert extrinsic_report(build=build) is None
    with pytest.raises(NotFound):
        outcomes_file(build=build)
