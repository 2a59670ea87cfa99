"""Every problem of an imported file says what to do, after what is wrong."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Reasons of guesses are no problems; those of a template say what its field takes.
OTHERS = ("campaign_template.py", "yaml_reader.py")
READERS = [
    *(
        path
        for folder in ("annotation/importers", "annotation/importing")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name not in OTHERS and "guessing" not in path.parts
    ),
    *(ROOT / "paraanno/common" / one for one in ("records.py", "cells.py", "texts.py")),
]
# Parts of other sentences, and words.
PARTS = {
    "dates",
    "times",
    "what numbers mean",
    "e-mail addresses",
    "web addresses",
    "names of files",
    "what the numbers of column %(other)s mean",
    "%(one)s is read as the original, %(two)s as its paraphrase",
    "1 row stands twice",
    "%(n)s rows stand twice",
    "1 judgment was given anew later",
    "%(n)s judgments were given anew later",
    "1 row with %(word)s in %(column)s",
    "%(n)s rows with %(word)s in %(column)s",
    "1 cell without a judgment (%(words)s)",
    "%(n)s cells without a judgment (%(words)s)",
    "rows that come again left out",
    "%(n)s references (up to %(most)s for an original)",
    "join must be null, or name ratings, head, texts, texts_head and keys",
    "Cut %(name)s at %(sign)s into two columns",
    "how far people agree",
    "each row of %(ratings)s is joined to the text of the same %(keys)s in %(texts)s",
    "the sheets %(names)s are of an annotator each",
    "the sheets %(names)s are of a scale each",
    "two numbers in a cell of %(columns)s put into two columns",
    "rows with %(word)s in %(column)s left out",
    "%(column)s (%(reason)s)",
    "%(n)s annotators",
    "%(n)s originals",
    "%(n)s references",
    "%(n)s remarks",
    "%(n)s systems (%(names)s)",
    "%(n)s texts",
    "%(name)s",
    "%(names)s",
    "%(names)s and %(n)s more",
    "1 annotator",
    "1 original",
    "1 reference",
    "1 system (%(names)s)",
    "1 text",
    "Exchange %(one)s and %(two)s",
    "Join %(left)s, %(key)s and %(right)s to a sentence",
    "Put texts and their values below each other (%(pairs)s)",
    "Put the texts of %(n)s systems below each other",
    "Read values from %(low)s to %(high)s as points from %(least)s to %(most)s",
    "Split %(name)s at %(sign)s, a row for each",
    "Take the phrase marked by %(mark)s out of %(name)s",
    "a count",
    "another sheet",
    "beside the table",
    "row %(n)s",
    "totals, or the names of columns again",
    "a deviation",
    "a draft that was never handed in",
    "a length",
    "a mean",
    "a median",
    "a preview of the survey's owner, no answer",
    "a rank",
    "a second column for the scale %(scale)s",
    "a sum",
    "made of another column by a factor",
    "the highest of %(n)s columns",
    "the lowest of %(n)s columns",
    "highest minus lowest of %(n)s columns",
    "signs such as &amp; decoded in %(columns)s",
    "the entries of %(columns)s put into columns of their own",
    "all are read as one data set",
    "answers of the kind %(kind)s are no judgments on a scale",
    "answers, but of which scale?",
    "beside no judgment",
    "called %(name)s",
    "columns of assignments, not of texts",
    "columns of responses, not of texts",
    "computed of the judgments",
    "discarded by the annotator",
    "empty",
    "how long it took",
    "it shows the original and the paraphrase of a text of the campaign",
    "line ends",
    "marked errors are no points on a scale",
    "marked spans are no judgments of the text",
    "mean of %(n)s columns",
    "median of %(n)s columns",
    "named like the scale %(scale)s",
    "names of splits (%(names)s)",
    "numbers of rows",
    "preferences between texts are no judgments of one text",
    "read with the items",
    "read with the judgments",
    "rejected by the requester",
    "scores of segments do not say who judged",
    "shows the texts of %(names)s",
    "standard deviation of %(n)s columns",
    "suggestions of a model are no answers of people",
    "sum of %(n)s columns",
    "the same as %(name)s",
    "the same row twice",
    "the same value everywhere",
    "the score of a metric",
    "the state files of the same folder are newer",
    "the tool writes it there",
    "the tool's number of the task",
    "the tool's number of the text",
    "without an answer",
    " (did you mean %(name)s?)",
    " (known are %(words)s)",
    "%(columns)s exchanged",
    "%(columns)s joined to a sentence",
    "values of %(columns)s from %(low)s to %(high)s read as points from %(least)s to %(most)s",
    "%(columns)s split into a row for each text",
    "%(question)s",
    "a NUL character",
    "half of a surrogate pair",
    "it is not certain what column %(column)s holds",
    "mark must be one of %(known)s",
    "marked phrase taken out of %(columns)s",
    "rows %(rows)s left out",
    "rows of totals, and repeated names of columns, left out",
    "sign must be one of %(known)s",
    "texts of systems that stand beside each other put below each other",
    "the number %(text)s is too large",
    "the step reverse needs two columns",
    "the step spread needs the keys of the entries",
    "the step unpivot needs a column for each name in each group",
    "the step unpivot needs the columns of each group, and their names",
    "there is no scale %(scale)s in the campaign",
    "a cell is longer than %(most)s characters, or a quote is not closed",
    "a list",
    "an object",
    "a quote opened in this record is not closed before the end of the file",
    "cannot judge (%(why)s)",
    "chosen",
    "column %(column)s",
    "expected values",
    "gold",
    "it does not occur in the sentence",
    "it is truncated or damaged",
    "it occurs at %(listed)s",
    "items",
    "judgments",
    "lists",
    "lines %(start)s to %(end)s",
    "nothing",
    "nowhere",
    "%(n)s times",
    "%(n)s times or more",
    "%(phrase)s at %(start)s-%(end)s of %(sentence)s",
    "%(place)s (%(n)s characters)",
    "only in different case",
    "save the sheet as CSV (UTF-8), which may have any number of rows",
    "scores of a metric",
    "this line",
}


def _sentences(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say"
        if called and node.args and isinstance(node.args[0], ast.Constant):
            yield node.lineno, str(node.args[0].value)


@pytest.mark.parametrize("path", READERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_problem_says_what_to_do(path):
    """The fault, a colon (or a semicolon) and the remedy."""
    mute = [
        f"{path.name}:{line}: {text}"
        for line, text in _sentences(path)
        if text not in PARTS and ": " not in text and "; " not in text
    ]
    assert mute == []
