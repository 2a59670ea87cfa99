"""Files and commands: every problem with its line, one JSON object, no database."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from django.core.management import ManagementUtility
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.stats.files import (
    FileProblems,
    parse_levels,
    parse_threshold,
    read_columns,
    read_ratings,
)
from scoring.stats.report import STATISTICS

ROOT = Path(__file__).resolve().parents[2]
HEADER = "item,annotator,scale,value,phrase\n"


def write(folder: Path, text: str | bytes, name: str = "ratings.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(path: Path, **options: object) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        read_ratings(path, **options)  # type: ignore[arg-type]
    return [line.removeprefix(f"{path}:") for line in caught.value.lines]


def test_reads_ratings(tmp_path: Path) -> None:
    text = HEADER + '"a\nb",x,M,3,p\r\n"a\nb",y,M,,p\n2,y,M,4.5,q\n2,y,G,1,q\n'
    read = read_ratings(write(tmp_path, "\ufeff" + text), cluster="phrase")
    assert list(read.tables) == ["M", "G"]
    table = read.tables["M"]
    np.testing.assert_array_equal(table.dense(), [[3, np.nan], [np.nan, 4.5]])
    assert table.unit_labels == ("a\nb", "2") and table.annotator_labels == ("x", "y")
    assert read.clusters is not None and read.clusters.tolist() == [0, 1]


def test_tsv_and_jsonl_mean_the_same(tmp_path: Path) -> None:
    rows = [("i1", "x", "M", 3), ("i1", "y", "M", 4), ("i2", "x", "M", None)]
    csv = "item,annotator,scale,value\n" + "".join(
        f"{i},{a},{s},{'' if v is None else v}\n" for i, a, s, v in rows
    )
    lines = [json.dumps(dict(zip(("item", "annotator", "scale", "value"), r, strict=True)))
             for r in rows]  # fmt: skip
    tables = [
        read_ratings(path).tables["M"].dense()
        for path in (
            write(tmp_path, csv),
            write(tmp_path, csv.replace(",", "\t"), "ratings.tsv"),
            write(tmp_path, "\n".join(lines), "ratings.jsonl"),
        )
    ]
    for other in tables[1:]:
        np.testing.assert_array_equal(tables[0], other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEADER + "1,a,M,3,p\n1,b,M,3,p\n1,a,M,,p\n", ["4: annotator 'a' rated item '1' on scale "
         "'M' already on line 2: keep one of the two"]),
        (HEADER + "1,a,M,high,p\n1,b,M,inf,p\n1,c,M,1_0,p\n",
         [f"{n}: value is {v}: write a number, or leave the cell empty if missing"
          for n, v in ((2, "'high'"), (3, "'inf'"), (4, "'1_0'"))]),
        (HEADER + ",a,M,3,p\n", ["2: the column item is empty: fill it or delete the row"]),
        (HEADER + "1,a,M,3\n", ["2: has 4 fields where the header has 5: check commas and quotes"]),
        (HEADER + "1,a,M,3,p\n1,b,M,3,q\n", ["3: item '1' is in cluster 'q' here and in 'p' on "
         "line 2: give an item one cluster"]),
        ("item,annotator,value\n", ["1: has no column scale, phrase: the columns are item, "
         "annotator, value"]),
        ("", ["1: is empty: start with a line of column names (item, annotator, scale, value, "
         "phrase)"]),
        (HEADER, ["1: no ratings: add one row per item, annotator and scale"]),
        (HEADER + '1,"a,M,3,p\n', ["2: is no CSV from here on (unexpected end of data): check the "
         "quotes"]),
        (HEADER.encode() + b"1,\xff,M,3,p\n", ["2: is not UTF-8: save the file as UTF-8"]),
        (HEADER + "1,a\0,M,3,p\n", ["2: holds a NUL character: remove it"]),
    ],
)  # fmt: skip
def test_problems_name_line_and_remedy(
    tmp_path: Path, text: str | bytes, expected: list[str]
) -> None:
    assert problems(write(tmp_path, text), cluster="phrase") == expected


def test_values_off_the_levels(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1,a,M,6,p\n1,b,M,2.5,p\n")
    assert problems(path, levels=parse_levels("1-5")) == [
        "2: the value 6 is not on the scale 1 to 5: correct it or --levels",
        "3: the value 2.5 is not on the scale 1 to 5: correct it or --levels",
    ]


def test_missing_file_and_many_problems(tmp_path: Path) -> None:
    assert "cannot be read (No such file" in problems(tmp_path / "none.csv")[0]
    found = problems(write(tmp_path, HEADER
                           + "".join(f"{i},a,M,x,p\n" for i in range(150))))  # fmt: skip
    assert len(found) == 101 and "50 more problems" in found[-1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(
    lambda t: HEADER.encode() + t.encode("utf-8", "replace"))))  # fmt: skip
def test_no_bytes_make_a_traceback(tmp_path: Path, data: bytes) -> None:
    for name in ("any.csv", "any.jsonl"):
        try:
            read_ratings(write(tmp_path, data, name), cluster="phrase")
        except FileProblems as found:
            assert all(f"{name}:" in line for line in found.lines)


def test_read_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "id,h,m,c\n1,2,0.5,x\n2,,0.7,y\n3,4,,x\n")
    read = read_columns(path, ["h", "m"], cluster="c")
    np.testing.assert_array_equal(read.values["h"], [2, np.nan, 4])
    assert read.clusters is not None and read.clusters.tolist() == [0, 1, 0]
    with pytest.raises(FileProblems, match="csv:1: has no column z"):
        read_columns(path, ["z"])


def test_levels_and_thresholds() -> None:
    assert parse_levels("1-5").tolist() == [1, 2, 3, 4, 5]
    assert parse_levels("-2-2").tolist() == [-2, -1, 0, 1, 2]
    assert parse_levels("0,50,25").tolist() == [0, 25, 50]
    scale, threshold = parse_threshold("A=B=3.5")
    assert (scale, threshold.value) == ("A=B", 3.5)
    for text in ("5-1", "1", "a-b", "1,x", "", "1-1"):
        with pytest.raises(ValueError, match="is no scale"):
            parse_levels(text)
    for text in ("MEANING", "=3", "M=x", "M=nan"):
        with pytest.raises(ValueError, match="is no threshold"):
            parse_threshold(text)


def manage(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What `manage.py ARGUMENTS` does, in this process: pytest-django refuses every query."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            ManagementUtility(["manage.py", *map(str, arguments)]).execute()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def manage_alone(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, with a database that cannot be reached."""
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    return subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_agreement_command(tmp_path: Path) -> None:
    rows = "".join(f"{i},{a},MEANING,{1 + (i * (3 if a == 'x' else 4)) % 5},{i // 2}\n"
                   for i in range(12) for a in "xyz")  # fmt: skip
    path = write(tmp_path, HEADER + rows)
    done = manage_alone("agreement", path, "--levels", "1-5", "--threshold", "MEANING=3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    scale = json.loads(done.stdout)["scales"]["MEANING"]
    assert (scale["n_units"], scale["n_annotators"], scale["n_ratings"]) == (12, 3, 36)
    for name in STATISTICS:
        assert {"value", "ci_low", "ci_high", "n", "method", "reason"} <= set(scale[name])
    assert len(scale["cohen_kappa"]["pairs"]) == 3
    table = manage("agreement", path, "--cluster", "phrase", "--bootstrap", "20", "--seed", "4")
    assert table.returncode == 0 and "alpha_ordinal" in table.stdout and "[" in table.stdout
    more = ("--influence", "--chance", "99", "--bootstrap", "20")
    scale = json.loads(manage("agreement", path, *more, "--json").stdout)["scales"]["MEANING"]
    left_out = {row["annotator"]: row["values"] for row in scale["influence"]["annotators"]}
    assert set(left_out) == set("xyz") and left_out["x"]["percent_agreement"] == 1  # y is z
    assert scale["chance"]["permutations"] == 99
    text = manage("agreement", path, *more).stdout
    assert "95 %, new annotators" in text and "better than chance?" in text


def test_bad_input_exits_2_and_prints_no_json(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "1,a,M,3,p\n1,a,M,4,p\n")
    done = manage("agreement", path, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{path}:3: annotator 'a' rated item '1'")
    done = manage_alone("correlate", path, "--human", "value", "--metric", "bleu", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path}:1: has no column bleu" in done.stderr
    done = manage("agreement", path, "--threshold", "X=1")
    assert done.returncode == 2


def test_correlate_command(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 5},{(i * 7) % 11},{(i * 3) % 10},{i // 3}\n" for i in range(30))
    path = write(tmp_path, "id,MEANING,bleu,pinc,original\n" + rows, "table.csv")
    arguments = ("correlate", path, "--human", "MEANING", "--metric", "bleu", "pinc")
    done = manage_alone(*arguments, "--cluster", "original", "--bootstrap", "50", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["n"], report["clusters"]) == (30, 10)
    assert set(report["human"]["MEANING"]["metrics"]) == {"bleu", "pinc"}
    (comparison,) = report["human"]["MEANING"]["comparisons"]
    assert {"a", "b", "williams_p", "permutation_p", "mcnemar_p"} <= set(comparison)
    assert "bleu - pinc" in manage(*arguments).stdout


def test_columns_of_which_the_lower_is_better_are_turned(tmp_path: Path) -> None:
    rows = "".join(f"{i % 5},{(i * 7) % 11},{(i * 3) % 10},{i // 3}\n" for i in range(30))
    path = write(tmp_path, "MEANING,bleu,ter,original\n" + rows, "table.csv")
    turned = write(
        tmp_path,
        "MEANING,bleu,ter,original\n"
        + "".join(f"{i % 5},{(i * 7) % 11},{-((i * 3) % 10)},{i // 3}\n" for i in range(30)),
        "turned.csv",
    )
    more = ("--human", "MEANING", "--metric", "bleu", "ter", "--cluster", "original")
    lower = json.loads(manage("correlate", path, *more, "--lower", "ter", "--json").stdout)
    same = json.loads(manage("correlate", turned, *more, "--json").stdout)
    assert (lower.pop("turned"), same.pop("turned")) == (["ter"], [])
    assert lower == same
    assert "sign is turned: ter" in manage("correlate", path, *more, "--lower", "ter").stdout
    done = manage("correlate", path, *more, "--lower", "pinc")
    assert (done.returncode, done.stdout) == (2, "") and "--lower pinc" in done.stderr


def test_differences_between_many_metrics_can_be_found(tmp_path: Path) -> None:
    """Half of twelve metrics follow people: Holm over 66 pairs must not hide it."""
    noise = np.random.default_rng(1).normal(size=(60, 12))
    names = [f"m{number}" for number in range(12)]
    lines = [
        ",".join(map(repr, [float(i % 7), *(noise[i] + (i % 7) * (np.arange(12) < 6)).tolist()]))
        for i in range(60)
    ]
    path = write(tmp_path, "\n".join([",".join(["MEANING", *names]), *lines]), "table.csv")
    done = manage("correlate", path, "--human", "MEANING", "--metric", *names, "--json")
    comparisons = json.loads(done.stdout)["human"]["MEANING"]["comparisons"]
    found = {(one["a"], one["b"]) for one in comparisons if one["holm_p"] < 0.05}
    assert {(one, other) for one in names[:6] for other in names[6:]} <= found
