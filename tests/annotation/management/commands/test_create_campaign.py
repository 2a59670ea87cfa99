"""manage.py create_campaign SLUG"""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign


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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["two words"], "two words"),
        (["taken"], "exists already"),
        (["new", "--annotators", "0"], "between 1 and 1,000"),
        (["new", "--scales", "none.json"], r"none\.json:1: "),
    ],
)
def test_what_cannot_be_made_ends_with_code_2(options, words):
    call_command("create_campaign", "taken")
    with pytest.raises(CommandError, match=words) as refused:
        call_command("create_campaign", *options)
    assert refused.value.returncode == 2
    assert Campaign.objects.get().slug == "taken"


def test_a_campaign_can_have_scales_of_its_own(tmp_path):
    path = tmp_path / "scales.json"
    for text, words in (
        ("[\n{,", r"scales\.json:2: this is not JSON"),
        ('[{"name": "X", "step": 0}]', r"scales\.json:1: X: the step"),
    ):
        path.write_text(text)
        with pytest.raises(CommandError, match=words):
            call_command("create_campaign", "own", "--scales", str(path))
    path.write_text('[{"name": "ERRORS", "higher_is_better": false}]')
    call_command("create_campaign", "own", "--scales", str(path))
    campaign = Campaign.objects.get()
    [errors] = campaign.scales.all()
    assert errors.name == "ERRORS" and not errors.higher_is_better
    assert "MEANING" not in campaign.guidelines.get().text


def test_a_campaign_is_made_from_a_file(tmp_path, capsys):
    path = tmp_path / "t.yaml"
    path.write_text("settings: {name: Ours, annotators_per_sheet: 5}\nscales:\n- name: A\n")
    call_command("create_campaign", "ours", "--from", str(path))
    call_command("create_campaign", "theirs", "--from", str(path), "--annotators", "2")
    ours, theirs = Campaign.objects.order_by("pk")
    assert (ours.name, ours.annotators_per_sheet, theirs.annotators_per_sheet) == ("Ours", 5, 2)
    assert [scale.name for scale in ours.scales.all()] == ["A"]
    path.write_text("scales:\n- nam: A\n")
    with pytest.raises(SystemExit):
        call_command("create_campaign", "third", "--from", str(path))
    assert f"{path}:2: there is no field 'nam' here" in capsys.readouterr().err
    assert Campaign.objects.count() == 2
