"""The rules of what must be proven before a table is imported unasked: one table.

An import goes through unasked on evidence alone. Each rule says what must be evident, where its
counter-evidence is looked for, and what is asked if there is some. To add a rule, write the
function that yields the values of its question, and a line here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotation.importers.tables.guessing.doubts import of_another_scale
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.mapping import ColumnMap
from annotation.importers.tables.proving import left, parts, people, rows, texts, words
from annotation.importers.tables.proving.people import Beside, Findings, Proof
from annotation.importers.tables.word_values import Ranges, beyond
from paraanno.common.texts import Sentence, say


@dataclass(frozen=True, slots=True)
class Rule:
    """What must be evident; where that is looked for, and what is asked where it is not."""

    evidence: str
    against: Callable[[Proof], Findings]
    question: Sentence
    what: tuple[str, ...] = ("items", "judgments")


ITEMS, JUDGMENTS = ("items",), ("judgments",)
# Of these, the records of a tool's file are asked, whose columns are known.
OF_RECORDS = (words.alike, rows.twice, people.against)
# These are asked of all rows of the longest tables.
OF_ROWS = (
    rows.two_in_a_cell,
    rows.cells_balance,
    rows.summaries,
    rows.incomplete,
    rows.without_system,
)

RULES = (
    # Who judged, and which systems: names.
    Rule(
        "Two names are two systems or annotators.",
        words.alike,
        say("%(one)s and %(two)s differ in capitals or signs alone: are they two?"),
    ),
    Rule(
        "An annotator or a system has a name.",
        words.nameless,
        say("column %(column)s has no name: whose is it?"),
    ),
    Rule(
        "All words in the names of values are understood.",
        words.names,
        say(
            "column %(column)s is called by a word that is not known here (%(words)s): does it "
            "hold points of the scale?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "A label of a scale says no more than the scale.",
        words.labels_of_scales,
        say("%(name)s says more than the name of a scale (%(words)s): is it one?"),
        JUDGMENTS,
    ),
    Rule(
        "Nobody is an annotator and a system.",
        words.judges_of_themselves,
        say("%(name)s is among the annotators and the systems: who judged?"),
        JUDGMENTS,
    ),
    Rule(
        "A system is not called as any text is.",
        texts.no_systems,
        say("column %(column)s would be a system called %(name)s: is it one?"),
        ITEMS,
    ),
    # Which scale, and which end of it is the best.
    Rule(
        "Marks of a school are best where they are highest.",
        words.school_marks,
        say("column %(column)s holds marks: is the highest number the best?"),
        JUDGMENTS,
    ),
    Rule(
        "What explains the numbers agrees with the scale.",
        words.legends,
        say("%(text)s: is the highest number of the values the best, and of this scale?"),
        JUDGMENTS,
    ),
    Rule(
        "Notes change nothing.",
        words.notes,
        say("a note says %(text)s: does it change what is read?"),
        JUDGMENTS,
    ),
    Rule(
        "A title names no other criterion.",
        words.another_criterion,
        say("%(text)s stands beside the values: are they points of %(scale)s?"),
        JUDGMENTS,
    ),
    Rule(
        "An annotator's values rise with those of the others.",
        people.against,
        say(
            "the values of %(name)s fall where those of the others rise: does %(name)s use the "
            "scale the other way round?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "The values of two scales rise together.",
        people.scales_against,
        say(
            "the values of %(two)s fall where those of %(one)s rise: is the highest number the "
            "best of both?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "All annotators use the same points.",
        people.other_points,
        say(
            "%(name)s has values from %(least)s to %(most)s, the others from %(low)s to %(high)s: "
            "is it the same scale?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "All parts of a table use the same points.",
        parts.other_ranges,
        say(
            "values beside %(text)s in column %(column)s go from %(least)s to %(most)s, others up "
            "to %(high)s: is it the same scale?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Values beside labels of scales use their scale.",
        parts.of_their_scales,
        say("%(scale)s: %(text)s"),
        JUDGMENTS,
    ),
    Rule(
        "The highest point of a scale is used, or said somewhere.",
        parts.ends_below,
        say(
            "no value of %(scale)s is above %(most)s, which many are, though the scale goes to "
            "%(high)s: is it the same scale?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Halves are points of all annotators, or of none.",
        people.halves,
        say("few values of %(name)s are between points, such as %(value)s: are they means?"),
        JUDGMENTS,
    ),
    # Values are a person's own.
    Rule(
        "Values are not made of those of others.",
        people.made_of_others,
        say(
            "the values of %(name)s are always a mean, a majority or the like of those of others: "
            "is %(name)s a person?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Values do not follow from those of another.",
        people.follows_another,
        say("the values of %(one)s follow from those of %(two)s: are these two annotators?"),
        JUDGMENTS,
    ),
    Rule(
        "Values do not follow from the length of a text.",
        people.follows_the_text,
        say("the values of %(name)s follow from the length of the texts: are they judgments?"),
        JUDGMENTS,
    ),
    Rule(
        "Values are not the same everywhere.",
        people.constant,
        say("all values of %(name)s are the same: are they judgments?"),
        JUDGMENTS,
    ),
    Rule(
        "Values do not number the rows.",
        people.running,
        say("the values of %(name)s only rise, or only fall, from row to row: are they judgments?"),
        JUDGMENTS,
    ),
    Rule(
        "Values are no ranks of the texts of an original.",
        people.ranks,
        say(
            "the values of %(name)s for each original are 1 to its number of texts: are they "
            "ranks? As they stand the highest number is the best; if 1 is, turn them round"
        ),
        JUDGMENTS,
    ),
    Rule(
        "The texts of an original differ in their values.",
        people.same_for_an_original,
        say(
            "%(name)s has the same value for all texts of each original: is it about the original?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Values go with those of the others where these go together.",
        people.stray,
        say(
            "the values of %(name)s do not go with those of the others: are they judgments of the "
            "texts beside them?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Two scales have their own values.",
        people.scales_alike,
        say("%(one)s and %(two)s have the same values everywhere: are they two scales?"),
        JUDGMENTS,
    ),
    # Each cell and row is read, and is what the others are.
    Rule(
        "Nobody judged a text twice.",
        rows.twice,
        say(
            "%(name)s gave the same text different values: is a column missing that tells them "
            "apart?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "A cell of values holds one number.",
        rows.two_in_a_cell,
        say(
            "column %(column)s has cells with several numbers in one, such as %(text)s: which "
            "counts, or whose is each?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Every cell of values is a point, or said to be none.",
        rows.cells_balance,
        say("column %(column)s has cells that are no points, such as %(text)s: what are they?"),
        JUDGMENTS,
    ),
    Rule(
        "Columns that are not read hold no points.",
        words.points_left,
        say(
            "column %(column)s is not read (%(reason)s), but its numbers may be points: is that "
            "right?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "Columns that are not read as computed are computed.",
        words.not_made_of_judgments,
        say(
            "column %(column)s is called as if it were computed, but no arithmetic makes it of the "
            "judgments of the same text: is it not needed?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "What an import leaves to the other kind is read there.",
        left.to_the_other,
        left.NEITHER,
    ),
    Rule(
        "The same words in several columns are no judgments.",
        left.words_of_people,
        say("%(one)s and %(two)s have the same few words: are they judgments of people?"),
        ITEMS,
    ),
    Rule(
        "What tells judgments of a text apart is read.",
        words.nobodys,
        say(
            "column %(column)s is read by nothing, and differs among the judgments of a text: is "
            "it not needed?"
        ),
        JUDGMENTS,
    ),
    Rule(
        "No row sums others up.",
        rows.summaries,
        say("the numbers of row %(n)s are means or sums of others: is it a text of its own?"),
    ),
    Rule(
        "Each row has the text that it is about.",
        rows.incomplete,
        say("row %(n)s and others like it have no paraphrase: what are they?"),
        ITEMS,
    ),
    Rule(
        "Each row has a system, or none has.",
        rows.without_system,
        say("row %(n)s has no system, though others have one: whose is its text?"),
        ITEMS,
    ),
    Rule(
        "Cells that are read look alike.",
        rows.marked_cells,
        say(
            "some cells of column %(column)s are merged, struck out or in another colour: does "
            "that mean something?"
        ),
    ),
    # A text is a paraphrase of the original beside it.
    Rule(
        "A system has one text of an original.",
        texts.one_text_each,
        say(
            "%(name)s has several texts of an original: is a column missing that tells them apart?"
        ),
        ITEMS,
    ),
    Rule(
        "A system has more than one text.",
        texts.lone_systems,
        say("%(name)s has a single text, the other systems have many: is it one of them?"),
        ITEMS,
    ),
    Rule(
        "A pair is no question and answer.",
        texts.of_another_task,
        say("the texts are called %(one)s and %(two)s: are the second paraphrases of the first?"),
        ITEMS,
    ),
    Rule(
        "The names of a pair say which text is the original.",
        texts.named_alike,
        say(
            "%(one)s and %(two)s are called alike, and one of them is of a system: is the first "
            "the original in every row?"
        ),
        ITEMS,
    ),
    Rule(
        "Texts differ from their originals.",
        texts.copies_of_originals,
        say(
            "most texts of column %(column)s are the same as their originals: are they the "
            "paraphrases?"
        ),
        ITEMS,
    ),
    Rule(
        "A system has texts of its own.",
        texts.copies_of_systems,
        say("the texts of column %(column)s are those of other columns: is it a system?"),
        ITEMS,
    ),
    Rule(
        "A system has as many different texts as the others.",
        texts.rarely_a_text,
        say("column %(column)s has far fewer texts than those beside it: is it a system?"),
        ITEMS,
    ),
    Rule(
        "A system's texts are as like the originals as those of the others.",
        texts.unlike_its_siblings,
        say(
            "the texts of column %(column)s are far less like the originals than those beside "
            "them: are they paraphrases?"
        ),
        ITEMS,
    ),
    Rule(
        "A text goes with its own original.",
        texts.of_another_row,
        say("some texts go with the originals of another row: is a column shifted?"),
    ),
    Rule(
        "No text is an original here and a paraphrase there.",
        texts.exchanged,
        say(
            "%(text)s is an original in one row and a paraphrase in another: are columns "
            "exchanged in some rows?"
        ),
    ),
    Rule(
        "Texts are whole.",
        texts.cut,
        say("the texts of column %(column)s may be cut: are they whole?"),
        ITEMS,
    ),
)


def unproven(
    mapping: ColumnMap, looked: Looked, beside: Beside, *, light: bool = False
) -> Iterator[Sentence]:
    """Yield what has to be asked about a table as it is guessed. `light`: of its rows and cells
    alone, one by one."""
    proof = Proof(mapping, looked, beside)
    for rule in RULES:
        if mapping.what in rule.what and (not light or rule.against in OF_ROWS):
            for values in rule.against(proof):
                yield say(rule.question, **values)


def of_records(mapping: ColumnMap, looked: Looked, ranges: Ranges) -> Iterator[Sentence]:
    """Yield what the records of a tool's file leave open, whose columns are known."""
    proof = Proof(mapping, looked, Beside())
    used: dict[str, list[float]] = defaultdict(list)
    for one in proof.judged:
        used[one.scale].append(one.value)
    for scale in used.keys() & ranges.keys():
        low, high = ranges[scale]
        yield from of_another_scale(used[scale], low, high)
        if min(used[scale]) < low or max(used[scale]) > high:
            yield beyond(scale, min(used[scale]), max(used[scale]), low, high)
    for rule in RULES:
        if rule.against in OF_RECORDS and mapping.what in rule.what:
            for values in rule.against(proof):
                yield say(rule.question, **values)
    if mapping.what == "items" and not mapping.has("paraphrase", "output_of"):
        yield say("the file has originals alone, and no texts of systems: is that right?")
