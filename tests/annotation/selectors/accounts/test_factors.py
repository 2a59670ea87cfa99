"""What an account has, and whether the settings ask for more."""

from annotation.accounts.login import RECOVERY_CODES, factor_of, lacks_factor, recovery_left
from tests.annotation.doors import with_factor
from tests.factories import make_admin, make_user


def test_a_factor_and_its_codes(settings):
    adam, bob = make_admin(), make_user("bob")
    assert not lacks_factor(user=adam)
    settings.ADMINS_NEED_SECOND_FACTOR = True
    assert [lacks_factor(user=one) for one in (adam, bob)] == [True, False]
    assert factor_of(user=adam) is None
    with_factor(adam)
    assert not lacks_factor(user=adam)
    assert (recovery_left(user=adam), recovery_left(user=bob)) == (RECOVERY_CODES, 0)
