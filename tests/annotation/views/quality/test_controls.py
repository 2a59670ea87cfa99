"""Texts that watch: controls with their bands, copies made on demand."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Substitution
from tests.annotation.views.quality.clients import BASE, researcher
from tests.clients import html_of
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_controls_and_copies_are_made_on_the_page() -> None:
    campaign = make_campaign(open_it=False)
    client = researcher()
    scale = campaign.scales.get(name="MEANING")
    asked = {
        "sentence": "Watch this here.", "phrase": "this", "paraphrase": "that",
        f"{scale.key}-low": "4", f"{scale.key}-high": "5",
    }  # fmt: skip
    assert client.post(f"{BASE}controls/new/", asked).status_code == 302
    text = Substitution.objects.get(role="control")
    page = html_of(client.get(f"{BASE}controls/"))
    assert "MEANING 4–5" in page
    assert client.post(f"{BASE}controls/new/", {**asked, "phrase": "absent"}).status_code == 422
    nothing = {key: value for key, value in asked.items() if "-" not in key}
    assert client.post(f"{BASE}controls/new/", nothing).status_code == 422

    address = f"{BASE}texts/{text.key}/"
    assert 'value="4"' in html_of(client.get(address))
    assert client.post(address, {f"{scale.key}-low": "1", f"{scale.key}-high": ""}).status_code == (
        302
    )
    assert [(one.low, one.high) for one in text.expected.all()] == [(1, 1)]
    assert client.post(address, {f"{scale.key}-low": "7"}).status_code == 422
    client.post(address, {"remove": "yes"})
    assert not text.expected.exists()

    made = client.post(
        f"{BASE}copies/", {"kind": "shuffle", "items": "3", "seed": "1"}, follow=True
    )
    assert "3 copies were made" in html_of(made)
    few = client.post(f"{BASE}copies/", {"kind": "copy", "items": "99", "seed": "1"}, follow=True)
    assert "4 copies were made. The other items" in html_of(few)
    assert client.post(f"{BASE}copies/", {"kind": "copy", "items": "0"}).status_code == 422


def test_a_file_of_expected_values_is_imported_on_the_page() -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    make_campaign()
    client = researcher()

    def send(text: str) -> Any:
        file = SimpleUploadedFile("e.csv", text.encode())
        return client.post(f"{BASE}import/", {"file": file}, follow=True)

    head = "sentence,phrase,paraphrase,role,scale,low,high\n"
    wrong = send(head + "Look here.,there,x,control,MEANING,1,2\n")
    assert wrong.status_code == 422 and "Nothing was imported" in html_of(wrong)
    assert send(head).status_code == 422
    right = send(head + "Look here.,here,there,control,MEANING,1,2\n")
    assert "1 text has its expected values" in html_of(right)
