"""Logs as lines and as JSON, configured by settings."""

import logging.config

import pytest

from paraanno.observability.log_settings import logging_settings


@pytest.mark.parametrize(("as_json", "formatter"), [(False, "line"), (True, "json")])
def test_the_form_of_a_line_is_chosen_and_the_level_is_kept(as_json, formatter):
    made = logging_settings(level="WARNING", as_json=as_json)
    assert made["handlers"]["stderr"]["formatter"] == formatter
    assert made["root"]["level"] == "WARNING"
    logging.config.DictConfigurator(made)  # It understands it.
