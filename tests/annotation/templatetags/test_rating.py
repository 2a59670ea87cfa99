"""What the rating screen shows of values, scales and reasons."""

from uuid import UUID

import pytest

from annotation.templatetags import rating
from tests.factories import make_campaign


def test_values_are_written_as_people_write_them():
    assert [rating.plain(value) for value in (5.0, 2.5, 0.0, None)] == ["5", "2.5", "0", ""]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ends", "keys", "shown"),
    [
        ((1, 5, 1), "12345", ["1", "2", "3", "4", "5"]),
        ((0, 1, 1), "01", ["0", "1"]),
        ((-1, 1, 1), "123", ["−1", "0", "1"]),
        ((0, 1, 0.5), "123", ["0", "0.5", "1"]),
        ((8, 10, 1), "123", ["8", "9", "10"]),
        ((0, 100, 1), "", []),
        ((0, 9, 1), "", []),
    ],
)
def test_each_value_has_a_key_of_its_own(ends, keys, shown):
    """The digit itself where every value is one, else its place; many values have no keys."""
    scale = make_campaign(items=1).scales.all()[0]
    scale.minimum, scale.maximum, scale.step = ends
    points = rating.points(scale)
    assert "".join(str(one["key"]) for one in points) == keys
    assert [one["shown"] for one in points] == shown


@pytest.mark.django_db
def test_a_value_has_its_label_and_anchor():
    scale = make_campaign(items=1).scales.all()[0]
    scale.points.all().delete()
    scale.points.create(value=5, label="Same", anchor="Nothing is lost.")
    first, *_, last = rating.points(scale)
    assert (first["label"], first["anchor"]) == ("", "")
    assert (last["label"], last["anchor"]) == ("Same", "Nothing is lost.")


def test_listed_reasons_have_words_and_own_ones_stay():
    assert str(rating.words_of("other", rating.reasons())) == "Another reason"
    assert rating.words_of("It rhymes.", rating.reasons()) == "It rhymes."
    assert rating.pairs({"items": 1, "b": 2}) == [("items", 1), ("b", 2)]


def test_each_field_has_a_request_of_its_own():
    one, other = UUID(rating.request_id()), UUID(rating.request_id())
    assert one != other
