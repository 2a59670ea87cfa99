"""New campaigns from a file, dropped, chosen or pasted: one page to look at, open and invite."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, BinaryIO, cast

from csp.constants import SELF
from csp.decorators import csp_update
from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import creator, logged_in
from annotation.accounts.users import MOST_AT_ONCE
from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_open, campaign_update
from annotation.campaigns.setup import item_to_preview
from annotation.campaigns.starting import campaign_begin, guess_campaign
from annotation.campaigns.templating.applying import template_apply
from annotation.campaigns.templating.parts import template_named
from annotation.campaigns.templating.queries import template_choices
from annotation.errors import Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.charts import qr_drawn
from annotation.http.pages import check_room
from annotation.importers.gold import InvitedPerson
from annotation.importers.tables import Inspection
from annotation.importing.forms import UploadForm
from annotation.importing.jobs import BESIDE, goes_to_worker, import_order, table_goes_to_worker
from annotation.importing.report import ImportReport
from annotation.importing.table_views import for_worker
from annotation.importing.tables import (
    is_sure,
    judgments_beside,
    ledger_shown,
    needs_mapping,
    refused_judgments,
    table_inspect,
    table_rows,
)
from annotation.importing.views import (
    added,
    change_options,
    forget,
    judgments_imported,
    keep,
    run_import,
)
from annotation.models import Campaign, Membership
from annotation.people.forms import NAME_ONLY, entry_field
from annotation.people.membership import invitation_create, invite_many, join_link
from annotation.starters import starter_for
from paraanno.template_filters import translated

ANNOTATOR = Membership.Role.ANNOTATOR
PASTED = "pasted.tsv"
VALID_FOR = timedelta(days=30)
LEDGER = "ledger-of-{}"  # In the session: what was read of the file, and what was not.


class BeginForm(UploadForm):
    """The file of a new campaign, or rows pasted from a spreadsheet."""

    pasted = forms.CharField(
        label=gettext_lazy("Rows pasted from a spreadsheet"), required=False, widget=forms.Textarea
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in list(self.fields):
            if name not in ("file", "pasted"):
                del self.fields[name]
        self.fields["file"].required = False

    def clean_file(self) -> Any:
        return super().clean_file() if self.cleaned_data["file"] else None

    def clean(self) -> dict[str, Any]:
        given = dict(self.cleaned_data)
        if "file" not in self.errors and bool(given.get("file")) == bool(given.get("pasted")):
            self.add_error("file", _("Choose a file, or paste rows."))
        return given

    def upload(self) -> UploadedFile:
        """The file, or the pasted rows as one."""
        file: UploadedFile | None = self.cleaned_data["file"]
        return file or SimpleUploadedFile(PASTED, self.cleaned_data["pasted"].encode())


@require_POST
def campaign_from_table(request: HttpRequest) -> HttpResponse:
    """Read the file, make a draft as it suggests, and import the texts, unless something asks."""
    actor = creator(user=request.user)
    form = BeginForm(request.POST, request.FILES)
    check_room(request)
    if not form.is_valid():
        for error in form.errors.get("file", []):
            messages.error(request, str(error))
        return redirect("campaign-new")
    try:
        return _begin(request, form.upload(), actor)
    except Invalid as refusal:
        messages.error(request, refusal.message)
        return redirect("campaign-new")


def _show_problems(request: HttpRequest, name: str, report: ImportReport) -> None:
    """The first three; a row of several texts has the same one several times."""
    lines = [f"{name}:{one.line}: {translated(one.message)}" for one in report.problems]
    for line in list(dict.fromkeys(lines))[:3]:
        messages.error(request, line)


def _begin(request: HttpRequest, file: UploadedFile, actor: Any) -> HttpResponse:
    name, stream = str(file.name), cast(BinaryIO, file.file)
    seen = None
    if needs_mapping(stream, name, None, []):
        seen = table_inspect(stream=stream, name=name, what="items")
    guessed = guess_campaign(stream=stream, name=name, mapping=seen.mapping if seen else None)
    campaign = campaign_begin(guessed=guessed, actor=actor)
    if seen is not None and seen.also:  # Now its scales are known.
        seen = table_inspect(stream=stream, name=name, what="items", campaign=campaign)
    options: dict[str, Any] = {
        "what": "items",
        "format": "",
        "name": name,
        "mapping": seen.mapping.to_json() if seen else None,
        "also": seen.also if seen else "",
        "ready": True,
        **dict.fromkeys(("annotator", "source"), ""),
        **dict.fromkeys(("anonymous", "repeats", "fill_slots"), False),
    }
    if seen is not None and (seen.missing or seen.mapping.waits(named=True)):
        return redirect("import-columns", campaign.slug, keep(request, campaign, file, options))
    if _is_large(file, name, seen):
        return _ordered(request, campaign, file, options, seen)
    stored_name = keep(request, campaign, file, options)
    report = run_import(campaign, stored_name, options, actor, dry_run=False)
    seen, report = _as_a_table(campaign, stored_name, stream, options, seen, report, actor)
    if not report.ok:
        _show_problems(request, name, report)
        if seen is not None:  # What the page of its columns can remedy.
            return redirect("import-columns", campaign.slug, stored_name)
        forget(stored_name)
        return redirect("import", campaign.slug)
    if seen is not None:
        scales = [f"{one.name} {one.minimum:g}–{one.maximum:g}" for one in guessed.scales]
        request.session[LEDGER.format(campaign.pk)] = {
            **ledger_shown(seen.ledger),
            "scales": ", ".join(scales),
        }
        read = judgments_imported(request, campaign, stored_name, wanted=True, anonymous=True)
        if read is False:
            messages.info(
                request,
                _("The texts are imported. The file holds judgments too: look at their columns."),
            )
            return redirect("import-columns", campaign.slug, stored_name)
        if seen.tool and (why := refused_judgments(campaign=campaign, stream=stream, name=name)):
            messages.warning(request, why)
    forget(stored_name)
    return redirect("campaign-ready", campaign.slug)


def _as_a_table(
    campaign: Campaign,
    stored_name: str,
    stream: BinaryIO,
    options: dict[str, Any],
    seen: Inspection | None,
    report: ImportReport,
    actor: Any,
) -> tuple[Inspection | None, ImportReport]:
    """Import a file of our columns, if it was refused, as a table of anybody, if nothing asks: the
    ledger says which phrases have other capitals."""
    if report.ok or seen is not None:
        return seen, report
    try:
        seen = table_inspect(stream=stream, name=options["name"], what="items", campaign=campaign)
    except Invalid:
        return None, report
    if seen.missing or seen.mapping.waits(named=True):
        return None, report
    mapped = {**options, "mapping": seen.mapping.to_json(), "also": seen.also}
    again = run_import(campaign, stored_name, mapped, actor, dry_run=False)
    if not again.ok:
        return None, report
    change_options(stored_name, mapped)
    return seen, again


def _is_large(file: UploadedFile, name: str, seen: Inspection | None) -> bool:
    stream: Any = file.file
    if seen is not None:
        return table_goes_to_worker(stream=stream, seen=seen)
    return goes_to_worker(stream=stream, name=name, format=None)


def _ordered(
    request: HttpRequest,
    campaign: Campaign,
    file: UploadedFile,
    options: dict[str, Any],
    seen: Inspection | None,
) -> HttpResponse:
    stream: Any = file.file
    given: dict[str, Any] = {}
    if seen is not None:
        given = {"mapping": options["mapping"], "total": table_rows(seen)}
        beside = judgments_beside(campaign=campaign, stream=stream, options=options)
        if beside is not None:
            name = keep(request, campaign, file, options)
            sure = is_sure(beside, options)
            given[BESIDE] = for_worker(name, options, beside, sure=sure)
            if sure:
                forget(name)
    job = import_order(
        campaign=campaign,
        what="items",
        stream=stream,
        name=options["name"],
        actor=logged_in(request.user),
        dry_run=True,
        to_confirm=True,
        **given,
    )
    return redirect("import-job", campaign.slug, job.key)


class ReadyForm(forms.Form):
    """What was guessed of a new campaign, to be changed."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    template = forms.ChoiceField(label=gettext_lazy("Task"), required=False)
    language = forms.CharField(
        label=gettext_lazy("Language of the texts"), required=False, max_length=35
    )
    annotators_per_sheet = forms.IntegerField(
        label=gettext_lazy("Annotators per sheet"), min_value=1, max_value=1000
    )


