"""manage.py stage_wordnet [FOLDER]"""

import pytest
from django.core.management import CommandError, call_command

from tests.scoring.metrics.wordnet_files import meteor, write_wordnet


def test_staging_another_folder(nowhere, settings, capsys):
    settings.DATA_DIR = nowhere / "data"
    source = write_wordnet(nowhere / "other")
    with pytest.raises(CommandError, match="does not have the word"):
        call_command("stage_wordnet", source)
    assert not (nowhere / "data" / "wordnet").exists()
    (source / "index.noun").write_text("word n 1 0 1 0 00000000\n")
    (source / "data.noun").write_text("00000000 10 n 01 word 0 000 | a unit\n")
    for _ in range(2):
        call_command("stage_wordnet", source)
    assert "WordNet 3.1 of" in capsys.readouterr().out
    assert meteor("hop", "leapt").value == 0.5
    with pytest.raises(CommandError, match="has no data.noun") as refusal:
        call_command("stage_wordnet", nowhere / "none")
    assert refusal.value.returncode == 2
