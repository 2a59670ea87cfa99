"""What annotators said about texts: flags, comments, sheets given back."""

from annotation.collecting.sheets import sheet_get, sheet_view
from annotation.models import Remark
from annotation.sheets.own_work import remarks_of
from tests.annotation.services.collecting.said import say


def test_the_newest_on_a_place_stands_and_nothing_is_deleted(place):
    bob, sheet = place
    text = sheet.entries.select_related("substitution").first().substitution
    say(bob, sheet, "odd", about=text.key, flagged=True)
    say(bob, sheet, "the whole item is odd")
    say(bob, sheet, "odd after all", about=text.key)
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == [
        "odd after all",
        "the whole item is odd",
    ]
    view = sheet_view(annotator=bob, sheet=sheet_get(annotator=bob, key=sheet.key))
    assert view.remark.text == "the whole item is odd"
    assert {one.remark.text for one in view.substitutions} == {"odd after all", ""}
    say(bob, sheet, "")
    assert [one.text for one in remarks_of(campaign=bob.campaign)] == ["odd after all"]
    assert Remark.objects.count() == 4
