"""manage.py apply T.yaml CAMPAIGN"""

import io

import pytest
from django.core.management import call_command

from annotation.models import Campaign
from tests.factories import make_campaign


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("settings:\n  description: New\n  lease_minutes: 30\n")
    return path


def test_the_difference_is_shown_and_made_with_yes(path, capsys):
    campaign = make_campaign()
    shown = "description:\n+ New\nlease_minutes:\n- 60\n+ 30\n"
    for options, text, settings in (
        ([], f"{shown}Nothing was changed; --yes makes the changes.\n", ("", 60)),
        (["--yes"], f"{shown}2 changes made.\n", ("New", 30)),
        ([], f"camp is as {path} says.\n", ("New", 30)),
    ):
        call_command("apply", str(path), "camp", *options)
        assert capsys.readouterr().out == text
        campaign.refresh_from_db()
        assert (campaign.description, campaign.lease_minutes) == settings


def test_somebody_at_a_terminal_is_asked(path, monkeypatch):
    make_campaign()
    monkeypatch.setattr("sys.stdin", terminal := io.StringIO("n\nyes\n"))
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    for description in ("", "New"):
        call_command("apply", str(path), "camp")
        assert Campaign.objects.get().description == description


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("guidelines: x\nsettings:\n  order: depth\n", ":3: order: fixed since"),
        ("guideline: x\n", ":1: there is no field 'guideline' here"),
    ],
)
def test_what_cannot_be_ends_with_code_2(path, capsys, text, words):
    campaign = make_campaign()
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        call_command("apply", str(path), "camp", "--yes")
    assert ended.value.code == 2 and f"{path}{words}" in capsys.readouterr().err
    assert campaign.guidelines.count() == 1
