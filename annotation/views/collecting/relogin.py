"""Log in again after the session has expired, without losing a submitted form."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from annotation.errors import DomainError
from annotation.selectors.access import known
from annotation.services.accounts.second_factor import SecondFactorAsked, factor_passed
from annotation.services.accounts.signing_in import finish

NAME, PASSWORD, CODE = "relogin.name", "relogin.password", "relogin.code"
OWN = {NAME, PASSWORD, CODE, "csrfmiddlewaretoken"}


@sensitive_variables("password", "code")
def ask(request: HttpRequest) -> HttpResponse | None:
    """Return None if somebody is logged in, else the login page as response.

    The page carries the submitted answers. Their owner is checked after the login.
    """
    if request.user.is_authenticated:
        return None
    if not any(name.startswith("value.") for name in request.POST):
        return redirect_to_login(request.get_full_path())
    error, password, code = "", request.POST.get(PASSWORD, ""), request.POST.get(CODE, "")
    second = CODE in request.POST
    if password:
        error = _("The name or the password is not right.")
        try:
            user = authenticate(request, username=request.POST.get(NAME, ""), password=password)
            if user is not None:
                account = known(user)
                second_given = factor_passed(user=account, code=code, request=request)
                finish(request, account, second=second_given, fresh=True)
                return None
        except DomainError as refusal:
            error, second = refusal.message, second or isinstance(refusal, SecondFactorAsked)
    kept = [(name, value) for name, value in request.POST.items() if name not in OWN]
    context = {"kept": kept, "error": error, "name": request.POST.get(NAME, ""), "second": second}
    return render(request, "annotation/rate_login.html", context)
