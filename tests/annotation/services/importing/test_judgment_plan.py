"""Rows of a judgments file, compared with the campaign and with each other."""

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.models import Annotator, Judgment
from tests.annotation.services.importing.files import (
    JUDGMENT,
    RUG,
    SENTENCE,
    load_items,
    load_judgments,
    refused,
    said,
)

NOBODY = {**JUDGMENT, "annotator": None}
BY_PLACE = {"item": None, "phrase": "the mat", "sentence": SENTENCE}
NAMES = (
    {},
    BY_PLACE,
    {**BY_PLACE, "item": "i1"},
    {**BY_PLACE, "item": "i7", "start": 15, "end": 22},
)


def stored(*columns):
    where = ("annotator__code", "substitution__text", "scale__name", "occasion")
    rows = Judgment.objects.order_by(*where)
    return list(rows.values_list(*(columns or (*where, "value"))))


def test_repeats_are_numbered_as_if_all_rows_named_the_text_alike(rug):
    rows = ({**JUDGMENT, **BY_PLACE, "occasion": 3, "value": 1}, JUDGMENT, {**JUDGMENT, "value": 5})
    assert load_judgments(rug, *rows, repeats="number").ok
    assert stored("occasion", "value") == [(1, 4), (3, 1), (4, 5)]


row_draws = st.fixed_dictionaries(
    {
        "name": st.sampled_from(NAMES),
        "paraphrase": st.sampled_from(["the rug", "the carpet"]),
        "annotator": st.sampled_from(["ann", "ben"]),
        "scale": st.sampled_from(["MEANING", "meaning", "GRAMMAR"]),
        "occasion": st.integers(1, 2),
        "value": st.integers(1, 5),
    }
)


def plain(row):
    """The same judgment, named by id and in capital letters."""
    own = {key: value for key, value in row.items() if key != "name"}
    return {**own, "item": "i1", "scale": row["scale"].upper()}


def key_of(row):
    return tuple(row[name] for name in ("annotator", "paraphrase", "scale", "occasion"))


@pytest.mark.slow
@pytest.mark.parametrize("repeats", ["error", "number"])
def test_what_a_file_means_does_not_depend_on_how_it_names_its_texts(rug, repeats):
    assert load_items(rug, {**RUG, "paraphrase": "the carpet", "rank": 2}).ok

    def outcome(rows):
        with transaction.atomic():
            dry = load_judgments(rug, *rows, dry_run=True, repeats=repeats)
            done = load_judgments(rug, *rows, repeats=repeats)
            assert (dry.ok, dry.counts) == (done.ok, done.counts)
            again = load_judgments(rug, *rows, repeats=repeats)
            if done.ok:
                assert again.ok and again.counts["judgments"] == 0
            found = done.ok, stored()
            transaction.set_rollback(True)
        return found

    @settings(max_examples=40, deadline=None)
    @given(st.lists(row_draws, min_size=1, max_size=6))
    def holds(rows):
        said_in_full = [plain(row) for row in rows]
        in_words = [{**JUDGMENT, **row, **row["name"]} for row in rows]
        for row in in_words:
            del row["name"]
        ok, judgments = outcome(in_words)
        assert (ok, judgments) == outcome(said_in_full)
        keys = [key_of(row) for row in said_in_full]
        assert ok == (repeats == "number" or len(set(keys)) == len(keys))
        assert len(judgments) == (len(rows) if ok else 0)

    holds()


def test_judgments_of_unknown_people_are_voices_in_the_order_of_the_file(rug):
    nobody = {key: value for key, value in JUDGMENT.items() if key != "annotator"}
    rows = (nobody, {**nobody, **BY_PLACE, "value": 4}, {**nobody, "scale": "GRAMMAR", "value": 2})
    assert "import them as anonymous" in refused(load_judgments(rug, *rows))
    assert load_judgments(rug, *rows, anonymous=True).counts == {"judgments": 3, "annotators": 2}
    assert stored("annotator__code", "scale__name", "value") == [
        ("anonymous-1", "GRAMMAR", 2),
        ("anonymous-1", "MEANING", 4),
        ("anonymous-2", "MEANING", 4),
    ]
    assert set(Annotator.objects.values_list("origin", flat=True)) == {"anonymous"}
    again = load_judgments(rug, *rows, anonymous=True)
    assert again.ok and again.counts["judgments"] == 0 and again.problems == ()


def test_more_unknown_people_need_a_name_for_their_voices(rug):
    differs = {**NOBODY, "value": 1}
    assert load_judgments(rug, NOBODY, anonymous=True).ok
    other = load_judgments(rug, {**NOBODY, "comment": "Another file."}, anonymous=True)
    assert other.ok and other.counts["judgments"] == 0
    assert (
        "warning: 1 judgments of anonymous annotators are in the campaign already" in said(other)[0]
    )
    assert "or another annotator" in refused(load_judgments(rug, differs, anonymous=True))
    assert load_judgments(rug, differs, anonymous=True, annotator="crowd").ok
    assert stored("annotator__code") == [("anonymous-1",), ("anonymous-crowd-1",)]


def test_a_code_of_an_unknown_person_is_kept_behind_the_sign(rug):
    def load(*codes):
        rows = [{**JUDGMENT, "annotator": one} for one in codes]
        return load_judgments(rug, *rows, anonymous=True)

    assert load("w1", "anonymous-w2").ok
    assert stored("annotator__code") == [("anonymous-w1",), ("anonymous-w2",)]
    assert "are in line 1 too" in refused(load("w3", "w3"))
    assert "longer than 60 characters" in refused(load("w" * 60))


def test_a_known_person_never_becomes_an_unknown_one(rug):
    Annotator.objects.create(campaign=rug, code="anonymous-1", origin=Annotator.Origin.INVITED)
    report = load_judgments(rug, NOBODY, anonymous=True)
    assert "'anonymous-1' is a known annotator" in refused(report)
