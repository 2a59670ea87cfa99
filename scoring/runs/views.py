"""Pages of metric runs: start, watch, cancel, retry, update; and the worker banner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import User, campaigns_read_by, researches
from annotation.campaigns.queries import languages_of
from annotation.errors import Conflict, Invalid, NotAllowed
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.markdown import as_html
from annotation.http.pages import check_room
from annotation.importing.forms import UploadForm
from annotation.importing.jobs import goes_to_worker, import_order
from annotation.models import Campaign
from paraanno.common.texts import message_of
from scoring.metrics.registry import MetricSpec, metric_class
from scoring.models import Run
from scoring.runs.metric_choices import (
    MetricAbout,
    OptionAbout,
    by_question,
    label_of,
    metric_get,
    metrics_by_family,
)
from scoring.runs.queries import (
    has_matches,
    run_get,
    runs_progress,
    runs_under_way,
    short_references,
    system_scores,
    undefined_scores,
)
from scoring.runs.score_import import ScoresReport, scores_import
from scoring.runs.start import run_cancel, run_retry, run_update, runs_start
from scoring.runs.texts import metric_in, usable
from scoring.work.workers import worker_status

# The list of metrics, and a page for each with its documentation.


FAMILIES = {
    "overlap": gettext_lazy("Words and characters in common"),
    "surface": gettext_lazy("How much the wording changes"),
    "embedding": gettext_lazy("Word vectors"),
    "neural": gettext_lazy("Neural models"),
    "morphemes": gettext_lazy("Morphemes"),
    "paraphrase table": gettext_lazy("Paraphrase tables"),
    "language model": gettext_lazy("Language models"),
    "combination": gettext_lazy("Combinations"),
    "other": gettext_lazy("Others"),
}
# A link between documentation pages.
_LINK = re.compile(r'<a href="([^":]*)"[^>]*>(.*?)</a>', re.DOTALL)


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics by family, and what is missing for those that cannot be used."""
    _check(request)
    families = [(FAMILIES[family], group) for family, group in metrics_by_family(user=request.user)]
    return render(request, "scoring/metrics.html", {"families": families})


@require_GET
def metric(request: HttpRequest, metric: str) -> HttpResponse:
    """One metric and its options."""
    _check(request)
    about = metric_get(name=metric, user=request.user)
    first, rest = _parted(_body(about))
    context = {"metric": about, "family": FAMILIES[about.family], "body": first, "rest": rest}
    return render(request, "scoring/metric.html", context)


def _check(request: HttpRequest) -> None:
    if not campaigns_read_by(user=request.user).exists():
        raise NotAllowed(_("Only members who may see results can open this page."))


def _body(about: MetricAbout) -> SafeString:
    """The documentation of a metric, or else its docstring."""
    html: str = as_html(about.page or f"# {about.title}\n\n{about.docstring}")
    html = _LINK.sub(_linked, html).replace("<pre>", '<pre tabindex="0">')  # it may scroll
    return mark_safe(html)  # noqa: S308 as_html cleaned it


def _parted(body: SafeString) -> tuple[SafeString, SafeString]:
    """The title with the first section, and the other sections."""
    start = body.find("<h2", body.find("<h2") + 1)
    at = start if start > 0 else len(body)
    return mark_safe(body[:at]), mark_safe(body[at:])  # noqa: S308 as_html cleaned them


def _linked(match: re.Match[str]) -> str:
    """Links to metrics point to their pages; links to anything else outside the site are
    removed."""
    target = re.fullmatch(r"([\w-]+)\.md", match[1])
    return f'<a href="../{target[1]}/">{match[2]}</a>' if target else match[2]


# The form that starts runs: many metrics at once, each with its options.


