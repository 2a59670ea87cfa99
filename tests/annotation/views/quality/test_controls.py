"""Texts that watch: controls with their bands, copies made on demand."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Substitution
from tests.annotation.views.quality.clients import BASE
from tests.clients import client_of, html_of
from tests.factories import make_campaign


def test_controls_and_copies_are_made_on_the_page():
    campaign = make_campaign(open_it=False)
    client = client_of("dora")
    scale = campaign.scales.get(name="MEANING")
    asked = {
        "sentence": "Watch this here.",
        "phrase": "this",
        "paraphrase": "that",
        f"{scale.key}-low": "4",
        f"{scale.key}-high": "5",
    }
    assert client.post(f"{BASE}controls/new/", asked).status_code == 302
    text = Substitution.objects.get(role="control")
    assert "MEANING 4–5" in html_of(client.get(f"{BASE}controls/"))
    assert client.post(f"{BASE}controls/new/", {**asked, "phrase": "absent"}).status_code == 422

    address = f"{BASE}texts/{text.key}/"
    assert 'value="4"' in html_of(client.get(address))
    assert client.post(address, {f"{scale.key}-low": "1"}).status_code == 302
    assert [(one.low, one.high) for one in text.expected.all()] == [(1, 1)]
    assert client.post(address, {f"{scale.key}-low": "7"}).status_code == 422
    client.post(address, {"remove": "yes"})
    assert not text.expected.exists()

    for kind, items, words in (
        ("shuffle", "3", "3 copies were made"),
        ("copy", "99", "4 copies were made. The other items"),
    ):
        form = {"kind": kind, "items": items, "seed": "1"}
        assert words in html_of(client.post(f"{BASE}copies/", form, follow=True))
    assert client.post(f"{BASE}copies/", {"kind": "copy", "items": "0"}).status_code == 422


def test_a_file_of_expected_values_is_imported_on_the_page():
    make_campaign()
    head = "sentence,phrase,paraphrase,role,scale,low,high\n"
    for row, code, words in (
        ("Look here.,there,x,control,MEANING,1,2\n", 422, "Nothing was imported"),
        ("", 422, ""),
        ("Look here.,here,there,control,MEANING,1,2\n", 200, "1 text has its expected values"),
    ):
        file = SimpleUploadedFile("e.csv", (head + row).encode())
        answer = client_of("dora").post(f"{BASE}import/", {"file": file}, follow=True)
        assert answer.status_code == code and words in html_of(answer)
