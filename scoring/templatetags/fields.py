"""Fields of the small forms above reports, which have no form class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

register = template.Library()


@register.inclusion_tag("parts/select.html")
def select_field(
    name: str,
    label: str,
    options: Iterable[str | tuple[Any, Any]],
    chosen: object = None,
    *,
    help: str = "",
) -> dict[str, object]:
    """A labelled select: `options` are values, or pairs of value and label."""
    pairs = [one if isinstance(one, tuple | list) else (one, one) for one in options or ()]
    return {"name": name, "label": label, "options": pairs, "chosen": chosen, "help": help}
