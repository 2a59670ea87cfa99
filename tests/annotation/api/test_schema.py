"""The schema describes every route, without a warning."""

import io

import pytest
from django.core.management import call_command


@pytest.mark.slow
@pytest.mark.once  # Asks the database nothing.
def test_schema_is_valid_and_complete():
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "/api/v1/sheets/{sheet}/judgments/{substitution}/{scale}" in out.getvalue()
