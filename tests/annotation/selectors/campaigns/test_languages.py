"""The languages of a campaign's texts, and whether its managers are asked."""

from django.urls import reverse

from annotation.campaigns.queries import language_asked, languages_of
from annotation.models import Campaign, Item
from tests.clients import client_of, html_of
from tests.factories import item_rows, make_campaign


def test_items_have_their_own_or_that_of_the_campaign():
    rows = item_rows(3, 1)
    rows[0]["language"] = "he"
    campaign = make_campaign(rows=rows)
    assert languages_of(campaign=campaign) == ["", "he"] and language_asked(campaign=campaign)
    home, dora = reverse("campaign", args=[campaign.slug]), client_of("dora")
    address = reverse("campaign-language", args=[campaign.slug])
    assert address in html_of(dora.get(home)) and address not in html_of(
        client_of("vera").get(home)
    )
    wrong = dora.post(address, {"language": "English please"})
    assert wrong.status_code == 422 and "BCP 47" in html_of(wrong)
    assert dora.post(address, {"language": "en"}).status_code == 302
    assert languages_of(campaign=Campaign.objects.get()) == ["en", "he"]
    assert address not in html_of(dora.get(home))
    # Texts stand in their language and direction, whatever that of the page is.
    item = Item.objects.get(language="he")
    page = html_of(
        dora.get(reverse("item", args=[campaign.slug, item.key]), headers={"accept-language": "ko"})
    )
    assert '<html lang="ko" dir="ltr">' in page and 'lang="he" dir="rtl"' in page
    sheet = html_of(client_of("bob").post(reverse("rate", args=[campaign.slug]), follow=True))
    assert 'lang="he" dir="rtl"' in sheet or 'lang="en" dir="ltr"' in sheet
