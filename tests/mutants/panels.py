"""Mutants of doors: links of letters, what participants of a panel may be, what its link does, and
which fields the API
takes."""

from tests.mutants import Mutant

ACCESS, MEMBERS = "annotation/access.py", "annotation/people/membership.py"
GUARD, ENTRY = "annotation/panels/views.py", "annotation/panels/views.py"
GRANTS = "tests/annotation/services/people/test_parts.py"
PAGES = "tests/annotation/views/people/test_participants.py"
OF_PANELS = "tests/annotation/services/people/test_parts.py"
ASKS = "    refuse_participant(user=user)\n"


def granted(what, path, before=""):
    return Mutant(f"participants: {what}", path, ASKS + before, before, GRANTS, "granted")


PARTICIPANTS = [
    Mutant(
        "participants: every grant",
        ACCESS,
        "    if takes_part(user=user):\n        raise Not",
        "    if False:\n        raise Not",
        GRANTS,
        "granted",
        core=True,
    ),
    Mutant(
        "participants: the role that is stored",
        ACCESS,
        "return Rights(role and Role.ANNOTATOR, False, archived, reach)",
        "return Rights(role, bool(user.is_superuser), archived, reach)",
        GRANTS,
        "stored",
    ),
    Mutant(
        "participants: create where everybody does",
        ACCESS,
        "if not user.is_authenticated or takes_part(user=user):",
        "if not user.is_authenticated:",
        GRANTS,
        "stored",
    ),
    Mutant(
        "participants: annotators elsewhere",
        MEMBERS,
        "if role is not None and not (role == Role.ANNOTATOR and own.exists()):",
        "if role is not None and role != Role.ANNOTATOR:",
        GRANTS,
    ),
    granted("invitations", MEMBERS, "    invitation = "),
    granted("tokens", "annotation/accounts/tokens.py"),
    granted("the right to create", ACCESS, "    wanted = Q()"),
    granted("teams", "scoring/shared_tasks/tasks.py"),
    granted("second factors", "annotation/accounts/login.py"),
    granted("single sign-on", "annotation/accounts/external_accounts.py"),
    granted(
        "e-mail",
        "annotation/accounts/users.py",
        "    with short_write():\n        before, user.email",
    ),
    Mutant(
        "participants: copied",
        "annotation/campaigns/copying.py",
        "    come = come.exclude(user__in=User.objects.filter(PARTICIPANTS))\n",
        "",
        GRANTS,
        "copy",
    ),
    Mutant(
        "participants: every address",
        GUARD,
        "    return _closed(request, place)",
        "    return None",
        PAGES,
        "every_other_page",
        core=True,
    ),
    Mutant(
        "participants: any campaign",
        GUARD,
        "        if name in OPEN and slug == place.campaign.slug:",
        "        if name in OPEN:",
        PAGES,
        "its_part_alone",
    ),
    Mutant(
        "guests: a link that was ended",
        "annotation/people/membership.py",
        "token_hash=token_digest(token), revoked_at=None).first()",
        "token_hash=token_digest(token)).first()",
        "tests/annotation/views/people/test_participants.py",
        "renew_and_end",
    ),
    Mutant(
        "participants: a session of no part",
        GUARD,
        "            logout(request)\n",
        "",
        PAGES,
        "another_door",
    ),
    Mutant(
        "panel_enter: logs an account out",
        ENTRY,
        "return request.user.is_authenticated and not takes_part(user=request.user)",
        "return False",
        PAGES,
        "keeps_it",
        core=True,
    ),
    Mutant(
        "panels: names of forms",
        "paraanno/common/panel_links.py",
        "    if name.lower() in TAKEN:",
        "    if False:",
        OF_PANELS,
        "by_name",
    ),
    Mutant(
        "panels: blanks are cut off",
        "annotation/panels/services.py",
        " and name not in NAMES else value",
        " else value",
        OF_PANELS,
        "by_name",
    ),
    Mutant(
        "panels: back by http",
        "paraanno/common/panel_links.py",
        'parts.scheme == "http" and host in LOOPBACK',
        'parts.scheme == "http"',
        OF_PANELS,
        "by_name",
    ),
    Mutant(
        "panels: back with a password",
        "paraanno/common/panel_links.py",
        '    if "@" in parts.netloc:',
        "    if False:",
        OF_PANELS,
        "by_name",
    ),
]
FIELDS = "annotation/http/routes.py"
OF_FIELDS = "tests/annotation/api/test_known_fields.py"
KNOWN_FIELDS = [
    Mutant(
        "fields: no body, any field",
        FIELDS,
        "    if field is None:\n        return {}",
        "    if field is None:\n        return None",
        OF_FIELDS,
        "nothing_is_done",
    ),
    Mutant(
        "fields: below others any",
        FIELDS,
        "                yield from unknown_fields(names[name], data[name]",
        "                yield from unknown_fields(None, data[name]",
        OF_FIELDS,
        "nothing_is_done",
    ),
    Mutant(
        "fields: those of DELETE",
        FIELDS,
        'WRITING = ("post", "put", "patch", "delete")',
        'WRITING = ("post", "put", "patch")',
        OF_FIELDS,
        "nothing_is_done",
    ),
    Mutant(
        "fields: the fast way takes any",
        "annotation/collecting/whole_sheet_api.py",
        " or not data.keys() <= FIELDS:",
        ":",
        OF_FIELDS,
        "fast_way",
    ),
    Mutant(
        "fields: the fast way takes any in an answer",
        "annotation/collecting/whole_sheet_api.py",
        " or not data.keys() <= OF_ANSWER:",
        ":",
        OF_FIELDS,
        "fast_way",
    ),
]
SITE = "tests/paraanno/answers/test_site_address.py"
LINKS = [
    Mutant(
        "links: by the name of a request",
        "paraanno/http/errors.py",
        "return settings.SITE + path if settings.SITE else",
        "return",
        SITE,
        "request_chooses",
    ),
    Mutant(
        "links: of work, by what was stored",
        "paraanno/http/errors.py",
        '(settings.SITE or fallback.rstrip("/"))',
        'fallback.rstrip("/")',
        SITE,
        "stored",
    ),
    Mutant(
        "failed logins: a name that nobody has",
        "annotation/accounts/login.py",
        'repr(tried.get_username()) if tried else "name"',
        "repr(keys.account)",
        "tests/annotation/services/people/test_logins.py",
        "tells_an_attack",
    ),
]