class OpenForm(forms.Form):
    """How many people are invited, and by how many links."""

    people = forms.IntegerField(
        label=gettext_lazy("People"), min_value=1, max_value=MOST_AT_ONCE, initial=3
    )
    links = forms.ChoiceField(
        label=gettext_lazy("Links"),
        choices=[
            ("one", gettext_lazy("One link for all")),
            ("each", gettext_lazy("One link a person")),
        ],
        initial="one",
    )
    entry = entry_field(NAME_ONLY)


@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def campaign_ready(page: CampaignPage) -> HttpResponse:
    """What was understood and guessed, the sheet as annotators see it, and opening with links."""
    campaign = page.campaign
    form = OpenForm(page.post if page.post.get("act") == "open" else None)
    changes = _changes(page.request, campaign)
    if page.saves(changes, lambda: _change(campaign, changes.cleaned_data, page.user)):
        return page.go("campaign-ready")
    links = page.saved(form, lambda: _opened(page, form.cleaned_data)) or []
    item = item_to_preview(campaign=campaign, key=None)
    frame = reverse("preview-sheet", args=[page.slug])
    batch = campaign.batches.filter(what="items").last()
    job = campaign.import_jobs.first()  # the newest
    return page.render(
        "annotation/campaign_ready.html",
        changes=changes,
        open_form=form,
        links=links,
        counts=campaign_counts(campaign=campaign),
        batch=batch,
        coming=job if job is not None and job.active else None,
        added=added(batch.counts) if batch else "",
        ledger=page.request.session.get(LEDGER.format(campaign.pk), {}),
        frame=f"{frame}?item={item.key}" if item else "",
    )


