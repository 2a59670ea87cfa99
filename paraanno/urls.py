"""Addresses of the entire site; each app names its own."""

from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from annotation.api import docs
from annotation.views.language import language
from paraanno.health import healthz

handler400 = "paraanno.errors.bad_request"
handler403 = "paraanno.errors.permission_denied"
handler404 = "paraanno.errors.not_found"
handler500 = "paraanno.errors.server_error"

# annotation works without scoring, but not the other way round.
APPS = [app for app in ("annotation", "scoring") if apps.is_installed(app)]

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("language/", language, name="language"),
    path("admin/", admin.site.urls),
    *(path("api/v1/", include(f"{app}.api.urls")) for app in APPS),
    path("api/schema/", docs.schema, name="api-schema"),
    path("api/docs/", docs.docs, name="api-docs"),
    *(path("", include(f"{app}.urls")) for app in APPS),
]
