"""Every number about an annotator, once: its name, what pages call it and say of it."""

from typing import get_args

from scoring.stats.annotators.catalogue import CATALOGUE, Source, keys_of


def test_every_number_is_made_of_one_source():
    by_source = [key for source in get_args(Source) for key in keys_of(source)]
    assert sorted(by_source) == sorted(one.key for one in CATALOGUE)
    assert "too_fast" in keys_of("pace") and "severity" in keys_of("ratings")
