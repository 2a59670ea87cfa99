"""The log in words of the page's language."""

import re
from pathlib import Path

from django.conf import settings
from django.utils import translation

from annotation.accounts.audit_log import VERBS, WITH_PARTS, log_verb
from annotation.models import Campaign, QualityRule

WRITTEN = re.compile(r'audit\([^()]*?verb="([a-z ]+)"', re.DOTALL)


def written_verbs():
    """The verbs that stand as plain texts where something is logged."""
    found = set()
    for app in ("annotation", "scoring"):
        for path in (Path(settings.BASE_DIR) / app).rglob("*.py"):
            found |= set(WRITTEN.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_verb_that_is_logged_has_a_translation():
    found = written_verbs()
    assert len(found) > 20
    assert found <= set(VERBS)


def test_parts_of_a_verb_are_translated_too():
    assert {f"set status {status}" for status in Campaign.Status.values} <= set(WITH_PARTS)
    for act in QualityRule.Act.values:
        assert {f"quality: {act}", f"quality: decide to {act}", f"quality: lift {act}"} <= (
            set(WITH_PARTS)
        )
    for verb in WITH_PARTS:
        with translation.override("ko"):
            assert not re.search("[a-z]", log_verb(str(verb)))
        assert log_verb(str(verb)) == verb
    assert log_verb("somebody's own") == "somebody's own"
