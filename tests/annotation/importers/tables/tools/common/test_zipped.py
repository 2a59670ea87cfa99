from io import BytesIO

import pytest

from annotation.importers.tables import TableError
from annotation.importers.tables.tools.common.zipped import open_folder
from tests.annotation.importers.tables.tools.checking import zipped


def test_a_damaged_file_is_refused():
    book = open_folder(BytesIO(zipped({"a.json": "[{"})), "z.zip")
    with pytest.raises(TableError, match="not JSON"):
        list(book.rows("a.json"))
    with pytest.raises(TableError, match="more than"):
        open_folder(BytesIO(zipped({f"{n}.csv": "" for n in range(1001)})), "z.zip")
