"""import_lists: fixed lists from the command line."""

from io import StringIO

from django.core.management import call_command

from annotation.models import WorkList
from annotation.sheets.sql import list_order
from tests.factories import make_campaign


def test_lists_are_imported_and_chosen(tmp_path):
    campaign = make_campaign(items=2, open_it=False)
    file = tmp_path / "lists.csv"
    file.write_text("list,item\nA,item-1\nA,item-0\nB,item-0\n")
    for options, done, lists in (
        (["--dry-run"], "would add", 0),
        (["--order", "shuffled"], "added", 2),
    ):
        out = StringIO()
        call_command("import_lists", "camp", str(file), *options, stdout=out)
        assert f"{done}: 2 lists, 3 entries" in out.getvalue()
        assert WorkList.objects.filter(campaign=campaign).count() == lists
    assert list_order(campaign_id=campaign.pk) == "shuffled"
