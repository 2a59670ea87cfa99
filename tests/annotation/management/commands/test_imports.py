"""Commands that import files, and take them back."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import ImportedGold, Judgment, Slot, Substitution, WorkList
from annotation.sheets.sql import list_order
from tests.annotation.messy import FILES
from tests.factories import make_campaign, new_campaign

HEAD = "phrase,sentence,paraphrase,system\n"
GOOD = f"{HEAD}mat,The mat.,rug,A\n"


@pytest.fixture
def camp():
    return new_campaign()


def test_each_problem_is_a_line_new_rows_are_counted_and_a_dry_run_adds_none(
    camp, tmp_path, capsys
):
    path = tmp_path / "items.csv"
    path.write_text(f"{GOOD}cat,The dog.,pet,A\nsun,The moon.,star,A\n")
    with pytest.raises(SystemExit) as ended:
        call_command("import_items", "camp", str(path))
    shown = capsys.readouterr()
    assert (ended.value.code, shown.out) == (2, "")
    for number, line in zip((3, 4), shown.err.splitlines(), strict=True):
        assert line.startswith(f"{path}:{number}: ")
    path.write_text(GOOD)
    counts = (
        "1 phrases, 1 items, 0 outside ids, 0 references, 1 substitutions, 1 systems, 1 outputs, "
        "0 attributes.\n"
    )
    call_command("import_items", "camp", str(path), "--dry-run")
    shown = capsys.readouterr().out
    assert shown == f"+ 2: The [mat].\n    + rug (A)\n1 rows read; would add: {counts}"
    assert not camp.items.exists()
    call_command("import_items", "camp", str(path))
    assert capsys.readouterr().out == f"1 rows read; added: {counts}"
    assert camp.items.count() == 1


def test_a_leading_apostrophe_is_kept_if_it_is_asked_for(camp, tmp_path):
    """In tables it marks a text that a spreadsheet would take for a formula."""
    path = tmp_path / "items.txt"
    for system, options in (("A", []), ("B", ["--raw"])):
        path.write_text(f"{HEAD}mat,The mat.,'=rug,{system}\n")
        call_command("import_items", "camp", str(path), "--format", "csv", *options)
    texts = Substitution.objects.order_by("pk").values_list("text", flat=True)
    assert list(texts) == ["=rug", "'=rug"]


@pytest.mark.parametrize(("slug", "file"), [("nowhere", "items.csv"), ("camp", "none.csv")])
def test_no_such_campaign_and_no_such_file_end_with_code_2(camp, tmp_path, slug, file):
    (tmp_path / "items.csv").write_text(GOOD)
    with pytest.raises(CommandError, match="nowhere|none.csv") as refused:
        call_command("import_items", slug, str(tmp_path / file))
    assert refused.value.returncode == 2


JUDGED = "item,paraphrase,scale,value\n"
ANSWERS = "".join(
    f"item-0,system {system} paraphrase 0,{scale},4\n"
    for system in (0, 1)
    for scale in ("MEANING", "GRAMMAR")
)


def test_a_file_without_names_is_that_of_one_annotator_and_can_fill_places(tmp_path, capsys):
    make_campaign(items=1, k=2, cast=False)
    path = tmp_path / "ann.csv"
    path.write_text(JUDGED + ANSWERS)
    call_command("import_judgments", "camp", str(path), "--annotator", "ann")
    assert capsys.readouterr().out == "4 rows read; added: 4 judgments, 1 annotators.\n"
    assert not Slot.objects.filter(state="done").exists()
    call_command("import_judgments", "camp", str(path), "--annotator", "ann", "--fill-slots")
    assert "added: 0 judgments, 0 annotators, 1 slots." in capsys.readouterr().out
    assert Slot.objects.filter(state="done").values_list("annotator__code").get() == ("ann",)


def test_judgments_of_unknown_people_need_no_names(tmp_path, capsys):
    make_campaign(items=1, cast=False)
    path = tmp_path / "crowd.csv"
    path.write_text(JUDGED + 3 * "item-0,system 0 paraphrase 0,MEANING,4\n")
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


def test_gold_of_a_table(tmp_path, capsys):
    new_campaign()
    for name in ("notes first.xlsx", "means.ods"):
        (tmp_path / name).write_bytes(FILES[name].make())
    call_command("import_items", "camp", str(tmp_path / "notes first.xlsx"))
    call_command("import_gold", "camp", str(tmp_path / "means.ods"), "--source", "lab")
    assert "added: 6 gold." in capsys.readouterr().out
    assert set(ImportedGold.objects.values_list("source", "spread")) == {("lab", 0.5)}


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
