"""Ids in JSON."""

from uuid import uuid4

from scoring.archives.rows import changed_texts, reader_of, writer_of
from scoring.models import Resource
from tests.factories import make_campaign


def test_keys_become_tokens_and_other_texts_stay():
    campaign = make_campaign(items=2)
    scale = campaign.scales.order_by("pk").last()
    resource = Resource.objects.create(
        kind="lm", name="L", sha256="c" * 64, size=1, status="ready", path="x", scope="site"
    )
    write, resources = writer_of(campaign)
    strange = str(uuid4())
    data = {
        "scale": str(scale.key),
        "list": ["@at", "@@", "text", str(resource.key), strange, 3],
        str(scale.key): None,
        "gone": f"resource:lm:{'d' * 64}",
    }
    written = changed_texts(data, write)
    assert written["scale"] == f"@key:scale:{campaign.scales.count()}"
    assert written["list"][3] == f"@resource:lm:{'c' * 64}"
    assert [one["name"] for one in resources] == ["L"]
    keys = {"scale": list(campaign.scales.order_by("pk").values_list("key", flat=True))}
    assert changed_texts(written, reader_of(keys)) == data


def test_a_token_of_no_row_stays_a_text():
    assert reader_of({"scale": []})("@key:scale:7") == "@key:scale:7"
    assert reader_of({})("@resource:lm:x") == "resource:lm:x"
