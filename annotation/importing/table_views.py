"""A table of somebody's own: what its columns are, chosen beside its first rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, TypeAlias
from urllib.parse import quote
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import DomainError, Invalid
from annotation.exporters.columns import Column
from annotation.exporters.writers import row_chunks
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.importers.tables import ColumnMap, Inspection
from annotation.importers.tables.ledger import by_order
from annotation.importers.tables.looking import Seen
from annotation.importers.tables.mapping import FIXED, IGNORE, KINDS, NOBODY
from annotation.importers.tables.offering import Refusal
from annotation.importers.tables.steps import told_step
from annotation.importing.examples import example
from annotation.importing.forms import (
    OPTION_LABELS,
    ROLE_LABELS,
    UNDECIDED,
    choice_of,
    chosen_map,
    chosen_steps,
    encodings_for,
    head_rows,
    likely_first,
    role_choices,
    with_chosen,
    with_refusal,
)
from annotation.importing.jobs import (
    BESIDE,
    import_batch_get,
    import_order,
    mapping_get,
    mappings,
    scales_of,
    table_goes_to_worker,
)
from annotation.importing.tables import (
    column_map,
    has_judgments,
    is_sure,
    judgments_beside,
    ledger_shown,
    mapping_keep,
    people_of,
    table_inspect,
    table_preview,
    table_rows,
)
from annotation.importing.take_back import import_take_back
from annotation.importing.views import (
    change_options,
    forget,
    kept_options,
    kept_paths,
    own_options,
    report_page,
    run_import,
)
from annotation.models import Campaign
from annotation.starters import NAMES, example_text
from paraanno.common.texts import Sentence

# A question about the table: its number, whether it is open, and what "no" does.
Question: TypeAlias = tuple[int, Sentence, bool, Refusal | None]


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def import_columns(page: CampaignPage, name: str) -> HttpResponse:
    """The columns of a kept table. POST changes the mapping, and checks the file if asked to."""
    try:
        options = dict(kept_options(page, name))
    except Invalid as gone:
        page.warns(gone.message)
        return page.go("import")
    with kept_paths(name)[0].open("rb") as stream:
        try:
            seen = _seen(page, stream, options)
        except Invalid as refusal:
            forget(name)
            problem = {
                "line": refusal.data.get("line", 1),
                "column": None,
                "severity": "error",
                "message": refusal.message,
            }
            return report_page(page, problem=problem, file_name=options["name"])
        if page.sent:
            return _posted(page, name, options, seen, stream)
        return _page(page, name, options, seen, stream)


def _seen(page: CampaignPage, stream: BinaryIO, options: dict[str, Any]) -> Inspection:
    """Look at the sheet that is asked for, else at that of the mapping, else at the best."""
    mapping = options.get("mapping") or {}
    sheet = page.post.get("sheet", mapping.get("sheet", ""))
    encoding = page.post.get("encoding", mapping.get("encoding")) or None
    head = tuple(mapping["head"]) if mapping else None
    steps = mapping.get("steps") if mapping else None
    if page.sent:
        # Of another sheet than the one that was shown nobody has said anything.
        same = sheet in ("", page.post.get("head_of", ""))
        try:
            head = head_rows(page.post["head"]) if same and "head" in page.post else None
        except Invalid as refusal:
            page.warns(refusal.message)
            head = None
        # Of another table than the one that was shown they mean nothing.
        as_shown = same and list(head or []) == mapping.get("head", list(head or []))
        steps = steps if as_shown else None

    def look(head: tuple[int, ...] | None, steps: list[dict[str, Any]] | None) -> Inspection:
        return table_inspect(
            stream=stream,
            name=options["name"],
            what=options["what"],
            sheet=sheet,
            campaign=page.campaign,
            encoding=encoding,
            head=head,
            steps=steps,
            sheets_ask=True,
        )

    try:
        return look(head, steps)
    except Invalid as refusal:
        if head is None and steps is None:
            raise
        page.warns(refusal.message)  # The file is good, its row with names was not.
        return look(None, None)


def _posted(
    page: CampaignPage, name: str, options: dict[str, Any], seen: Inspection, stream: BinaryIO
) -> HttpResponse:
    old = options.get("mapping") or seen.mapping.to_json()
    given = with_refusal(seen, page.post.dict())
    written = ("sheet", "encoding", "delimiter", "head")
    steps = None
    if saved := page.post.get("saved"):
        mapping = mapping_get(campaign=page.campaign, key=_uuid(saved))
        options["mapping"] = _fitted(seen, column_map(mapping.mapping))
    elif any(seen.mapping.to_json()[key] != old[key] for key in written) or (
        page.post.get("head_of", seen.mapping.sheet) != seen.mapping.sheet
    ):
        options["mapping"] = seen.mapping.to_json()  # Another table: guessed anew.
    elif (steps := chosen_steps(seen, column_map(old), given)) is not None:
        again = _look_again(page.campaign, stream, options, seen, steps).to_json()
        options["mapping"] = column_map(with_chosen(again, seen, given)).to_json()
    else:
        options["mapping"] = column_map(chosen_map(seen, given)).to_json()
    options["also"] = "judgments" if has_judgments(page.campaign, stream, options, seen) else ""
    change_options(name, options)
    # After a repair somebody looks at the table first.
    action = page.post.get("action") if steps is None else "show"
    if action == "keep":
        mapping_keep(
            campaign=page.campaign,
            mapping=options["mapping"],
            file_name=options["name"],
            actor=page.user,
        )
        page.says(_("The mapping is saved: it is listed on the import page."))
    if action != "check":
        return page.go("import-columns", name)
    return _checked(page, name, options, seen, stream)


def _look_again(
    campaign: Campaign,
    stream: BinaryIO,
    options: dict[str, Any],
    seen: Inspection,
    steps: list[dict[str, Any]],
) -> ColumnMap:
    """Return what is guessed of the same sheet after other repairs."""
    mapping = seen.mapping
    return table_inspect(
        stream=stream,
        name=options["name"],
        what=options["what"],
        sheet=mapping.sheet,
        campaign=campaign,
        encoding=mapping.encoding,
        head=mapping.head,
        steps=steps,
        sheets_ask=True,
    ).mapping


def _checked(
    page: CampaignPage,
    name: str,
    options: dict[str, Any],
    seen: Inspection,
    stream: BinaryIO,
) -> HttpResponse:
    beside = None
    if options["also"]:
        beside = judgments_beside(campaign=page.campaign, stream=stream, options=options)
    sure = beside is not None and is_sure(beside, options)
    if table_goes_to_worker(stream=stream, seen=seen):
        more = {} if beside is None else {BESIDE: for_worker(name, options, beside, sure=sure)}
        job = import_order(
            campaign=page.campaign,
            what=options["what"],
            stream=stream,
            name=options["name"],
            actor=page.user,
            dry_run=True,
            to_confirm=True,
            total=table_rows(seen),
            mapping=options["mapping"],
            **own_options(options),
            **more,
        )
        if beside is None or sure:
            forget(name)
        return page.go("import-job", job.key)
    report = run_import(page.campaign, name, options, page.user, dry_run=True)
    change_options(name, {**options, "beside": sure})
    return report_page(
        page,
        report=report,
        stored_name=name if report.ok else "",
        file_name=options["name"],
        columns=name,
        beside=people_of(beside) if beside is not None and sure else None,
    )


def for_worker(
    name: str, options: dict[str, Any], beside: Inspection, *, sure: bool
) -> dict[str, Any]:
    """Return what a worker has to know of the judgments beside texts; where somebody has to look
    at them first, the kept file is made ready for that."""
    judged = {**options, "what": "judgments", "also": "", "beside": False}
    judged["mapping"] = beside.mapping.to_json()
    if not sure:
        change_options(name, judged)
        return {"name": name}
    order = {"mapping": judged["mapping"], **own_options(judged)}
    return {"sure": True, "people": people_of(beside), "order": order}


def _fitted(seen: Inspection, mapping: ColumnMap) -> dict[str, Any]:
    """Return the roles of a kept mapping for the columns of this table, by their names."""
    roles = {one.name.casefold(): one for one in mapping.columns if one.name}
    data = seen.mapping.to_json()
    if mapping.what != data["what"]:
        raise Invalid(_("The mapping is for another kind of file."))
    for column in data["columns"]:
        one = roles.get(column["name"].casefold())
        if one is not None:
            column.update(role=one.role, of=one.of, scale=one.scale, ask=one.ask)
    old = mapping.to_json()
    data |= {key: old[key] for key in ("fixed", *OPTION_LABELS)}
    return column_map(data).to_json()


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Invalid(_("There is no such mapping.")) from error


def _page(
    page: CampaignPage, name: str, options: dict[str, Any], seen: Inspection, stream: BinaryIO
) -> HttpResponse:
    mapping = column_map(options["mapping"]) if options.get("mapping") else seen.mapping
    scales = scales_of(page.campaign)
    missing = mapping.missing()
    named = bool(options.get("annotator") or options.get("anonymous"))
    if str(NOBODY) in mapping.ask and NOBODY in mapping.waits(named=named):
        missing.append(NOBODY)
    shown, problems = table_preview(
        campaign=page.campaign, stream=stream, name=options["name"], mapping=mapping
    )
    questions = [
        (at, one, str(one) in mapping.ask, seen.refusal_of(one))
        for at, one in enumerate(seen.questions)
        if one != NOBODY
    ]
    columns = [_column(one, mapping, scales, questions) for one in seen.columns]
    asking, others = (
        _once([one for one in columns if one["open"] is first]) for first in (True, False)
    )
    waits = len(mapping.waits(named=named))
    values = mapping.to_json()
    wants_scale = mapping.has("value", "voice_of") and not mapping.role("scale")
    fixed = [
        (role, ROLE_LABELS[role], values["fixed"].get(role, ""), scales if role == "scale" else [])
        for role in FIXED[mapping.what]
        if role != "language"  # The campaign has one.
        if (wants_scale if role == "scale" else not mapping.role(role))
        and not (role == "system" and mapping.role("output_of"))
        and not (role == "annotator" and mapping.role("voice_of"))
    ]
    repairs = seen.offers_for(mapping)
    exchange = [one for one in repairs if one.step["step"] == "reverse"]
    return page.render(
        "annotation/import_columns.html",
        name=name,
        file_name=options["name"],
        seen=seen,
        sheet=mapping.sheet,
        head=mapping.head,
        asking=asking,
        columns=columns,
        others=others,
        shown=shown,
        problems=[] if missing or waits else problems,
        missing=missing,
        waits=waits,
        questions=questions,
        ledger=ledger_shown(
            seen.ledger_with(mapping), below={one["name"] for one in asking if one["undecided"]}
        ),
        fixed=fixed,
        saved=mappings(campaign=page.campaign, what=mapping.what)[:20],
        steps=[
            (at, told_step(one, {each.column: each.name for each in seen.columns}))
            for at, one in enumerate(mapping.steps)
        ],
        offers=repairs,
        exchange=exchange[0] if exchange and by_order(mapping) else None,
        words=_words(seen, mapping),
        also=seen.also,
        ready=options.get("ready") and options["what"] == "judgments",
        encodings=encodings_for(seen),
        options=[
            (key, label, values[key])
            for key, label in OPTION_LABELS.items()
            if mapping.what == "items" or key == "skip_incomplete"
        ],
    )


def _words(seen: Inspection, mapping: ColumnMap) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """The words that stand for points by scale: (name of the field, word, point) of each."""
    return [
        (
            scale,
            [
                (f"word-{at}-{n}", word, _point(mapping.words.get(scale, {}), word))
                for n, word in enumerate(words)
            ],
        )
        for at, (scale, words) in enumerate(seen.words.items())
    ]


def _point(points: Mapping[str, float | None], word: str) -> str:
    point = points.get(word, "")
    return "–" if point is None else point if isinstance(point, str) else f"{point:g}"


def _once(columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns; a reason that is that of the column before is not repeated."""
    reasons = [None if one["changed"] else one["seen"].guess.reason for one in columns]
    for one, before, reason in zip(columns, [None, *reasons], reasons, strict=False):
        one["again"] = reason is not None and reason == before
    return columns


