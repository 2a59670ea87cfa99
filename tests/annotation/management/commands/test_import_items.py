"""manage.py import_items CAMPAIGN FILE"""

import pytest
from django.core.management import CommandError, call_command

from annotation.campaigns.services import campaign_create
from annotation.models import Substitution

HEAD = "phrase,sentence,paraphrase,system\n"
GOOD = f"{HEAD}mat,The mat.,rug,A\n"


@pytest.fixture
def camp():
    return campaign_create(actor=None, slug="camp")


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


# Mean, category, phrase, paraphrase, and the scores of unknown people, sorted.
PPDB = """\
3.6\t[NP]\tthis video\tthe movie\t3.0,3.0,4.0,4.0,4.0
1.0\t[FRAG]\tmr . x\t, mr y .\t1.0,1.0,1.0,1.0
2.4\t[NN]\teditor\thead\t1.0,1.0,2.0,3.0,5.0
"""
