"""manage.py load_demo [--runs]"""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from annotation.models import Campaign
from scoring.work.workers import demo_pending


@pytest.mark.slow
# On PostgreSQL tests/annotation/services/campaigns/test_demo.py makes the same campaign.
@pytest.mark.once
def test_new_passwords_are_printed_once_and_kept_in_the_data_folder(data_dir, capsys):
    call_command("load_demo")
    shown = capsys.readouterr().out
    path = data_dir / "demo_logins.txt"
    assert "Campaign demo is ready." in shown and f"The passwords are kept in {path}." in shown
    for line in path.read_text().splitlines():
        name, password, what = line.split("\t")
        assert User.objects.get(username=name).check_password(password)
        assert f"  {name}  {password}  ({what})" in shown
    kept = path.read_text()
    call_command("load_demo")
    assert capsys.readouterr().out == "Campaign demo is ready.\n"
    assert path.read_text() == kept
    assert demo_pending() is None
    call_command("load_demo", "--runs")
    assert demo_pending() == Campaign.objects.get(slug="demo").pk
