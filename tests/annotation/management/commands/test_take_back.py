import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_campaign


def test_an_import_is_listed_and_taken_back(capsys):
    campaign = make_campaign(items=2, open_it=False)
    call_command("take_back", "camp")
    key = capsys.readouterr().out.split()[0]
    call_command("take_back", "camp", key)
    assert capsys.readouterr().out.startswith("Taken back: ")
    assert not campaign.items.exists()
    with pytest.raises(CommandError) as told:
        call_command("take_back", "camp", key)
    assert told.value.returncode == 2
