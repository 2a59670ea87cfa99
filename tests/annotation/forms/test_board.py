"""The form of alarms."""

from annotation.board.views import AlarmsForm
from annotation.models import BoardWatch


def test_empty_is_off_and_everything_may_be():
    form = AlarmsForm({})
    assert form.is_valid()
    assert form.cleaned_data["quiet_hours"] is form.cleaned_data["fast_seconds"] is None
    assert form.cleaned_data["mail_to"] == ""


def test_what_is_set_is_shown_but_for_the_secret():
    html = AlarmsForm.of(BoardWatch(mail_to="a@b.example", webhook_secret="s3cret")).as_p()
    assert "a@b.example" in html and 'value="24"' in html and "s3cret" not in html
