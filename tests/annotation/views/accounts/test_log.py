"""The page of the site's log, and its CSV."""

from annotation.database import audit
from annotation.models import AuditEntry
from tests.clients import client_of, text_of
from tests.factories import make_user


def test_it_is_filtered_and_taken_along(campaign):
    AuditEntry.objects.all().delete()
    audit(actor=make_user("bob"), verb="invite", about=campaign, campaign=campaign, note="=1+1")
    audit(actor=None, verb="fail to log in", about=make_user("rita"), campaign=None)
    client = client_of("adam")
    page = client.get("/site/audit/?who=bob&verb=invite").content
    assert b"invite" in page and b"/site/people/" in page and b"rita" not in page
    assert "no account" in text_of(client.get("/site/audit/"))
    assert client.get("/site/audit/?first=nonsense").status_code == 422
    answer = client.get("/site/audit/log.csv?campaign=camp")
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert len(lines) == 2 and lines[0].startswith("at,actor,verb,campaign")
    assert ",bob,invite,camp," in lines[1]
