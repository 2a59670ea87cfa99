"""API documentation: the OpenAPI schema, and a page that displays it."""

from __future__ import annotations

from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

schema = SpectacularAPIView.as_view()

# Swagger uses inline styles; its scripts are served by us, like all others.
docs = login_required(
    csp_update({"style-src": ["'unsafe-inline'"]})(
        SpectacularSwaggerSplitView.as_view(url_name="api-schema")
    )
)
