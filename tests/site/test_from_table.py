"""From a laboratory's own spreadsheet to a campaign, from the shell by one template."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Campaign
from annotation.selectors.campaigns.template import template_of
from annotation.services.campaigns.template_check import template_read
from tests.annotation.importers.tables.messy import EN, EN_NEW
from tests.annotation.importers.tables.writing import book

# A sheet of notes first, columns in a laboratory's own words, a column for each system.
ROWS = [
    ["Nr", "Original sentence", "Target", *(one.title() for one in EN_NEW)],
    *(
        [number, sentence, phrase, *(new[number - 1] for new in EN_NEW.values())]
        for number, (sentence, phrase) in enumerate(EN, start=1)
    ),
]
LAB = book({"Notes": [["Made in spring"], ["see the second sheet"]], "Texts": ROWS})


STUDY = """\
settings: {name: From the shell, language: en, annotators_per_sheet: 2}
scales:
- {name: MEANING, question: The same?, minimum: 1, maximum: 5, threshold: 3}
guidelines: |
  # How to judge

  **MEANING** asks whether both say the same.
panel:
- {name: Crowd, sheets_per_person: 3, pay: 2.5, currency: EUR}
"""


@pytest.mark.django_db
def test_an_excel_file_becomes_a_campaign_by_one_template(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, lab, columns = (tmp_path / name for name in ("study.yaml", "lab.xlsx", "map.json"))
    study.write_text(STUDY, encoding="utf-8")
    lab.write_bytes(LAB)
    call_command("create_campaign", "shell", "--from", str(study))
    capsys.readouterr()
    call_command("inspect_table", str(lab), "--campaign", "shell", "--json")
    columns.write_text(json.dumps(json.loads(capsys.readouterr().out)["map"]), encoding="utf-8")
    call_command("import_items", "shell", str(lab), "--map", str(columns))
    call_command("open_campaign", "shell")
    campaign = Campaign.objects.get(slug="shell")
    assert campaign.status == "open"
    assert (campaign.items.count(), campaign.systems.count()) == (len(EN), len(EN_NEW))
    assert campaign.panels.get().pay == 2.5
    call_command("template", "shell", "-o", str(study))
    read = template_read(data=study.read_bytes(), name="study.yaml")
    assert read.template == template_of(campaign=campaign)
    study.write_text(study.read_text(encoding="utf-8").replace("pay: 2.5", "pay: 3"), "utf-8")
    call_command("apply", str(study), "shell", "--yes")
    assert campaign.panels.get().pay == 3
