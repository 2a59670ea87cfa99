"""manage.py backup: what it says; tests/paraanno/backups has the rest."""

from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from paraanno.backups import make
from paraanno.backups.copies import BackupRefused
from paraanno.management.commands import restore_backup


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


# manage.py restore_backup: what it asks; tests/paraanno/backups/test_restore.py restores.


@pytest.mark.parametrize(("answer", "goes_on"), [("replace", True), ("yes", False), ("", False)])
def test_a_site_is_replaced_by_that_word_alone(answer, goes_on, monkeypatch, capsys, tmp_path):
    def restore(folder, *, replace, agreed):
        if not (replace and agreed("3 rows of auth_user")):
            raise BackupRefused("Nothing was changed.")
        manifest = SimpleNamespace(made_at="2026-03-01", has_key=False)
        return SimpleNamespace(manifest=manifest, campaigns=2, broken=())

    monkeypatch.setattr(restore_backup, "backup_restore", restore)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    if goes_on:
        call_command("restore_backup", str(tmp_path), "--replace")
        said = capsys.readouterr().out
        assert "3 rows of auth_user. They will be gone." in said
        assert "Campaigns: 2;" in said
        assert "Set PARAANNO_SECRET_KEY" in said
    else:
        with pytest.raises(CommandError, match="Nothing was changed"):
            call_command("restore_backup", str(tmp_path), "--replace")


def test_broken_rules_end_with_code_1(monkeypatch, capsys, tmp_path):
    done = SimpleNamespace(manifest=None, campaigns=1, broken=("camp: a rule is broken",))
    monkeypatch.setattr(restore_backup, "backup_restore", lambda *_, **__: done)
    with pytest.raises(SystemExit) as ended:
        call_command("restore_backup", str(tmp_path))
    assert ended.value.code == 1
    assert "a rule is broken" in capsys.readouterr().err
