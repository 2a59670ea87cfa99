"""Files of parses."""

import pytest

from scoring.building.labels import convert, numbered_labels, parses_file, read_labels
from scoring.metrics.files import FileRefused
from tests.scoring.metrics.refused import refused

SENTENCES = [["a", "(", "dog"], [], ["ran"]]
CONLLU = """\
# text = a ( dog
1-2\ta(\t_\t_\t_\t_\t_\t_\t_\t_
1\ta\ta\tDET\t_\t_\t3\tdet\t_\t_
2\t(\t(\tPUNCT\t_\t_\t3\tpunct\t_\t_
3\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_
3.1\tx\tx\tNOUN\t_\t_\t_\t_\t_\t_

1\tran\trun\tVERB\t_\t_\t0\troot\t_\t_
"""


def read(folder, text, sentences=SENTENCES):
    path = folder / "parses"
    path.write_text(text, "utf-8")
    return list(read_labels(path, sentences, longest=3))


def test_bracketed_trees_line_by_line(tmp_path):
    found = read(tmp_path, "(NP (DT A) (-LRB- -LRB-) (NN dog))\n\n(VP (VBD ran))\n")
    assert [sorted(labels) for labels in found] == [
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
        [],
        [(0, 1)],
    ]
    assert found[2][0, 1].names == ("VP", "VBD")


def test_conllu_has_no_sentence_for_a_blank_line(tmp_path):
    found = read(tmp_path, CONLLU)
    assert found[0][0, 3].names == ("NP",)
    assert found[1] == {}
    assert found[2][0, 1].names == ("VP", "VERB")


ONE, THREE = "(NP (DT a) (X -LRB-) (NN dog))\n", "(VP (VBD ran))\n"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "(NP (DT a) (X [) (NN dog))\n\n(VP (VBD ran) (RB off))\n",
            [
                "1: word 2 of the tree is [, and of the sentence (;",
                "3: word 2 of the tree is off, and of the sentence -;",
            ],
        ),
        (
            "(NP (DT a)\n\n\n",
            [
                "1: character 11: 1 brackets are not closed.",
                "3: has no tree for the sentence; write one or parse it again.",
            ],
        ),
        (ONE, ["0: has 1 trees for 3 sentences; give one for each."]),
        (f"{ONE}\n", ["0: has 2 trees for 3 sentences; give one for each."]),
        (f"{ONE}\n{THREE}(X a)\n", ["0: has 4 trees for 3 sentences; give one for each."]),
        ("1\ta\n", ["1: has 2 cells instead of the 10"]),
        (
            CONLLU.replace("\t0\troot", "\t9\troot", 1),
            ["5: the head 9 is no word of the sentence."],
        ),
    ],
)
def test_problems_are_told_by_line(tmp_path, text, problems):
    for line, start in zip(refused(read, tmp_path, text), problems, strict=True):
        assert line.startswith(f"parses:{start}")


def test_labels_are_numbered_by_their_spans(tmp_path):
    names = {}
    labels = read(tmp_path, "(NP (DT a) (-LRB- -LRB-) (NN dog))\n\n(VP (VBD ran))\n")
    found = numbered_labels(iter(labels), SENTENCES, names)
    assert found.spans.tolist() == sorted(found.spans.tolist())
    last = [list(names)[number] for number in found.labels[found.spans == 3 * 16 + 1]]
    assert last == ["VP", "VBD"]
    assert [list(names)[number] for number in found.labels[found.spans == 0 * 16 + 3]] == ["NP"]


# The kind `parses`.


TREES = "(S (NP (D the) (N cat)) (VP (V sat)))\n\n(NP (D a) (N dog))\n"


def test_trees_are_counted_and_kept(tmp_path):
    source, store = tmp_path / "given.txt", tmp_path / "store"
    source.write_text(TREES)
    store.mkdir()
    assert convert(source, store, progress=print) == {"trees": 2, "parsed": 5}
    assert parses_file(store).read_text() == TREES
    assert parses_file(source) == source


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(S (W a)\n", r"given.txt:1: character"),
        ("\n\n", "has no tree"),
        ("1\ta\n", "instead of the 10 of CoNLL-U"),
    ],
)
def test_what_is_wrong_is_named(content, said, tmp_path):
    source = tmp_path / "given.txt"
    source.write_text(content)
    (tmp_path / "store").mkdir()
    with pytest.raises(FileRefused, match=said):
        convert(source, tmp_path / "store", progress=print)
