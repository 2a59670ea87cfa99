"""Addresses of the entire site; each app names its own."""

from importlib import import_module

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.generic import RedirectView

from annotation.http import routes
from annotation.http.errors import language
from paraanno.health import healthz, readyz
from paraanno.observability.logs import metrics

admin_login = RedirectView.as_view(
    pattern_name="login", query_string=True, http_method_names=["get", "head"]
)
handler400 = "paraanno.http.errors.bad_request"
handler403 = "paraanno.http.errors.permission_denied"
handler404 = "paraanno.http.errors.not_found"
handler500 = "paraanno.http.errors.server_error"

# annotation works without scoring, but not the other way round.
APPS = [
    import_module(f"{app}.urls")
    for app in ("annotation", "scoring", "scoring.shared_tasks")
    if apps.is_installed(app)
]

urlpatterns = [
    # First: addresses are tried in this order, and annotators' browsers ask for these most.
    *(path("api/v1/", include(app.api_urlpatterns)) for app in APPS),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="prometheus"),
    path("language/", language, name="language"),
    # One login for all: it counts failures.
    path("admin/login/", login_not_required(admin_login), name="admin-login"),
    path("admin/", admin.site.urls),
    path("api/schema/", routes.schema, name="api-schema"),
    path("api/docs/", routes.docs, name="api-docs"),
    *(path("", include(app)) for app in APPS),
]
