"""The zip to publish: tables, cards, metadata, and `reproduce.py`, which computes numbers again."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import override

import paraanno
import scoring.publishing
from annotation.campaigns.queries import languages_of
from annotation.errors import Conflict, Invalid
from annotation.exporters.columns import Column
from annotation.exporters.parquet import write_parquet
from annotation.exporters.writers import write_rows
from annotation.models import BackgroundAnswer, Campaign, Judgment, Substitution
from paraanno.common.progress import step, steps
from scoring.exports.design import RATING_COLUMNS, data_digest, facts_get, rating_rows
from scoring.exports.gold import golds, table
from scoring.exports.paper import citations_add, report_now
from scoring.exports.rows import judgments
from scoring.paper.collection import collected, contexts, reported
from scoring.paper.datasheet import datasheet, datasheet_json
from scoring.paper.facts import Facts
from scoring.paper.reproducible_zip import Bundle
from scoring.publishing.croissant import croissant
from scoring.publishing.package_files import (
    FEW,
    LICENCES,
    UNKNOWN,
    BackgroundCount,
    PackageFacts,
    PackageTable,
    browse_page,
    data_card,
    data_statement,
    expected_numbers,
    licence_text,
    zenodo,
)
from scoring.ratings.choice import fingerprint
from scoring.ratings.tables import Ratings, ratings_get
from scoring.stats.agreement.catalogue import coefficients

KINDS = ("agreement", "results", "correlation")
HIDDEN = {"comment", "reason", "status", "excluded", "excluded_reason", "excluded_since"}
OUTPUT_COLUMNS = (Column("text_key"), Column("system"))
REPRODUCE = Path(scoring.publishing.package_files.__file__).parent / "reproduce.py"
Rows = list[dict[str, Any]]


def package_check(licence: str) -> None:
    """Raise Invalid for an unknown licence; none is one."""
    if licence and licence not in LICENCES:
        raise Invalid(
            _("There is no licence %(licence)s: use one of %(all)s.")
            % {"licence": f"{licence!r}", "all": ", ".join(LICENCES)}
        )


def package_write(
    *, campaign: Campaign, stream: BinaryIO, licence: str = "", creators: Sequence[str] = ()
) -> int:
    """Write the zip; return the number of its files. The same judgments give the same bytes.

    It holds judgments that count, of annotators and texts that are not excluded, without comments.
    Raises Invalid for an unknown licence, Conflict if judgments arrive meanwhile.
    """
    package_check(licence)
    mark = fingerprint(campaign=campaign).text
    with override("en"):
        with step(0, 0.5):
            reports = {kind: report_now(campaign, kind) for kind in steps(KINDS)}
        ratings = ratings_get(campaign=campaign)
        facts = facts_get(campaign=campaign, ratings=ratings)
        bundle = Bundle()
        with step(0.5, 0.9):
            tables, data = _tables(campaign, ratings, bundle)
        digest = data_digest(ratings=ratings)
        about = _about(campaign, ratings, facts, licence, creators, digest)
        _texts(bundle, about, tables, facts, reports, data)
    if fingerprint(campaign=campaign).text != mark:
        raise Conflict(_("Judgments arrived while the file was being made: try again."))
    bundle.write(stream, {"campaign": campaign.slug, "made_with": f"paraanno {about.version}"})
    return len(bundle.files)


def _tables(
    campaign: Campaign, ratings: Ratings, bundle: Bundle
) -> tuple[list[PackageTable], dict[str, Rows]]:
    """Add every table twice, and return the rows of those that other files are made from."""
    wide, gold = table(campaign=campaign), golds(campaign=campaign)
    export = judgments(campaign=campaign)
    with step(0, 0.2):
        texts = list(wide.rows)
    outputs = [
        {"text_key": text["text_key"], "system": system}
        for text in texts
        for system in text["systems"] or ()
    ]
    given = list(rating_rows(ratings=ratings))
    shown = tuple(column for column in export.columns if column.name not in HIDDEN)
    with step(0.2, 0.5):
        answers = list(_counted(export.rows))
    with step(0.5, 0.7):
        golden = list(gold.rows)
    with step(0.7, 1):
        added = (
            ("ratings", "a rating that every number rests on", RATING_COLUMNS, given),
            ("texts", "a text with its gold and its metric scores", wide.columns, texts),
            ("outputs", "a text that a system made", OUTPUT_COLUMNS, outputs),
            ("judgments", "an answer of an annotator", shown, answers),
            ("gold", "a text with its gold standard", gold.columns, golden),
        )
        tables = [_add(bundle, *one) for one in steps(added)]
    return tables, {"texts": texts, "ratings": given}


def _counted(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What counts and is not excluded; a withdrawal is an exclusion."""
    for row in rows:
        counted = row["status"] == Judgment.Status.COUNTED and not row.get("excluded")
        if counted and row["role"] == Substitution.Role.OUTPUT:
            yield row


