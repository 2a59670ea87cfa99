"""Numbers of rows as columns of a query."""

from django.db.models import OuterRef

from annotation.database import RowCount
from annotation.models import Campaign, Scale, Substitution
from tests.factories import make_campaign


def test_rows_are_counted_for_each_row_outside():
    for slug, items in (("few", 1), ("many", 3)):
        make_campaign(slug, items=items)
    # The third item has one text of both systems.
    texts = Substitution.objects.filter(campaign=OuterRef("pk")).order_by()
    found = Campaign.objects.annotate(
        texts=RowCount(texts), originals=RowCount(texts.values("item").distinct())
    )
    assert dict(found.values_list("slug", "originals")) == {"few": 1, "many": 3}
    assert dict(found.values_list("slug", "texts")) == {"few": 2, "many": 5}


def test_no_rows_are_none(campaign):
    assert not campaign.invitations.exists()
    found = Campaign.objects.annotate(
        n=RowCount(campaign.invitations.all()), m=RowCount(Scale.objects.none())
    )
    assert found.values_list("n", "m").get() == (0, 0)
