"""Extrinsic evaluations: asking for one, and its outcomes beside metrics."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Ownership
from annotation.selectors.scope import place_of
from annotation.services.audit import Actor
from paraanno.plain.sentence import said
from paraanno.translated import translated
from scoring.building.recipes.extrinsic_options import need_vectors
from scoring.building.recipes.registry import recipe
from scoring.models import Build
from scoring.selectors.built.extrinsic import RECIPE, extrinsic_report, outcome_scores
from scoring.selectors.built.generated import TEXT
from scoring.services.builds.generated import is_plain, own_texts_check, texts_of_file
from scoring.services.builds.start import build_start
from scoring.services.runs.imports import ScoresReport, scores_import


def extrinsic_start(
    *, campaign: Campaign, inputs: Mapping[str, UUID | str], file: UploadedFile | None, own: bool,
    options: Mapping[str, object], place: Ownership | None = None, name: str = "", actor: Actor,
) -> tuple[Build, bool]:  # fmt: skip
    """Ask for an evaluation of the texts of a resource (`texts` in `inputs`), of a file, or with
    `own` of the campaign's originals and what its systems made of them. File and result are in
    `place`, by default the campaign's.

    Returns the build, and whether it is new. Raises Invalid if not one of the three is given, for a
    file that is too large or no table, and as `build_start`.
    """
    if own + (file is not None) + ("texts" in inputs) != 1:
        raise Invalid(_("Choose the texts: a table, a file, or those of this campaign."))
    _vectors_check(options, inputs)
    sent = None
    if own:
        own_texts_check(campaign=campaign)
        options = {**options, "original": TEXT}
    elif file is not None:
        if is_plain(file=file):
            raise Invalid(_("A table is needed: a file with a header, as .csv, .tsv or .jsonl."))
        place = place or place_of(actor, campaign)
        sent, _plain = texts_of_file(file=file, actor=actor, place=place)
    return build_start(
        recipe=RECIPE, inputs=inputs, options=options, name=name, actor=actor, sent=sent,
        campaign=campaign, own_texts=own, place=place,
    )  # fmt: skip


def _vectors_check(options: Mapping[str, object], inputs: Mapping[str, UUID | str]) -> None:
    """Raise Invalid for metrics that need word vectors, where none were given."""
    try:
        read = recipe(RECIPE).read(options)
    except ValueError as error:
        raise Invalid(translated(said(error))) from error
    needing = need_vectors(read["metrics"])
    if needing and "vectors" not in inputs:
        raise Invalid(
            _("%(names)s: choose word vectors, or take it out of metrics.")
            % {"names": ", ".join(needing)}
        )


def outcomes_import(*, campaign: Campaign, build: Build, actor: Actor) -> ScoresReport:
    """Put the outcomes of an evaluation beside the campaign's metrics, as scores made elsewhere:
    for each classifier whether a paraphrase was classified correctly, and the probability of its
    class.

    The same outcomes are not put there twice. Raises Conflict if the evaluation is not there, or
    none of its paraphrases is in the campaign. Callers check permission first.
    """
    if extrinsic_report(build=build) is None:
        raise Conflict(_("This evaluation is not there: make it again."))
    rows = list(outcome_scores(campaign=campaign, build=build))
    if not rows:
        raise Conflict(
            _("None of these paraphrases is in the campaign: import them first, then come back.")
        )
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        stream.seek(0)
        return scores_import(
            campaign=campaign, stream=stream, name=f"{build.name}.jsonl", actor=actor,
            format="jsonl",
        )  # fmt: skip
