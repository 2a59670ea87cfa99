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
    few = write(tmp_path, HEADER + rows[: rows.index("\n12,")], "few.csv")
    independent = manage("agreement", few, "--cluster", "").stdout
    assert "there is no interval (alpha_ordinal)" not in independent
    few = manage("agreement", few).stdout  # The column phrase, as it has this name.
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


# `manage.py correlate TABLE.csv`: metrics against human columns of a file, without a database.


@pytest.mark.slow
def test_correlate_command(tmp_path):
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
    shown = manage(*arguments, "--cluster", "original").stdout
    assert "bleu - pinc" in shown and "mcnemar_clustered_p" in shown
    for name in ("williams_p", "independent", "mcnemar_p", "p, independent"):
        assert name not in shown, name
        assert name in manage(*arguments, "--cluster", "original", "--as-in-paper").stdout
    few = manage(
        "correlate",
        write(
            tmp_path,
            "m,b,c,g\n" + "".join(f"{i},{i * 7 % 11},{i * 3 % 10},{i // 3}\n" for i in range(15)),
            "few.csv",
        ),
        "--human",
        "m",
        "--metric",
        "b",
        "c",
        "--cluster",
        "g",
    ).stdout
    assert "5 phrases cannot tell two metrics apart at .05; 6 are needed." in few


def test_pairs_stay_within_items_of_a_phrase(tmp_path, reported, refused):
    rows = "".join(f"{i % 5},{(i * 7) % 11},{i // 3},{i // 6}\n" for i in range(36))
    path = write(tmp_path, "MEANING,bleu,item,phrase\n" + rows, "table.csv")
    more = ("correlate", path, "--human", "MEANING", "--metric", "bleu")
    both = reported(*more, "--cluster", "phrase", "--item", "item")
    assert reported(*more) == both  # By the names of the columns.
    alone = reported(*more, "--cluster", "item")
    assert (both["clusters"], alone["clusters"]) == (6, 12)
    one, other = (
        found["human"]["MEANING"]["metrics"]["bleu"]["pairwise_accuracy"] for found in (both, alone)
    )
    assert (one["value"], one["n"]) == (other["value"], other["n"])
    assert one["options"]["clusters"] == 6 and other["options"]["clusters"] == 12
    assert (
        "--item: name the column of --cluster too"
        in refused(*more, "--cluster", "", "--item", "item")[0]
    )


def test_columns_of_which_the_lower_is_better_are_turned(tmp_path, reported, refused):
    path, turned = (
        write(
            tmp_path,
            "MEANING,bleu,ter,original\n"
            + "".join(
                f"{i % 5},{(i * 7) % 11},{sign * ((i * 3) % 10)},{i // 3}\n" for i in range(30)
            ),
            name,
        )
        for name, sign in (("table.csv", 1), ("turned.csv", -1))
    )
    more = ("--human", "MEANING", "--metric", "bleu", "ter", "--cluster", "original")
    lower = reported("correlate", path, *more, "--lower", "ter")
    same = reported("correlate", turned, *more)
    assert (lower.pop("turned"), same.pop("turned")) == (["ter"], [])
    assert lower == same
    assert "sign is reversed: ter" in manage("correlate", path, *more, "--lower", "ter").stdout
    assert "--lower pinc" in refused("correlate", path, *more, "--lower", "pinc")[0]
