"""Letters of a campaign, for researchers, and of the site, for administrators."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import administrator, logged_in
from annotation.http.campaign_page import CampaignPage, Page, campaign_view
from annotation.mail.emails import (
    letter_discard,
    letter_get,
    letter_test,
    letters_of,
    letters_of_site,
    undelivered,
    undelivered_in,
)
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
@campaign_view("research")
def letters(page: CampaignPage) -> HttpResponse:
    """Show what was written to people of the campaign, and how far it got."""
    rows = page.paged(letters_of(campaign=page.campaign), PER_PAGE)
    return page.render(
        "annotation/letters.html",
        page=rows,
        found=undelivered_in(campaigns=[page.campaign])[page.campaign],
        to_console=not settings.EMAIL_HOST,
    )


@require_POST
@campaign_view("research")
def discard(page: CampaignPage, key: UUID) -> HttpResponse:
    """Delete a letter of the campaign."""
    letter_discard(letter=letter_get(key=key, campaign=page.campaign), actor=page.user)
    return page.done(gettext("The e-mail was deleted."), "letters")


@never_cache
@require_http_methods(["GET", "POST"])
def site_letters(request: HttpRequest) -> HttpResponse:
    """Show all letters and the mail server; a POST writes a test e-mail."""
    administrator(user=request.user)
    own = logged_in(request.user).email
    page = Page(request)
    form = LetterTestForm(page.posted, initial={"to": own})
    if page.saves(form, lambda: letter_test(to=form.cleaned_data["to"], actor=request.user)):
        done = gettext("The test e-mail is on its way: see its state below.")
        return page.done(done, "site-letters")
    chosen = LettersFilterForm(request.GET)
    status = chosen.cleaned_data["status"] if chosen.is_valid() else ""
    return page.render(
        "accounts/letters.html",
        page=page.paged(letters_of_site(status=status), PER_PAGE),
        form=form,
        filter=chosen,
        found=undelivered(),
        server=f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.EMAIL_HOST else "",
        sender=settings.DEFAULT_FROM_EMAIL,
    )


@require_POST
def site_discard(request: HttpRequest, key: UUID) -> HttpResponse:
    """Delete any letter."""
    administrator(user=request.user)
    letter_discard(letter=letter_get(key=key), actor=request.user)
    messages.success(request, gettext("The e-mail was deleted."))
    return redirect("site-letters")
