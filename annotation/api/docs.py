"""The description of the API: a schema for programs, and a page that reads it."""

from __future__ import annotations

from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

schema = SpectacularAPIView.as_view()

# Swagger sets styles in its markup; its scripts come from our own address like all others.
docs = login_required(
    csp_update({"style-src": ["'unsafe-inline'"]})(
        SpectacularSwaggerSplitView.as_view(url_name="api-schema")
    )
)
