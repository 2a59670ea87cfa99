"""Letters of a campaign, for researchers, and of the site, for administrators."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import campaign_get, known
from annotation.accounts.users import administrator
from annotation.http.pages import campaign_page
from annotation.mail.queries import (
    letter_get,
    letters_of,
    letters_of_site,
    undelivered,
    undelivered_in,
)
from annotation.mail.sending import letter_discard, letter_test
from annotation.models import Letter

# Forms of the page of letters.


class LetterTestForm(forms.Form):
    """Where a test e-mail goes."""

    to = forms.EmailField(label=_("Send a test e-mail to"), max_length=254)


class LettersFilterForm(forms.Form):
    """Which letters are listed."""

    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("all")), *Letter.Status.choices]
    )


PER_PAGE = 50


@never_cache
@require_GET
def letters(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what was written to people of the campaign, and how far it got."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    page = Paginator(letters_of(campaign=campaign), PER_PAGE).get_page(request.GET.get("page"))
    return campaign_page(
        request,
        "annotation/letters.html",
        campaign=campaign,
        rights=rights,
        page=page,
        found=undelivered_in(campaigns=[campaign])[campaign],
        to_console=not settings.EMAIL_HOST,
    )


@require_POST
def discard(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Delete a letter of the campaign."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    letter_discard(letter=letter_get(key=key, campaign=campaign), actor=request.user)
    messages.success(request, gettext("The e-mail was deleted."))
    return redirect("letters", slug)


@never_cache
@require_http_methods(["GET", "POST"])
def site_letters(request: HttpRequest) -> HttpResponse:
    """Show all letters and the mail server; a POST writes a test e-mail."""
    administrator(user=request.user)
    own = known(request.user).email
    form = LetterTestForm(request.POST if request.method == "POST" else None, initial={"to": own})
    if form.is_valid():
        letter_test(to=form.cleaned_data["to"], actor=request.user)
        messages.success(request, gettext("The test e-mail is on its way: see its state below."))
        return redirect("site-letters")
    chosen = LettersFilterForm(request.GET)
    status = chosen.cleaned_data["status"] if chosen.is_valid() else ""
    page = Paginator(letters_of_site(status=status), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "accounts/letters.html",
        {
            "page": page,
            "form": form,
            "filter": chosen,
            "found": undelivered(),
            "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.EMAIL_HOST else "",
            "sender": settings.DEFAULT_FROM_EMAIL,
        },
        status=422 if form.errors else 200,
    )


@require_POST
def site_discard(request: HttpRequest, key: UUID) -> HttpResponse:
    """Delete any letter."""
    administrator(user=request.user)
    letter_discard(letter=letter_get(key=key), actor=request.user)
    messages.success(request, gettext("The e-mail was deleted."))
    return redirect("site-letters")
