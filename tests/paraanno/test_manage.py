"""manage.py as a program in a pipe."""

import subprocess
import sys

import pytest

from tests import HOME
from tests.live_parts import clean_environment


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    pairs = tmp_path / "pairs.csv"
    rows = (f"{number},the first text,the other text\n" for number in range(20_000))
    pairs.write_text("id,original,paraphrase\n" + "".join(rows))
    with subprocess.Popen(
        [sys.executable, "manage.py", "score", str(pairs), "--metric", "pinc", "--json"],
        cwd=HOME,
        env=clean_environment(PARAANNO_DATA_DIR=str(tmp_path)),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None and program.stderr is not None
        assert program.stdout.read(1) == "{"
        program.stdout.close()
        assert program.stderr.read() == ""
        assert program.wait(timeout=120) == 141
