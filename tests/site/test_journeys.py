"""From an empty site to a gold standard, in Chromium, with a real server and a real worker."""

import pytest

from annotation.models import Item, Slot
from tests.axe import violations_light_and_dark
from tests.browser import fits
from tests.scoring.views.shown import settled, show
from tests.site.visiting import (
    PASSWORD,
    faults,
    file,
    log_in,
    log_in_to_demo,
    make_user,
    words,
)

pytestmark = pytest.mark.browser
SENTENCES = [
    ("take part in", "Anyone over sixteen may take part in the race on Sunday."),
    ("at once", "The captain ordered the crew to leave the ship at once."),
    ("be aware of", "Visitors should be aware of the steep path behind the mill."),
]
WORDS = {
    "take part in": ["join", "participate in", "enter", "take a part of"],
    "at once": ["immediately", "right away", "one time", "without delay"],
    "be aware of": ["know about", "notice", "aware", "watch for"],
}
ITEMS = "item,phrase,sentence,paraphrase,system,reference\n" + "".join(
    f"i{number},{phrase},{sentence},{text},{'ABCD'[at]},{WORDS[phrase][0]}\n"
    for number, (phrase, sentence) in enumerate(SENTENCES)
    for at, text in enumerate(WORDS[phrase])
)


def set_up_campaign(page, site):
    """Form, import with a problem, import without, opening; returns the campaign's address."""
    page.goto(f"{site.url}/campaigns/")
    page.click("text=New campaign")
    for name, value in (("name", "Trial"), ("slug", "trial"), ("annotators_per_sheet", "1")):
        page.fill(f"[name={name}]", value)
    page.click("text=Make the campaign")
    page.wait_for_url("**/c/trial/**")
    address = f"{site.url}/c/trial/"

    page.goto(f"{address}import/")
    broken = ITEMS.replace("may take part in the race", "may run in the race", 1)
    page.set_input_files("input[type=file]", file(broken))
    page.click("text=Check the file")
    page.wait_for_selector("text=Nothing was imported")
    page.wait_for_load_state()
    row = page.locator("#report tbody tr").first
    assert row.locator("td").nth(0).inner_text() == "2" and "sentence" in row.inner_text()

    page.set_input_files("input[type=file]", file(ITEMS))
    page.click("text=Check the file")
    page.wait_for_selector("text=The file is fine")
    with site.database():
        assert Item.objects.count() == 0
    page.click("text=Import it")
    page.wait_for_selector("text=Imported so far")
    page.goto(address)
    assert "3 items," in words(page)
    page.click("a.button:text('Open')")
    page.click("main button:text('Open')")
    page.wait_for_selector(".badge:text('Open')")
    return address


def test_from_a_file_to_a_gold_standard(live_site, new_page):
    site = live_site()
    make_user(site, "rita", creates=True)
    site.start("web")
    site.start("worker")
    page = new_page()
    log_in(page, site, "rita")
    address = set_up_campaign(page, site)

    page.goto(f"{address}people/")
    page.click("text=Make a link")
    link = page.inner_text("#link")
    guest = new_page()
    guest.goto(link)
    for name, value in (("username", "anna"), ("password1", PASSWORD), ("password2", PASSWORD)):
        guest.fill(f"[name={name}]", value)
    guest.click("text=Make a login and join")
    guest.wait_for_url("**/rate/trial/**")
    guest.click("main form .button")
    guest.wait_for_selector(".question.current")
    for sheet in range(3):
        key = guest.get_attribute("form.sheet", "data-sheet")
        guest.wait_for_selector("form.sheet:not([data-fresh])")
        guest.wait_for_selector("#save-state[data-state=saved]")
        for question in range(8):
            guest.keyboard.press(f"Digit{1 + (sheet + question * 3) % 5}")
        if sheet < 2:
            guest.wait_for_selector(f"form.sheet:not([data-sheet='{key}'])")
    guest.wait_for_selector("text=Sheets done")
    with site.database():
        site.until(lambda: Slot.objects.filter(state="done").count() == 3, "all sheets are taken")

    page.goto(address)
    assert "Assignments done 3 of 3" in words(page)
    show(page, f"{address}agreement/")
    assert "MEANING" in page.inner_text("main")
    show(page, f"{address}results/")
    for system in "ABCD":
        assert page.locator(f"main table :text-is('{system}')").count() >= 1

    assert faults(page) == []
    page.goto(f"{address}exports/")
    page.check("#what-gold")
    page.select_option("#format", "csv")
    with page.expect_download() as download:
        page.click("main form .button")
    lines = download.value.path().read_text("utf-8").splitlines()
    assert len(lines) == 1 + 12 and "MEANING_n" in lines[0]


