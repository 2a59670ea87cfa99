"""What a panel takes, and that closing and erasing hold."""

from decimal import Decimal

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import AuditEntry, Panel
from annotation.panels.participation import ids_erase
from annotation.panels.services import panel_close, panel_update
from paraanno import clock
from tests.annotation.services.people.test_entering import make_panel


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", " "),
        ("sheets_per_person", 0),
        ("max_participants", 0),
        ("parameter", "a&b"),
        ("parameter", "PID "),
        ("parameter", "NEXT"),
        ("parameter", "csrfmiddlewaretoken"),
        ("parameter", ""),
        ("session_parameter", "1x"),
        ("session_parameter", " "),
        ("session_parameter", "PROLIFIC_PID"),
        ("id_pattern", "(a+)+"),
        ("codes", {"finished": "A"}),
        ("codes", {"complete": "A\n"}),
        ("codes", ["A"]),
        ("return_url", "javascript:alert(1)"),
        ("return_url", "https://{id}.example.org/"),
        ("return_url", "https://example.org/a b"),
        ("return_url", "http://example.org/"),
        ("return_url", "https://you@example.org/"),
        ("return_url", "https://you:me@example.org/"),
        ("return_url", "https://example.org\\.net/"),
        ("return_url", "https://example.org:x/"),
        ("return_url", "http://localhost.example.org/"),
        ("return_url", "https:///done"),
        ("pay", Decimal("-1")),
        ("contact", "a\0"),
    ],
)
def test_bad_fields_are_refused_by_name(name, value):
    with pytest.raises(Invalid) as refusal:
        make_panel(**{name: value})
    assert name in refusal.value.data["fields"]
    assert not Panel.objects.exists()


def test_a_panel_is_made_changed_and_closed_and_the_log_says_so():
    panel = make_panel()
    assert len(panel.token) >= 32 and panel.event_secret
    panel_update(panel=panel, actor=None, codes={"complete": "C"}, minutes=30)
    assert panel_close(panel=panel, closed=True, actor=None).closed_at is not None
    assert panel_close(panel=panel, closed=False, actor=None).closed_at is None
    ids_erase(panel=panel, now=clock.now(), actor=None)
    with pytest.raises(Conflict):
        panel_close(panel=panel, closed=False, actor=None)
    log = AuditEntry.objects.filter(object_type="panel").order_by("pk")
    assert [one.verb for one in log] == [
        "make panel",
        "change panel",
        "close panel",
        "open panel",
        "erase platform ids",
    ]
