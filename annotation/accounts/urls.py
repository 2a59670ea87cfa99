"""URLs of logins, accounts, what is stored about a person, and the log of the site."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import path

from annotation.accounts import confirm_views, entering_views, user_views
from annotation.accounts import views as accounts_views
from annotation.mail import views
from annotation.people import guest_views
from annotation.people import views as people_views

DATA = "site/people/<int:user>/data/"
urlpatterns = [
    path("accounts/", accounts_views.account, name="account"),
    path("accounts/login/", people_views.Login.as_view(), name="login"),
    path("accounts/login/code/", entering_views.code, name="login-code"),
    path("accounts/login/set-up/", entering_views.set_up, name="login-set-up"),
    path("accounts/outside/", entering_views.outside, name="outside"),
    path("accounts/outside/back/", entering_views.outside_back, name="outside-back"),
    path("accounts/outside/connect/", entering_views.outside_link, name="outside-connect"),
    path("accounts/outside/<uuid:key>/end/", entering_views.outside_end, name="outside-end"),
    path("accounts/confirm/", confirm_views.confirm, name="confirm"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/password/", accounts_views.ChangePassword.as_view(), name="password-change"),
    path("accounts/reset/", accounts_views.reset, name="password-reset"),
    path(
        "accounts/reset/<str:uidb64>/<str:token>/",
        accounts_views.ResetConfirm.as_view(),
        name="password-reset-confirm",
    ),
    path("accounts/email/", accounts_views.email, name="email-change"),
    path("accounts/email/<str:token>/", accounts_views.confirm, name="email-confirm"),
    path("accounts/second-factor/", accounts_views.second_factor, name="second-factor"),
    path("accounts/second-factor/act/", accounts_views.second_factor_act, name="second-factor-act"),
    path("accounts/sessions/end/", accounts_views.end_sessions, name="sessions-end"),
    path("accounts/sessions/<uuid:key>/end/", accounts_views.end_session, name="session-end"),
    path("accounts/tokens/", user_views.tokens, name="tokens"),
    path("accounts/tokens/<uuid:key>/revoke/", user_views.revoke, name="token-revoke"),
    path("join/<str:token>/", people_views.join, name="join"),
    path("me/", guest_views.guest, name="guest"),
    path("site/users/", user_views.users, name="users"),
    path("site/users/new/", user_views.users_new, name="users-new"),
    path("site/users/<int:user>/", user_views.user_page, name="user"),
    path("site/users/<int:user>/act/", user_views.user_act, name="user-act"),
    path("site/letters/", views.site_letters, name="site-letters"),
    path("site/letters/<uuid:key>/discard/", views.site_discard, name="site-letter-discard"),
    path("account/data/", accounts_views.own, name="account-data"),
    path("account/data/everything.zip", accounts_views.own_file, name="account-data-file"),
    path("account/data/delete/", accounts_views.own_delete, name="account-delete"),
    path(DATA, accounts_views.other, name="site-person"),
    path(f"{DATA}everything.zip", accounts_views.other_file, name="site-person-file"),
    path(f"{DATA}delete/", accounts_views.other_delete, name="site-person-delete"),
    path("site/audit/", confirm_views.site_audit, name="site-audit"),
    path("site/audit/log.csv", confirm_views.site_audit_file, name="site-audit-file"),
]
