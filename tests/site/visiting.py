"""People who log in, in Chromium, and what may be wrong with a page that they see."""

import re

from django.contrib.auth.models import User
from django.test import override_settings

from annotation.access import creation_grant
from tests.annotation.screen import HASHER
from tests.axe import violations
from tests.browser import fits

PASSWORD = "a-long-enough-secret-7"


def make_user(site, name, *, superuser=False, creates=False):
    with site.database(), override_settings(PASSWORD_HASHERS=HASHER):
        make = User.objects.create_superuser if superuser else User.objects.create_user
        user = make(name, password=PASSWORD)
        if creates:
            creation_grant(user=user)


def log_in(page, site, name, password=PASSWORD):
    page.goto(f"{site.url}/accounts/login/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", password)
    page.click("main button")
    page.wait_for_url(lambda url: "login" not in url)


def log_in_to_demo(page, site, name):
    lines = (site.data_dir / "demo_logins.txt").read_text().splitlines()
    log_in(page, site, name, dict(line.split("\t")[:2] for line in lines)[name])


def file(text, name="items.csv"):
    return {"name": name, "mimeType": "text/csv", "buffer": text.encode()}


def words(page, selector="main"):
    return re.sub(r"\s+", " ", page.inner_text(selector))


def faults(page):
    """What axe objects to, and the phones on which the page scrolls sideways."""
    size = page.viewport_size
    wrong = violations(page)
    wrong += [f"scrolls sideways at {one}" for one in (390, 320) if not fits(page, one)]
    page.set_viewport_size(size)
    return [f"{page.url} {one}" for one in wrong]
