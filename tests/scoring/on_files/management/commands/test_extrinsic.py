"""`manage.py extrinsic` without a database."""

import pytest

from tests.scoring.extrinsic.reviews import reviews, write_table
from tests.scoring.on_files.calls import rows


@pytest.fixture
def table(tmp_path):
    texts, labels = reviews(120)
    turned = [" ".join(reversed(text.split())) for text in texts]
    return write_table(
        tmp_path / "train.csv",
        {
            "id": [f"r{n}" for n in range(120)],
            "text": texts,
            "=copy": texts,
            "turned": turned,
            "label": labels,
        },
    )


def test_accuracies_and_outcomes(table, tmp_path, reported):
    folder = tmp_path / "new" / "folder"
    command = (
        "extrinsic",
        table,
        "--text",
        "text",
        "--text",
        "=copy",
        "turned",
        "--label",
        "label",
        "--split",
        "60,20,40",
        "--classifier",
        "nb",
        "--classifier",
        "svm,nb",
        "--seed",
        "5",
        "-o",
        folder,
    )
    report = reported(*command)
    assert list(report["accuracy"]) == ["nb", "svm"]
    of_nb = report["accuracy"]["nb"]
    assert list(of_nb) == ["text", "=copy", "turned"]
    assert list(of_nb["text"]) == ["value", "ci_low", "ci_high", "n"]
    assert of_nb["text"] == of_nb["=copy"] and of_nb["text"]["n"] == 40
    assert report["split"] == {"training": 60, "validation": 20, "test": 40}
    assert (report["seed"], report["texts"]["used"]) == (5, 120)
    outcomes = rows(folder / "outcomes.csv")
    assert list(outcomes[0]) == ["id", "system", "classifier", "correct", "p_true", "change"]
    assert len(outcomes) == 2 * 3 * 40
    for name, row in report["on_paraphrases"].items():
        for column, one in row.items():
            of = (name, "'=copy" if column == "=copy" else column)
            right = [int(r["correct"]) for r in outcomes if (r["classifier"], r["system"]) == of]
            assert sum(right) / 40 == one["value"]
    p_true = {(row["id"], row["system"], row["classifier"]): row["p_true"] for row in outcomes}
    for row in outcomes:
        original = float(p_true[row["id"], "text", row["classifier"]])
        assert float(row["change"]) == float(row["p_true"]) - original
        assert (float(row["p_true"]) > 0.5) == (row["correct"] == "1")
    assert float(rows(folder / "accuracy.csv")[0]["value"]) == of_nb["text"]["value"]
    before = (folder / "outcomes.csv").read_bytes()
    assert reported(*command) == report and (folder / "outcomes.csv").read_bytes() == before


def test_doubled_texts_count_once_and_no_text_is_in_two_parts(tmp_path, reported, refused):
    texts, labels = reviews(60)
    once, twice = (
        write_table(tmp_path / f"{n}.csv", {"t": [*texts, *texts[:n]], "y": [*labels, *labels[:n]]})
        for n in (0, 30)
    )
    usual = ("--text", "t", "--label", "y", "--classifier", "nb", "--split")
    one, other = (reported("extrinsic", path, *usual, "30,10,20") for path in (once, twice))
    assert one["accuracy"] == other["accuracy"]
    assert (one["texts"]["doubled"], other["texts"]["doubled"]) == (0, 30)
    first = refused("extrinsic", twice, *usual, "40,10,20")[0]
    assert first.startswith(f"{twice}:0: has 60 texts that can be used (left out")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--classifier", "nb,tree"], "--classifier tree: there is none of this name"),
        (["--split", "1,2"], "--split 1,2: should be three numbers of texts"),
        (["--seed", "-1"], "--seed: use 0 to"),
        (["--repeat", "0"], "--repeat: use 1 to 100."),
        (["--bootstrap", "-1"], "--bootstrap: use 0 or more."),
        (["--metric", "m"], "--scores and --metric: give both or neither."),
        (["--metric", "m", "--scores", "x=y"], "--scores x=y: write COLUMN=FILE"),
        (["--metric", "label", "--scores", "text={table}"], "{table}:2: column 'label': "),
        (["-o", "{table}"], "{table}:0: cannot be written"),
    ],
)
def test_bad_input_exits_with_2(more, expected, table, refused):
    given = (part.format(table=table) for part in more)
    usual = ("--text", "text", "--label", "label", "--split", "60,20,40")
    assert refused("extrinsic", table, *usual, *given)[0].startswith(expected.format(table=table))
