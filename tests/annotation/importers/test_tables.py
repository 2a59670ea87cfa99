"""Files of every bad kind give problems with a line, never an exception and never half a row."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.importers.ccb import read_ccb
from annotation.importers.gold import read_expected, read_gold
from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments, read_scores
from tests.annotation.importers.reading import check_first, problems_of, read_item_rows
from tests.annotation.strategies import stream

ITEMS = "item,phrase,sentence,paraphrase,system,attr.note\n1,a,a b,c,S,x\n"
VALID = (
    "item,phrase,sentence,start,end,paraphrase,system,attr.x\n"
    'i1,so,"it is so, ""really""\nand so",6,8,thus,s1,1\n'
    "i2,,Ünïcode sentence,,,other,s2,2\n"
    "i3,,Third,,,'=1+1,s3,3\n"
).encode()

VALID_JSON = b"".join(
    json.dumps(record).encode() + b"\n"
    for record in (
        {"item": "i1", "sentence": "it is so", "phrase": "so", "paraphrase": "thus", "system": 1},
        {"item": 2, "sentence": "\u00dc", "references": ["a"], "attr.x": {"y": [1.5, None]}},
    )
)


def test_the_valid_files_are_valid():
    parsed = read_item_rows(VALID)
    assert parsed.problems == ()
    assert [row.line for row in parsed.rows] == [2, 4, 5]
    assert parsed.rows[0].sentence == 'it is so, "really"\nand so'
    assert parsed.rows[2].paraphrase == "=1+1"
    assert read_item_rows(VALID_JSON, "f.jsonl").problems == ()


@pytest.mark.parametrize(
    ("content", "line", "part"),
    [
        (b"", 1, "the file is empty"),
        (b"\xef\xbb\xbf", 1, "the file is empty"),
        (b"sentence,phrase\nA\n", 2, "1 cells where the header has 2"),
        (b"sentence,phrase\nA,B,C\n", 2, "3 cells where the header has 2"),
        (b'sentence\nA\n"B\nC\n', 3, "is not closed"),
        (b'sentence,phrase\n"A"b,c\n', 2, "followed by other text"),
        (b"sentence\nA\nM\xfcller\n", 3, "0xFC (line 3, character 2) is not UTF-8: save the file"),
        (b'sentence\n"A\n\xe9"\nB\n', 2, "0xE9 (line 3, character 1)"),
        (b"sentence\nA\nB\0C\n", 3, "NUL"),
        (b"sentence,sentence\nA,B\n", 1, "in the header twice"),
        (b"sentense\nA\n", 1, "did you mean 'sentence'?"),
        (b"sentence,\nA,B\n", 1, "column 2 has no name"),
        (b"sentence;phrase\nA;A\n", 1, "save the file with ',' between"),
        (b"\xff\xfes\0e\0n\0", 1, "UTF-16"),
        (b"PK\x03\x04rest", 1, "spreadsheet"),
        (b"sent\xe9nce\nA\n", 1, "0xE9"),
        (b"sentence\n" + b"x" * 10_000_000 + b"\nB\n", 2, "longer than 4000000"),
        (b'sentence\n"' + b"x" * 10_000_000 + b'"\nB\n', 2, "longer than 4000000"),
        (b"sentence\n" + b"x" * 1_000_001 + b"\n", 2, "longer than 1000000 characters"),
        (b"sentence\n" + b'"' + b"abc\n" * 300_000, 2, "a quote is not closed"),
        (b",".join(b"attr.%d" % n for n in range(2001)) + b"\n", 1, "at most 2000 are allowed"),
    ],
)
def test_broken_csv(content, line, part):
    check_first(read_item_rows(content, "f.csv"), line, part)


def test_rows_of_empty_cells_are_passed_over_and_a_header_alone_is_a_warning():
    (problem,) = read_item_rows("sentence,phrase\n,\n").problems
    assert problem.severity == "warning"


def test_the_ending_tells_the_format_unless_it_is_given():
    for name in ("f.xlsx", "noending", "f.json"):
        assert ".jsonl" in problems_of(read_item_rows(VALID, name))[0]
    assert read_item_rows(VALID, "upload.tmp", format="csv").problems == ()


def test_raw_keeps_apostrophes():
    for raw, sentence in ((False, "=x"), (True, "'=x")):
        assert read_item_rows("sentence\n'=x\n", raw=raw).rows[0].sentence == sentence


CCB = (
    b"TO GO (phrase number: 1)\n"
    b"MEANING GRAMMAR he wants __TO GO__ . (item number: 1)\n"
    b"5 4 he wants __to leave__ . 1,2\n"
)


@st.composite
def mutated(draw):
    """A valid file with pieces cut out, doubled, overwritten, or in another encoding."""
    name, content = draw(
        st.sampled_from([("f.csv", VALID), ("f.jsonl", VALID_JSON), ("f.ccb", CCB)])
    )
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 20)))
        piece = draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from(
                    [
                        b"",
                        b'"',
                        b",",
                        b"\r",
                        b"\n",
                        b"\0",
                        b"\xff",
                        b"{",
                        b"__",
                        b"'",
                        content[start:end] * 2,
                        "\u0301".encode(),
                        b"1e999",
                        b"NaN",
                    ]
                ),
            )
        )
        content = content[:start] + piece + content[end:]
    if draw(st.booleans()):
        encoding = draw(st.sampled_from(["utf-16", "latin-1", "utf-8-sig", "utf-32-le"]))
        content = content.decode("latin-1").encode(encoding)
    return name, content


def lines_of_errors(parsed):
    return {problem.line for problem in parsed.problems if problem.severity == "error"}


@given(
    st.one_of(
        mutated(),
        st.tuples(st.sampled_from(["f.csv", "f.tsv", "f.jsonl", "f.ccb"]), st.binary(max_size=300)),
    )
)
@example(("f.csv", b'"'))
@example(("f.jsonl", b"\xff"))
def test_no_file_raises_and_no_bad_line_gives_a_row(case):
    name, content = case
    if name == "f.ccb":
        ccb = read_ccb(stream(content), name=name, annotator="a")
        assert not lines_of_errors(ccb) & {row.line for row in ccb.items}
        assert ccb.items or not ccb.ok
        return
    items = read_items(stream(content), name=name)
    assert not lines_of_errors(items) & {row.line for row in items.rows}
    for row in items.rows:
        assert row.sentence[row.start : row.end] == row.phrase
    read_judgments(stream(content), name=name, repeats="number")
    read_gold(stream(content), name=name, scales=["MEANING"])


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
