"""A text whose words repeat as in language."""

import pytest

from tests.scoring.building.zipf import zipf_sentences


@pytest.fixture
def zipf_text(tmp_path):
    """300 sentences, one a line."""
    path = tmp_path / "some.txt"
    path.write_text("".join(" ".join(one) + "\n" for one in zipf_sentences(300)))
    return path