def _column(
    seen: Seen, mapping: ColumnMap, scales: Sequence[str], questions: Sequence[Question]
) -> dict[str, Any]:
    """A column as the page shows it: what it is by the mapping, what it may be, and what is asked
    about it. `open`: something asks here, or somebody has chosen."""
    one = next(each for each in mapping.columns if each.column == seen.column)
    role = (one.role, one.of, one.scale)
    undecided = one.ask and one.role == IGNORE
    changed = role != (seen.guess.role, seen.guess.of, seen.guess.scale) or (
        seen.guess.ask and seen.guess.role == IGNORE and not one.ask
    )
    about = [each for each in questions if each[3] and each[3].column == seen.column]
    return {
        "seen": seen,
        "name": seen.name or seen.column,
        "asks": one.ask,
        "undecided": undecided,
        "value": UNDECIDED if undecided else choice_of(*role),
        "changed": changed,
        "questions": about,
        "open": bool(seen.guess.ask or changed or about),
        "choices": likely_first(
            role_choices(mapping.what, scales, seen.name or seen.column, role),
            seen.kind,
            choice_of(*role),
        ),
    }


@require_POST
@campaign_view("research")
def take_back(page: CampaignPage, key: UUID) -> HttpResponse:
    """Take an import back."""
    try:
        batch = import_batch_get(campaign=page.campaign, key=key)
        import_take_back(batch=batch, actor=page.user)
    except DomainError as refusal:
        if refusal.code != "conflict":
            raise
        page.warns(refusal.message)
    else:
        page.says(_("Taken back: %(file)s.") % {"file": batch.file_name})
    return page.go("import")


@require_GET
@campaign_view("research")
def import_mapping(page: CampaignPage, key: UUID) -> HttpResponse:
    """A kept mapping as a file, which --map takes."""
    mapping = mapping_get(campaign=page.campaign, key=key)
    text = json.dumps(mapping.mapping, ensure_ascii=False, indent=2) + "\n"
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    name = quote(f"{mapping.file_name}.map.json")
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return answer


@require_GET
@campaign_view("research")
def import_example(page: CampaignPage, kind: str) -> HttpResponse:
    """A small file of the kind with the scales of the campaign, or of texts for a template."""
    if kind in NAMES:
        return _download(example_text(kind), kind)
    if kind not in KINDS:
        raise Invalid(_("There is no such example."))
    ranges = list(page.campaign.scales.values_list("name", "minimum", "maximum"))
    head, rows = example(kind, ranges)
    columns = [Column(name) for name in head]
    text = "".join(
        row_chunks((dict(zip(head, row, strict=True)) for row in rows), columns, format="csv")
    )
    return _download(text, kind)


def _download(text: str, kind: str) -> HttpResponse:
    answer = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{kind}-example.csv"'
    return answer
