"""Forms of an import: the file, and what the columns of a table are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import Invalid
from annotation.http.fields import FoldedForm
from annotation.importers.tables import ColumnMap, Inspection
from annotation.importers.tables.heads import LOOKED_AT as MOST
from annotation.importers.tables.mapping import FIXED, IGNORE, MOST_HEAD, OF, OPTIONS, ROLES_OF_KIND
from annotation.importers.tables.word_values import WORDS
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence

Choices = list[tuple[str, str]]
ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "cp949", "cp932", "gb18030", "big5")
ROLE_LABELS: Mapping[str, str | Promise] = {
    IGNORE: gettext_lazy("Do not import"),
    "item": gettext_lazy("Original’s id"),
    "sentence": gettext_lazy("Original sentence"),
    "phrase": gettext_lazy("Phrase"),
    "paraphrase": gettext_lazy("Paraphrase"),
    "displayed": gettext_lazy("What was shown: original and paraphrase"),
    "start": gettext_lazy("Start of the phrase"),
    "end": gettext_lazy("End of the phrase"),
    "role": gettext_lazy("Role of the text"),
    "own_sentence": gettext_lazy("Own sentence"),
    "own_start": gettext_lazy("Start in the own sentence"),
    "own_end": gettext_lazy("End in the own sentence"),
    "system": gettext_lazy("System"),
    "rank": gettext_lazy("Rank"),
    "output_of": gettext_lazy("Text of a system"),
    "reference": gettext_lazy("Reference"),
    "phrase_reference": gettext_lazy("Reference in place of the phrase"),
    "language": gettext_lazy("Language"),
    "made_from": gettext_lazy("Copy of"),
    "attr": gettext_lazy("Keep as an attribute"),
    "annotator": gettext_lazy("Annotator"),
    "scale": gettext_lazy("Scale"),
    "value": gettext_lazy("Value"),
    "voice_of": gettext_lazy("Values of an annotator"),
    "reason": gettext_lazy("Reason"),
    "occasion": gettext_lazy("Occasion"),
    "comment": gettext_lazy("Comment"),
    "judged_at": gettext_lazy("Time of the judgment"),
    "kind": gettext_lazy("Kind"),
    "status": gettext_lazy("Status"),
    "recorded_at": gettext_lazy("Time of recording"),
    "guideline": gettext_lazy("Guideline version"),
}
OPTION_LABELS: Mapping[str, str | Promise] = {
    "any_case": gettext_lazy("Ignore upper and lower case when finding the phrase"),
    "first_place": gettext_lazy("Where a phrase occurs several times, take the first"),
    "fill_down": gettext_lazy("An empty sentence means the one above"),
    "skip_incomplete": gettext_lazy("Leave out rows that are not complete"),
}
SEVERAL = {IGNORE, "attr", "reference", "output_of", "voice_of", "value_of", "comment"}
DASHES = ("-", "–", "—")
MOST_ROWS = 100  # that are typed
UNDECIDED = "?"  # The value of a column that asks, and of which nothing is guessed.
HEADS = {"value_of": "%s", "n_of": "%s: n", "sd_of": "%s: SD", "method_of": "%s: method"}


class UploadForm(FoldedForm):
    """A file to import: checked first, then imported on confirmation."""

    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        choices=[
            ("items", gettext_lazy("Items and paraphrases")),
            ("judgments", gettext_lazy("Judgments")),
            ("gold", gettext_lazy("Gold values")),
        ],
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "A table as you have it: Excel, OpenDocument, CSV of any kind, TSV, JSON, Parquet, "
            "Stata, SPSS; or a Callison-Burch evaluation file."
        ),
    )
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        required=False,
        choices=[
            ("", gettext_lazy("By the file's name")),
            ("csv", "CSV"),
            ("tsv", "TSV"),
            ("jsonl", "JSON Lines"),
            ("ccb", "Callison-Burch"),
            ("ppdb", gettext_lazy("Judgments of PPDB 2.0")),
        ],
    )
    annotator = forms.CharField(
        label=gettext_lazy("Annotator"),
        required=False,
        max_length=60,
        help_text=gettext_lazy(
            "Judgments only: the annotator, if the file names none; or a name for anonymous "
            "annotators."
        ),
    )
    anonymous = forms.BooleanField(
        label=gettext_lazy("Judgments only: nobody knows who gave them (anonymous annotators)"),
        required=False,
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Gold only: where the values come from; empty: the file's name."),
    )
    repeats = forms.BooleanField(
        label=gettext_lazy(
            "Judgments only: repeated ones are further occasions, in the order of the file"
        ),
        required=False,
    )
    fill_slots = forms.BooleanField(
        label=gettext_lazy("Judgments only: completely judged sheets fill free assignments"),
        required=False,
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.UPLOAD_MAX_BYTES:
            most = settings.UPLOAD_MAX_BYTES // 2**20
            raise forms.ValidationError(_("The file is larger than %(most)s MB.") % {"most": most})
        return file


# What the columns of a table are.


def role_choices(what: str, scales: Sequence[str], name: str, guessed: tuple[str, ...]) -> Choices:
    """Return what a column may be: (value, label); the value as in `choice_of`."""
    choices: Choices = [(IGNORE, str(ROLE_LABELS[IGNORE]))]
    for role in ROLES_OF_KIND[what]:
        if role in HEADS:
            choices += [
                (f"{role}:{scale}", _("Values: %s") % HEADS[role] % scale) for scale in scales
            ]
        elif role in ("output_of", "voice_of"):
            choices.append((f"{role}:{name}", str(ROLE_LABELS[role])))
            if role == "voice_of":
                choices += [
                    (f"{role}:{name}\t{scale}", _("Values of an annotator: %s") % scale)
                    for scale in scales
                ]
        else:
            choices.append((role, str(ROLE_LABELS[role])))
    value = choice_of(*guessed)
    if value not in dict(choices):
        choices.append((value, _label_of(*guessed)))
    return choices


def _label_of(role: str, of: str, scale: str = "") -> str:
    return " ".join(part for part in (str(ROLE_LABELS.get(role, role)), of, scale) if part)


LIKELY: Mapping[str, tuple[str, ...]] = {
    "text": ("sentence", "phrase", "paraphrase", "output_of", "reference", "comment"),
    "label": ("system", "annotator", "attr", "scale", "item", "role"),
    "number": ("voice_of", "value_of", "value", "item", "rank"),
}
MOST_LIKELY = 5
MOST_WORD = 60  # characters of a point


def likely_first(choices: Choices, kind: str, value: str) -> tuple[Choices, Choices]:
    """Return the choices of a column in two parts: the five likely ones for what it holds (text,
    label or number), with that which is chosen, and the rest."""
    roles = LIKELY[kind]

    def rank(choice: tuple[str, str]) -> int:
        role = choice[0].partition(":")[0]
        return roles.index(role) if role in roles else len(roles)

    chosen = [one for one in choices if one[0] in (value, IGNORE)]
    others = sorted((one for one in choices if one not in chosen), key=rank)
    likely = [one for one in others if rank(one) < len(roles)][: MOST_LIKELY - len(chosen)]
    first = [*likely, *chosen]
    return sorted(first, key=choices.index), [one for one in choices if one not in first]


def posted_words(
    spoken: Mapping[str, Sequence[str]], posted: Mapping[str, Any]
) -> dict[str, dict[str, float | None]]:
    """Return the points of words that were posted, as `word-0-1` for the second word of the first
    scale: a number, or a line for "cannot judge". Words without either are left out."""
    by_scale: dict[str, dict[str, float | None]] = {}
    for at, (scale, words) in enumerate(spoken.items()):
        points: dict[str, float | None] = {}
        for n, word in enumerate(words):
            text = str(posted.get(f"word-{at}-{n}", "")).strip()[:MOST_WORD]
            number = read_number(text, "," if "," in text else ".")
            if text in DASHES:
                points[word] = None
            elif number is not None:
                points[word] = number
        by_scale[scale] = points
    return by_scale


def with_refusal(seen: Inspection, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was posted, with the column left out that a refused question (`refuse`, its
    place) is about."""
    question = _refused(seen, posted)
    no = None if question is None else seen.refusal_of(question)
    if no is None or not no.column or no.below:
        return dict(posted)
    at = posted["refuse"]
    return {**posted, f"role-{no.column}": IGNORE, f"sure-question-{at}": "on"}


