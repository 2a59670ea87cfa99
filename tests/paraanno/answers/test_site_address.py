"""Links that leave the site begin with its own address, whatever name a request gives."""

import re

import pytest
from django.test import Client

from paraanno.http.errors import at_site, full_address
from tests import HOME
from tests.clients import client_of
from tests.factories import make_campaign, make_user
from tests.letters import sent

SITE = "https://study.example.org"
APPS = ("annotation", "scoring", "paraanno")


class Asked:
    def build_absolute_uri(self, location):
        return f"http://asked{location}"


def test_without_the_setting_an_address_is_the_one_that_was_asked_or_stored(settings):
    assert full_address(Asked(), "/a") == "http://asked/a"
    assert (
        at_site("/a", fallback="http://told/")
        == at_site("/a", fallback="http://told")
        == "http://told/a"
    )
    settings.SITE = SITE
    assert full_address(Asked(), "/a") == at_site("/a", fallback="http://told/") == f"{SITE}/a"


@pytest.mark.django_db
@pytest.mark.parametrize("site", ["", SITE])
def test_a_request_chooses_no_link_of_a_letter(settings, site):
    settings.SITE = site
    make_user("zoe", email="zoe@example.org")
    Client().post("/accounts/reset/", {"email": "zoe@example.org"}, headers={"host": "localhost:1"})
    [start] = re.findall(r"(http\S+)/accounts/reset/", sent()[0].body)
    assert start == (site or "http://localhost:1")


@pytest.mark.django_db
def test_links_to_pass_on_begin_with_the_setting(settings):
    settings.SITE = SITE
    make_campaign()
    invited = {"role": "annotator", "days": 1, "max_uses": 1}
    page = client_of("alice").post("/c/camp/people/invite/", invited)
    assert page.context["link"].startswith(f"{SITE}/join/")


def test_no_other_module_takes_the_name_of_a_request_for_that_of_the_site():
    sources = [one for app in APPS for one in sorted((HOME / app).rglob("*.py"))]
    assert len(sources) > 500
    taken = [one for one in sources if "build_absolute_uri" in one.read_text("utf-8")]
    assert taken == [HOME / "paraanno" / "http" / "errors.py"]
