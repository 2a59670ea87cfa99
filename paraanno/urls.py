"""Addresses of the whole site; each app names its own."""

from django.contrib import admin
from django.urls import include, path

from annotation.api import docs
from annotation.views.language import language
from paraanno.health import healthz

handler400 = "paraanno.errors.bad_request"
handler403 = "paraanno.errors.permission_denied"
handler404 = "paraanno.errors.not_found"
handler500 = "paraanno.errors.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("language/", language, name="language"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("scoring.api.urls")),
    path("api/schema/", docs.schema, name="api-schema"),
    path("api/docs/", docs.docs, name="api-docs"),
    path("", include("scoring.urls")),
    path("", include("annotation.urls")),
]
