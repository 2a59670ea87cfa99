"""The way out where no administrator can log in."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import SecondFactor
from tests.annotation.doors import with_factor
from tests.factories import make_user


def test_the_factor_goes_and_a_wrong_name_is_told():
    with_factor(make_user("bob"))
    call_command("end_second_factor", "bob", verbosity=0)
    assert not SecondFactor.objects.exists()
    for name in ("bob", "nobody"):
        with pytest.raises(CommandError):
            call_command("end_second_factor", name)