MAX_LABEL = 150
# Metrics that can be ticked together: by family, or all that need no files.
QUICK = ("words", "free", "meaning", "wording", "fluent", "none")
# What docs/which-metric.md proposes for a question.
PROPOSED = {
    "meaning": ("sentence_cosine", "bertscore", "chrf"),
    "wording": ("pinc", "self_bleu", "additions"),
    "fluent": ("lm_fluency",),
}


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
            (family, [self._field(about, ticked, quick) for about in group])
            for family, group in metrics_by_family(user=user, campaign=campaign)
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
        """Whether a quick choice ticks the metric; never one that does not read the language of all
        texts, and one with a required option only where it is proposed for a question."""
        if quick in PROPOSED:
            return about.name in PROPOSED[quick] and about.ready and about.reads_all(self.languages)
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
        key = label_of(about, options)
        if self.label:
            key = f"{self.label} {key}" if several else self.label
        return MetricSpec(key, about.name, tuple(sorted(options.items())))

    def _try(self, metric: MetricField, options: dict[str, str]) -> None:
        """Record the metric's error, beside the option it concerns if that is known."""
        name = metric.about.name
        by_name = {option.name: option for option in metric_class(name).OPTIONS}
        for one in metric.options:
            if one.given and not one.about.file:
                try:
                    by_name[one.about.name].read(name, one.value)
                except ValueError as error:
                    one.error = message_of(error)
        if not metric.wrong:
            try:
                metric_in(name, options, self.languages, self._among)
            except ValueError as error:
                metric.errors.append(message_of(error))


AGAINST = [
    ("", gettext_lazy("The references if every text has one, the original if none has")),
    ("original", gettext_lazy("The original")),
    ("references", gettext_lazy("The references")),
    ("both", gettext_lazy("Both")),
    ("mixed", gettext_lazy("Each text with its references, and with the original if it has none")),
]


@require_http_methods(["GET", "POST"])
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The campaign's runs; a POST starts new ones. `?choose=` ticks a group of metrics."""
    posted = request.method == "POST"
    right = "research" if posted else "read"
    page = CampaignPage(request, slug, right)
    campaign = page.campaign
    form = None
    if page.rights.research:
        spoken = languages_of(campaign=campaign)
        quick = "" if posted else request.GET.get("choose", "")
        form = RunForm(
            request.POST if posted else None,
            user=request.user,
            campaign=campaign,
            quick=quick,
            languages=spoken,
        )
    if form is not None and form.valid and _started(request, campaign, form):
        return redirect("runs", slug)
    progress = runs_progress(campaign=campaign)
    return page.render(
        "scoring/runs.html",
        runs=progress,
        active=runs_under_way(campaign=campaign) is not None,
        form=form,
        questions=by_question({one.about.name: one for one in form.metrics}) if form else [],
        scopes=Run.Scope.choices,
        policies=AGAINST,
        status=422 if posted else 200,
    )


def _started(request: HttpRequest, campaign: Campaign, form: RunForm) -> bool:
    """Start the chosen metrics; errors about the campaign are added to the form."""
    try:
        runs_start(campaign=campaign, specs=form.specs, actor=request.user, scope=form.scope)
    except Invalid as refusal:
        form.errors.append(refusal.message)
        return False
    n = len(form.specs)
    message = ngettext("%(n)d metric was started.", "%(n)d metrics were started.", n) % {"n": n}
    messages.success(request, message)
    return True


@require_GET
@campaign_view("read")
def runs_fragment(page: CampaignPage) -> HttpResponse:
    """The list of runs as a fragment, polled while one is active."""
    progress = runs_progress(campaign=page.campaign)
    return page.bare(
        "scoring/_runs.html",
        rights=page.rights,
        runs=progress,
        active=runs_under_way(campaign=page.campaign) is not None,
    )


@require_GET
@campaign_view("read")
def run_page(page: CampaignPage, key: str) -> HttpResponse:
    """One run: its signature, its system scores, and the texts without a value."""
    run = run_get(campaign=page.campaign, key=key)
    named = run.options.get("lang", "")  # It is assumed of texts that say nothing.
    assumed = named if named and "" in languages_of(campaign=page.campaign) else ""
    return page.render(
        "scoring/run.html",
        run=run,
        assumed=assumed,
        matches=page.rights.research and has_matches(run),
        short=_short(run),
        systems=system_scores(runs=[run]),
        undefined=undefined_scores(run=run)[:100],
    )


def _short(run: Run) -> int | None:
    """The length of the references in per cent of the sentences, if it is too small for what was
    compared with them."""
    if not run.compared or not run.compared.references:
        return None
    share = short_references(campaign=run.campaign)
    return None if share is None else round(100 * share)


