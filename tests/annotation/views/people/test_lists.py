"""The page of fixed lists."""

from annotation.models import WorkList
from annotation.sheets.sql import list_order
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign


def test_lists_are_pasted_chosen_handed_on_and_taken_off():
    campaign = make_campaign(items=2, open_it=False)
    bob, alice = make_annotator(campaign), client_of("alice")

    def act(act, **more):
        return alice.post("/c/camp/lists/", {"act": act, **more})

    wrong = act("file", text="annotator,item\nnobody,item-0\n")
    assert wrong.status_code == 422 and "lists:2:" in wrong.content.decode()
    assert act("file").status_code == 422
    assert act("file", text="list\titem\nlate\titem-0\nlate\titem-1\n").status_code == 302
    assert act("where", lists="listed").status_code == 302
    assert list_order(campaign_id=campaign.pk) == "listed"
    shown = text_of(alice.get("/c/camp/lists/"))
    assert "late" in shown and "waits" in shown
    for form, entries in (({"act": "hand", "to": bob.key}, 2), ({"act": "drop"}, 0)):
        alice.post(f"/c/camp/lists/{WorkList.objects.get().key}/", form)
        one = WorkList.objects.get()
        assert (one.annotator, one.entries.count()) == (bob, entries)
