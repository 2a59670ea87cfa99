"""Numbers of rows as columns of a query."""

from __future__ import annotations

from django.db.models import IntegerField, Subquery


class RowCount(Subquery):
    """How many rows a queryset finds.

    Databases count the rows between two places of an index two to five times as fast as they group
    them or aggregate a column of them.
    """

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()
    empty_result_set_value = 0
