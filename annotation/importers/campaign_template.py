"""Templates of campaigns: one YAML file (docs/templates.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotation.importers.gold import MAX_EXPLANATION, PARTS
from annotation.importers.yaml_reader import Fields, YamlTable, read_yaml
from paraanno.common.panel_links import (
    SCALE_COLUMNS,
    SETTINGS,
    CampaignTemplate,
    ChecksTemplate,
    PanelTemplate,
    PracticeTemplate,
    PracticeTextTemplate,
    QuestionTemplate,
    RuleTemplate,
    ScaleTemplate,
    Setting,
)
from paraanno.common.texts import Problem, ProblemLog, say

SECTIONS = (
    "settings",
    "scales",
    "guidelines",
    "consent",
    "background",
    "practice",
    "checks",
    "panel",
)
SCALE = (*SCALE_COLUMNS, "points")
POINT = ("value", "label", "anchor")
QUESTION = ("name", "wording", "kind", "options", "required")
PRACTICE = ("required", "share", "tries", "tolerance", "texts")
PRACTICE_TEXT = ("part", "sentence", "phrase", "start", "paraphrase", "expected")
BAND = ("low", "high", "why")
CHECKS = ("repeat_share", "repeat_after", "fast_seconds", "delay_least", "delay_most", "rules")
RULE = ("check", "least", "share", "action")
PANEL = (
    "name",
    "sheets_per_person",
    "max_participants",
    "minutes",
    "parameter",
    "session_parameter",
    "id_pattern",
    "return_url",
    "pay",
    "pay_floor",
    "bonus",
    "currency",
    "contact",
)
# What a panel has beside these is for the platform and the campaign alone.
SECRET = ("token", "event_secret", "codes")
# The words of the models; a test compares them.
LEVELS = ("nominal", "ordinal", "numeric")
ORDERS = ("breadth", "depth", "phrase", "imported")
LAYOUTS = ("item", "single")
KINDS = ("text", "number", "choice", "choices")
CHECK_NAMES = ("control", "degraded", "copy", "repeat", "fast", "straight")
ACTIONS = ("note", "warn", "pause", "exclude")
MOST_SCALES, MOST_POINTS, MOST_QUESTIONS, MOST_TEXTS, MOST_RULES = 100, 1000, 200, 500, 24
MOST_PANELS = 50

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TemplateRead:
    """A template, None where the file has an error.

    lines   of its parts: ("settings", "order"), ("scales", 0), ("practice", "texts", 2), ...
    """

    template: CampaignTemplate | None
    problems: tuple[Problem, ...]
    lines: Mapping[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int:
        """The line of the part, or of the nearest part around it."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_template(data: bytes, *, name: str) -> TemplateRead:
    """Read a template; `name` is the file's, for its problems."""
    log = ProblemLog(name)
    root = read_yaml(data, log=log)
    if not log.errors and not isinstance(root, YamlTable):
        text = say("a template has the fields %(known)s", known=", ".join(SECTIONS))
        log.error(root.line if root else 1, text)
    if not isinstance(root, YamlTable):
        return TemplateRead(None, log.problems())
    reading = _Reading(root, log)
    template = reading.template()
    return TemplateRead(None if log.errors else template, log.problems(), reading.lines)


