"""manage.py verify CAMPAIGN (which rules there are: tests/annotation/selectors/verify)"""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Slot
from annotation.verify import rules
from tests.factories import make_campaign


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
