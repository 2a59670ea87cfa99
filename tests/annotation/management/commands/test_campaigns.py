"""Commands that make, open, copy, change and verify campaigns."""

import io

import pytest
from django.core.management import CommandError, call_command

from annotation.campaigns.templating.queries import template_of
from annotation.importers.campaign_template import read_template
from annotation.models import Campaign, Slot
from annotation.verify import rules
from tests.factories import make_campaign


def test_a_campaign_is_made_with_the_scales_of_a_template(capsys):
    call_command(
        "create_campaign",
        "da",
        "--template",
        "direct-assessment",
        "--annotators",
        "5",
        "--name",
        "Adequacy",
    )
    assert capsys.readouterr().out == "Campaign da made.\n"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.annotators_per_sheet) == ("Adequacy", 5)
    assert [scale.name for scale in campaign.scales.all()] == ["ADEQUACY", "FLUENCY"]
    call_command("create_campaign", "plain")
    plain = Campaign.objects.get(slug="plain")
    assert (plain.name, plain.annotators_per_sheet) == ("plain", 3)
    assert not plain.memberships.exists()


def test_it_tells_what_is_missing_and_opens(capsys):
    make_campaign(items=1, open_it=False)
    call_command("open_campaign", "camp", "--check")
    assert "advised: Consent: " in capsys.readouterr().out
    assert Campaign.objects.get().status == "draft"
    call_command("open_campaign", "camp")
    assert capsys.readouterr().out.splitlines()[-1] == "Campaign camp is open."
    assert Campaign.objects.get().status == "open"


def test_without_texts_it_stays_a_draft():
    call_command("create_campaign", "bare")
    with pytest.raises(CommandError) as refused:
        call_command("open_campaign", "bare")
    assert refused.value.returncode == 2
    assert Campaign.objects.get().status == "draft"


def test_a_campaign_is_copied_with_what_is_asked_for(capsys):
    campaign = make_campaign()
    call_command("copy_campaign", "camp", "plain")
    call_command("copy_campaign", "camp", "whole", "--texts", "--people", "--name", "Second")
    assert capsys.readouterr().out.splitlines()[0] == "Campaign plain made from camp."
    plain, whole = (Campaign.objects.get(slug=slug) for slug in ("plain", "whole"))
    assert (plain.substitutions.count(), plain.memberships.count()) == (0, 0)
    assert whole.substitutions.count() == campaign.substitutions.count()
    assert whole.memberships.count() == campaign.memberships.count()
    assert whole.name == "Second"


def test_a_campaign_goes_to_a_file_or_to_standard_output(tmp_path, capsys):
    campaign = make_campaign()
    path = tmp_path / "t.yaml"
    call_command("template", "camp", "-o", str(path))
    assert read_template(path.read_bytes(), name="t").template == template_of(campaign=campaign)
    call_command("template", "camp")
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")


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


def break_one():
    """One campaign breaks a rule, and the one after it none."""
    for slug in ("broken", "whole"):
        make_campaign(slug, items=1, cast=False)
    Slot.objects.filter(campaign__slug="broken")[0].delete()


def test_the_rules_are_asked_of_one_campaign_and_what_is_broken_is_printed(capsys):
    break_one()
    call_command("verify", "whole")
    assert capsys.readouterr().out == f"whole: {len(rules())} rules hold.\n"
    with pytest.raises(SystemExit) as ended:
        call_command("verify", "broken")
    assert ended.value.code == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    [line] = shown.err.splitlines()
    assert line.partition(":")[0] in {rule.partition(":")[0] for rule in rules()}


def test_all_campaigns_are_asked_also_after_a_broken_one(capsys):
    break_one()
    with pytest.raises(SystemExit):
        call_command("verify", "--all")
    shown = capsys.readouterr()
    assert shown.err and shown.out == f"whole: {len(rules())} rules hold.\n"
    for wrong in ([], ["whole", "--all"]):
        with pytest.raises(CommandError, match="or give --all"):
            call_command("verify", *wrong)


def test_an_unknown_campaign_ends_with_code_2_as_if_nothing_was_checked():
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'") as refused:
        call_command("verify", "nowhere")
    assert refused.value.returncode == 2
