"""Builds by the API."""

from drf_spectacular.generators import SchemaGenerator


def test_the_reference_names_all_recipes_and_kinds():
    schemas = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]
    for schema, name, some in (
        ("BuildIn", "recipe", {"corpus", "lm", "pem_style", "test_set"}),
        ("ResourceIn", "kind", {"vectors", "texts", "parses"}),
    ):
        assert some <= set(schemas[schema]["properties"][name]["description"].split(", "))
