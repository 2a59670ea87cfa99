"""A long read keeps nobody from writing, and sees one moment."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection

from scoring.archives.services import snapshot


@pytest.mark.django_db(transaction=True)
def test_others_write_while_one_state_is_read():
    User.objects.create_user("first")
    failed = []

    def write():
        try:
            User.objects.create_user("second")
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    with snapshot():
        assert User.objects.count() == 1
        other = threading.Thread(target=write)
        other.start()
        other.join(10)
        assert not other.is_alive() and not failed
        assert User.objects.count() == 1
    assert User.objects.count() == 2
