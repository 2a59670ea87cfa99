import csv
import io
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.shared_tasks.board import (
    gold_file,
    originals_file,
    pairs_file,
    references_file,
    text_gold_file,
    texts_file,
    tsv,
)
from tests.scoring.stats.shared_tasks.made import make_frozen

CELLS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r"))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1))
def test_any_text_survives(rows):
    data = tsv(("x", "y"), rows).decode()
    read = list(csv.reader(io.StringIO(data, newline=""), delimiter="\t"))
    assert [tuple(row) for row in read[1:]] == list(rows)


def test_files_name_their_columns_and_join():
    frozen = replace(make_frozen(systems=2), references=[["other"]] * 12)
    heads = {
        texts_file: "id\toriginal\ttext",
        pairs_file: "pair\ta\tb",
        originals_file: "original\ttext",
        references_file: "original\treference",
        gold_file: "pair\tsum\tmajority\tpart",
        text_gold_file: "text\tgold\tpart\tsystems",
    }
    lines = {file: file(frozen).decode().splitlines() for file in heads}
    assert {file: found[0] for file, found in lines.items()} == heads
    assert len(lines[references_file]) == 1 + 2 * 12
    ids = {line.split("\t")[0] for line in lines[texts_file][1:]}
    assert {cell for line in lines[pairs_file][1:] for cell in line.split("\t")[1:]} == ids
