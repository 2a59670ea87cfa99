"""`manage.py score` on files, and its reader."""

import json
import os
import subprocess
import sys

import pytest
from django.core.management import call_command

from tests.scoring.metrics.arpa_files import write_model
from tests.scoring.on_files.calls import lines


@pytest.fixture
def scored(reported):
    """The report about metrics on a file, by the key of each."""

    def call(path, *metrics):
        given = [part for metric in metrics for part in ("--metric", metric)]
        return reported("score", path, *given)["metrics"]

    return call


@pytest.fixture
def problems(refused):
    """What is wrong with a file, or with metrics, of which nothing is printed."""

    def call(path, *metrics):
        given = [part for metric in metrics or ("pinc",) for part in ("--metric", metric)]
        return refused("score", path, *given, "--json")

    return call


def test_json_has_the_documented_shape(pairs, scored):
    metrics = scored(pairs, "bleu:against=mixed", "pinc:as=new")
    assert list(metrics) == ["bleu:against=mixed", "new"]
    assert metrics["new"]["scores"] == {"a": 0.0, "b": 1.0, "c": None}
    assert metrics["new"]["reasons"] == {"c": "The paraphrase has no words."}
    assert metrics["new"]["higher_is_better"] is True
    assert metrics["bleu:against=mixed"]["signature"].startswith("bleu|against:mixed|")
    assert metrics["bleu:against=mixed"]["scores"]["a"] == pytest.approx(100)


def test_a_mixture_of_references_and_originals_is_refused_before_the_work(pairs, problems):
    errors = problems(pairs, "bleu", "pinc", "combine:of=chrf+pinc,as=sum")
    assert [line.partition(": ")[0] for line in errors] == ["--metric bleu", "--metric sum"]
    assert all("1 texts have references and 2 have none" in line for line in errors)


def test_output_has_a_column_per_metric_and_replaces_no_pipe_or_link(pairs, tmp_path, capsys):
    out, pipe, link = (tmp_path / name for name in ("scores.csv", "pipe", "link.csv"))
    command = ("score", pairs, "--metric", "pinc", "-o")
    call_command(*command, out)
    assert lines(out) == [["id", "pinc"], ["a", "0.0"], ["b", "1.0"], ["c", ""]]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["pairs.csv", "scores.csv", "scores.json"]
    capsys.readouterr()
    # Where scores go to a pipe, the summary is not among them.
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    call_command(*command, pipe)
    assert reader.communicate(timeout=60)[0].startswith(b"id,pinc\r\na,0.0\r\n")
    assert pipe.is_fifo()
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines()[1].split() == ["pinc", "2", "1", "0.5000", "-"]
    link.symlink_to(tmp_path / "real.csv")
    call_command(*command, link)
    assert link.is_symlink() and lines(link) == lines(out)


def test_where_nothing_can_be_written_is_told_before_the_work(pairs, tmp_path, refused):
    for place in (tmp_path, tmp_path / "none" / "out.csv"):
        errors = refused("score", pairs, "--metric", "nothing", "-o", place)
        assert errors[1].startswith(f"{place}:0: cannot be written")


def test_without_options_a_table_is_printed(pairs, capsys):
    long = "length_ratio:tokenize=char,against=original"
    call_command("score", pairs, "--metric", "pinc", "--metric", long)
    table = capsys.readouterr().out.splitlines()[:3]
    assert table[1].split() == ["pinc", "2", "1", "0.5000", "-"]
    assert len({len(line) for line in table}) == 1  # Columns stand below their names.


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "the file is empty"),
        ("id,original\na,b\n", 1, "there is no column paraphrase: correct the name"),
        ("id;original;paraphrase\na;b;c\n", 1, "save the file with ',' between"),
        ("id,original,paraphrase,original\n", 1, "the column is in the header twice"),
        ("id,original,paraphrase\n", 1, "a header but no record"),
        ("id,original,paraphrase\n\na,b\n", 3, "2 cells where the header has 3"),
        ("id,original,paraphrase\na,b,c\n,b,c\n", 3, "column 'id': is empty"),
        ("id,original,paraphrase\na,b,c\na,d,e\n", 3, "'a' is already on line 2"),
        ("id,original,paraphrase\na,,c\n", 2, "column 'original': is empty"),
        ('id,original,paraphrase\na,"b\nb",c\na,"d\n', 4, "quote"),
        ('id,original,paraphrase\na,"b" b,c\n', 2, "quote"),
        ("id,original,paraphrase\na,b\0,c\n", 2, "NUL"),
        ("id,original,paraphrase\na,b,caf\xe9\n", 2, "not UTF-8"),
        (f"id,original,paraphrase\na,b,{'c' * 10_000_000}\n", 2, "longer than 4000000 characters"),
        ("id,original,paraphrase,language\na,b,c,English please\n", 2, "column 'language'"),
    ],
)
def test_bad_files_exit_2_with_the_line(tmp_path, problems, content, line, message):
    path = tmp_path / "bad.csv"
    path.write_bytes(content.encode("latin-1"))
    (problem,) = problems(path)
    assert problem.startswith(f"{path}:{line}: ") and message in problem


