"""Mutants of logins from outside, of Confirm it's you, and of the scope of tokens."""

from tests.mutants import Mutant

# fmt: off
VIEW, CONFIRM = "annotation/views/accounts/entering.py", "annotation/views/accounts/confirm.py"
CONFIRMING, OUTSIDE = "annotation/services/accounts/confirming.py", "annotation/services/accounts/outside.py"
ACCESS, SIGNING = "annotation/selectors/access.py", "annotation/services/accounts/signing_in.py"
ANNOTATORS, TOKENS = "annotation/selectors/people/annotators.py", "annotation/services/accounts/tokens.py"
AUTHENTICATION = "annotation/api/people/authentication.py"
OF_VIEW, OF_CONFIRM = "tests/annotation/views/accounts/test_entering.py", "tests/annotation/views/accounts/test_confirm.py"
OF_CONFIRMING, OF_OUTSIDE = "tests/annotation/services/accounts/test_confirming.py", "tests/annotation/services/accounts/test_outside.py"
OF_SCOPES, OF_TOKENS = "tests/annotation/api/people/test_scopes.py", "tests/annotation/services/accounts/test_tokens.py"
CONNECTING = [
    Mutant("outside: by a link", VIEW, "@login_not_required\n@require_POST\ndef outside(",
        "@login_not_required\n@require_http_methods(['GET', 'POST'])\ndef outside(", OF_VIEW, "no_link_leads", core=True),
    Mutant("outside: from an open browser", VIEW,
        "if purpose == Purpose.CONNECT and (asked", "if not purpose and (asked", OF_VIEW, "no_link_leads", core=True),
    Mutant("outside: connected by coming back", VIEW, "            request.session[PENDING] = pending\n",
        "            request.session[PENDING] = pending\n"
        "            outside_connect(user=known(request.user), subject=pending[0], label='')\n",
        OF_VIEW, "sees_whose", core=True),
    Mutant("outside: whoever is logged in by now", VIEW,
        'if request.user.pk != journey["user"]:', "if False:", OF_VIEW, "meanwhile"),
    Mutant("connect: a day later", VIEW, "or time.time() - at > LASTS", "or False", OF_VIEW, "sees_whose"),
    Mutant("connect: another account's", OUTSIDE, "        if login.user_id != user.pk:\n", "        if False:\n",
        OF_OUTSIDE, "linked_by_nobody_else"),
    Mutant("disconnect: of anybody", OUTSIDE, "logins = OutsideLogin.objects.filter(user=user)",
        "logins = OutsideLogin.objects.all()", OF_OUTSIDE, "owners_hear", core=True),
    Mutant("disconnect: sessions stay", OUTSIDE, "        sessions_drop(user=user, but=but)\n", "",
        OF_OUTSIDE, "owners_hear"),
    Mutant("disconnect: the only way in", OUTSIDE, "and not others.exists()", "and False", OF_OUTSIDE, "only_way_in"),
    Mutant("by e-mail: past the second factor", OUTSIDE,
        "if SecondFactor.objects.filter(user=theirs[0]).exists():", "if False:", OF_OUTSIDE, "gone_round"),
]
CONFIRMED = [
    Mutant("confirm: never asked", CONFIRM,
        "or confirming.is_confirmed(request):", "or True:", OF_CONFIRM, "open_browser", core=True),
    Mutant("confirm: any password", CONFIRMING, "_tried(user, user.check_password(password))", "_tried(user, True)",
        OF_CONFIRM, "open_browser", core=True),
    Mutant("confirm: without the second factor", CONFIRM, "    if factor_of(user=user) is not None:\n",
        "    if False:\n", OF_CONFIRM, "after_the_password", core=True),
    Mutant("confirm: for ever", CONFIRMING, "or time.time() - noted[1] > LASTS", "", OF_CONFIRMING, "ten_minutes"),
    Mutant("confirm: for whoever logs in next", CONFIRMING, "or noted[0] != request.user.pk", "", OF_CONFIRMING,
        "one_account"),
    Mutant("confirm: passwords tried without end", CONFIRMING,
        '    count("confirm", str(user.pk), most=TRIES, seconds=WINDOW)\n', "", OF_CONFIRMING, "without_end"),
    Mutant("confirm: a code to whoever has a password", CONFIRM,
        "bool(user.email) and not user.has_usable_password()", "bool(user.email)", OF_CONFIRM, "by_e_mail"),
    Mutant("confirm: an old login at the provider", OUTSIDE, "or at < since - LEEWAY", "", OF_CONFIRM, "at_the_provider"),
    Mutant("confirm: by anybody's login there", OUTSIDE, "if login is None or login.user_id != user.pk:",
        "if login is not None and login.user_id != user.pk:", OF_CONFIRM, "at_the_provider"),
    Mutant("confirm: any login by the provider counts", VIEW, "sign_in(request, user, fresh=False)",
        "sign_in(request, user, fresh=True)", OF_CONFIRM, "provider_alone"),
    Mutant("confirm: passwords are carried", CONFIRM, '        and "password" not in name\n', "", OF_CONFIRM, "leads_back"),
]
OF_TOKEN = [
    Mutant("scope: everything is reached", AUTHENTICATION, "found[0].token_reach = reach", "pass", OF_SCOPES,
        "part_of_what", core=True),
    Mutant("scope: routes beside campaigns", "annotation/api/campaign_route.py", "of_campaigns = False", "of_campaigns = True", OF_SCOPES,
        "nothing_beside", core=True),
    Mutant("scope: other campaigns", ACCESS, "or (reach is not None and not reach.includes(campaign.pk))", "",
        OF_SCOPES, "not_there", core=True),
    Mutant("scope: other campaigns are listed", ACCESS, "    if reach is None or reach.campaigns is None:\n",
        "    if True:\n", OF_SCOPES, "not_there"),
    Mutant("scope: judging reads", ACCESS, "self._granted(ApiToken.Scope.READ)",
        "self._granted(ApiToken.Scope.READ, ApiToken.Scope.JUDGE)", OF_SCOPES, "part_of_what"),
    Mutant("scope: reading judges sheets", ANNOTATORS, "and reach.grants(ApiToken.Scope.JUDGE)", "", OF_SCOPES,
        "judges_there_alone"),
    Mutant("scope: sheets of other campaigns", ANNOTATORS, "if reach and not (reach.includes(annotator.campaign_id) and",
        "if reach and not (True and", OF_SCOPES, "judges_there_alone"),
    Mutant("scope: tokens create campaigns", ACCESS, '    and NotFound for anonymous users."""\n    refuse_reach(user)\n',
        '    and NotFound for anonymous users."""\n', OF_SCOPES, "nothing_beside"),
    Mutant("token: as long as one likes", TOKENS, "if not 1 <= days <= settings.TOKEN_DAYS:", "if days < 1:", OF_TOKENS,
        "ends_on_its_day"),
]
