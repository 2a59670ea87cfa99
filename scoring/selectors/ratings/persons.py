"""One answer of each person: who judged a text in a pilot, whose judgments count, and then in the
campaign is two annotators there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotation.models import Annotator


def one_answer_each(rows: Any, annotators: Sequence[Annotator]) -> Any:
    """Return the rows without those of pilots where the same person judged the same text on the
    same scale in the campaign, or in an earlier pilot: one person is not two judges.

    `annotator` of the rows is a place in `annotators`. One query where there are voices of pilots.
    """
    pilots = {one.from_pilot_id for one in annotators if one.from_pilot_id is not None}
    if not pilots or not rows.size:
        return rows
    users = dict(Annotator.objects.filter(pk__in=pilots).values_list("pk", "user_id"))
    known = [users.get(one.from_pilot_id or one.pk) or one.user_id for one in annotators]
    # Each anonymous annotator counts as a person.
    person = np.array(
        [user or -one.pk for user, one in zip(known, annotators, strict=True)], dtype=np.int64
    )
    voice = np.array([one.from_pilot_id is not None for one in annotators])
    at = rows["annotator"]
    # Their own first, then pilots in their order; the first of each person, text and scale stays.
    order = np.lexsort((at, voice[at], rows["scale"], rows["unit"], person[at]))
    same = np.ones(order.size, dtype=bool)
    same[0] = False
    for key in (person[at], rows["unit"], rows["scale"]):
        inside = key[order]
        same[1:] &= inside[1:] == inside[:-1]
    mine = at[order]
    first = mine[~same][np.cumsum(~same) - 1]  # Whose answer stays, for each row.
    kept = np.ones(rows.size, dtype=bool)
    kept[order[voice[mine] & (mine != first)]] = False  # Repeats of one voice stay together.
    return rows[kept]
