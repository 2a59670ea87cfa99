"""`manage.py correlate TABLE.csv`: metrics against human columns of a file, without a database."""

import json

import numpy as np
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
    assert "bleu - pinc" in manage(*arguments).stdout


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


def test_differences_between_many_metrics_can_be_found(tmp_path, reported):
    """Half of twelve metrics follow people: Holm over 66 pairs must not hide it."""
    noise = np.random.default_rng(1).normal(size=(60, 12))
    people = np.arange(60.0) % 7
    metrics = noise + people[:, None] * (np.arange(12) < 6)
    names = [f"m{number}" for number in range(12)]
    path = tmp_path / "table.csv"
    np.savetxt(
        path,
        np.column_stack([people, metrics]),
        delimiter=",",
        comments="",
        header=",".join(["MEANING", *names]),
    )
    report = reported("correlate", path, "--human", "MEANING", "--metric", *names)
    clear = {
        (one["a"], one["b"])
        for one in report["human"]["MEANING"]["comparisons"]
        if one["holm_p"] < 0.05
    }
    assert {(one, other) for one in names[:6] for other in names[6:]} <= clear
