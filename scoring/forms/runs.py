"""The form that starts runs: many metrics at once, each with its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.models import Campaign
from annotation.selectors.access import User
from paraanno.plain.sentence import said
from scoring.metrics.registry import metric_class
from scoring.metrics.spec import MetricSpec
from scoring.models import Run
from scoring.selectors.metrics import MetricAbout, OptionAbout, metrics_by_family
from scoring.services.runs.resources import metric_in, usable

MAX_LABEL = 150
# Metrics that can be ticked together: by family, or all that need no files.
QUICK = ("words", "free", "none")


@dataclass(slots=True)
class OptionField:
    """One option as submitted; empty means the default."""

    about: OptionAbout
    name: str
    value: str = ""
    error: str = ""

    @property
    def given(self) -> bool:
        return self.value not in ("", self.about.default)


@dataclass(slots=True)
class MetricField:
    """One metric: whether it is ticked, and its options."""

    about: MetricAbout
    checked: bool
    options: list[OptionField]
    errors: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        return bool(self.errors or any(option.error for option in self.options))

    @property
    def opened(self) -> bool:
        """Whether its options are shown open: some are invalid or changed."""
        return self.wrong or any(option.given for option in self.options)


class RunForm:
    """`data` is the submitted form, None for a new one; `quick` ticks one of QUICK. `languages` are
    those of the campaign's texts, empty for unknown. Files are those that the user may use for the
    campaign; a key of another one raises NotFound.

    Nothing is started unless the whole form is valid; `specs` then holds the chosen metrics.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        user: User,
        campaign: Campaign,
        quick: str = "",
        languages: Sequence[str] = ("",),
    ) -> None:
        self.languages = languages
        self._among = usable(campaign_id=campaign.pk, actor=user)
        self.bound = data is not None
        self.data = data or QueryDict()
        ticked = set(self.data.getlist("metric"))
        self.families = [
            (family, [self._field(about, ticked, quick) for about in found])
            for family, found in metrics_by_family(user=user, campaign=campaign)
        ]
        self.label = self.data.get("label", "").strip()
        self.against = self.data.get("against", "")
        self.scope = self.data.get("scope", "") or Run.Scope.SENTENCE.value
        self.errors: list[str] = []
        self.specs: list[MetricSpec] = []
        if self.bound:
            self._check(ticked)

    def _field(self, about: MetricAbout, ticked: set[str], quick: str) -> MetricField:
        options = [
            OptionField(option, name, self.data.get(name, "").strip())
            for option in about.options
            for name in [f"{about.name}.{option.name}"]
            if len(option.values) != 1 or option.file or option.needed
        ]
        return MetricField(about, about.name in ticked or self._quick(about, quick), options)

    def _quick(self, about: MetricAbout, quick: str) -> bool:
        """Whether a quick choice ticks the metric; never one with a required option, or one that
        does not read the language of all texts."""
        free = about.ready and not any(option.needed for option in about.options)
        free = free and about.reads_all(self.languages)
        if quick == "words":
            return free and about.family in ("overlap", "surface")
        return quick == "free" and free and about.queue != "neural"

    @property
    def metrics(self) -> Iterator[MetricField]:
        for _family, fields in self.families:
            yield from fields

    @property
    def valid(self) -> bool:
        return self.bound and not self.errors and not self.wrong

    @property
    def wrong(self) -> list[MetricField]:
        """The metrics with errors."""
        return [one for one in self.metrics if one.wrong]

    def _check(self, ticked: set[str]) -> None:
        chosen = [one for one in self.metrics if one.checked]
        for name in sorted(ticked - {one.about.name for one in chosen}):
            self.errors.append(_("There is no metric %(name)s.") % {"name": f"{name!r}"})
        if not ticked:
            self.errors.append(_("Tick at least one metric."))
        if len(self.label) > MAX_LABEL:
            self.errors.append(_("A name has at most %(n)s characters.") % {"n": MAX_LABEL})
        if self.scope not in Run.Scope.values:
            self.errors.append(_("There is no such scope: choose one from the list."))
        self.specs = [self._spec(one, several=len(chosen) > 1) for one in chosen]

    def _spec(self, metric: MetricField, *, several: bool) -> MetricSpec:
        about = metric.about
        sent = {one.about.name: one.value for one in metric.options}
        options = {one.about.name: one.value for one in metric.options if one.given}
        if self.against in about.against and not sent.get("against"):
            options["against"] = self.against
        if about.ready:
            self._try(metric, options)
        else:
            metric.errors.append(_("This metric cannot be used: see what is missing."))
        key = _key(about, options)
        if self.label:
            key = f"{self.label} {key}" if several else self.label
        return MetricSpec(key, about.name, tuple(sorted(options.items())))

    def _try(self, metric: MetricField, options: dict[str, str]) -> None:
        """Record the metric's error, beside the option it concerns if that is known."""
        name = metric.about.name
        known = {option.name: option for option in metric_class(name).OPTIONS}
        for one in metric.options:
            if one.given and not one.about.file:
                try:
                    known[one.about.name].read(name, one.value)
                except ValueError as error:
                    one.error = said(error)
        if not metric.wrong:
            try:
                metric_in(name, options, self.languages, self._among)
            except ValueError as error:
                metric.errors.append(said(error))


def _key(about: MetricAbout, options: dict[str, str]) -> str:
    """The run's label in tables: the metric and its options that differ from the defaults, files by
    name."""
    titles = {option.name: dict(option.values) for option in about.options if option.file}
    parts = [f"{name}={titles.get(name, {}).get(value, value)}" for name, value in options.items()]
    return f"{about.name}:{','.join(parts)}" if parts else about.name
