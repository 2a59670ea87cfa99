"""The settings of logins: a part of settings.py, which takes all names from here."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from paraanno.env import env_bool, env_int, env_list, env_rights, env_secret, env_site, env_str

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "annotation.accounts.login.LoginThrottle",  # Logs nobody in.
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
SESSION_COOKIE_AGE = 14 * 24 * 3600
PASSWORD_RESET_TIMEOUT = env_int("PARAANNO_LINK_HOURS", 72, minimum=1) * 3600
ADMINS_NEED_SECOND_FACTOR = env_bool("PARAANNO_ADMINS_NEED_SECOND_FACTOR", False)

# Single sign-on by OpenID Connect: off without an issuer (docs/accounts.md).
OIDC_ISSUER = env_site("PARAANNO_OIDC_ISSUER")
OIDC_CLIENT_ID = env_str("PARAANNO_OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env_secret("PARAANNO_OIDC_CLIENT_SECRET")
OIDC_NAME = env_str("PARAANNO_OIDC_NAME", "Single sign-on")
OIDC_CREATES = env_bool("PARAANNO_OIDC_CREATES", False)
OIDC_LINKS_BY_EMAIL = env_bool("PARAANNO_OIDC_LINKS_BY_EMAIL", False)
OIDC_DOMAINS = [one.lower() for one in env_list("PARAANNO_OIDC_DOMAINS", [])]
OIDC_RIGHTS = env_rights("PARAANNO_OIDC_RIGHTS")
if OIDC_ISSUER and not OIDC_CLIENT_ID:
    raise ImproperlyConfigured("PARAANNO_OIDC_ISSUER needs PARAANNO_OIDC_CLIENT_ID, too.")
