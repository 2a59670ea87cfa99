"""The templates that a new campaign may start from."""

from __future__ import annotations

import pytest
from django.utils import translation

from annotation.errors import NotFound
from annotation.selectors.campaigns.templates import (
    site_templates,
    template_choices,
    template_text,
)
from annotation.services.campaigns.templates import site_template_add
from tests.factories import make_admin


def test_the_readers_language_comes_first_and_the_sites_own_last() -> None:
    assert [group for group, _rows in template_choices()] == ["English", "한국어"]
    site_template_add(name="ours", label="Ours", text="guidelines: x", actor=make_admin())
    with translation.override("ko"):
        groups = template_choices()
    assert [group for group, _rows in groups[:2]] == ["한국어", "English"]
    assert groups[2][1] == [("ours", "Ours")]
    assert [one.name for one in site_templates()] == ["ours"]


def test_the_file_of_a_template() -> None:
    assert "바뀐 표현이" in template_text(name="phrase-ko")
    with pytest.raises(NotFound):
        template_text(name="../secret_key")
