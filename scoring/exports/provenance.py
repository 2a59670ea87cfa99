"""How the judgments of a campaign came, and what its researchers are asked beside: all that the
files of a paper say of the collection.

Callers have checked the user's access to the campaign (annotation/access.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.database import Actor, audit, short_write
from annotation.errors import Invalid
from annotation.models import Annotator, Campaign, ImportBatch, Judgment, Panel
from annotation.people.annotators import consent_newest
from paraanno import clock
from scoring.models import ReviewerAnswer
from scoring.paper.facts import KINDS, SourceFacts
from scoring.ratings.tables import Ratings

# How judgments came, from what each of them records.

TOOLS = {
    "label-studio": "Label Studio",
    "potato": "Potato",
    "doccano": "doccano",
    "argilla": "Argilla",
    "prodigy": "Prodigy",
    "mturk": "Amazon Mechanical Turk",
    "surveys": "a survey",
    "wmt": "WMT",
    "datasets": "Hugging Face datasets",
}
Came = tuple[str, str, str]  # how, the name of tool or pilot, and to which ranges values were read
CHUNK = 10_000  # Rows that are read at once.


def sources_of(
    *, campaign: Campaign, ratings: Ratings, pairs: Set[tuple[int, int]]
) -> tuple[SourceFacts, ...]:
    """How the included judgments came, in the order of their first ones; two queries.

    pairs  the included judgments as codes of text and annotator
    """
    batches = {
        pk: (came_from(provenance), bool(provenance.get("recorded")))
        for pk, provenance in ImportBatch.objects.filter(campaign=campaign).values_list(
            "pk", "provenance"
        )
    }
    text = {pk: code for code, pk in enumerate(ratings.units.tolist())}
    voice = {one.pk: code for code, one in enumerate(ratings.annotators)}
    rows = campaign.judgments.filter(
        status=Judgment.Status.COUNTED,
        kind=Judgment.Kind.RATING,
        occasion=1,
        value__isnull=False,
    ).order_by("pk")
    days: dict[Came, dict[tuple[int, int], str]] = {}
    for unit, who, batch, by_program, recorded, judged in rows.values_list(
        "substitution_id",
        "annotator_id",
        "batch_id",
        "by_program",
        "recorded_at",
        "judged_at",
    ).iterator(CHUNK):
        pair = (text.get(unit, -1), voice.get(who, -1))
        if pair not in pairs:
            continue
        if batch is None:
            simulated = ratings.annotators[pair[1]].origin == Annotator.Origin.SIMULATED
            came = ("simulated" if simulated else "program" if by_program else "browser", "", "")
            at = recorded
        else:
            came, own = batches[batch]
            at = judged or (recorded if own else None)
        days.setdefault(came, {}).setdefault(pair, f"{at:%Y-%m-%d}" if at else "")
    return tuple(_source(came, dates) for came, dates in days.items())


def came_from(provenance: Mapping[str, Any]) -> Came:
    if "pilot" in provenance:
        return "pilot", str(provenance["pilot"]), ""
    mapping = provenance.get("map", {})
    tool = TOOLS.get(mapping.get("form", ""), "")
    name = tool or ("another campaign of paraanno" if provenance.get("recorded") else "")
    ranges = [
        "{:g}…{:g} → {:g}…{:g}".format(*step["from"], *step["to"])
        for step in mapping.get("steps", [])
        if step["step"] == "rescale"
    ]
    return "import", name, ", ".join(dict.fromkeys(ranges))


def _source(came: Came, days: Mapping[tuple[int, int], str]) -> SourceFacts:
    dated = [day for day in days.values() if day]
    how, name, ranges = came
    return SourceFacts(
        how,
        name,
        ranges=ranges,
        annotators=len({who for _, who in days}),
        judgments=len(days),
        first=min(dated, default=""),
        last=max(dated, default=""),
        undated=len(days) - len(dated),
    )


def judgments_per_text(pairs: Set[tuple[int, int]]) -> tuple[int, int, float] | None:
    many = sorted(Counter(unit for unit, _ in pairs).values())
    return (many[0], many[-1], float(np.median(many))) if many else None


def counted_twice(people: Sequence[Annotator]) -> int:
    """How many codes of a pilot are of somebody who has another code among these; one query."""
    pilot_ids = [one.from_pilot_id for one in people if one.from_pilot_id is not None]
    users = Annotator.objects.filter(pk__in=pilot_ids).exclude(user=None)
    seen = {one.user_id for one in people if one.user_id is not None}
    twice = 0
    for user in users.order_by("pk").values_list("user_id", flat=True):
        twice += user in seen
        seen.add(user)
    return twice


def pay_of(panel: Panel) -> str:
    """What a panel gives, as far as it says so."""
    unit = f" {panel.currency}" if panel.currency else ""
    parts = []
    if panel.pay is not None:
        parts.append(f"{panel.pay}{unit} for up to {panel.sheets_per_person} sheets")
    if panel.pay_floor is not None:
        parts.append(f"at least {panel.pay_floor}{unit} per hour")
    if panel.bonus is not None:
        parts.append(f"a bonus of {panel.bonus}{unit} for a complete part without a failed check")
    return ", ".join(parts)


# What a reviewer will ask: asked once, and written into every file.


MOST_ANSWER = 2000  # characters
Question = ReviewerAnswer.Question


@dataclass(frozen=True, slots=True)
class ReviewerQuestion:
    """A question with its answer, and what the campaign knows about it by itself."""

    key: str
    label: Promise
    help: Promise
    answer: str = ""
    facts: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        return not self.answer


LABELS: Mapping[str, tuple[Promise, Promise]] = {
    Question.KIND: (
        gettext_lazy("What kind of annotators?"),
        gettext_lazy("What a data card calls them."),
    ),
    Question.ANNOTATORS: (
        gettext_lazy("Who were they, and how were they recruited?"),
        gettext_lazy(
            "Expertise, first languages, whether the authors know them or are among them."
        ),
    ),
    Question.PAY: (
        gettext_lazy("What were they paid?"),
        gettext_lazy("Also if they were not paid; per text or per hour."),
    ),
    Question.INSTRUCTIONS: (
        gettext_lazy("What instructions and training did they get?"),
        gettext_lazy("Beside the guidelines of this campaign, or where judgments were imported."),
    ),
    Question.TEXTS: (
        gettext_lazy("How were the texts chosen?"),
        gettext_lazy("Sentences, phrases and systems, and what was left out."),
    ),
    Question.COLLECTED: (
        gettext_lazy("How were the imported judgments collected?"),
        gettext_lazy("With which tool, when, how many annotators for a text, and which checks."),
    ),
    Question.ETHICS: (
        gettext_lazy("What of ethics?"),
        gettext_lazy("Review by a committee, consent, personal data."),
    ),
}
KIND_LABELS: Mapping[str, Promise] = {
    "experts": gettext_lazy("Experts"),
    "crowd": gettext_lazy("Crowd workers"),
    "others": gettext_lazy("Others: students, volunteers, authors"),
}


def reviewer_questions(*, campaign: Campaign) -> list[ReviewerQuestion]:
    """The questions with their answers; a few queries, whatever there is."""
    answers = dict(campaign.reviewer_answers.values_list("question", "text"))
    imported = _imported(campaign)
    facts: dict[str, list[str]] = {
        Question.ANNOTATORS: [
            _("the panel %(name)s") % {"name": one.name} for one in campaign.panels.all()
        ],
        Question.PAY: [pay for one in campaign.panels.all() if (pay := pay_of(one))],
        Question.INSTRUCTIONS: _guidelines(campaign),
        Question.COLLECTED: imported,
        Question.ETHICS: _consent(campaign),
    }
    return [
        ReviewerQuestion(key, *LABELS[key], answers.get(key, ""), tuple(facts.get(key, ())))
        for key in LABELS
        if key != Question.COLLECTED or imported or answers.get(key)
    ]


def _imported(campaign: Campaign) -> list[str]:
    rows = campaign.batches.filter(what=ImportBatch.What.JUDGMENTS).order_by("pk")
    imports = []
    for name, provenance, counts in rows.values_list("file_name", "provenance", "counts"):
        how, tool, ranges = came_from(provenance)
        if how == "import":
            n = counts.get("judgments", 0)
            more = f", {tool}" if tool else ""
            more += (
                ", " + _("values read to another range (%(ranges)s)") % {"ranges": ranges}
                if ranges
                else ""
            )
            imports.append(
                ngettext(
                    "%(n)s rating of the file %(file)s%(more)s",
                    "%(n)s ratings of the file %(file)s%(more)s",
                    n,
                )
                % {"n": n, "file": name, "more": more}
            )
    return imports


def _guidelines(campaign: Campaign) -> list[str]:
    newest = campaign.guidelines.order_by("-version").values_list("version", flat=True).first()
    return [_("guidelines, version %(n)s") % {"n": newest}] if newest else []


def _consent(campaign: Campaign) -> list[str]:
    newest = consent_newest(campaign=campaign)
    has_text = newest is not None and newest.text
    return [_("consent text, version %(n)s") % {"n": newest.version}] if newest and has_text else []


def reviewer_save(*, campaign: Campaign, actor: Actor, answers: Mapping[str, str]) -> None:
    """Write the answers that are given; an empty one is none. Raises Invalid for a question that is
    not known, for a kind that is none, and for a text that is too long."""
    given = {key: text.strip() for key, text in answers.items()}
    if unknown := sorted(set(given) - set(LABELS)):
        raise Invalid(_("There is no question %(name)s.") % {"name": repr(unknown[0])})
    if given.get(Question.KIND) and given[Question.KIND] not in KINDS:
        raise Invalid(_("Choose one of %(names)s.") % {"names": ", ".join(KINDS)})
    if any(len(text) > MOST_ANSWER or "\0" in text for text in given.values()):
        raise Invalid(
            _("An answer has at most %(most)s characters, and no NUL.") % {"most": MOST_ANSWER}
        )
    with short_write():
        for key, text in given.items():
            if text:
                campaign.reviewer_answers.update_or_create(
                    question=key,
                    defaults={
                        "text": text,
                        "changed_by_id": actor.pk if actor else None,
                        "changed_at": clock.now(),
                    },
                )
        empty = [key for key, text in given.items() if not text]
        campaign.reviewer_answers.filter(question__in=empty).delete()
        audit(
            actor=actor,
            verb="answer reviewer",
            about=campaign,
            campaign=campaign,
            questions=sorted(key for key, text in given.items() if text),
        )
