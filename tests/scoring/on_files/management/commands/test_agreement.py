"""`manage.py agreement RATINGS.csv`: agreement of annotators from a file, without a database."""

import json

import pytest

from scoring.stats.agreement.catalogue import coefficients
from tests.scoring.stats.terminal.manage import HEADER, manage, manage_alone, write


@pytest.mark.slow
def test_agreement_command(tmp_path, reported):
    rows = "".join(
        f"{i},{a},MEANING,{1 + (i * (3 if a == 'x' else 4)) % 5},{i // 2}\n"
        for i in range(20)
        for a in "xyz"
    )
    path = write(tmp_path, HEADER + rows)
    done = manage_alone("agreement", path, "--levels", "1-5", "--threshold", "MEANING=3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    scale = json.loads(done.stdout)["scales"]["MEANING"]
    assert (scale["n_units"], scale["n_annotators"], scale["n_ratings"]) == (20, 3, 60)
    for name in coefficients():
        assert {"value", "ci_low", "ci_high", "n", "method", "reason"} <= set(scale[name])
    assert len(scale["cohen_kappa"]["pairs"]) == 3
    table = manage("agreement", path, "--cluster", "phrase", "--bootstrap", "20", "--seed", "4")
    assert "alpha_ordinal" in table.stdout and "[" in table.stdout
    left_out = manage("agreement", path, "--cluster", "phrase").stdout
    assert "new clusters" in left_out and "the fewest from 10" in left_out
    few = manage("agreement", write(tmp_path, HEADER + rows[: rows.index("\n12,")], "few.csv"))
    assert "there is no interval (alpha_ordinal)" not in few.stdout
    few = manage("agreement", tmp_path / "few.csv", "--cluster", "phrase").stdout
    assert "no interval (alpha_ordinal): 8 clusters are needed for an interval; there are 6" in few
    more = ("--influence", "--chance", "99", "--bootstrap", "20")
    scale = reported("agreement", path, *more)["scales"]["MEANING"]
    left_out = {row["annotator"]: row["values"] for row in scale["influence"]["annotators"]}
    assert set(left_out) == set("xyz") and left_out["x"]["percent_agreement"] == 1  # y is z
    assert scale["chance"]["permutations"] == 99
    text = manage("agreement", path, *more).stdout
    assert "95 %, new annotators" in text and "better than chance?" in text


def test_of_many_ratings_given_twice_the_first_ten_are_printed(tmp_path, refused):
    path = write(tmp_path, HEADER + "1,a,M,3,p\n" * 323)
    errors = refused("agreement", path)
    assert len(errors) == 11 and errors[0].startswith(f"{path}:3: annotator 'a' rated item '1'")
    assert errors[-1] == f"{path}:324: and 312 more errors; put these right first"


@pytest.mark.slow
def test_bad_input_exits_2_and_prints_no_json(tmp_path, refused):
    path = write(tmp_path, HEADER + "1,a,M,3,p\n1,a,M,4,p\n")
    (line,) = refused("agreement", path, "--json")
    assert line.startswith(f"{path}:3: annotator 'a' rated item '1'")
    assert refused("agreement", path, "--threshold", "X=1")
    done = manage_alone("correlate", path, "--human", "value", "--metric", "bleu", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{path}:1: there is no column bleu" in done.stderr
