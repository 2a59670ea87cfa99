"""What an annotator can reach is the same, whoever made the texts and whatever their role."""

import re
from uuid import UUID

from annotation.collecting.claiming import claim_next
from annotation.models import Output, Substitution, System
from tests.annotation.place import Place
from tests.clients import client_of
from tests.factories import item_rows, make_annotator, make_campaign, rate_all

CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|X-CSRFToken&quot;: &quot;\w+'
    r'|name="(?:id\.[\w.-]+|remark\.id)" value="[\w-]+"'
    r'|name=\\"(?:id\.[\w.-]+|remark\.id)\\" value=\\"[\w-]+\\"'
    r'|name=\\"csrfmiddlewaretoken\\" value=\\"\w+\\"'
)


def answers(client, slug, sheets):
    """Every annotator-facing answer, without the tokens that change with each request."""
    found = {}
    own = ("", "own/", "notice/", "practice/", "consent/", "background/", "withdraw/")
    where = [
        "/",
        f"/c/{slug}/guidelines/",
        f"/c/{slug}/guidelines/?fragment=1&q=judge",
        f"/api/v1/me?campaign={slug}",
        f"/api/v1/campaigns/{slug}/progress/own",
        "/api/v1/campaigns",
        *(f"/rate/{slug}/{page}" for page in own),
    ]
    for key in sheets:
        sheet = f"/api/v1/sheets/{key}"
        where += [f"/rate/{slug}/{key}/", sheet, f"{sheet}?fragment=1"]
    for one in where:
        answer = client.get(one)
        assert answer.status_code == 200, one
        found[one] = CHANGING.sub("", answer.content.decode())
    found["claim"] = client.post(f"/api/v1/campaigns/{slug}/claim").content.decode()
    return found


def test_answers_do_not_depend_on_systems_or_roles():
    campaign = make_campaign(allow_revision=True)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    rate_all(ben, 1, at_most=1)
    rate_all(bob, at_most=1)
    claim_next(annotator=bob)
    client = client_of("bob")
    sheets = [str(slot.sheet.key) for slot in bob.slots.all()]
    assert len(sheets) == 2
    before = answers(client, campaign.slug, sheets)

    for number, system in enumerate(System.objects.filter(campaign=campaign)):
        system.label = f"renamed {number}"
        system.save()
    roles = ["control", "degraded", "copy", "output"]
    for number, text in enumerate(Substitution.objects.filter(campaign=campaign)):
        text.role = roles[number % 4]
        text.save()
    Output.objects.filter(item__campaign=campaign).delete()
    after = answers(client, campaign.slug, sheets)
    assert before == after

    everything = " ".join(before.values())
    for secret in ("S0", "S1", ben.code, "control", "degraded", "surplus"):
        assert not re.search(rf"\b{secret}\b", everything), secret


def shown(annotator, sheet):
    """The texts of a sheet as its annotator sees them: the same in the API and on the page."""
    client = client_of(annotator.user.username)
    data = client.get(f"/api/v1/sheets/{sheet.key}").json()["sheet"]
    page = client.get(f"/rate/{annotator.campaign.slug}/{sheet.key}/").content.decode()
    keys = [one["key"] for one in data["substitutions"]]
    assert re.findall(r'data-substitution="([^"]+)"', page) == keys
    return [one["text"] for one in data["substitutions"]]


def test_the_order_of_texts_is_chance_and_another_one_for_each_annotator():
    """So that neither the order of the import nor that of the ids tells which system made what."""
    rows = [row | {"paraphrase": f"text {row['system']}"} for row in item_rows(1, 12)]
    campaign = make_campaign(rows=rows, k=6)
    orders = []
    for name in ("ann", "ben", "cleo", "dan"):
        annotator = make_annotator(campaign, name)
        sheet = claim_next(annotator=annotator)
        assert sheet is not None
        orders.append(shown(annotator, sheet))
        assert orders[-1] == shown(annotator, sheet)
    imported = [f"text S{number}" for number in range(12)]
    assert len({tuple(one) for one in orders}) == 4
    for order in orders:
        assert sorted(order) == sorted(imported) and order != imported


def test_a_sheet_as_data_names_random_keys_and_nothing_else():
    place = Place()
    data = place.client.get(f"/api/v1/sheets/{place.sheet.key}").json()["sheet"]
    assert set(data) == {
        "key",
        "url",
        "annotator",
        "state",
        "phrase",
        "before",
        "after",
        "remark",
        "scales",
        "substitutions",
    }
    for text in data["substitutions"]:
        assert set(text) == {"key", "before", "text", "after", "remark", "answers"}
        assert UUID(text["key"]).version == 4
        for answer in text["answers"]:
            assert set(answer) == {"scale", "value", "reason", "comment", "version"}
            assert UUID(answer["scale"]).version == 4
