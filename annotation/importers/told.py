"""Sentences that a page can say in another language.

The readers speak English and import no translator, so a sentence keeps the template and the values
that it was made from. `make messages` collects the templates by the name of `told`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_NONE: Mapping[str, object] = MappingProxyType({})


class Told(str):
    """An English sentence; `template` and `values` are its parts, values may be `Told` again."""

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]


def told(template: str, /, **values: object) -> Told:
    """The template with its values put in (`%(name)s`); without values it stands as it is."""
    sentence = Told(template % values if values else template)
    sentence.template = template
    sentence.values = values or _NONE
    return sentence


class ToldError(ValueError):
    """A refusal that keeps its sentence."""

    def __init__(self, message: Told) -> None:
        super().__init__(message)
        self.message = message
