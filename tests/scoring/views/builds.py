"""Builds that a form of a campaign asks for."""

from scoring.builds.work import builds_work
from scoring.models import Build
from tests.clients import html_of


def build_page(client, form, sent):
    """The page to which a form leads, and which it lists, once the build is made."""
    waiting = client.post(form, sent, follow=True)
    page = f"{form}{Build.objects.get().key}/"
    assert waiting.redirect_chain == [(page, 302)]
    assert "It waits for a worker" in html_of(waiting) and f'hx-get="{page}"' in html_of(waiting)
    assert client.post(page).status_code == 409
    builds_work()
    assert f'href="{page}"' in html_of(client.get(form))
    return page
