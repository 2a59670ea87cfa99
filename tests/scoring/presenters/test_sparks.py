"""Small drawings within a line of a table, as paths for inline SVG."""

import pytest

from scoring.templatetags import drawings

pytestmark = pytest.mark.django_db


def test_drawings():
    assert drawings.bars_path([0, 0]) == "" and drawings.line_path([0.5], low=0, high=1) == ""
    assert drawings.bars_path([0, 2]) == "M84.0 24V0.0"
    assert drawings.line_path([0, 1, 2], low=0, high=1) == "M1.0 23.0L56.0 1.0L111.0 1.0"
