"""The log in words of the page's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from annotation.wording_log import VERBS, log_verb
from tests.factories import make_campaign
from tests.pages.clients import client_of, text_of

WRITTEN = re.compile(r'audit\([^()]*?verb="([a-z ]+)"', re.DOTALL)


def written_verbs() -> set[str]:
    """The verbs that stand as plain texts where something is logged."""
    found: set[str] = set()
    for app in ("annotation", "scoring"):
        for path in (Path(settings.BASE_DIR) / app).rglob("services/**/*.py"):
            found |= set(WRITTEN.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_verb_that_is_logged_has_a_translation() -> None:
    found = written_verbs()
    assert len(found) > 20
    assert found <= set(VERBS)


def test_parts_of_a_verb_are_translated_too() -> None:
    with translation.override("ko"):
        assert not re.search("[a-z]", log_verb("quality: decide to pause"))
        assert not re.search("[a-z]", log_verb("set status open"))
    assert log_verb("quality: decide to pause") == "quality: decide to pause"


@pytest.mark.django_db
def test_the_log_says_what_was_done() -> None:
    campaign = make_campaign()
    client = client_of("alice")
    page = text_of(client.get(f"/c/{campaign.slug}/audit/"))
    assert "import items" in page and "importbatch" not in page
    page = text_of(client.get(f"/c/{campaign.slug}/audit/", headers={"accept-language": "ko"}))
    translation.activate(settings.LANGUAGE_CODE)
    assert "import items" not in page
