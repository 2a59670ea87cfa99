"""Settings of a campaign: which there are, their limits, and when they are fixed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from paraanno.plain.campaign_template import SETTINGS as TEMPLATE_SETTINGS
from paraanno.plain.language_tags import LanguageTagError, known_tag, read_tag
from paraanno.translated import translated

SETTINGS = tuple(name for name in TEMPLATE_SETTINGS if name != "annotators_per_sheet")
FIXED_ONCE_OPEN = ("order", "max_per_sheet", "shared_share")
# Stricter than the table's constraints: limits that keep sheets and dates workable.
BOUNDS = {
    "annotators_per_sheet": (1, 1000),
    "max_per_sheet": (1, 10_000),
    "shared_share": (0, 1),
    "lease_minutes": (1, 366 * 24 * 60),
}


def language_read(text: str) -> str:
    """Return the tag of a language, empty for an unknown one. Raises Invalid for no tag."""
    try:
        return known_tag(read_tag(text))
    except LanguageTagError as error:
        raise Invalid(translated(error.message)) from error


def check_bounds(values: Mapping[str, Any]) -> None:
    for name, (least, most) in BOUNDS.items():
        value = values.get(name)
        if value is not None and not least <= value <= most:
            raise Invalid(
                _("%(name)s must be between %(least)s and %(most)s.")
                % {"name": name, "least": f"{least:,}", "most": f"{most:,}"}
            )
