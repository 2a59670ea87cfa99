from django.core.management import call_command

from annotation.campaigns.services import campaign_create
from annotation.models import ImportedGold
from tests.annotation.importers.tables.messy import FILES


def test_gold_of_a_table(tmp_path, capsys):
    campaign_create(actor=None, slug="camp")
    for name in ("notes first.xlsx", "means.ods"):
        (tmp_path / name).write_bytes(FILES[name].make())
    call_command("import_items", "camp", str(tmp_path / "notes first.xlsx"))
    call_command("import_gold", "camp", str(tmp_path / "means.ods"), "--source", "lab")
    assert "added: 6 gold." in capsys.readouterr().out
    assert set(ImportedGold.objects.values_list("source", "spread")) == {("lab", 0.5)}
