"""The limits of settings."""

import pytest

from annotation.campaigns.templating.queries import (
    FIXED_ONCE_OPEN,
    SETTINGS,
    check_bounds,
    language_read,
)
from annotation.errors import Invalid
from annotation.models import Campaign


def test_settings_are_columns_of_a_campaign():
    columns = {field.name for field in Campaign._meta.concrete_fields}
    assert {*SETTINGS, *FIXED_ONCE_OPEN} <= columns


def test_bounds_and_languages():
    check_bounds({"max_per_sheet": None, "shared_share": 1})
    with pytest.raises(Invalid, match="shared_share must be between 0 and 1"):
        check_bounds({"shared_share": 1.1})
    assert language_read("EN-us") == "en-US"
    with pytest.raises(Invalid):
        language_read("no such language")
