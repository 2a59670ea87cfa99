"""What tests of reports and files of reports share."""

from __future__ import annotations

import pytest

from tests.draws import draw_no_figures


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_no_figures(monkeypatch)
