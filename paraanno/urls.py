"""Addresses of the entire site; each app names its own."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.generic import RedirectView

from annotation.api import docs
from annotation.views.language import language
from paraanno.health import healthz, readyz
from paraanno.sight.scrape import metrics

admin_login = RedirectView.as_view(
    pattern_name="login", query_string=True, http_method_names=["get", "head"]
)
handler400 = "paraanno.answers.errors.bad_request"
handler403 = "paraanno.answers.errors.permission_denied"
handler404 = "paraanno.answers.errors.not_found"
handler500 = "paraanno.answers.errors.server_error"

# annotation works without scoring, but not the other way round.
APPS = [app for app in ("annotation", "scoring", "scoring.shared_tasks") if apps.is_installed(app)]

urlpatterns = [
    # First: addresses are tried in this order, and annotators' browsers ask for these most.
    *(path("api/v1/", include(f"{app}.api.urls")) for app in APPS),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="prometheus"),
    path("language/", language, name="language"),
    # One login for all: it counts failures.
    path("admin/login/", login_not_required(admin_login), name="admin-login"),
    path("admin/", admin.site.urls),
    path("api/schema/", docs.schema, name="api-schema"),
    path("api/docs/", docs.docs, name="api-docs"),
    *(path("", include(f"{app}.urls")) for app in APPS),
]
