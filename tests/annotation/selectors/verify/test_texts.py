"""Broken texts, spans and scales, and rows that point into another campaign, are reported."""

from unicodedata import normalize

import pytest

from annotation import models as m
from annotation.models.fields import text_digest
from annotation.models.people import TARGETS
from annotation.verify import rules
from annotation.verify.rules import LINKS
from tests.annotation.selectors.verify.breaks import (
    control,
    copy,
    put,
    report_alone,
    text,
    undone,
)
from tests.annotation.selectors.verify.verify_world import make_rows

NOT_NFC = normalize("NFD", "\u00e9")
WRONG = "0" * 64
TOGETHER = "What belongs together belongs to one campaign"


def item(r):
    return r.campaign.items.all()[0]


def phrase(r):
    return r.campaign.phrases.all()[0]


def reference(r):
    return item(r).references.all()[0]


def output(r, words):
    """The first system gave the text at a rank that is not taken."""
    system = r.campaign.systems.all()[0]
    m.Output.objects.create(system=system, item=item(r), rank=9, substitution=words)


def decomposed(r):
    """A sentence with a letter in two pieces, and the hash that fits it."""
    row = item(r)
    sentence = row.sentence + NOT_NFC
    digest = text_digest(row.phrase.text, sentence, row.start, row.end)
    put(row, sentence=sentence, identity_hash=digest)


BREAKS = [
    ("Texts", lambda r: put(copy(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    ("Texts", decomposed),
    ("Texts", lambda r: put(reference(r), text=NOT_NFC, text_hash=text_digest(NOT_NFC))),
    (
        "Texts",
        lambda r: put(
            control(r),
            own_sentence=f"A control {NOT_NFC}",
            context_hash=text_digest(f"A control {NOT_NFC}", 2, 9),
        ),
    ),
    ("A phrase is", lambda r: put(item(r), start=item(r).start + 1)),
    ("A phrase is", lambda r: put(item(r), identity_hash=WRONG)),
    ("The hashes", lambda r: put(phrase(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(reference(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), text_hash=WRONG)),
    ("The hashes", lambda r: put(copy(r), context_hash=WRONG)),
    (
        "The hashes",
        lambda r: put(control(r), own_end=99, context_hash=text_digest("A control here.", 2, 99)),
    ),
    ("A copy", lambda r: put(copy(r), made_from=item(r).substitutions.all()[0])),
    ("A copy", lambda r: put(copy(r), made_from=copy(r))),
    ("An output of", lambda r: output(r, text(r, "fifth"))),
    ("An output of", lambda r: put(copy(r), item=item(r), made_from=None) or output(r, copy(r))),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0], threshold=1)),
    ("A scale's", lambda r: r.campaign.scales.all()[1].threshold_changes.all().delete()),
    ("A scale's", lambda r: put(r.campaign.scales.all()[0].points.all()[0], value=1.5)),
    ("Imported gold", lambda r: put(r.campaign.imported_gold.get(), value=9)),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)


@pytest.mark.slow
def test_no_row_may_point_into_another_campaign():
    rows = make_rows()
    missed = []
    for model, path, links in LINKS:
        for link in links:
            with undone():
                point_elsewhere(rows, model, path, link)
                if not any(rules()[TOGETHER](rows.campaign)):
                    missed.append((model.__name__, link))
    assert missed == []


def point_elsewhere(rows, model, path, link):
    """One row of the model, which has the link if any has, names a row of the other campaign."""
    mine = model._default_manager.filter(**{path: rows.campaign}).order_by("-pk")
    row = mine.filter(**{f"{link}__isnull": False}).first() or mine.first()
    target = model._meta.get_field(link).related_model
    columns = {link: target.objects.filter(campaign=rows.other).first()}
    assert row is not None and columns[link] is not None
    if link in TARGETS and model.__name__ == "Exclusion":
        columns = dict.fromkeys(TARGETS) | columns
    if hasattr(row, "number"):
        columns["number"] = 99  # Numbers are unique in the place it comes to.
    put(row, **columns)
