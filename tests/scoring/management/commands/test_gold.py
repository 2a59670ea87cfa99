"""manage.py gold CAMPAIGN"""

import json

import pytest
from django.core.management import CommandError, call_command

from scoring.gold.report import gold_overview_for
from scoring.ratings.choice import Choice


def test_gold_command_says_what_the_page_shows(capsys, hand):
    call_command("gold", "hand", "--json")
    assert json.loads(capsys.readouterr().out) == json.loads(
        json.dumps(gold_overview_for(campaign=hand, choice=Choice()))
    )
    call_command("gold", "hand")
    shown = capsys.readouterr().out
    assert "MEANING from 3: 3 decisions" in shown and "mean, severity" in shown
    with pytest.raises(CommandError) as refusal:
        call_command("gold", "nowhere")
    assert refusal.value.returncode == 2
