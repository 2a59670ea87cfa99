"""A file of pairs that commands are given."""

from __future__ import annotations

import pytest

from tests.scoring.on_files.management.commands.pair_files import GOOD


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(GOOD, encoding="utf-8")
    return path
