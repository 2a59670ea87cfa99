"""Manifests."""

import pytest

from scoring.archives.file_format import ArchiveRefused, Manifest, TableFile

TABLE = TableFile("phrase", ("text", "sha256"), 3, 20, "a" * 64)


def test_a_manifest_is_read_as_it_was_written():
    manifest = Manifest({"made_at": "now"}, {"phrase": TABLE})
    data = manifest.as_json()
    data["tables"] = [{**one, "columns": list(one["columns"])} for one in data["tables"]]
    assert Manifest.from_json(data) == manifest


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": -1},
        {"rows": True},
        {"size": 1.5},
        {"sha256": "x"},
        {"name": "A/B"},
        {"columns": ["a", "a"]},
        {"columns": "ab"},
        {"columns": ["a b"]},
        {"more": 1},
    ],
)
def test_a_table_that_is_not_described_is_refused(changed):
    good = {"name": "a", "columns": ["a"], "rows": 0, "size": 0, "sha256": "a" * 64}
    about = {"format": "paraanno archive", "schema": 1}
    assert Manifest.from_json({**about, "tables": [good]}).tables["a"].member == "tables/a.jsonl"
    with pytest.raises(ArchiveRefused, match="not valid"):
        Manifest.from_json({**about, "tables": [{**good, **changed}]})
    with pytest.raises(ArchiveRefused, match="a table twice"):
        Manifest.from_json({**about, "tables": [good, good]})