@require_POST
@campaign_view("research")
def cancel(page: CampaignPage, key: str) -> HttpResponse:
    run_cancel(run=run_get(campaign=page.campaign, key=key), actor=page.user)
    return page.go("runs")


@require_POST
@campaign_view("research")
def retry(page: CampaignPage, key: str) -> HttpResponse:
    run_retry(run=run_get(campaign=page.campaign, key=key), actor=page.user)
    return page.go("runs")


@require_POST
@campaign_view("research")
def update(page: CampaignPage, key: str) -> HttpResponse:
    """Score texts added later; if that is not possible, the runs page shows why."""
    try:
        run_update(run=run_get(campaign=page.campaign, key=key), actor=page.user)
    except Conflict as refusal:
        page.warns(refusal.message)
    return page.go("runs")


@require_GET
def worker_banner(request: HttpRequest) -> HttpResponse:
    """The banner that no worker is alive; polled by the pages of members who may read a
    campaign, and by the page of resources."""
    user = request.user
    if not (researches(user=user) or campaigns_read_by(user=user).exists()):
        raise NotAllowed(_("Only members who may see results can open this page."))
    return render(request, "scoring/_worker.html", {"worker": worker_status()})


# The form that imports scores made elsewhere.


class ScoresForm(forms.Form):
    """A file and the names of its columns."""

    file = forms.FileField(
        label=gettext_lazy("File"), help_text=gettext_lazy("CSV, TSV or JSON Lines; UTF-8.")
    )
    label = forms.CharField(
        label=gettext_lazy("Name of the metric"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "For the column “score”; if empty, the file’s name. Other columns have their own names."
        ),
    )
    lower_is_better = forms.BooleanField(label=gettext_lazy("Lower is better"), required=False)
    lower = forms.CharField(
        label=gettext_lazy("Lower is better only in"),
        required=False,
        help_text=gettext_lazy(
            "With several columns score.NAME: those names, separated by commas."
        ),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        required=False,
        choices=[
            ("", gettext_lazy("By the file's name")),
            ("csv", "CSV"),
            ("tsv", "TSV"),
            ("jsonl", "JSON Lines"),
        ],
    )
    clean_file = UploadForm.clean_file

    def clean_lower(self) -> list[str]:
        """The names, split at commas."""
        return [name.strip() for name in self.cleaned_data["lower"].split(",") if name.strip()]


# The page that imports scores made elsewhere.


SHOWN = 200


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def import_page(page: CampaignPage) -> HttpResponse:
    """The import form; for a file with errors it lists them line by line."""
    posted = page.sent
    form = ScoresForm(page.post, page.request.FILES) if posted else ScoresForm()
    check_room(page.request)
    report: ScoresReport | None = None
    name = ""
    if posted and form.is_valid():
        data = form.cleaned_data
        name, format = data["file"].name, data["format"] or None
        about: dict[str, Any] = {
            "campaign": page.campaign,
            "stream": data["file"].file,
            "name": name,
            "actor": page.user,
            "label": data["label"],
            "higher_is_better": not data["lower_is_better"],
            "lower": data["lower"],
            "format": format,
        }
        if goes_to_worker(stream=data["file"].file, name=name, format=format):
            job = import_order(what="scores", **about)
            return page.go("import-job", job.key)
        try:
            report = scores_import(**about)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        if report is not None and report.ok:
            return _imported(page, report)
    problems = report.problems if report else ()
    return page.render(
        "scoring/scores_import.html",
        form=form,
        report=report,
        file_name=name,
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        status=422 if form.errors or report else 200,
    )


def _imported(page: CampaignPage, report: ScoresReport) -> HttpResponse:
    names = ", ".join(run.label for run in report.runs)
    if report.written:
        message = _("Imported: %(names)s.") % {"names": names}
        page.says(message)
    else:
        message = _("The same scores already exist: %(names)s.") % {"names": names}
        messages.info(page.request, message)
    for problem in report.problems[:3]:
        messages.warning(page.request, str(problem))
    if len(report.runs) == 1:
        return page.go("run", report.runs[0].key)
    return page.go("runs")
