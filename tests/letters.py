"""What the thread of a worker does, at once."""

from datetime import timedelta

from django.core import mail
from django.db.models import F

from annotation.mail.emails import Postman, letters_send
from annotation.models import Letter


def sent():
    """Send the letters that are due; the e-mails of the test so far."""
    letters_send(postman=Postman())
    return mail.outbox


def pass_time(**passed):
    """The letters are older by this, and so is the time of their next attempts."""
    by = timedelta(**passed)
    Letter.objects.update(
        created_at=F("created_at") - by, next_at=F("next_at") - by, closed_at=F("closed_at") - by
    )
