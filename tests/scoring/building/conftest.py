"""A text whose words repeat as in language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scoring.building.zipf import zipf_sentences


@pytest.fixture
def zipf_text(tmp_path: Path) -> Path:
    """300 sentences, one a line."""
    path = tmp_path / "some.txt"
    path.write_text("".join(" ".join(one) + "\n" for one in zipf_sentences(300)))
    return path
