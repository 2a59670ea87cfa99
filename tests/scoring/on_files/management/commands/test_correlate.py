"""`manage.py correlate TABLE.csv`: metrics against human columns of a file, without a database."""

import json

import pytest

from tests.scoring.stats.terminal.manage import manage, manage_alone, write


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
    alone = reported(*more, "--cluster", "item")
    assert (both["clusters"], alone["clusters"]) == (6, 12)
    one, other = (
        found["human"]["MEANING"]["metrics"]["bleu"]["pairwise_accuracy"] for found in (both, alone)
    )
    assert (one["value"], one["n"]) == (other["value"], other["n"])
    assert one["options"]["clusters"] == 6 and other["options"]["clusters"] == 12
    assert "--item: name the column of --cluster too" in refused(*more, "--item", "item")[0]


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
