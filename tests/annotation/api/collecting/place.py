"""Bob's first sheet, and saves of his over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.test import Client

from annotation.models import Annotator, Sheet
from annotation.services.collecting.claiming import claim_next
from tests.factories import PASSWORD, make_annotator, make_campaign

JSON = "application/json"


class Place:
    """Bob's first question on his sheet."""

    def __init__(self, **options: Any) -> None:
        self.campaign = make_campaign(**{"items": 2, "k": 1, "cast": False, **options})
        self.bob: Annotator = make_annotator(self.campaign, "bob")
        sheet = claim_next(annotator=self.bob)
        assert sheet is not None
        self.sheet: Sheet = sheet
        self.client = logged_in("bob")

    def address(self, number: int = 0) -> str:
        substitution = self.sheet.entries.order_by("pk")[number].substitution.key
        scale = self.campaign.scales.all()[0].key
        return f"/api/v1/sheets/{self.sheet.key}/judgments/{substitution}/{scale}"

    def put(self, client: Client | None = None, number: int = 0, **body: Any) -> Any:
        data = {"id": str(uuid4()), "annotator": str(self.bob.key), "base_version": 0, "value": 4}
        return (client or self.client).put(self.address(number), data | body, JSON)

    def answers(self, value: float | None = 4, base: int = 0) -> list[dict[str, Any]]:
        """An answer to every question of the sheet, each with a UUID of its own."""
        scales = list(self.campaign.scales.all())
        return [
            {
                "id": str(uuid4()), "substitution": str(entry.substitution.key),
                "scale": str(scale.key), "base_version": base, "value": value,
            }
            for entry in self.sheet.entries.select_related("substitution").order_by("pk")
            for scale in scales
        ]  # fmt: skip

    def whole(
        self, answers: list[dict[str, Any]] | None = None, client: Client | None = None,
        query: str = "", **body: Any,
    ) -> Any:  # fmt: skip
        """The whole sheet in one request."""
        data = {"annotator": str(self.bob.key), "answers": answers or [], **body}
        where = f"/api/v1/sheets/{self.sheet.key}{query}"
        return (client or self.client).put(where, data, JSON)


def logged_in(name: str, **options: Any) -> Client:
    client = Client(**options)
    assert client.login(username=name, password=PASSWORD)
    return client


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]
