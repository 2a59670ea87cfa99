"""Controls, copies and repeats look like any other text to whoever judges them."""

import re

from annotation.quality.checks import repeat_add
from annotation.quality.rules import degraded_make
from tests.annotation.acts import add_rule, control, plan, work
from tests.annotation.claimed import offer
from tests.annotation.views.collecting.test_blind import CHANGING
from tests.clients import client_of
from tests.factories import add_copies, make_annotator, make_campaign, open_campaign


def watched():
    """Texts of every role on ordinary sheets, with rules that watch."""
    campaign = make_campaign(items=4, systems=2, k=2, open_it=False)
    control(campaign, "system 0 paraphrase 0", 4, 5)
    degraded_make(campaign=campaign, items=4, method="shuffle", seed=1, actor=None)
    add_copies(campaign, 4)
    for check in ("control", "degraded", "copy", "repeat"):
        add_rule(campaign, check, "note", share=0.1)
    plan(campaign, delay_least=1, delay_most=1)
    campaign = open_campaign(campaign)
    return campaign, make_annotator(campaign)


def begun():
    campaign, bob = watched()
    return campaign, bob, work(bob, lambda text, scale: 3, sheets=2)


def test_a_repeat_looks_like_its_first_time():
    campaign, bob, sheets = begun()
    first = sheets[0]
    repeat_add(annotator=bob, sheet=first, actor=None, after_sheets=0)
    again = offer(bob)
    assert again.occasion == 2
    client = client_of("bob")
    pages = [client.get(f"/api/v1/sheets/{sheet.key}").json()["sheet"] for sheet in (first, again)]
    for page in pages:
        for name in ("before", "key", "url", "state"):
            page.pop(name)
        page["substitutions"] = sorted(one["text"] for one in page["substitutions"])
    assert pages[0] == pages[1]
    html = CHANGING.sub("", client.get(f"/rate/{campaign.slug}/{again.key}/").content.decode())
    for secret in ("occasion", "repeat"):
        assert not re.search(rf"\b{secret}\b", re.sub(r"<dialog.*?</dialog>", "", html, flags=re.S))
