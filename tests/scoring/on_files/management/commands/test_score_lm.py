"""`manage.py score_lm` without a database."""

import pytest
from django.core.management import call_command

from tests.scoring.metrics.arpa_files import write_model


def test_sentences_and_perplexity(tmp_path, reported, refused, capsys):
    model, path = write_model(tmp_path / "m.arpa"), tmp_path / "some.txt"
    path.write_text("a b\n\n  b x \n")
    report = reported("score_lm", model, path)
    # As tests/scoring/metrics/resources/test_language_model.py has them by hand.
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
