"""The one settings file. Every variable is documented in docs/settings.md.

Nothing needs to be set on one machine: data, broker and secret key are in the data folder.
The defaults suit production; PARAANNO_DEBUG=true turns on development.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from paraanno.common.lazy_import import late
from paraanno.common.places import SHARE, data_dir
from paraanno.env import (
    env_bool,
    env_database,
    env_folder,
    env_int,
    env_list,
    env_networks,
    env_origin,
    env_rights,
    env_secret,
    env_site,
    env_str,
    env_word,
    kept_secret,
    prepare_data_dir,
)
from paraanno.observability.log_settings import logging_settings

# Where templates, docs and the like are; in a checkout, its folder.
BASE_DIR = SHARE
DATA_DIR = prepare_data_dir(data_dir())

DEBUG = env_bool("PARAANNO_DEBUG", False)
SECRET_KEY = env_secret("PARAANNO_SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
# Old keys: logins that they signed stay valid.
SECRET_KEY_FALLBACKS = env_secret("PARAANNO_OLD_SECRET_KEYS").split()
HTTPS = env_bool("PARAANNO_HTTPS", False)
# With it begin all links that leave the site. Its own name is allowed, and its pages are trusted.
SITE = env_origin("PARAANNO_SITE")
_OWN = [urlsplit(SITE).hostname or ""] if SITE else []
# The loopback names are always allowed, for the health check on the machine itself.
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *_OWN, *env_list("PARAANNO_ALLOWED_HOSTS", [])]
CSRF_TRUSTED_ORIGINS = [*([SITE] if SITE else []), *env_list("PARAANNO_TRUSTED_ORIGINS", [])]

# Logins.
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

INSTALLED_APPS = [
    "paraanno.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "paraanno.apps.FrameConfig",
    "annotation",
    "scoring",
    "scoring.on_files",
    "scoring.shared_tasks",
]

MIDDLEWARE = [
    "paraanno.observability.logs.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "paraanno.http.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "paraanno.http.middleware.AccountMiddleware",
    "annotation.accounts.views.SeenMiddleware",
    "annotation.panels.views.ParticipantMiddleware",
    "paraanno.http.middleware.LoginMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "paraanno.http.errors.PolicyMiddleware",
    "annotation.http.errors.DomainErrorMiddleware",
]

ROOT_URLCONF = "paraanno.urls"
WSGI_APPLICATION = "paraanno.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["paraanno.template_filters"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": env_database("DATABASE_URL", default=DATA_DIR / "paraanno.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Throttles count here: in each web process separately, or together in Redis.
CACHE_URL = env_secret("PARAANNO_CACHE_URL")
CACHES = {
    "default": {"BACKEND": "paraanno.patient_cache.PatientCache", "LOCATION": CACHE_URL}
    if CACHE_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},  # Counts must not make each other go.
    }
}

# E-mail: on the console, until a server is named.
EMAIL_HOST = env_str("PARAANNO_EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = env_int("PARAANNO_EMAIL_PORT", 587, minimum=1)
EMAIL_HOST_USER = env_str("PARAANNO_EMAIL_USER")
EMAIL_HOST_PASSWORD = env_secret("PARAANNO_EMAIL_PASSWORD") or ""
EMAIL_USE_TLS = env_bool("PARAANNO_EMAIL_TLS", True)
EMAIL_TIMEOUT = 10  # seconds; a page waits for it
DEFAULT_FROM_EMAIL = env_str("PARAANNO_EMAIL_FROM", "paraanno@localhost")

# The browser's language applies until somebody chooses one in the footer, kept in a cookie.
LANGUAGE_CODE = "en"
# Every page is in SITE_LANGUAGES; what annotators meet is in all of these (docs/languages.md).
LANGUAGES = [
    ("en", "English"),
    ("ko", "한국어"),
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("hi", "हिन्दी"),
    ("ja", "日本語"),
    ("pt-br", "Português (Brasil)"),
    ("ru", "Русский"),
    ("vi", "Tiếng Việt"),
    ("zh-hans", "简体中文"),
]
SITE_LANGUAGES = ("en", "ko")
# Not yet read by a native speaker, which pages in these languages say.
DRAFT_LANGUAGES = frozenset(code for code, _name in LANGUAGES) - {"en"}
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "annotators"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
# Dates as 2026-11-21 in every language, which is unambiguous.
FORMAT_MODULE_PATH = "paraanno.formats"
TIME_ZONE = env_str("PARAANNO_TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
# In an image they are collected and compressed when it is built, and here if no folder is named.
STATIC_BUILT = env_str("PARAANNO_STATIC_DIR")
STATIC_ROOT = Path(STATIC_BUILT) if STATIC_BUILT else DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Hashed names, but not compressed: that would take longer than the rest of a first start. The
    # Dockerfile does it with `python -m whitenoise.compress`; else a proxy compresses.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}
WHITENOISE_ADD_HEADERS_FUNCTION = late("paraanno.http.errors:on_static_file")
MEDIA_ROOT = DATA_DIR / "files"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20
FILE_UPLOAD_TEMP_DIR = DATA_DIR / "tmp"
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "annotation.http.pages.DiskUpload",
]
# Up to these sizes a page answers at once; beyond them a worker makes the report or the file.
REPORT_ON_THE_SPOT = 5_000  # judgments; a page waits at most two seconds
EXPORT_STREAM_ROWS = 50_000
DISK_FREE_MB = env_int("PARAANNO_DISK_FREE_MB", 500)  # /readyz tells of less
# Nightly backups (paraanno/backups): none without a folder.
BACKUP_DIR = Path(_folder).expanduser() if (_folder := env_str("PARAANNO_BACKUP_DIR")) else None
BACKUP_HOUR = env_int("PARAANNO_BACKUP_HOUR", 3, maximum=23)  # of PARAANNO_TIME_ZONE
BACKUPS_KEPT = env_int("PARAANNO_BACKUPS_KEPT", 7, minimum=1)
EXPORT_DAYS = env_int("PARAANNO_EXPORT_DAYS", 30, minimum=1)  # lifetime of exported files
SHEET_REQUESTS_PER_MINUTE = env_int("PARAANNO_SHEET_REQUESTS", 3000, minimum=60)  # of one user
UPLOAD_MAX_BYTES = env_int("PARAANNO_UPLOAD_MAX_MB", 200, minimum=1) * 2**20
# Files that metrics need are larger than imports, and are streamed to the disk.
RESOURCE_MAX_BYTES = env_int("PARAANNO_MAX_RESOURCE_MB", 2048, minimum=1) * 2**20
# An archive of a campaign: of its file, and of what it unpacks to.
ARCHIVE_MAX_BYTES = env_int("PARAANNO_ARCHIVE_MAX_MB", 4096, minimum=1) * 2**20
RESOURCE_DIR = env_str("PARAANNO_RESOURCE_DIR")  # empty: no files on the server are offered
TOKEN_DAYS = env_int("PARAANNO_TOKEN_DAYS", 90, minimum=1)  # longest life of new API tokens
# The right to create is Django's permission (annotation.access.may_create).
EVERYBODY_CREATES = env_bool("PARAANNO_EVERYBODY_CREATES", False)
CAMPAIGNS_PER_USER = env_int("PARAANNO_CAMPAIGNS_PER_USER", 100, minimum=1)
BUILD_MINUTES = env_int("PARAANNO_BUILD_MINUTES", 240, minimum=1)
BUILD_MAX_WORDS = env_int("PARAANNO_BUILD_MAX_WORDS", 50_000_000, minimum=1)
RESOURCES_PER_USER = env_int("PARAANNO_RESOURCES_PER_USER", 100, minimum=1)
# Metrics read these variables themselves; reading them here makes a wrong one stop the start.
MODEL_DIR = env_folder("PARAANNO_MODEL_DIR", DATA_DIR / "models")
WORDNET_DIR = env_folder("PARAANNO_WORDNET", DATA_DIR / "wordnet")

# Transport security, once the site is served by https.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Other hosts of the domain are not ours to bind, and lists of browsers are hard to leave: both only
# where that is asked for. Django's checks would have them everywhere.
_HSTS = env_word("PARAANNO_HSTS", "host", ("host", "subdomains", "preload"))
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and _HSTS != "host"
SECURE_HSTS_PRELOAD = HTTPS and _HSTS == "preload"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "paraanno.http.errors.csrf_failure"
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env_bool("PARAANNO_BEHIND_PROXY", False) else None
)
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.accounts.authentication.SessionAuthentication",
        "annotation.accounts.authentication.TokenAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "annotation.http.formats.JSONParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_PAGINATION_CLASS": "annotation.http.formats.Pages",
    "PAGE_SIZE": 100,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": "annotation.http.formats.Described",
    "EXCEPTION_HANDLER": "annotation.http.errors.handle",
    # Behind a proxy, throttles count by the address that it passes on; otherwise no header is used.
    "NUM_PROXIES": 1 if SECURE_PROXY_SSL_HEADER else 0,
    "DEFAULT_THROTTLE_RATES": {"anon": "60/min", "user": "6000/min"},
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "paraanno",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.http.routes.add_refusals",
    ],
    "ENUM_NAME_OVERRIDES": {  # scoring/apps.py adds those of scoring.
        "CampaignStatusEnum": "annotation.models.Campaign.Status",
        "JudgmentStatusEnum": "annotation.models.Judgment.Status",
        "RoleEnum": "annotation.models.Membership.Role",
        "InvitedRoleEnum": [(name, name.title()) for name in ("researcher", "annotator", "viewer")],
        "VisibilityEnum": "annotation.models.campaigns.Visibility",
        "TokenScopeEnum": [(name, name) for name in ("read", "judge", "manage")],
        "SubstitutionRoleEnum": "annotation.models.Substitution.Role",
        "ExportFormatEnum": [(name, name) for name in ("csv", "tsv", "jsonl", "parquet", "xlsx")],
        "ImportWhatEnum": "annotation.models.ImportBatch.What",
        "ImportJobWhatEnum": "annotation.models.ImportJob.What",
        "SheetStateEnum": [(name, name) for name in ("claimed", "done")],
        "ImportFormatEnum": [(name, name) for name in ("csv", "tsv", "jsonl", "ccb", "ppdb")],
        "TableFormatEnum": [(name, name) for name in ("csv", "tsv", "jsonl")],
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Messages only wake workers: the work itself is in the database (scoring/services).
BROKER_DIR = DATA_DIR / "broker"
CELERY_BROKER_URL = env_secret("BROKER_URL") or "filesystem://localhost"
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}
if CELERY_BROKER_URL.startswith("redis"):
    # Without them a page that wakes workers waits for ever for a Redis that hangs.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 1, "socket_connect_timeout": 1}
if CELERY_BROKER_URL.startswith("filesystem"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "processed_folder": str(BROKER_DIR / "processed"),
        "store_processed": False,
        "polling_interval": 0.05,
    }
CELERY_TASK_DEFAULT_QUEUE = env_str("PARAANNO_QUEUE", "paraanno")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A page that wakes workers must not wait for a broker that does not answer.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1}
CELERY_TASK_TIME_LIMIT = 3600
CELERY_TASK_SOFT_TIME_LIMIT = 3500
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Runs are cancelled in their rows, so workers need no second channel for commands.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CONCURRENCY = env_int("PARAANNO_WORKER_PROCESSES", 2, minimum=1)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# The processes of this instance (paraanno/running/gunicorn_conf.py, paraanno/running/start.py).
HOST = env_str("PARAANNO_HOST", "127.0.0.1")
PORT = env_int("PARAANNO_PORT", 8000, minimum=1)
# SQLite allows one writer at a time, and threads of one process wait more cheaply.
_ON_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
if _ON_SQLITE:
    # rest_framework would load the driver of PostgreSQL, for fields that no model here has.
    sys.modules.setdefault("django.contrib.postgres.fields", None)  # type: ignore[arg-type]
WEB_PROCESSES = env_int("PARAANNO_WEB_PROCESSES", 1 if _ON_SQLITE else 2, minimum=1)
WEB_THREADS = env_int("PARAANNO_WEB_THREADS", 8, minimum=1)
LOAD_DEMO = env_bool("PARAANNO_DEMO", True)

# `/metrics` for Prometheus: closed without a token and networks.
METRICS_TOKEN = env_secret("PARAANNO_METRICS_TOKEN")
METRICS_NETWORKS = env_networks("PARAANNO_METRICS_NETWORKS")
ACCESS_LOG = env_bool("PARAANNO_ACCESS_LOG", False)
LOG_JSON = env_bool("PARAANNO_LOG_JSON", False)
LOGGING = logging_settings(level=env_str("PARAANNO_LOG_LEVEL", "INFO"), as_json=LOG_JSON)
