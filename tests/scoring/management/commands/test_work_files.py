"""`manage.py work_files`"""

from django.core.management import call_command

from scoring.models import Resource
from scoring.resources.services import resource_from_server


def test_it_reads_what_waits_and_ends(tmp_path, data_dir, settings, capsys):
    settings.RESOURCE_DIR = str(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"1 1\n{name} 1\n")
        resource_from_server(kind="vectors", path=name, actor=None)
    call_command("work_files")
    assert capsys.readouterr().out == "2 of files\n"
    assert set(Resource.objects.values_list("status", flat=True)) == {"ready"}
