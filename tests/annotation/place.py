"""Bob's first sheet, and saves of his over HTTP."""

from uuid import uuid4

from django.test import Client

from annotation.collecting.claiming import claim_next
from tests.factories import PASSWORD, make_annotator, make_campaign

JSON = "application/json"


class Place:
    """Bob's first question on his sheet."""

    def __init__(self, **options):
        self.campaign = make_campaign(**{"items": 2, "k": 1, "cast": False, **options})
        self.bob = make_annotator(self.campaign, "bob")
        sheet = claim_next(annotator=self.bob)
        assert sheet is not None
        self.sheet = sheet
        self.client = logged_in("bob")

    def address(self, number=0):
        substitution = self.sheet.entries.order_by("pk")[number].substitution.key
        scale = self.campaign.scales.all()[0].key
        return f"/api/v1/sheets/{self.sheet.key}/judgments/{substitution}/{scale}"

    def put(self, client=None, number=0, **body):
        data = {"id": str(uuid4()), "annotator": str(self.bob.key), "base_version": 0, "value": 4}
        return (client or self.client).put(self.address(number), data | body, JSON)

    def answers(self, value=4, base=0):
        """An answer to every question of the sheet, each with a UUID of its own."""
        scales = list(self.campaign.scales.all())
        return [
            {
                "id": str(uuid4()),
                "substitution": str(entry.substitution.key),
                "scale": str(scale.key),
                "base_version": base,
                "value": value,
            }
            for entry in self.sheet.entries.select_related("substitution").order_by("pk")
            for scale in scales
        ]

    def whole(
        self,
        answers=None,
        client=None,
        query="",
        **body,
    ):
        """The whole sheet in one request."""
        data = {"annotator": str(self.bob.key), "answers": answers or [], **body}
        where = f"/api/v1/sheets/{self.sheet.key}{query}"
        return (client or self.client).put(where, data, JSON)


def logged_in(name, **options):
    client = Client(**options)
    assert client.login(username=name, password=PASSWORD)
    return client


def refusal(answer):
    return answer.status_code, answer.json()["code"]
