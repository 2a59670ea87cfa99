"""A file of synonyms for metrics that are made of others."""

import pytest


@pytest.fixture
def synonyms(tmp_path):
    path = tmp_path / "synonyms.tsv"
    path.write_text("cat\tkitten\nrun\tgo\n", "utf-8")
    return str(path)
