"""Texts that pure packages build with `say` are collected like those of gettext."""

import pytest
from django.core.management import call_command

SOURCE = """
from paraanno.common.texts import say
from django.utils.translation import gettext as _

say("needs %(n)s units", n=3)
_("Log in")
print("nobody translates this")
"""


@pytest.mark.service("gettext")
def test_sentences_are_collected(tmp_path, settings, monkeypatch):
    (tmp_path / "locale").mkdir()
    (tmp_path / "module.py").write_text(SOURCE, "utf-8")
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=["ko"], verbosity=0)
    found = (tmp_path / "locale/ko/LC_MESSAGES/django.po").read_text("utf-8")
    assert 'msgid "needs %(n)s units"' in found and 'msgid "Log in"' in found
    assert "nobody translates this" not in found
