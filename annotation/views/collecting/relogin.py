"""Log in again after the session has expired, without losing a submitted form."""

from __future__ import annotations

from django.contrib.auth import authenticate, login
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from annotation.errors import TooManyFailures

NAME, PASSWORD = "relogin.name", "relogin.password"
OWN = {NAME, PASSWORD, "csrfmiddlewaretoken"}


@sensitive_variables("password")
def ask(request: HttpRequest) -> HttpResponse | None:
    """Return None if somebody is logged in, else the login page as response.

    The page carries the submitted answers. Their owner is checked after the login.
    """
    if request.user.is_authenticated:
        return None
    if not any(name.startswith("value.") for name in request.POST):
        return redirect_to_login(request.get_full_path())
    error, password = "", request.POST.get(PASSWORD, "")
    if password:
        error = _("The name or the password is not right.")
        try:
            user = authenticate(request, username=request.POST.get(NAME, ""), password=password)
        except TooManyFailures as refusal:
            user, error = None, refusal.message
        if user is not None:
            login(request, user)
            return None
    kept = [(name, value) for name, value in request.POST.items() if name not in OWN]
    context = {"kept": kept, "error": error, "name": request.POST.get(NAME, "")}
    return render(request, "annotation/rate_login.html", context)
