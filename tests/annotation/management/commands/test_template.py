"""manage.py template CAMPAIGN"""

from django.core.management import call_command

from annotation.campaigns.templating.queries import template_of
from annotation.importers import read_template
from tests.factories import make_campaign


def test_a_campaign_goes_to_a_file_or_to_standard_output(tmp_path, capsys):
    campaign = make_campaign()
    path = tmp_path / "t.yaml"
    call_command("template", "camp", "-o", str(path))
    assert read_template(path.read_bytes(), name="t").template == template_of(campaign=campaign)
    call_command("template", "camp")
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")
