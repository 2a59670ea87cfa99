"""Labels and links of metrics."""

from django.template import Context, Template
from django.utils import translation


def drawn(expression, **context):
    return Template("{% load metrics %}{{ " + expression + " }}").render(Context(context))


def test_a_kind_of_file_is_called_by_its_label():
    assert drawn("kind|file_kind", kind="vectors") == "Word vectors"
    with translation.override("ko"):
        assert drawn("kind|file_kind", kind="vectors") != "Word vectors"


def test_a_kind_of_a_package_that_is_gone_keeps_its_name():
    assert drawn("kind|file_kind", kind="former") == "former"


def test_a_signature_leads_to_its_metric():
    assert drawn("name|metric_of", name="bleu") == "bleu"
    assert drawn("name|metric_of", name="no such metric") == ""