def _refused(seen: Inspection, posted: Mapping[str, Any]) -> Sentence | None:
    at = str(posted.get("refuse", ""))
    good = at.isdigit() and int(at) < len(seen.questions)
    return seen.questions[int(at)] if good else None


def chosen_steps(
    seen: Inspection, mapping: ColumnMap, posted: Mapping[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the repairs after one that was chosen (`repair`, its key among those offered), undone
    (`undo`, its place), typed (`drop`, numbers of rows) or that answers a question with no; None
    where nothing of this was sent."""
    steps = [dict(one) for one in seen.mapping.steps]
    question = _refused(seen, posted)
    no = None if question is None else seen.refusal_of(question)
    if no is not None and no.step is not None:
        return [*steps, no.step]
    if posted.get("undo", "").isdigit():
        place = int(posted["undo"])
        return [one for at, one in enumerate(steps) if at != place]
    if "repair" in posted:
        return [
            *steps,
            *(one.step for one in seen.offers_for(mapping) if one.key == posted["repair"]),
        ]
    # Also where somebody presses Enter behind the numbers.
    rows = [int(one) for one in re.findall(r"[0-9]{1,7}", str(posted.get("drop", "")))]
    return [*steps, {"step": "drop", "rows": rows[:MOST_ROWS]}] if rows else None


def _whole(seen: Inspection, data: Mapping[str, Any]) -> bool:
    """Whether all words have a point."""
    return all(
        word in data["words"].get(scale, {})
        for scale, words in seen.words.items()
        for word in words
    )


def head_rows(text: str) -> tuple[int, ...]:
    """Return the rows that somebody names as those with the names of the columns: none, or one to
    three that follow each other. Raises Invalid for others."""
    rows = tuple(sorted({int(one) for one in re.findall(r"[0-9]{1,6}", text)} - {0}))
    together = not rows or rows[-1] - rows[0] == len(rows) - 1
    if len(rows) > MOST_HEAD or not together or max(rows, default=0) > MOST:
        raise Invalid(
            _(
                "The names of columns are in one of the first %(most)s rows, or in two or three: "
                "write 3, or 3, 4."
            )
            % {"most": MOST}
        )
    return rows


def choice_of(role: str, of: str, scale: str = "") -> str:
    """Return the value that the form has for a role: role, role:NAME, or role:NAME, a tab and the
    scale."""
    return f"{role}:{of}" + (f"\t{scale}" if scale else "") if role in OF else role


def with_chosen(
    again: dict[str, Any], seen: Inspection, posted: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the JSON of a mapping that was guessed after a repair, with what was chosen before:
    the roles of columns that are still there, the values of all rows, and what was confirmed."""
    before = chosen_map(seen, posted)
    guessed = {one.column: one.guess for one in seen.columns}
    chosen = {}
    for one in before["columns"]:
        guess = guessed[one["column"]]
        same = (one["role"], one.get("of", "")) == (guess.role, guess.of)
        if not same or (guess.ask and not one.get("ask")):
            chosen[one["column"], one["name"]] = one
    taken = {one["role"] for one in chosen.values()} - SEVERAL
    columns = [
        chosen.get(
            (one["column"], one["name"]),
            {**one, "role": IGNORE} if one["role"] in taken else one,
        )
        for one in again["columns"]
    ]
    confirmed = {str(one) for one in seen.questions} - set(before["ask"])
    return {
        **again,
        "columns": columns,
        "fixed": {**again["fixed"], **before["fixed"]},
        "ask": [one for one in again["ask"] if one not in confirmed],
    }


def chosen_map(seen: Inspection, posted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of the mapping that was posted, of the sheet that was looked at.

    Raises Invalid if a column was sent that the sheet does not have.
    """
    data = seen.mapping.to_json()
    data["columns"] = [dict(one) for one in data["columns"]]
    by_letters = {one["column"]: one for one in data["columns"]}
    for key, value in posted.items():
        if not key.startswith("role-"):
            continue
        column = by_letters.get(key.removeprefix("role-"))
        if column is None:
            raise Invalid(_("The table has no such column: choose the file again."))
        if value == UNDECIDED:
            continue
        role, _colon, of = str(value).partition(":")
        of, _tab, scale = of.partition("\t")
        of = of or (column.get("of", "") if role == "attr" else "")
        changed = (role, of, scale) != (
            column["role"],
            column.get("of", ""),
            column.get("scale", ""),
        )
        if changed or role == IGNORE or f"sure-{column['column']}" in posted:
            column.pop("ask", None)
        column.update(role=role, of=of, scale=scale)
    fixed = {role: str(posted.get(f"fixed-{role}", "")).strip() for role in FIXED[data["what"]]}
    data["fixed"] = {role: text for role, text in fixed.items() if text}
    data |= {option: option in posted for option in OPTIONS}
    if seen.words and "words" in posted:
        data["words"] = posted_words(seen.words, posted)
    data["ask"] = [
        str(one)
        for at, one in enumerate(seen.questions)
        if f"sure-question-{at}" not in posted or (one.template == WORDS and not _whole(seen, data))
    ]
    return data


def encodings_for(seen: Inspection) -> list[str]:
    """The encodings to choose from, that of the file first; none where it names its own."""
    encoding = seen.book.encoding
    if not encoding or seen.book.named:
        return []
    return list(dict.fromkeys([encoding, *ENCODINGS]))
