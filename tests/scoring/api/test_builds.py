"""Builds by the API."""

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.factories import make_campaign

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.fixture
def alice(login):
    make_campaign(items=2, open_it=False)
    return login("alice")


def test_the_reference_names_all_recipes_and_kinds():
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    for schema, name, some in (
        ("BuildIn", "recipe", {"corpus", "lm", "pem_style", "test_set"}),
        ("ResourceIn", "kind", {"vectors", "texts", "parses"}),
    ):
        assert some <= set(schemas[schema]["properties"][name]["description"].split(", "))
