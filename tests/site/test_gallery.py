"""Every picture of the gallery can be taken of the demo, as large as the one that is there."""

import struct
from types import SimpleNamespace

import pytest

from tests import HOME
from tests.site.gallery import SCREENS, read_logins, take
from tools.docs.hooks import GALLERY

pytestmark = pytest.mark.browser


def size(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


def test_the_gallery_shows_the_screens_that_are_taken():
    assert {screen.name for screen in SCREENS} == {*GALLERY}


@pytest.mark.parametrize(
    "screen",
    [SCREENS[0], *(pytest.param(one, marks=pytest.mark.nightly) for one in SCREENS[1:])],
    ids=lambda screen: screen.name,
)
def test_a_picture_is_taken_of_the_demo(screen, shared_demo, new_page, tmp_path):
    logins = read_logins(shared_demo.data_dir / "demo_logins.txt")
    take(screen, SimpleNamespace(open=new_page), shared_demo.url, logins, tmp_path)
    assert size(tmp_path / screen.name) == size(HOME / "docs" / "images" / screen.name)