def _changes(request: HttpRequest, campaign: Campaign) -> ReadyForm:
    bound = request.POST if request.POST.get("act") == "change" else None
    fields = ("name", "language", "annotators_per_sheet")
    form = ReadyForm(bound, initial={name: getattr(campaign, name) for name in fields})
    keep_scales = ("", _("as it is now"))
    choices = [keep_scales, *template_choices(user=request.user)]
    form.fields["template"].choices = choices  # type: ignore[attr-defined]
    return form


def _change(campaign: Campaign, given: dict[str, Any], actor: Any) -> None:
    if given["template"] and campaign.opened_at is None:
        named = template_named(starter_for(given["template"], given["language"]), actor)
        template_apply(campaign=campaign, template=named, actor=actor)
    wanted = ("name", "language", "annotators_per_sheet")
    campaign_update(campaign=campaign, actor=actor, changes={name: given[name] for name in wanted})


def _opened(page: CampaignPage, given: dict[str, Any]) -> list[tuple[str, str, SafeString]]:
    """Open the campaign; return whom each link is for, the link, and its QR code."""
    if page.campaign.status != Campaign.Status.OPEN:
        page.campaign = campaign_open(campaign=page.campaign, actor=page.user)

    n, by_name = given["people"], given["entry"] == NAME_ONLY
    if given["links"] == "one":
        _invitation, token = invitation_create(
            campaign=page.campaign,
            actor=page.user,
            valid_for=VALID_FOR,
            max_uses=n,
            name_only=by_name,
        )
        links = [(_("%(n)s people") % {"n": n}, join_link(page.request, token))]
    else:
        people = [InvitedPerson(at, str(at), "", ANNOTATOR, "") for at in range(1, n + 1)]
        invited = invite_many(
            campaign=page.campaign,
            people=people,
            valid_for=VALID_FOR,
            by_mail=False,
            link_of=partial(join_link, page.request),
            actor=page.user,
            name_only=by_name,
        )
        links = [(one.invitation.note, one.link) for one in invited]
    return [(whom, link, qr_drawn(link)) for whom, link in links]
