"""While a large file is sent there is a bar; the answer is the page that the browser would show."""

import pytest

pytestmark = pytest.mark.browser


def csv(rows):
    lines = [f"i{n},The cat sat on the mat {n}.,sat on,lay on,S{n % 3}" for n in range(rows)]
    return "\n".join(["item,sentence,phrase,paraphrase,system", *lines]).encode()


@pytest.mark.slow
def test_a_large_file_has_a_bar_at_once(world, new_page):
    place, page, held = world(), new_page(), []
    place.log_in(page.context, "alice")
    page.goto(f"{place.proxy.url}/c/{place.slug}/import/")
    large = {"name": "large.csv", "mimeType": "text/csv", "buffer": csv(30_000)}

    def hold(route):
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route("**/import/", hold)
    page.set_input_files("[name=file]", large)
    page.click("text=Check the file")
    page.wait_for_selector("[role=status] progress", timeout=2_000)
    assert page.locator("text=Check the file").is_disabled()
    held[0].abort()
    page.wait_for_selector("text=The file could not be sent. Try again.")
    page.unroute("**/import/")
    page.click("text=Check the file")
    page.wait_for_url(lambda url: not url.endswith("/import/"))
    assert page.inner_text("h1") in ("Import", "What the columns hold")
