"""The demo campaign: made once, never touched again, and its judgments called simulated."""

import stat
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from annotation.board.queries import board_now
from annotation.campaigns.demo import DAYS, LOGINS, SIMULATED, demo_load, logins_keep
from annotation.campaigns.services import campaign_pause
from annotation.models import AuditEntry, Campaign
from annotation.sheets.progress import work_course


@pytest.mark.slow
def test_the_demo_is_whole_and_loading_it_again_leaves_it_alone():
    campaign, passwords = demo_load()
    assert set(passwords) == set(LOGINS)
    for name, password in passwords.items():
        user = User.objects.get(username=name)
        assert user.check_password(password)
        assert user.is_superuser == (name == "admin")
    assert campaign.status == Campaign.Status.OPEN
    assert campaign.annotators.count() == len(SIMULATED)
    # Three weeks of work, none of it to come, and two who are at it.
    course = work_course(campaign=campaign)
    (began, _n), *_, (last, _m) = course.hours
    assert timedelta(days=DAYS - 1) < course.now - began and last <= course.now and course.left
    working = {one.code for one in board_now(campaign=campaign).working}
    assert working == {"sim-strict", "sim-careless"}

    campaign_pause(campaign=campaign, actor=None)
    User.objects.get(username="annotator").delete()
    imports = AuditEntry.objects.filter(verb__startswith="import")
    tables = (campaign.judgments, campaign.items, campaign.sheets, imports)
    before = [one.count() for one in tables]
    again, passwords = demo_load()
    assert (again.pk, again.status) == (campaign.pk, Campaign.Status.PAUSED)
    assert set(passwords) == {"annotator"}
    assert [one.count() for one in tables] == before


def test_passwords_are_appended_to_a_file_that_its_owner_alone_can_read(tmp_path):
    path = tmp_path / "logins.txt"
    logins_keep(passwords={}, path=path)
    assert not path.exists()
    logins_keep(passwords={"admin": "one"}, path=path)
    logins_keep(passwords={"annotator": "two"}, path=path)
    assert [line.split("\t")[:2] for line in path.read_text().splitlines()] == [
        ["admin", "one"],
        ["annotator", "two"],
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
