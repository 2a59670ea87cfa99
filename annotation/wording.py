"""What was said in English, in the language of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import gettext, gettext_noop

from annotation.importers import Told

_HOLE = re.compile(r"%\((\w+)\)s")


def translated(sentence: object) -> str:
    """A `Told` in the active language, its parts too; anything else as it is."""
    if not isinstance(sentence, Told):
        return str(sentence)
    words = gettext(sentence.template)
    parts = {name: translated(value) for name, value in sentence.values.items()}
    return words % parts if parts else words


class Wording:
    """Translates sentences of which only the English text is left, in a row or a stored report.

    `templates` are sentences marked with `gettext_noop`; `%(name)s` is a hole, `%%` a per cent
    sign. The one that says most itself wins. What stands in a hole is translated where it is known
    too; a sentence that no template makes stays as it is.
    """

    def __init__(self, templates: Iterable[str]) -> None:
        every = list(templates)
        holed = [template for template in every if _HOLE.search(template)]
        self._whole = {template % {}: template for template in every if template not in holed}
        holed.sort(key=lambda template: len(_HOLE.sub("", template)), reverse=True)
        self._holed = [(template, _pattern(template)) for template in holed]
        self.parts = lru_cache(maxsize=4096)(self._parts)

    def __call__(self, sentence: object) -> str:
        """The sentence in the active language; empty for nothing."""
        text = str(sentence or "")
        found = self.parts(text)
        if found is None:
            return text
        template, values = found
        return gettext(template) % {name: self._filled(value) for name, value in values}

    def _filled(self, value: str) -> str:
        return self(value) if self.parts(value) is not None else gettext(value)

    def _parts(self, sentence: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
        """The template and what stands in its holes; None where no template makes the sentence."""
        if (whole := self._whole.get(sentence)) is not None:
            return whole, ()
        for template, pattern in self._holed:
            if (match := pattern.fullmatch(sentence)) is not None:
                return template, tuple(match.groupdict().items())
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = _HOLE.split(template)
    fixed = [re.escape(text.replace("%%", "%")) for text in parts[::2]]
    holes = [f"(?P<{name}>.+)" for name in parts[1::2]]
    return re.compile("".join(a + b for a, b in zip(fixed, [*holes, ""], strict=True)), re.DOTALL)


# Reasons that services store; those that people write stay as they wrote them.
stored_reason = Wording(
    [
        gettext_noop("Own wish."),
        gettext_noop("Quality control: %(check)s"),
    ]
)
