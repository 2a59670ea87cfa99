"""docs/api.md names routes that exist."""

import re
from uuid import uuid4

from django.urls import resolve

from tests import HOME
from tests.site.permissions.table import TABLE

TEXT = (HOME / "docs" / "api.md").read_text(encoding="utf-8")


def test_every_route_of_the_docs_takes_its_method():
    named = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/api/v1/[^`]+)`", TEXT)
    assert len(named) > 15
    for method, address in named:
        real = re.sub("KEY", lambda _: str(uuid4()), address.replace("SLUG", "camp"))
        name = resolve(real).url_name
        assert name is not None and method in TABLE[name], (method, address)
