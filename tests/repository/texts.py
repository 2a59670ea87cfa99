"""The texts that sources hand to gettext, found without xgettext, and those of a .po file."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.translation.template import templatize

ROOT = settings.BASE_DIR
PO = ROOT / "locale" / "ko" / "LC_MESSAGES" / "django.po"
CALLS = {
    "say": 1,
    "_": 1,
    "gettext": 1,
    "gettext_lazy": 1,
    "gettext_noop": 1,
    "ngettext": 2,
    "ngettext_lazy": 2,
    "pgettext": 2,
    "pgettext_lazy": 2,
    "npgettext": 3,
}
STRING = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
CALL = re.compile(rf"(?<![\w.])(\w+)\((\s*{STRING}(?:\s*,\s*{STRING})*)")
# The context and the text, as the GNU tools join them.
JOINED = "\x04"


def used():
    """Every text of templates and code, and a file that has it."""
    found = {}
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for name, arguments in CALL.findall(templatize(path.read_text("utf-8"))):
            if name in CALLS:
                strings = ast.literal_eval(f"({arguments},)")
                found[_key(name, strings)] = str(path.relative_to(ROOT))
    for package in ("annotation", "scoring", "paraanno"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for name, strings in _calls(path):
                found[_key(name, strings)] = str(path.relative_to(ROOT))
    return found


def _calls(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            strings = [
                one.value
                for one in node.args[: CALLS.get(name, 0)]
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            if strings:
                yield name, strings


def _key(name, strings):
    """The text as catalogues have it: singular, and with its context where it has one."""
    return JOINED.join(strings[:2]) if "pgettext" in name else strings[0]


@dataclass
class Entry:
    """A text of the .po file with its translations."""

    comments: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def key(self):
        context = self.parts.get("msgctxt")
        return self.parts["msgid"] if context is None else context + JOINED + self.parts["msgid"]

    @property
    def translations(self):
        return [text for name, text in self.parts.items() if name.startswith("msgstr")]


def entries(catalogue=PO):
    """All entries of a .po file but its header."""
    found = []
    for block in catalogue.read_text("utf-8").split("\n\n"):
        entry, name = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry.comments.append(line)
            elif line.startswith("msg"):
                name, text = line.split(" ", 1)
                entry.parts[name] = ast.literal_eval(text)
            elif line:
                entry.parts[name] += ast.literal_eval(line)
        if entry.parts.get("msgid"):
            found.append(entry)
    return found
