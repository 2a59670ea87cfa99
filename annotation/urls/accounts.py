"""URLs of logins, accounts, what is stored about a person, and the log of the site."""

from django.contrib.auth import views as auth
from django.urls import path

from annotation.views import letters
from annotation.views.accounts import confirm, entering, log, own, person, second_factor, users
from annotation.views.people import accounts, tokens

DATA = "site/people/<int:user>/data/"
urlpatterns = [
    path("accounts/", own.account, name="account"),
    path("accounts/login/", accounts.Login.as_view(), name="login"),
    path("accounts/login/code/", entering.code, name="login-code"),
    path("accounts/login/set-up/", entering.set_up, name="login-set-up"),
    path("accounts/outside/", entering.outside, name="outside"),
    path("accounts/outside/back/", entering.outside_back, name="outside-back"),
    path("accounts/outside/connect/", entering.outside_link, name="outside-connect"),
    path("accounts/outside/<uuid:key>/end/", entering.outside_end, name="outside-end"),
    path("accounts/confirm/", confirm.confirm, name="confirm"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password/", own.ChangePassword.as_view(), name="password-change"),
    path("accounts/reset/", own.reset, name="password-reset"),
    path(
        "accounts/reset/<str:uidb64>/<str:token>/",
        own.ResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("accounts/email/", own.email, name="email-change"),
    path("accounts/email/<str:token>/", own.confirm, name="email-confirm"),
    path("accounts/second-factor/", second_factor.second_factor, name="second-factor"),
    path("accounts/second-factor/act/", second_factor.second_factor_act, name="second-factor-act"),
    path("accounts/sessions/end/", own.end_sessions, name="sessions-end"),
    path("accounts/sessions/<uuid:key>/end/", own.end_session, name="session-end"),
    path("accounts/tokens/", tokens.tokens, name="tokens"),
    path("accounts/tokens/<uuid:key>/revoke/", tokens.revoke, name="token-revoke"),
    path("join/<str:token>/", accounts.join, name="join"),
    path("site/users/", users.users, name="users"),
    path("site/users/new/", users.users_new, name="users-new"),
    path("site/users/<int:user>/", users.user_page, name="user"),
    path("site/users/<int:user>/act/", users.user_act, name="user-act"),
    path("site/letters/", letters.site_letters, name="site-letters"),
    path("site/letters/<uuid:key>/discard/", letters.site_discard, name="site-letter-discard"),
    path("account/data/", person.own, name="account-data"),
    path("account/data/everything.zip", person.own_file, name="account-data-file"),
    path("account/data/delete/", person.own_delete, name="account-delete"),
    path(DATA, person.other, name="site-person"),
    path(f"{DATA}everything.zip", person.other_file, name="site-person-file"),
    path(f"{DATA}delete/", person.other_delete, name="site-person-delete"),
    path("site/audit/", log.site_audit, name="site-audit"),
    path("site/audit/log.csv", log.site_audit_file, name="site-audit-file"),
]
