"""manage.py import_scores CAMPAIGN FILE"""

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Run
from tests.scoring.services.runs.score_files import FILE


def test_the_command(camp, tmp_path, capsys):
    path = tmp_path / "mine.csv"
    path.write_text(FILE)
    call_command("import_scores", "camp", path, "--name", "m", "--lower-is-better")
    run = Run.objects.get()
    assert (run.label, run.higher_is_better, run.created_by) == ("m", False, None)
    assert "3 rows read; added: 2 scores, 0 system scores." in capsys.readouterr().out
    path.write_text(FILE.replace("thus", "hence"))
    with pytest.raises(SystemExit) as stop:
        call_command("import_scores", "camp", path)
    assert stop.value.code == 2
    assert f"{path}:2: the item has no paraphrase" in capsys.readouterr().err
    with pytest.raises(CommandError) as refused:
        call_command("import_scores", "camp", tmp_path / "none.csv")
    assert refused.value.returncode == 2
