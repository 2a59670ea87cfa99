"""Forgotten passwords: a link by e-mail."""

from __future__ import annotations

import json

from django.contrib.auth.models import User
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.models import Letter
from annotation.services.accounts.counts import count
from annotation.services.accounts.users import link_maker, password_letter, password_link
from annotation.services.audit import audit
from annotation.services.letters.writing import content_of, letter_write
from annotation.services.transactions import short_write

PER_ADDRESS, PER_EMAIL, WINDOW = 20, 5, 3600  # letters asked for, seconds


def reset_ask(*, email: str, site: str, address: str) -> None:
    """Write to whoever has this e-mail, with a link to set a new password. `site` is the address
    that links begin with, and `address` whose request it is.

    Neither the answer nor its time reveals whether anybody has it: a row is written in any case,
    and a worker looks accounts up. Raises TooManyFailures, which counts only the requests.
    """
    count("reset-from", address, most=PER_ADDRESS, seconds=WINDOW)
    count("reset-of", email.strip().casefold(), most=PER_EMAIL, seconds=WINDOW)
    with short_write():
        letter_write(
            kind=Letter.Kind.FORGOTTEN, to=email.strip(), subject="",
            text=json.dumps({"site": site, "language": translation.get_language()}),
        )  # fmt: skip


def reset_write(request: Letter) -> None:
    """Write the letters that a request led to, inside the caller's transaction.

    Accounts without a password (single sign-on, panels) get no e-mail, as disabled ones.
    """
    content = content_of(request)
    if content is None:
        return
    asked = json.loads(content[0])
    with translation.override(asked["language"]):
        for user in User.objects.filter(email__iexact=request.to, is_active=True)[:10]:
            if not user.has_usable_password():
                continue
            link = password_link(user=user, link_of=link_maker(asked["site"]))
            password_letter(user, _("A new password"), _(
                "Somebody asked for a new password for your account %(name)s. Set it by this link, "
                "which works once:\n\n%(link)s\n\nIf it was not you, nothing needs to be done.\n"
            ) % {"name": user.get_username(), "link": link})  # fmt: skip
            audit(actor=None, verb="send password link", about=user, campaign=None)
