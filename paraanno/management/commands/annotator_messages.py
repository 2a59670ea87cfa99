"""manage.py annotator_messages: put the texts that annotators meet into the catalogue of each
language that the other pages do not have, and compile them; `make messages` calls it."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
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
MESSAGE = re.compile(r'^msgid ((?:".*"\n?)+)', re.MULTILINE)
STRING = re.compile(r'".*"')
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
        meets = meet()
        locations = [f"--location={pattern}" for pattern in meets]
        chosen = run("msggrep", *locations, str(SOURCE))
        plain = run("msgattrib", *CLEAR, given=chosen)
        header, *entries = plain.decode().split("\n\n")
        selected = [entry for entry in entries if any(of_annotators(entry, meets))]
        emptied = [TRANSLATION.sub(r'\1 ""', entry) for entry in selected]
        return "\n\n".join([header, *emptied, ""]).encode()


def meet() -> dict[str, frozenset[str] | None]:
    """Patterns of the sources in POTFILES; for files of which annotators meet a part, the strings
    in it, else None.
    """
    lines = (FOLDER / "POTFILES").read_text(encoding="utf-8").splitlines()
    sources: dict[str, frozenset[str] | None] = {}
    for line in lines:
        if line and not line.startswith("#"):
            pattern, _colon, names = line.partition(":")
            if pattern in sources:
                raise CommandError(f"POTFILES: {pattern} stands there twice: make it one line")
            sources[pattern] = strings(settings.BASE_DIR / pattern, names.split())
    return sources


def strings(path: Path, names: Sequence[str]) -> frozenset[str] | None:
    """The strings in these definitions of a file of Python; None for the whole file."""
    if not names:
        return None
    inside = {
        name: node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for name in defined(node)
        if name in names
    }
    if lacking := set(names) - set(inside):
        raise CommandError(f"POTFILES: {path} has no {', '.join(sorted(lacking))}")
    return frozenset(
        part.value
        for node in inside.values()
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def of_annotators(entry: str, sources: Mapping[str, frozenset[str] | None]) -> Iterator[str]:
    """Yield the places of an entry of a catalogue at which annotators meet it."""
    message = MESSAGE.search(entry)
    text = "".join(map(ast.literal_eval, STRING.findall(message[1]))) if message else ""
    for place in " ".join(re.findall(r"^#: (.*)$", entry, re.MULTILINE)).split():
        for pattern, inside in sources.items():
            if fnmatch(place, pattern) and (inside is None or text in inside):
                yield place


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
