"""Joining a team."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.selectors.access import known
from scoring.shared_tasks.selectors.access import team_of_token
from scoring.shared_tasks.services.teams import team_join


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a team: a page that asks, and a POST that joins."""
    team = team_of_token(token=token)
    if request.method == "POST":
        team = team_join(token=token, user=known(request.user))
        messages.success(request, _("You are in the team %(name)s.") % {"name": team.name})
        return redirect("task", slug=team.task.slug)
    return render(request, "tasks/join.html", {"team": team, "task": team.task})