def test_what_a_json_line_lacks_is_named(tmp_path, problems):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": 1, "original": "a", "paraphrase": 2}\n{"id": 1, "original": "a"}\n')
    assert problems(path) == [
        f"{path}:1: column 'paraphrase': must be text, not 2: put it in quotes",
        f"{path}:2: there is no column paraphrase: correct the name or add the column (there are "
        "id, original)",
    ]


def test_all_problems_are_named_at_once_and_of_very_many_the_first_ten(tmp_path, problems):
    path = tmp_path / "bad.csv"
    path.write_text('id,original,paraphrase\na,b\nb,,c\nc,"\n')
    errors = problems(path, "bleu:x=1", "nothing")
    assert len(errors) == 5 and errors[0].startswith("--metric bleu:x=1: bleu: unknown option x")
    path.write_text("id,original,paraphrase\n" + "a,b\n" * 1000)
    errors = problems(path)
    assert len(errors) == 11
    assert errors[-1] == f"{path}:1001: and 990 more errors; put these right first"


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        (["pinc", "bleu:as=pinc"], "add as=NAME"),
        (["bleu:as=id"], "id is the column of the ids"),
        # A name of another program gets a suggestion first.
        (["rougeL"], "--metric rougeL: Did you mean rouge_l? There is no metric called"),
    ],
)
def test_metrics_that_cannot_be_columns_are_refused(pairs, problems, metrics, says):
    assert says in problems(pairs, *metrics)[0]


def test_a_missing_file_is_named(tmp_path, problems):
    assert "cannot be read" in problems(tmp_path / "none.csv")[0]


@pytest.mark.slow
def test_it_runs_where_there_is_no_database(pairs, tmp_path):
    environment = os.environ | {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "PARAANNO_DATA_DIR": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "score", str(pairs), "--metric", "pinc", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["metrics"]["pinc"]["scores"]["b"] == 1.0


def test_a_metric_of_one_language_asks_for_it(tmp_path, scored, problems):
    path = tmp_path / "pairs.csv"
    path.write_text("id,original,paraphrase\na,The tree,A tree\n")
    (problem,) = problems(path, "apem")
    assert "write lang=ko, lang=en" in problem and "column language" in problem
    assert scored(path, "apem:lang=en")["apem:lang=en"]["scores"] == {"a": 1.0}
    path.write_text("id,original,paraphrase,language\na,The tree,A tree,en\nb,The tree,A tree,fr\n")
    apem = scored(path, "apem")["apem"]
    assert apem["scores"] == {"a": 1.0, "b": None} and "|lang:en|" in apem["signature"]
    assert apem["reasons"] == {"b": "The text is in fr, and apem reads en here."}


# `manage.py score_lm` without a database.


def test_sentences_and_perplexity(tmp_path, reported, refused, capsys):
    model, path = write_model(tmp_path / "m.arpa"), tmp_path / "some.txt"
    path.write_text("a b\n\n  b x \n")
    report = reported("score_lm", model, path)
    # As tests/scoring/metrics/resources/test_arpa.py has them by hand.
    logs = [-0.375 - 0.65625 - 0.1875, -0.75, -0.25 - 0.875 - 0.0625 - 1 - 0.5]
    assert report["sentences"] == [
        {"logprob10": logs[0], "words": 2, "unknown": 0},
        {"logprob10": logs[1], "words": 0, "unknown": 0},
        {"logprob10": logs[2], "words": 2, "unknown": 1},
    ]
    assert report["perplexity"] == pytest.approx(10 ** (-sum(logs) / 7))
    call_command("score_lm", model, path)
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["-1.2188\t2\t0", "-0.7500\t0\t0", "-2.6875\t2\t1"]
    assert printed.err.startswith("perplexity 4.63 of 3 sentences and 4 words, 1 of them unknown")
    path.write_bytes(b"fine\nnot \xff\n")
    for one, line in (
        (model, "some.txt:2: is not UTF-8; save the file as UTF-8."),
        (tmp_path / "none", "none:0: cannot be read (No such file or directory)."),
        (path, "some.txt:0: has no line \\data\\; use a model in the ARPA format."),
    ):
        assert refused("score_lm", one, path) == [f"{tmp_path}/{line}"]
