"""manage.py import_judgments CAMPAIGN FILE"""

import pytest
from django.core.management import call_command

from annotation.models import Judgment, Slot
from tests.factories import make_campaign

HEAD = "item,paraphrase,scale,value\n"
ANSWERS = "".join(
    f"item-0,system {system} paraphrase 0,{scale},4\n"
    for system in (0, 1)
    for scale in ("MEANING", "GRAMMAR")
)


def test_a_file_without_names_is_that_of_one_annotator_and_can_fill_places(tmp_path, capsys):
    make_campaign(items=1, k=2, cast=False)
    path = tmp_path / "ann.csv"
    path.write_text(HEAD + ANSWERS)
    call_command("import_judgments", "camp", str(path), "--annotator", "ann")
    assert capsys.readouterr().out == "4 rows read; added: 4 judgments, 1 annotators.\n"
    assert not Slot.objects.filter(state="done").exists()
    call_command("import_judgments", "camp", str(path), "--annotator", "ann", "--fill-slots")
    assert "added: 0 judgments, 0 annotators, 1 slots." in capsys.readouterr().out
    assert Slot.objects.filter(state="done").values_list("annotator__code").get() == ("ann",)


def test_judgments_of_unknown_people_need_no_names(tmp_path, capsys):
    make_campaign(items=1, cast=False)
    path = tmp_path / "crowd.csv"
    path.write_text(HEAD + 3 * "item-0,system 0 paraphrase 0,MEANING,4\n")
    with pytest.raises(SystemExit) as ended:
        call_command("import_judgments", "camp", str(path))
    assert ended.value.code == 2
    assert f"{path}:2: column 'annotator': is empty" in capsys.readouterr().err
    call_command("import_judgments", "camp", str(path), "--anonymous")
    assert capsys.readouterr().out == "3 rows read; added: 3 judgments, 3 annotators.\n"
    call_command("import_judgments", "camp", str(path), "--anonymous", "--annotator", "crowd")
    assert set(Judgment.objects.values_list("annotator__code", "annotator__origin")) == {
        (f"anonymous{name}-{n}", "anonymous") for name in ("", "-crowd") for n in (1, 2, 3)
    }
