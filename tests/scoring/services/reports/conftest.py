"""What tests of reports and files of reports share."""

import pytest

from tests.draws import draw_no_figures


@pytest.fixture
def undrawn(monkeypatch):
    draw_no_figures(monkeypatch)
