"""Croissant, checked by MLCommons' own reader."""

import hashlib
import json
import warnings
from dataclasses import replace

import pytest

from scoring.publishing.croissant import croissant
from tests.scoring.publishing.about import TABLES, facts


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"licence": "", "creators": [], "last": ""}])
def test_mlcroissant_reads_it(tmp_path, changes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlcroissant
    text = b"item,value,A + B\nx,4,\ny,2.5,7\n"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ratings.csv").write_bytes(text)
    table = replace(TABLES[0], sha256=hashlib.sha256(text).hexdigest())
    path = tmp_path / "croissant.json"
    path.write_text(json.dumps(croissant(facts(**changes), [table])), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = mlcroissant.Dataset(str(path))
        assert not found.metadata.ctx.issues.errors
        rows = list(found.records("ratings"))
    assert [row["ratings/value"] for row in rows] == [4, 2.5]
