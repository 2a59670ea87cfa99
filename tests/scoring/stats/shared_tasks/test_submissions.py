import io
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.stats.shared_tasks import submissions
from scoring.stats.shared_tasks.submissions import read_submission

IDS = {"choice": ["p1", "p2", "p3"], "score": ["t1", "t2"]}


def read(text, name="sub.tsv"):
    data = text if isinstance(text, bytes) else text.encode()
    return read_submission(io.BytesIO(data), name, ids=IDS)


def test_choices_and_scores_are_read_in_any_order_and_format():
    choice = read("pair\tchoice\np3\t=\np1\ta\np2\tB\n")
    assert choice.ok and choice.form == "choice"
    assert choice.values == {"p1": 1, "p2": -1, "p3": 0}
    score = read("text,score,remark\nt2,-1e3,x\nt1,.5,\n", "sub.csv")
    assert score.ok and score.values == {"t1": 0.5, "t2": -1000.0}
    json = read('{"text": "t1", "score": 1}\n{"text": "t2", "score": 2.5}\n', "sub.jsonl")
    assert json.ok and json.form == "score"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pair\tchoice\np1\ta\n", "2 of 3 pairs have no choice (p2, p3)"),
        ("pair\tchoice\n", "3 of 3 pairs have no choice"),
        ("text\tscore\nt1\t1\n", "1 of 2 texts have no score (t2)"),
        ("pair\tchoice\np1\ta\np1\tb\np2\ta\np3\ta\n", "sub.tsv:3: column 'pair': 'p1' was answer"),
        ("pair\tchoice\np1\ta\np9\tb\np2\ta\np3\ta\n", "'p9' is not in the files"),
        ("pair\tchoice\np1\tx\np2\ta\np3\ta\n", "'x' is none of a, b and ="),
        ("pair\tchoice\np1\t\np2\ta\np3\ta\n", "column 'choice': is empty"),
        ("text\tscore\nt1\tnan\nt2\t1\n", "'nan' is not a number"),
        ("text\tscore\nt1\t1_000\nt2\t1\n", "'1_000' is not a number"),
        ("text\tscore\nt1\tinf\nt2\t1\n", "'inf' is not a number"),
        ("pair\tchoice\ttext\tscore\np1\ta\tt1\t1\n", "two kinds of submission"),
        ("id\tvalue\n1\t2\n", "the columns must be pair, choice or text, score"),
        ("pair,choice\np1,a\n", "save the file with"),
        ("", "the file is empty"),
        (b"\xff\xfe\x00\x01", "sub.tsv:1:"),
        (b"PK\x03\x04\x00\x00", "sub.tsv:1:"),
    ],
)
def test_a_bad_file_is_refused_as_a_whole(text, wanted):
    answers = read(text)
    assert not answers.ok
    assert wanted in "\n".join(map(str, answers.problems))


def test_many_problems_are_counted_and_the_first_are_shown():
    answers = read("pair\tchoice\n" + "".join(f"x{n}\ta\n" for n in range(500)))
    assert len(answers.problems) < 30
    assert "3 of 3 pairs" in str(answers.problems[0])
    assert "more errors" in str(answers.problems[-1])


@given(st.binary(max_size=400))
def test_any_bytes_are_answered_and_never_accepted_by_chance(data):
    answers = read(data)
    assert not answers.ok and answers.problems


def test_a_paraphrase_is_bounded():
    ids = {"text": ["o1"]}
    data = ("original\ttext\no1\t" + "a" * 10_001 + "\n").encode()
    answers = read_submission(io.BytesIO(data), "s.tsv", ids=ids)
    assert "at most 10000 are allowed" in str(answers.problems[-1])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p1", "p2", "p3", "t1", "t2", "p9", " p1", ""]),
            st.sampled_from([*"ab=B1", "-.5", " 2", "nan", "1_0", "", "\u0661", "'a"]),
            st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\tx\n", '"\n', ""]),
        ),
        min_size=2,
        max_size=4,
    ),
    st.sampled_from(["pair\tchoice\n", "text\tscore\r\n", "choice\tpair\n"]),
)
@example([("p1", "a", "\n"), ("p2", "=", "\r\n"), ("p3", "b", "")], "pair\tchoice\n")
@example([("t1", "1", "\n"), ("t2", "-.5", "\n")], "text\tscore\r\n")
@example([("t1", "1", "\n"), ("t2", "nan", "\n")], "text\tscore\r\n")
@example([("t1", "1", "\n"), ("t2", "1_0", "\n")], "text\tscore\r\n")
@example([("p1", "a", "\tx\n"), ("p2", "=", "\n"), ("p3", "b", "\n")], "pair\tchoice\n")
@example(
    [("p1", "a", "\n"), ("p1", "a", "\n"), ("p2", "=", "\n"), ("p3", "b", "\n")], "pair\tchoice\n"
)
def test_the_short_way_says_what_the_long_way_says(lines, header):
    data = (header + "".join(f"{key}\t{value}{end}" for key, value, end in lines)).encode()
    short = read_submission(data, "sub.tsv", ids=IDS, format="tsv")
    long = read_submission(io.BytesIO(data), "sub.tsv", ids=IDS, format="tsv")
    assert (short.form, short.values) == (long.form, long.values)
    assert list(map(str, short.problems)) == list(map(str, long.problems))


def test_a_faultless_file_takes_the_short_way():
    with patch.object(submissions, "read_records", side_effect=AssertionError):
        for data in (b"pair\tchoice\np3\t=\np1\ta\np2\tb\n", b"text\tscore\r\nt2\t1e3\r\nt1\t.5"):
            assert read_submission(data, "sub.tsv", ids=IDS, format="tsv").ok
