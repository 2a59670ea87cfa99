"""Published judgments of the pairs of PPDB 2.0 (Pavlick et al. 2015), read as our records.

A line is `mean TAB [category] TAB phrase TAB paraphrase TAB score,score,...`, without a header. The
scores of a line are sorted, so that the third of one line and of another need not be of the same
person: the judgments are those of anonymous annotators, and only statistics that need no identities
(Krippendorff's alpha, one-way ICC, shares of equal pairs) may be computed from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from paraanno.plain.cells import Cells
from paraanno.plain.columns import Columns
from paraanno.plain.lines import Source, cannot_be_read, open_lines
from paraanno.plain.problems import ProblemLog, shown
from paraanno.plain.records import RecordSource
from paraanno.plain.sentence import say

FORMAT = "ppdb"
SCALE = "MEANING"
_ROUNDED = 0.051  # Means may be given with one digit.


class PpdbRecords(RecordSource):
    """The records of such a file as items, as judgments (one for each score), or as gold."""

    def __init__(self, source: Source, what: str) -> None:
        self._source, self._what = source, what

    def records(self, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
        """Yield the records; a line that is wrong is a problem in `log`."""
        try:
            with open_lines(self._source, log) as lines:
                for number, line in enumerate(lines, start=1):
                    flaw = lines.flaw(number, number)
                    if flaw is not None:
                        log.error(number, flaw)
                    elif line.strip():
                        yield from self._of(Cells(number, {}, log), line.rstrip("\r\n"))
        except OSError as error:
            log.error(1, cannot_be_read(error))

    def _of(self, cells: Cells, line: str) -> Iterator[Cells]:
        parts = line.split("\t")
        if len(parts) != 5 or not (parts[2].strip() and parts[3].strip()):
            text = say(
                "these are not the five fields of a pair: write mean, [category], phrase, "
                "paraphrase and scores with a TAB between them"
            )
            cells.fail(None, text)
            return
        mean, category, phrase, paraphrase, scores = parts
        values = [_number(one) for one in scores.split(",")]
        given = _number(mean)
        known = [one for one in values if one is not None]
        if given is None or len(known) < len(values):
            text = say("has a mean or a score that is no number: write 3.5 TAB ... TAB 3,4")
            cells.fail(None, text)
            return
        made = sum(known) / len(known)
        if abs(made - given) > _ROUNDED:
            text = say(
                "gives the mean %(given)s, but its scores have %(made)s: correct one of them",
                given=shown(mean), made=f"{made:.3g}",
            )  # fmt: skip
            cells.fail(None, text)
            return
        place: dict[str, object] = {"sentence": phrase, "paraphrase": paraphrase}
        if self._what == "items":
            named = category.strip().strip("[]")
            more = {"attr.substitution.category": named} if named else {}
            yield Cells(cells.line, place | more, cells.log)
        elif self._what == "gold":
            gold = {SCALE: made, f"{SCALE}_n": len(known), f"{SCALE}_method": "mean"}
            yield Cells(cells.line, place | gold, cells.log)
        else:
            for value in known:
                yield Cells(cells.line, {**place, "scale": SCALE, "value": value}, cells.log)


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if isfinite(found) else None
