from io import BytesIO

from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.tables import lines_of_changes


def checked(campaign, text, importer=items_import):
    report = importer(
        campaign=campaign, stream=BytesIO(text.encode()), name="a.csv", actor=None, dry_run=True
    )
    assert report.ok
    return lines_of_changes(report.changes)


def test_a_dry_run_tells_what_changes_text_by_text(rug):
    told = checked(
        rug,
        "phrase,sentence,paraphrase,system,reference\n"
        "the mat,The cat sat on the mat.,the rug,B,\nthe mat,The cat sat on the mat.,it,B2,\n"
        "way,It gave way.,in,B,It broke.\n",
    )
    assert told == [
        "  2: The cat sat on [the mat].",
        "    + it (B2)",
        "    + known text (B)",
        "+ 4: It gave [way].",
        "    + in (B)",
        "    + reference: It broke.",
    ]
    item = rug.items.get()
    assert item.substitutions.count() == 1


def test_new_judgments_and_gold_by_text(rug):
    head = "phrase,sentence,paraphrase"
    told = checked(
        rug,
        f"{head},annotator,scale,value\nthe mat,The cat sat on the mat.,the rug,a,MEANING,4\n",
        judgments_import,
    )
    assert told == ["  2: The cat sat on [the mat].", "    + the rug (a MEANING: 4)"]
    told = checked(
        rug, f"{head},MEANING\nthe mat,The cat sat on the mat.,the rug,3.5\n", gold_import
    )
    assert told == ["  2: The cat sat on [the mat].", "    + the rug (MEANING: 3.5)"]
