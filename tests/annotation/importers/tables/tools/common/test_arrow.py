from io import BytesIO

import pyarrow
import pytest

from annotation.importers.tables import TableError
from annotation.importers.tables.tools.common.arrow import open_arrow


def test_rows_of_a_stream():
    table = pyarrow.table({"a": ["x", None], "b": [[1], [2, 3]]})
    out = BytesIO()
    with pyarrow.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    data = out.getvalue()
    rows = list(open_arrow(BytesIO(data), "d.arrow").rows(""))
    assert rows == [(0, ["a", "b"]), (1, ["x", "[1]"]), (2, [None, "[2, 3]"])]
    with pytest.raises(TableError, match="truncated or damaged"):
        list(open_arrow(BytesIO(data[:200]), "d.arrow").rows(""))
