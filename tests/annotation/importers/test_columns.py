"""The columns that files of a campaign have, and what tells one kind of file from another."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.importers import read_expected, read_items, read_judgments, read_scores
from tests.annotation.importers.strategies import stream
from tests.annotation.importers.test_tables import ITEMS

JUDGED = "item,paraphrase,annotator,scale,value\n1,c,A,M,3\n"

SCORED = "item,paraphrase,system,score.mine\n1,c,S,3\n"

GOLD = "item,paraphrase,systems,M,M_n,pass\n1,c,S,3,2,1\n"

BANDS = "item,paraphrase,role,low,high\n1,c,control,3,4\n"


@pytest.mark.parametrize(
    ("reader", "content", "kind", "found", "command"),
    [
        (read_judgments, ITEMS, "items", "'system', 'attr.note'", " (import_items)"),
        (read_judgments, SCORED, "scores of a metric", "'score.mine'", " (import_scores)"),
        (read_judgments, GOLD, "gold", "'pass'", ""),
        (read_judgments, BANDS, "expected values", "'low', 'high'", ""),
        (read_items, JUDGED, "judgments", "'annotator', 'scale', 'value'", " (import_judgments)"),
        (read_items, SCORED, "scores of a metric", "'score.mine'", " (import_scores)"),
        (read_scores, JUDGED, "judgments", "'annotator', 'scale', 'value'", " (import_judgments)"),
        (read_expected, ITEMS, "items", "'system', 'attr.note'", " (import_items)"),
    ],
)
def test_a_file_of_another_kind_is_told_once_with_its_command(
    reader, content, kind, found, command
):
    """In JSON Lines too, where every line has the same keys."""
    header, row = (line.split(",") for line in content.splitlines())
    record = json.dumps(dict(zip(header, row, strict=True)))
    for name, body in (("f.csv", content), ("f.jsonl", f"{record}\n{record}\n")):
        [problem] = reader(stream(body), name=name).problems
        assert str(problem).startswith(
            f"{name}:1: this looks like a file of {kind} (it has {found}): import it as "
            f"{kind}{command}; the columns of a file of "
        )


@pytest.mark.parametrize("reader", [read_items, read_judgments, read_scores, read_expected])
@given(st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz._", min_size=1), unique=True))
def test_every_unknown_column_is_refused(reader, names):
    """In a table and in JSON alike, where the guess is never the very name."""
    table = reader(stream(",".join(names) + "\n"), name="f.csv").problems
    lines = reader(stream(json.dumps(dict.fromkeys(names, "x")) + "\n"), name="f.jsonl").problems
    told = {one.column: str(one.message) for one in lines if "unknown" in one.message}
    assert told == {one.column: str(one.message) for one in table if "unknown" in one.message}
    assert all(f"did you mean {name!r}" not in said for name, said in told.items())
