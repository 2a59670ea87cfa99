"""The second factor of one's own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import DomainError
from annotation.forms.accounts import FactorForm
from annotation.selectors.access import known
from annotation.selectors.accounts.factors import factor_of, recovery_left
from annotation.services.accounts.second_factor import (
    address_of,
    factor_add,
    factor_end,
    recovery_renew,
    secret_new,
)
from annotation.views.accounts.confirm import confirm_first
from paraanno.login_required import SECOND_FACTOR, needs_second_factor

SECRET = "factor-secret"  # noqa: S105  In a session, until a code confirms it.


def secret_of(request: HttpRequest) -> str:
    """The secret that is being set up in this browser."""
    if SECRET not in request.session:
        request.session[SECRET] = secret_new()
    return str(request.session[SECRET])


def picture_of(secret: str, user: User) -> dict[str, object]:
    """A QR code of the secret, drawn here, and the secret in groups for typing."""
    import segno

    drawn = segno.make(address_of(secret=secret, user=user), error="m").svg_inline(
        scale=5, border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=False
    )
    groups = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return {"picture": mark_safe(drawn), "secret": groups}  # noqa: S308  Numbers alone.


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show the account's second factor, or set one up."""
    user = known(request.user)
    factor = factor_of(user=user)
    if factor is not None:
        context = {
            "factor": factor, "left": recovery_left(user=user),
            "required": needs_second_factor(user),
        }  # fmt: skip
        return render(request, "accounts/second_factor.html", context)
    form, secret = FactorForm(request.POST or None), secret_of(request)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_add(
                user=user, secret=secret, code=form.cleaned_data["code"],
                but=request.session.session_key,
            )  # fmt: skip
        except DomainError as refusal:
            form.add_error("code", refusal.message)
        else:
            request.session.pop(SECRET, None)
            request.session[SECOND_FACTOR] = True
            return render(request, "accounts/recovery_codes.html", {"codes": codes})
    context = {"form": form, **picture_of(secret, user)}
    status = 422 if form.errors else 200
    return render(request, "accounts/second_factor.html", context, status=status)


@never_cache
@require_POST
@confirm_first
def second_factor_act(request: HttpRequest) -> HttpResponse:
    """End the factor, or make new recovery codes."""
    user = known(request.user)
    if factor_of(user=user) is None:
        return redirect("second-factor")
    if request.POST.get("act") == "renew":
        codes = recovery_renew(user=user)
        return render(request, "accounts/recovery_codes.html", {"codes": codes})
    if request.POST.get("act") == "end":
        factor_end(user=user, actor=user)
        messages.success(request, _("Your login has no second factor any more."))
    return redirect("second-factor")
