"""The payment list as a file: what a spreadsheet would compute is escaped."""

import pytest

from annotation.panels.participation import panel_enter
from annotation.panels.queries import payments_file
from tests.annotation.crowd import make_panel


@pytest.mark.django_db
def test_ids_that_look_like_formulas_are_escaped():
    panel = make_panel()
    panel_enter(panel=panel, platform_id="=1+1")
    text = b"".join(payments_file(panel)).decode()
    assert text.splitlines()[1].startswith("'=1+1,")