class _Reading:
    def __init__(self, root: YamlTable, log: ProblemLog) -> None:
        self.top = Fields(root, log, SECTIONS)
        self.lines: dict[Path, int] = {(one,): root.lines[one] for one in root.values}

    def template(self) -> CampaignTemplate:
        top = self.top
        return CampaignTemplate(
            settings=self.settings(),
            scales=self.scales() if top.has("scales") else None,
            guidelines=top.text("guidelines") if top.has("guidelines") else None,
            consent=top.text("consent").strip() if top.has("consent") else None,
            background=self.background() if top.has("background") else None,
            practice=self.practice() if top.has("practice") else None,
            checks=self.checks() if top.has("checks") else None,
            panel=self.panels() if top.has("panel") else None,
        )

    def settings(self) -> dict[str, Setting]:
        given = self.top.table_of("settings", SETTINGS)
        if given is None:
            return {}
        values: dict[str, Setting] = {
            "name": given.text("name", 200),
            "description": given.text("description"),
            "language": given.text("language", 35),
            "annotators_per_sheet": given.whole("annotators_per_sheet", 3),
            "max_per_sheet": given.whole_or_none("max_per_sheet"),
            "order": given.choice("order", ORDERS, "breadth"),
            "shared_share": given.number("shared_share", 0),
            "lease_minutes": given.whole("lease_minutes", 60),
            "allow_revision": given.flag("allow_revision", True),
            "layout": given.choice("layout", LAYOUTS, "item"),
            "layout_choice": given.flag("layout_choice", True),
            "allow_removal": given.flag("allow_removal", True),
            "allow_erasure": given.flag("allow_erasure", True),
            "erasure_removes": given.flag("erasure_removes", False),
        }
        for one in SETTINGS:
            self.lines["settings", one] = given.line_of(one)
        return {one: values[one] for one in SETTINGS if given.has(one)}

    def scales(self) -> tuple[ScaleTemplate, ...]:
        templates: list[ScaleTemplate] = []
        for given in self.top.tables("scales", SCALE, MOST_SCALES):
            self.lines["scales", len(templates)] = given.line
            points = tuple(
                (point.number("value", 0), point.text("label", 60), point.text("anchor", 300))
                for point in given.tables("points", POINT, MOST_POINTS)
            )
            values = [value for value, _label, _anchor in points]
            templates.append(
                ScaleTemplate(
                    name=given.text("name", 40).strip(),
                    question=given.text("question", 300),
                    points=tuple(sorted(points, key=lambda point: -point[0])),
                    level=given.choice("level", LEVELS, "ordinal"),
                    minimum=given.number("minimum", min(values, default=1)),
                    maximum=given.number("maximum", max(values, default=5)),
                    step=given.number("step", 1),
                    higher_is_better=given.flag("higher_is_better", True),
                    copy_at_top=given.flag("copy_at_top", True),
                    threshold=given.number_or_none("threshold"),
                    required=given.flag("required", True),
                )
            )
        return tuple(templates)

    def background(self) -> tuple[QuestionTemplate, ...]:
        templates: list[QuestionTemplate] = []
        for given in self.top.tables("background", QUESTION, MOST_QUESTIONS):
            self.lines["background", len(templates)] = given.line
            name = given.text("name", 40)
            if not name:
                given.fail("name", say("is empty: it is the column of exports"))
            if name in [one.name for one in templates]:
                given.fail("name", say("another question has this name"))
            templates.append(
                QuestionTemplate(
                    name=name,
                    wording=given.text("wording", 300).strip(),
                    kind=given.choice("kind", KINDS, "text"),
                    options=given.texts("options", 50),
                    required=given.flag("required", False),
                )
            )
        return tuple(templates)

    def practice(self) -> PracticeTemplate:
        given = self.top.table_of("practice", PRACTICE)
        if given is None:
            return PracticeTemplate()
        allowed = given.table_of("tolerance")
        tolerance: dict[str, float] = {}
        if allowed is not None:
            tolerance = {scale: allowed.number(scale, 0) for scale in allowed.table.values}
        texts = [
            (self.practice_text(one), one.line)
            for one in given.tables("texts", PRACTICE_TEXT, MOST_TEXTS)
        ]
        # In the order of annotators: practice before the test.
        texts.sort(key=lambda pair: PARTS.index(pair[0].part))
        for number, (_text, line) in enumerate(texts):
            self.lines["practice", "texts", number] = line
        return PracticeTemplate(
            required=given.flag("required", False),
            share=given.number("share", 0.8),
            tries=given.whole("tries", 2),
            tolerance={scale: one for scale, one in tolerance.items() if one},
            texts=tuple(text for text, _line in texts),
        )

    def practice_text(self, given: Fields) -> PracticeTextTemplate:
        sentence = given.text("sentence")
        bands = given.table_of("expected")
        expected = {}
        for scale in bands.table.values if bands else ():
            band = bands.table_of(scale, BAND) if bands else None
            if band is None or not band.has("low"):
                given.fail("expected", say("every scale needs low, the lowest right value"))
                continue
            low = band.number("low", 0)
            why = band.text("why", MAX_EXPLANATION).strip()
            expected[scale] = (low, band.number("high", low), why)
        for name in ("sentence", "paraphrase", "expected"):
            if not given.has(name):
                given.fail(name, say("is missing"))
        return PracticeTextTemplate(
            sentence=sentence,
            phrase=given.text("phrase", default=sentence),
            paraphrase=given.text("paraphrase"),
            expected=expected,
            part=given.choice("part", PARTS, "practice"),
            start=given.whole_or_none("start"),
        )

    def checks(self) -> ChecksTemplate:
        given = self.top.table_of("checks", CHECKS)
        if given is None:
            return ChecksTemplate()
        rules: list[RuleTemplate] = []
        for one in given.tables("rules", RULE, MOST_RULES):
            self.lines["checks", "rules", len(rules)] = one.line
            rule = RuleTemplate(
                check=one.choice("check", CHECK_NAMES, "control"),
                least=one.whole("least", 1),
                share=one.number("share", 1),
                action=one.choice("action", ACTIONS, "note"),
            )
            if (rule.check, rule.action) in [(other.check, other.action) for other in rules]:
                one.fail("check", say("this check leads to that action already: remove one"))
            rules.append(rule)
        return ChecksTemplate(
            repeat_share=given.number("repeat_share", 0),
            repeat_after=given.whole("repeat_after", 10),
            fast_seconds=given.number("fast_seconds", 1),
            delay_least=given.whole("delay_least", 2),
            delay_most=given.whole("delay_most", 5),
            rules=tuple(rules),
        )

    def panels(self) -> tuple[PanelTemplate, ...]:
        templates: list[PanelTemplate] = []
        for given in self.top.tables("panel", (*PANEL, *SECRET), MOST_PANELS):
            self.lines["panel", len(templates)] = given.line
            for secret in filter(given.has, SECRET):
                given.fail(
                    secret,
                    say("is a secret, which a template does not hold: give it on the panel's page"),
                )
            name = given.text("name", 100).strip()
            if name in [one.name for one in templates]:
                given.fail("name", say("another panel has this name"))
            templates.append(
                PanelTemplate(
                    name=name,
                    sheets_per_person=given.whole("sheets_per_person", 1),
                    max_participants=given.whole_or_none("max_participants"),
                    minutes=given.whole_or_none("minutes"),
                    parameter=given.text("parameter", default="PROLIFIC_PID").strip(),
                    session_parameter=given.text("session_parameter", default="SESSION_ID").strip(),
                    id_pattern=given.text("id_pattern").strip(),
                    return_url=given.text("return_url").strip(),
                    pay=given.number_or_none("pay"),
                    pay_floor=given.number_or_none("pay_floor"),
                    bonus=given.number_or_none("bonus"),
                    currency=given.text("currency", 3).strip(),
                    contact=given.text("contact", 200).strip(),
                )
            )
        return tuple(templates)
