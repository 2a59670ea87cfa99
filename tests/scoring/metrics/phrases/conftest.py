"""Files of synonyms and of page counts."""

import pytest

from tests.scoring.metrics.phrases.meaning import COUNTS, GROUPS


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("apem")
    (folder / "synonyms.tsv").write_text(GROUPS, "utf-8")
    (folder / "counts.tsv").write_text(COUNTS, "utf-8")
    return {"synonyms": str(folder / "synonyms.tsv"), "counts": str(folder / "counts.tsv")}