def _add(
    bundle: Bundle, name: str, says: str, columns: Sequence[Column], rows: Rows
) -> PackageTable:
    text, packed = io.BytesIO(), io.BytesIO()
    write_rows(rows, text, columns, format="csv", raw=True)
    write_parquet(rows, packed, columns)
    bundle.add(f"data/{name}.csv", text.getvalue())
    bundle.add(f"data/{name}.parquet", packed.getvalue())
    return PackageTable(
        name,
        says,
        [(column.name, column.kind) for column in columns],
        len(rows),
        hashlib.sha256(text.getvalue()).hexdigest(),
        hashlib.sha256(packed.getvalue()).hexdigest(),
    )


def _about(
    campaign: Campaign,
    ratings: Ratings,
    facts: Facts,
    licence: str,
    creators: Sequence[str],
    digest: str,
) -> PackageFacts:
    used = {code for one in ratings.tables.values() for code in one.used_annotators.tolist()}
    people = [ratings.annotators[code] for code in sorted(used)]
    return PackageFacts(
        slug=campaign.slug,
        name=campaign.name,
        description=campaign.description,
        languages=[tag for tag in languages_of(campaign=campaign) if tag],
        scales=[
            (one.name, one.question if facts.in_browser else UNKNOWN, one.minimum, one.maximum)
            for one in facts.scales
        ],
        systems=list(facts.systems),
        texts=facts.texts,
        contexts=contexts(facts),
        judgments=facts.judgments,
        ratings=facts.ratings,
        annotators=facts.n_annotators,
        simulated=facts.simulated,
        collected=collected(facts),
        kinds=facts.kinds,
        reported=reported(facts),
        first=min((one.first for one in facts.sources if one.first), default=""),
        last=max((one.last for one in facts.sources), default=""),
        licence=licence,
        creators=creators,
        version=paraanno.__version__,
        data=digest,
        asked_here=facts.in_browser,
        background=list(_background(campaign, [one.pk for one in people])),
    )


def _background(campaign: Campaign, people: Sequence[int]) -> Iterator[BackgroundCount]:
    """How many gave each answer; answers that few gave are left out, or they could be
    recognised."""
    for question in campaign.background_questions.order_by("position", "pk"):
        values = BackgroundAnswer.objects.filter(
            question=question, annotator__in=people
        ).values_list("value", flat=True)
        given = [one for value in values if value not in (None, "", []) for one in _answers(value)]
        counts = Counter(given)
        common = [(one, n) for one, n in counts.most_common() if n >= FEW]
        few = sum(n for n in counts.values() if n < FEW)
        silent = len(people) - sum(value not in (None, "", []) for value in values)
        # Of one group alone the rest would be known.
        yield BackgroundCount(question.wording, common, few, silent if silent >= FEW else 0)


def _answers(value: object) -> Iterable[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _texts(
    bundle: Bundle,
    about: PackageFacts,
    tables: Sequence[PackageTable],
    facts: Facts,
    reports: Mapping[str, Any],
    data: Mapping[str, Rows],
) -> None:
    """Add what is no table."""
    names = {key: one.printed for key, one in coefficients().items()}
    signature = f"paraanno {about.version} (data {about.data[:12]})"
    sheet: dict[str, Any] = {
        "names": names,
        "signature": signature,
        "results": reports["results"],
    }
    bundle.add("README.md", data_card(about, tables))
    bundle.add("DATA_STATEMENT.md", data_statement(about))
    bundle.add("LICENSE.md", licence_text(about))
    bundle.add("datasheet.md", datasheet(facts, reports["agreement"], **sheet))
    bundle.add_json("heds.json", datasheet_json(facts, reports["agreement"], **sheet))
    bundle.add_json("croissant.json", croissant(about, tables))
    bundle.add_json(".zenodo.json", zenodo(about))
    directions = {one.name: one.higher_is_better for one in facts.scales}
    bundle.add_json(
        "expected.json", expected_numbers(**reports, directions=directions, counts=_counts(about))
    )
    bundle.add("reproduce.py", REPRODUCE.read_bytes())
    scales = [one.name for one in facts.scales]
    bundle.add("browse.html", browse_page(title=about.name, texts=_browsed(data), scales=scales))
    citations_add(bundle, facts, reports, about.data)


def _counts(about: PackageFacts) -> dict[str, Any]:
    names = ("annotators", "judgments", "ratings", "texts", "data")
    return {name: getattr(about, name) for name in names}


def _browsed(data: Mapping[str, Rows]) -> Rows:
    given: dict[str, dict[str, dict[str, float]]] = {}
    for row in data["ratings"]:
        of_text = given.setdefault(str(row["item"]), {})
        of_text.setdefault(str(row["scale"]), {})[str(row["annotator"])] = row["value"]
    return [
        {
            "phrase": text["phrase"],
            "before": text["sentence"][: text["start"]],
            "text": text["paraphrase"],
            "after": text["sentence"][text["end"] :],
            "systems": text["systems"] or [],
            "given": given.get(text["text_key"], {}),
        }
        for text in data["texts"]
    ]
