"""manage.py annotator_messages: put the texts that annotators meet into the catalogue of each
language that the other pages do not have, and compile them; `make messages` calls it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_locale

FOLDER: Path = settings.BASE_DIR / "locale" / "annotators"
SOURCE: Path = settings.BASE_DIR / "locale" / "ko" / "LC_MESSAGES" / "django.po"
# Rules of gettext's manual, "Plural forms", and of Unicode CLDR for the languages that it lacks.
PLURALS = {
    "ar": "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : "
    "n%100>=11 && n%100<=99 ? 4 : 5;",
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "hi": "nplurals=2; plural=(n > 1);",
    "ja": "nplurals=1; plural=0;",
    "pt-br": "nplurals=2; plural=(n > 1);",
    "ru": "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && "
    "(n%100<12 || n%100>14) ? 1 : 2;",
    "vi": "nplurals=1; plural=0;",
    "zh-hans": "nplurals=1; plural=0;",
}
HEADER = """\
# What annotators meet, in {name}; a draft until a native speaker has read it (docs/languages.md).
# This file is distributed under the same licence as paraanno (GPL-3.0-or-later).
msgid ""
msgstr ""
"Project-Id-Version: paraanno\\n"
"Language: {locale}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"
"""


CLEAR = ("--clear-previous", "--clear-fuzzy", "--no-wrap", "-")
# A translation with its further lines, behind `msgstr` or `msgstr[0]`.
TRANSLATION = re.compile(r'^(msgstr(?:\[0\])?) ".*"(?:\n".*")*', re.MULTILINE)


class Command(BaseCommand):
    help = (
        "Collect and compile the texts that annotators meet, for locale/annotators (needs gettext)."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        template = FOLDER / "annotators.pot"
        try:
            template.write_bytes(self.texts())
            for code, _name in settings.LANGUAGES:
                if code not in settings.SITE_LANGUAGES:
                    update(code, PLURALS[code], template)
        finally:
            template.unlink(missing_ok=True)

    def texts(self) -> bytes:
        """The entries of the sources in POTFILES, without translations."""
        lines = (FOLDER / "POTFILES").read_text(encoding="utf-8").splitlines()
        sources = [f"--location={line}" for line in lines if line and not line.startswith("#")]
        chosen = run("msggrep", *sources, str(SOURCE))
        plain = run("msgattrib", *CLEAR, given=chosen)
        header, *entries = plain.decode().split("\n\n")
        emptied = [TRANSLATION.sub(r'\1 ""', entry) for entry in entries]
        return "\n\n".join([header, *emptied, ""]).encode()


def catalogue(code: str) -> Path:
    """The .po file of a language."""
    return FOLDER / to_locale(code) / "LC_MESSAGES" / "django.po"


def update(code: str, plurals: str, template: Path) -> None:
    path = catalogue(code)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        names = dict(settings.LANGUAGES)
        header = HEADER.format(name=names[code], locale=to_locale(code), plurals=plurals)
        path.write_text(header, encoding="utf-8")
    merged = run(
        "msgmerge", "--quiet", "--no-fuzzy-matching", "--no-wrap", str(path), str(template)
    )
    path.write_bytes(run("msgattrib", "--no-obsolete", "--no-wrap", "-", given=merged))
    run("msgfmt", "--check-format", "-o", str(path.with_suffix(".mo")), str(path))


def run(*command: str, given: bytes | None = None) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 (programs of gettext, on files of the project)
            command, input=given, capture_output=True, check=True
        )
    except FileNotFoundError as error:
        raise CommandError(f"{command[0]} is missing: install gettext") from error
    except subprocess.CalledProcessError as error:
        raise CommandError(error.stderr.decode(errors="replace")) from error
    return done.stdout
