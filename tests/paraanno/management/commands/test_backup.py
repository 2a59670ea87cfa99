"""manage.py backup: what it says; tests/paraanno/backups has the rest."""

import pytest
from django.core.management import CommandError, call_command

from paraanno.backups import make


def test_a_folder_in_use_ends_with_code_2(tmp_path):
    (tmp_path / "letter").write_text("mine")
    with pytest.raises(CommandError, match="not empty") as refused:
        call_command("backup", str(tmp_path))
    assert refused.value.returncode == 2


def test_nightly_says_when_nothing_is_due(tmp_path, settings, monkeypatch, capsys):
    settings.BACKUP_DIR = tmp_path
    monkeypatch.setattr(make, "is_due", lambda _: False)
    call_command("backup", "--nightly")
    assert capsys.readouterr().out == "No backup is due.\n"
