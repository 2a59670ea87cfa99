"""manage.py archive, restore and package."""

from django.core.management import call_command

from annotation.models import Membership
from scoring.models import Resource
from scoring.resources.services import resource_from_server
from tests.factories import make_campaign, make_user


def test_a_campaign_goes_and_comes_back(tmp_path):
    make_campaign(items=2)
    make_user("dora")
    call_command("archive", "camp", "-o", tmp_path / "a.zip")
    call_command("restore", tmp_path / "a.zip", "--as", "again", "--owner", "dora")
    assert Membership.objects.get(campaign__slug="again").user.username == "dora"
    call_command("package", "camp", "-o", tmp_path / "p.zip", "--licence", "cc0-1.0")
    assert (tmp_path / "p.zip").stat().st_size > 1000


# `manage.py work_files`


def test_it_reads_what_waits_and_ends(tmp_path, data_dir, settings, capsys):
    settings.RESOURCE_DIR = str(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"1 1\n{name} 1\n")
        resource_from_server(kind="vectors", path=name, actor=None)
    call_command("work_files")
    assert capsys.readouterr().out == "2 of files\n"
    assert set(Resource.objects.values_list("status", flat=True)) == {"ready"}
