"""Write a template of a campaign as YAML that people read, change and compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import yaml

from paraanno.plain.campaign_template import (
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    ScaleTemplate,
)

WIDTH = 96


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as they are; no anchors, which a template must not have."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def write_template(template: CampaignTemplate) -> str:
    """Return the file; a part that is None is left out. Reading it gives the same template."""
    return yaml.dump(
        template_data(template), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH
    )


def template_data(template: CampaignTemplate) -> dict[str, Any]:
    """Return the template as the tables, lists and values of its file."""
    found: dict[str, Any] = {}
    if template.settings:
        found["settings"] = {name: _plain(value) for name, value in template.settings.items()}
    if template.scales is not None:
        found["scales"] = [_scale(one) for one in template.scales]
    if template.guidelines is not None:
        found["guidelines"] = template.guidelines
    if template.consent is not None:
        found["consent"] = template.consent
    if template.background is not None:
        found["background"] = [
            {
                "name": one.name, "wording": one.wording, "kind": one.kind,
                "options": list(one.options), "required": one.required,
            }
            for one in template.background
        ]  # fmt: skip
    if template.practice is not None:
        found["practice"] = _practice(template.practice)
    if template.checks is not None:
        found["checks"] = _checks(template.checks)
    if template.panel is not None:
        found["panel"] = [
            {one.name: _plain(getattr(panel, one.name)) for one in fields(PanelTemplate)}
            for panel in template.panel
        ]
    return found


def _plain(value: Any) -> Any:
    """A whole number without a point, as people write it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _table(one: object, *names: str) -> dict[str, Any]:
    return {name: _plain(getattr(one, name)) for name in names}


def _scale(one: ScaleTemplate) -> dict[str, Any]:
    points = [
        {"value": _plain(value), "label": label, "anchor": anchor}
        for value, label, anchor in one.points
    ]
    table = _table(
        one, "name", "question", "level", "minimum", "maximum", "step", "higher_is_better",
        "copy_at_top", "threshold", "required",
    )  # fmt: skip
    return {**table, "points": points}


def _practice(one: PracticeTemplate) -> dict[str, Any]:
    return {
        **_table(one, "required", "share", "tries"),
        "tolerance": _numbers(one.tolerance),
        "texts": [_practice_text(text) for text in one.texts],
    }


def _numbers(given: Mapping[str, float]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in given.items()}


def _practice_text(one: PracticeTextTemplate) -> dict[str, Any]:
    start = {} if one.start is None else {"start": one.start}
    return {
        **_table(one, "part", "sentence", "phrase"),
        **start,
        "paraphrase": one.paraphrase,
        "expected": {
            scale: {"low": _plain(low), "high": _plain(high), "why": why}
            for scale, (low, high, why) in one.expected.items()
        },
    }


def _checks(one: ChecksTemplate) -> dict[str, Any]:
    names = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most")
    rules = [_table(rule, "check", "least", "share", "action") for rule in one.rules]
    return {**_table(one, *names), "rules": rules}
