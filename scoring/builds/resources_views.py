"""The page of resources: files that are there or missing, the form that adds one, and builds, which
are asked for, watched and cancelled here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import ADD_RESOURCES, ScopeChoice, may_create, place_read, scope_choices
from annotation.errors import Invalid
from annotation.http.fields import ScopeField, scope_offer
from paraanno.template_filters import translated
from scoring.builds.forms import OPTION, option_title
from scoring.builds.queries import (
    BuildRow,
    RecipeOffer,
    build_get,
    build_row,
    build_rows,
    builds_for,
    recipe_offers,
)
from scoring.builds.services import build_cancel, build_start
from scoring.metrics.resources.kinds import kinds
from scoring.models import Build, Resource
from scoring.resources.api import ResourceUpload
from scoring.resources.queries import (
    ResourceRow,
    built_file,
    names_server_files,
    resource_get,
    resource_rows,
    resources_for,
    workers_memory,
)
from scoring.resources.services import resource_from_server, resource_upload
from scoring.resources.views import KINDS, model_rows, resource_shown
from scoring.runs.metric_choices import MODELS, Usable, metrics_usable

# What brings metrics besides files of a kind.
BROUGHT = {
    MODELS: gettext_lazy("Neural models"),
    "regressor": gettext_lazy("Regressor"),
    "": gettext_lazy("Library or dictionary"),
}
# Inputs of recipes that take several of one kind.
ROLES = {
    "english": gettext_lazy("English sentences"),
    "foreign": gettext_lazy("Their translations, line by line"),
    "links": gettext_lazy("Links of their words"),
    "parses": gettext_lazy("Parses of the English sentences"),
}
FURTHER = re.compile(r"(.+)_(\d+)")  # What belongs to a further corpus.
INPUT = "input-"


class ResourceForm(forms.Form):
    """A file, uploaded or (for administrators) named on the server. The file comes last, so that
    the other fields have been read if it is refused."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"))
    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Shown in lists of choices; if empty, the file’s name."),
    )
    scope = ScopeField()
    path = forms.CharField(
        label=gettext_lazy("File on the server"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Instead of an upload: its path below the server’s folder."),
    )
    file = forms.FileField(label=gettext_lazy("File"), required=False)

    def __init__(
        self,
        *args: Any,
        server: bool,
        choices: Sequence[ScopeChoice],
        problem: str = "",
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        scope_offer(self, choices)
        self.problem = problem
        self.fields["kind"].choices = [(kind, KINDS[kind][0]) for kind in kinds()]  # type: ignore[attr-defined]
        most = settings.RESOURCE_MAX_BYTES
        self.fields["file"].help_text = _("At most %(most)s MB.") % {"most": most // 2**20}
        self.fields["file"].widget.attrs.update(
            {
                "data-most": most,
                "data-said": _("This file is larger than %(most)s MB.") % {"most": most // 2**20},
            }
        )
        if not server:
            del self.fields["path"]
            self.fields["file"].widget.attrs["required"] = True

    def clean(self) -> dict[str, Any]:
        data = dict(self.cleaned_data)
        if self.problem:
            self.add_error("file", self.problem)
        elif "file" not in self.errors and bool(data.get("file")) == bool(data.get("path")):
            self.add_error(
                "file",
                _("Choose a file, or name one on the server, not both.")
                if "path" in self.fields
                else _("Choose a file."),
            )
        return data


# CSRF is checked by `_resources`, because the check reads the form, and with it the file.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def resources(request: HttpRequest) -> HttpResponse:
    """The resources that this user sees; a POST adds one."""
    resources_for(
        user=request.user, add=request.method == "POST"
    )  # Permission is checked before any byte of a file is read.
    upload = ResourceUpload()
    request.upload_handlers = [upload]
    return _resources(request, upload)


@csrf_protect
def _resources(request: HttpRequest, upload: ResourceUpload) -> HttpResponse:
    server = bool(settings.RESOURCE_DIR) and names_server_files(user=request.user)
    posted = request.method == "POST"
    choices = scope_choices(user=request.user)
    form = ResourceForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        server=server,
        choices=choices,
        problem=upload.problem,
    )
    if posted and form.is_valid():
        try:
            resource, queued = _given(request, form.cleaned_data, upload.digest)
        except Invalid as refusal:
            form.add_error("path" if form.cleaned_data.get("path") else "file", refusal.message)
        else:
            message = _("%(name)s is being checked; it can be used once it is ready.")
            if not queued:
                message = _("This file already exists, as %(name)s.")
            messages.success(request, message % {"name": resource.name})
            return redirect("resources")
    rows = resource_rows(user=request.user)
    offers = recipe_offers(user=request.user)
    usable = metrics_usable(user=request.user)
    context = {
        "usable": usable,
        "groups": _groups(usable, rows, offers),
        "unfolded": any(row.active or row.resource.status == "refused" for row in rows),
        "rows": [resource_shown(row) for row in rows],
        "form": form,
        "scopes": choices,
        "kinds": [KINDS[kind] for kind in kinds()],
        "may_add": may_create(user=request.user, what=ADD_RESOURCES),
        "builds": [build_shown(row) for row in build_rows(user=request.user)],
        "recipes": [_offered(offer) for offer in offers],
        "memory": workers_memory() if names_server_files(user=request.user) else None,
        "models": model_rows(),
        "may_add_models": names_server_files(user=request.user),
    }
    return render(request, "scoring/resources.html", context, status=422 if form.errors else 200)


def _groups(
    usable: Usable, rows: Sequence[ResourceRow], offers: Sequence[RecipeOffer]
) -> list[tuple[str, list[dict[str, object]]]]:
    """What brings metrics: kinds of files that are missing, then those that are there."""
    missing: list[dict[str, object]] = []
    ready: list[dict[str, object]] = []
    for one in usable.brought:
        files = [row for row in rows if row.resource.kind == one.kind]
        there = [row for row in files if row.resource.status == Resource.Status.READY]
        made = [offer for offer in offers if offer.recipe.kind == one.kind and offer.possible]
        group = {
            "brought": one,
            "label": BROUGHT[one.kind] if one.kind in BROUGHT else KINDS[one.kind][0],
            "files": there,
            "size": sum(row.resource.size for row in there),
            "runs": sum(row.runs for row in there),
            "checked": len(files) - len(there),
            "recipe": made[0].recipe.name if made else "",
            "uploaded": one.kind in KINDS,
        }
        (ready if one.there else missing).append(group)
    return [(_("Missing"), missing), (_("Ready"), ready)]


def _given(request: HttpRequest, data: Mapping[str, Any], digest: str) -> tuple[Resource, bool]:
    about = {
        "kind": data["kind"],
        "name": data["name"],
        "actor": request.user,
        "place": place_read(user=request.user, value=data["scope"]),
    }
    if data.get("path"):
        return resource_from_server(path=data["path"], **about)
    file = data["file"]
    return resource_upload(
        file=Path(file.temporary_file_path()), digest=digest, file_name=file.name, **about
    )


def _role_label(role: str, kind: str) -> str:
    """What a role is called; those of further corpora have their number."""
    if (match := FURTHER.fullmatch(role)) and match[1] in ROLES:
        return f"{ROLES[match[1]]} ({match[2]})"
    return str(ROLES.get(role, KINDS[kind][0]))


def _offered(offer: RecipeOffer) -> dict[str, object]:
    """A recipe with its texts in the language of the page."""
    recipe = offer.recipe
    needed = [kind for role, kind in recipe.inputs.items() if role not in recipe.optional]
    return {
        "name": recipe.name,
        "title": translated(recipe.title),
        "summary": translated(recipe.summary),
        "inputs": [
            {
                "role": role,
                "further": bool(FURTHER.fullmatch(role)),
                "label": _role_label(role, recipe.inputs[role]),
                "found": candidates,
                "optional": role in recipe.optional,
                # Two texts that belong together: the newest would be offered for both.
                "choose": role not in recipe.optional and needed.count(recipe.inputs[role]) > 1,
            }
            for role, candidates in offer.inputs
        ],
        "further": any(FURTHER.fullmatch(role) for role in recipe.inputs),
        "possible": offer.possible,
        "needs": ", ".join(
            dict.fromkeys(
                str(KINDS[recipe.inputs[r]][0])
                for r, candidates in offer.inputs
                if not candidates and r not in recipe.optional
            )
        ),
        "options": [
            {
                "name": one.name,
                "title": option_title(one.name),
                "default": one.default,
                "values": one.values,
                "summary": translated(one.summary),
            }
            for one in recipe.options
        ],
    }


# Builds on the page.


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Ask for a build: `recipe`, `name`, and fields for its inputs and options."""
    builds_for(user=request.user, add=True)
    sent = request.POST
    try:
        place = place_read(user=request.user, value=sent.get("scope", ""))
        build, new = build_start(
            recipe=sent.get("recipe", ""),
            inputs=_fields(request, INPUT),
            options=_fields(request, OPTION),
            name=sent.get("name", "").strip()[:200],
            place=place,
            actor=request.user,
        )
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        message = _("%(name)s is being made; it appears in the list once it is ready.")
        if not new and build.status == Build.Status.DONE:
            message = _("The same was made before, as %(name)s.")
        messages.success(request, message % {"name": build.name})
    return redirect("resources")


def _fields(request: HttpRequest, beginning: str) -> dict[str, str]:
    return {
        name.removeprefix(beginning): value
        for name, value in request.POST.items()
        if name.startswith(beginning) and isinstance(value, str) and (value or beginning == OPTION)
    }


@require_GET
def build(request: HttpRequest, key: str) -> HttpResponse:
    """One row of the list as a fragment, polled while it is active. When it is over, the page is
    loaded anew, because what it made is in another list."""
    row = build_row(build=build_get(user=request.user, key=key), user=request.user)
    answer = render(request, "scoring/_build.html", {"shown": build_shown(row)})
    if not row.active:
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Cancel a build that is active."""
    row = build_get(user=request.user, key=key, cancel=True)
    build_cancel(build=row, actor=request.user)
    messages.success(request, _("%(name)s was cancelled.") % {"name": row.name})
    return redirect("resources")


@require_GET
def download(request: HttpRequest, key: str) -> FileResponse:
    """The plain file of a resource that was built: what an importer of its kind takes."""
    resource = resource_get(user=request.user, key=key)
    path = built_file(resource=resource)
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{resource.kind}{path.suffix}",
        content_type="text/plain; charset=utf-8",
    )


def build_shown(row: BuildRow) -> dict[str, object]:
    """A row with its texts."""
    return {"row": row, "problems": translated(row.build.sentence).splitlines()}
