"""Paraphrase tables: their three forms, what is refused, stores, looking phrases up."""

import subprocess
import sys

import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.table import DIRECTED, convert, load_table

FILE = "table.txt"


def test_a_folder_without_a_store_and_a_lost_file_are_refused(tmp_path):
    with pytest.raises(FileRefused, match="not a store of a table"):
        load_table(str(tmp_path))
    with pytest.raises(FileRefused, match="cannot be read"):
        load_table(str(tmp_path / "none.txt"))


def test_scipy_is_loaded_only_where_a_table_is_pivoted(write):
    path = str(write("a\tb"))
    code = (
        "import sys; from scoring.metrics.resources.table import DIRECTED, convert, load_table;"
        f"load_table({path!r}); print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\tb\t0.5\nb\tc\t0.2\n", True),
        ("a\tb\n", False),
        ("[NN] ||| a ||| b ||| PPDB2.0Score=1 -logp(e2|e1)=0.5 ||| 0-0 ||| Equivalence\n", False),
    ],
)
def test_rows_with_a_direction_are_kept_beside_the_arrays(write, tmp_path, text, kept):
    folder = tmp_path / "store"
    convert(write(text), folder, progress=lambda share: None)
    rows = folder / DIRECTED
    assert rows.exists() is kept
    assert not kept or rows.read_text() == text