# A list, a form, figures, a record, a text: style sheets are shared, and the night sees the others.
PAGES = ["/campaigns/", "{c}settings/", "{c}results/", "{item}", "/metrics/pinc/"]
FURTHER = [
    "/accounts/tokens/",
    "/overview/",
    "{c}",
    "{c}items/",
    "{annotator}",
    "{c}gold/?show=methods",
    "{c}exports/",
    "{c}panels/",
    "{c}template/",
    "/tasks/new/",
    "/rate/demo/own/",
    "/accounts/password/",
    "{c}annotators/",
    "{c}audit/",
    "{c}remarks/",
    "{c}gold/",
    "{c}agreement/influence/",
    "/metrics/",
    "{c}board/",
    "/docs/correlation",
    "{c}groups/",
    "{c}extrinsic/",
    "{c}consent/",
    "/resources/",
    "/",
    "/campaigns/new/",
    "{c}quality/",
    "{c}quality/controls/",
    "{c}practice/",
    "{c}import/",
    "{c}people/",
    "{c}guidelines/",
    "{c}agreement/",
    "{c}agreement/compare/",
    "{c}results/?unit=gold",
    "{c}gold/?method=severity",
    "{c}gold/?method=mace",
    "{c}gold/?show=threshold",
    "/metrics/weem4pg/",
    "{c}runs/import/",
    "{c}runs/?choose=free",
    "{c}runs/",
    "{c}correlation/",
    "{c}correlation/metric/",
    "{c}correlation/differences/",
    "{c}correlation/systems/",
    "{c}correlation/mixes/",
    "{c}correlation/stability/",
    "{c}correlation/ranking/",
    "/docs/",
    "{c}steps/",
    "{c}open/",
    "{c}preview/",
    "{c}people/invite-many/",
    "{c}import/paraphrases/",
    "{c}import/test-set/",
    "{c}archive/",
    "{c}publish/",
    "/restore/",
    "/templates/",
    "/tasks/",
    "{c}consent/answers/",
    "{c}questions/new/",
    "/rate/demo/",
    "/rate/demo/withdraw/",
    "/rate/demo/consent/",
    "/rate/demo/background/",
    "/rate/demo/notice/",
    "/rate/demo/practice/",
]


@pytest.mark.parametrize(
    "pages", [PAGES, pytest.param(FURTHER, marks=pytest.mark.nightly)], ids=["some", "others"]
)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(shared_demo, new_page, pages):
    page = new_page()
    page.goto(f"{shared_demo.url}/accounts/login/")
    assert violations_light_and_dark(page) == []
    log_in_to_demo(page, shared_demo, "admin")

    def first_link(path):
        page.goto(f"{shared_demo.url}{path}")
        return str(page.get_attribute("main tbody a", "href"))

    campaign = first_link("/campaigns/")
    item, annotator = (first_link(f"{campaign}{of}/") for of in ("items", "annotators"))
    wrong = []
    for pattern in pages:
        page.set_viewport_size({"width": 1280, "height": 900})
        path = pattern.format(c=campaign, item=item, annotator=annotator)
        answer = page.goto(f"{shared_demo.url}{path}")
        assert answer.status == 200, path
        settled(page)
        wrong += [f"{path} {line}" for line in violations_light_and_dark(page)]
        widths = (1280, 390, 320)
        wrong += [f"{path} scrolls sideways at {one}" for one in widths if not fits(page, one)]
    assert not wrong, "\n".join(wrong)
