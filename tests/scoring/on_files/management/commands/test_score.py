"""`manage.py score` on files, and its reader."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import pytest
from django.core.management import call_command


def test_json_has_the_documented_shape(pairs, capsys):
    metrics = ("--metric", "bleu:against=mixed", "--metric", "pinc:as=new")
    call_command("score", str(pairs), *metrics, "--json")
    metrics = json.loads(capsys.readouterr().out)["metrics"]
    assert list(metrics) == ["bleu:against=mixed", "new"]
    assert metrics["new"]["scores"] == {"a": 0.0, "b": 1.0, "c": None}
    assert metrics["new"]["reasons"] == {"c": "The paraphrase has no words."}
    assert metrics["new"]["higher_is_better"] is True
    assert metrics["bleu:against=mixed"]["signature"].startswith("bleu|against:mixed|")
    assert metrics["bleu:against=mixed"]["scores"]["a"] == pytest.approx(100)


def test_a_mixture_of_references_and_originals_is_refused_before_the_work(pairs, tmp_path, capsys):
    out = tmp_path / "scores.csv"
    with pytest.raises(SystemExit) as stop:
        call_command(
            "score", str(pairs), "--metric", "bleu", "--metric", "pinc",
            "--metric", "combine:of=chrf+pinc,as=sum", "-o", str(out),
        )  # fmt: skip
    assert stop.value.code == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in told] == ["--metric bleu", "--metric sum"]
    assert all("1 texts have references and 2 have none" in line for line in told)
    assert not out.exists()


def test_csv_output_has_a_column_per_metric(pairs, tmp_path, capsys):
    out = tmp_path / "scores.csv"
    call_command("score", str(pairs), "--metric", "pinc", "-o", str(out))
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows == [["id", "pinc"], ["a", "0.0"], ["b", "1.0"], ["c", ""]]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["pairs.csv", "scores.csv", "scores.json"]


def test_where_scores_go_to_a_pipe_the_summary_is_not_among_them(pairs, capsys):
    call_command("score", str(pairs), "--metric", "pinc", "-o", "/dev/null")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines()[1].split() == ["pinc", "2", "1", "0.5000", "-"]


def test_a_name_of_another_program_gets_a_suggestion_first(pairs, capsys):
    (line,) = refused(capsys, pairs, "rougeL")
    assert line.startswith("--metric rougeL: Did you mean rouge_l? There is no metric called")


def test_what_is_no_ordinary_file_is_not_replaced(pairs, tmp_path):
    pipe, link, kept = tmp_path / "pipe", tmp_path / "link.csv", tmp_path / "kept.csv"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    call_command("score", str(pairs), "--metric", "pinc", "-o", str(pipe))
    assert reader.communicate(timeout=60)[0].startswith(b"id,pinc\r\na,0.0\r\n")
    assert pipe.is_fifo()
    link.symlink_to(kept)
    call_command("score", str(pairs), "--metric", "pinc", "-o", str(link))
    assert link.is_symlink()
    assert kept.read_text().startswith("id,pinc\n")


def test_where_nothing_can_be_written_is_told_before_the_work(pairs, tmp_path, capsys):
    for place in (tmp_path, tmp_path / "none" / "out.csv"):
        with pytest.raises(SystemExit) as stop:
            call_command("score", str(pairs), "--metric", "nothing", "-o", str(place))
        assert stop.value.code == 2
        assert capsys.readouterr().err.splitlines()[1].startswith(f"{place}:0: cannot be written")


def test_the_column_of_ids_stays_alone(pairs, capsys):
    assert "id is the column of the ids" in refused(capsys, pairs, "bleu:as=id")[0]


def test_of_a_file_full_of_problems_the_first_hundred_are_named(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    path.write_text("id,original,paraphrase\n" + "a,b\n" * 1000)
    problems = refused(capsys, path)
    assert len(problems) == 101
    assert problems[-1] == f"{path}:1001: and 900 more errors; put these right first"


def test_without_options_a_table_is_printed(pairs, capsys):
    call_command("score", str(pairs), "--metric", "pinc")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["pinc", "2", "1", "0.5000", "-"]
    long = "length_ratio:tokenize=char,against=original"
    call_command("score", str(pairs), "--metric", "pinc", "--metric", long)
    lines = capsys.readouterr().out.splitlines()
    assert len({len(line) for line in lines[:3]}) == 1  # Columns stand below their names.


def refused(capsys, path, *metrics):
    """The lines on stderr of a call that must exit with 2 and print nothing else."""
    arguments = [part for metric in metrics or ("pinc",) for part in ("--metric", metric)]
    with pytest.raises(SystemExit) as stop:
        call_command("score", str(path), *arguments, "--json")
    printed = capsys.readouterr()
    assert stop.value.code == 2
    assert printed.out == ""
    return printed.err.splitlines()


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
        (b"id,original,paraphrase\na,b,caf\xe9\n", 2, "not UTF-8"),
        (
            "id,original,paraphrase\na,b," + "c" * 10_000_000 + "\n",
            2,
            "longer than 4000000 characters",
        ),
    ],
)
def test_bad_files_exit_2_with_the_line(tmp_path, capsys, content, line, message):
    path = tmp_path / "bad.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (problem,) = refused(capsys, path)
    assert problem.startswith(f"{path}:{line}: ")
    assert message in problem


def test_all_problems_are_named_at_once(tmp_path, capsys):
    path = tmp_path / "bad.csv"
    path.write_text('id,original,paraphrase\na,b\nb,,c\nc,"\n')
    problems = refused(capsys, path, "bleu:x=1", "nothing")
    assert len(problems) == 5
    assert problems[0].startswith("--metric bleu:x=1: bleu: unknown option x")


def test_a_missing_file_and_a_doubled_key_are_named(pairs, tmp_path, capsys):
    assert "cannot be read" in refused(capsys, tmp_path / "none.csv")[0]
    assert "add as=NAME" in refused(capsys, pairs, "pinc", "bleu:as=pinc")[0]


def test_it_runs_where_there_is_no_database(pairs, tmp_path):
    environment = os.environ | {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "PARAANNO_DATA_DIR": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "score", str(pairs), "--metric", "pinc", "--json"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["metrics"]["pinc"]["scores"]["b"] == 1.0


def test_what_a_json_line_lacks_is_named(tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": 1, "original": "a", "paraphrase": 2}\n{"id": 1, "original": "a"}\n')
    assert refused(capsys, path) == [
        f"{path}:1: column 'paraphrase': must be text, not 2: put it in quotes",
        f"{path}:2: there is no column paraphrase: correct the name or add the column (there are "
        "id, original)",
    ]


def test_a_metric_of_one_language_asks_for_it(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    path.write_text("id,original,paraphrase\na,The tree,A tree\n")
    with pytest.raises(SystemExit) as ended:
        call_command("score", str(path), "--metric", "apem")
    said = capsys.readouterr().err
    assert ended.value.code == 2 and "write lang=ko, lang=en" in said and "column language" in said
    call_command("score", str(path), "--metric", "apem:lang=en", "--json")
    assert json.loads(capsys.readouterr().out)["metrics"]["apem:lang=en"]["scores"] == {"a": 1.0}
    path.write_text("id,original,paraphrase,language\na,The tree,A tree,en\nb,The tree,A tree,fr\n")
    call_command("score", str(path), "--metric", "apem", "--json")
    found = json.loads(capsys.readouterr().out)["metrics"]["apem"]
    assert found["scores"] == {"a": 1.0, "b": None} and "|lang:en|" in found["signature"]
    assert found["reasons"] == {"b": "The text is in fr, and apem reads en here."}
    path.write_text("id,original,paraphrase,language\na,The tree,A tree,English please\n")
    with pytest.raises(SystemExit):
        call_command("score", str(path), "--metric", "bleu")
    assert "pairs.csv:2: column 'language'" in capsys.readouterr().err
