"""Builds: asking for one, and cancelling it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.access import one_of, place_of, quota_check, refuse_archived, seen_in
from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid
from annotation.importing.items import items_import
from annotation.importing.jobs import has_many, import_order
from annotation.importing.report import ImportReport
from annotation.models import Campaign, ImportJob, Ownership, Visibility
from paraanno.common.texts import message_of
from paraanno.jobs.engine import cancel
from paraanno.template_filters import translated
from scoring.building.recipes.extrinsic import need_vectors
from scoring.building.recipes.recipe import Recipe, recipe, write_items
from scoring.building.recipes.recipe import recipe as recipe_called
from scoring.builds.queries import (
    EXTRINSIC,
    GENERATED,
    TEXT,
    extrinsic_report,
    generated,
    generated_provenance,
    has_own_texts,
    outcome_scores,
    own_label,
    own_systems,
    own_texts,
)
from scoring.jobs import BUILD
from scoring.metrics.files import FileRefused, sha256
from scoring.models import Build, BuildInput, Resource
from scoring.models.resources import TEXTS, build_digest
from scoring.resources.services import resource_store, resource_upload
from scoring.runs.score_import import ScoresReport, scores_import


def build_start(
    *,
    recipe: str,
    inputs: Mapping[str, UUID | str],
    options: Mapping[str, object],
    campaign: Campaign | None = None,
    own_texts: bool = False,
    sent: Resource | None = None,
    place: Ownership | None = None,
    name: str = "",
    actor: Actor,
) -> tuple[Build, bool]:
    """Ask for a build; `inputs` has the keys of resources by role. With `own_texts` those of
    `campaign` are the input `texts`, which the work writes first (`own_texts` in queries.py); with
    `sent` those of a file that may still have to be read (`sent_texts_read` in work.py).

    campaign  that it is asked for: inputs are looked up among what the actor may use for it
    place     where the result is to be, by default the campaign's or else the actor's own; what is
              made of something of a campaign is that campaign's, whatever was asked for

    The same recipe, options and inputs in the same place give the build that is active, or done and
    still there; of a campaign's own texts one that is active, for they may have changed.
    Returns it, and whether it is new. Raises NotFound for inputs that the actor does not see,
    Invalid for an unknown recipe or option, for inputs of two campaigns and those that are missing,
    not ready, of another kind or too large.
    """
    try:
        definition = recipe_called(recipe)
        read = definition.read(options)
        among = _usable(actor, campaign)
        resources = {role: _input(among, definition, role, key) for role, key in inputs.items()}
        if sent is not None:
            resources[TEXTS] = sent
        definition.check({*resources, *({TEXTS} if own_texts else ())})
        ready = Resource.Status.READY
        definition.fits({role: r.stored for role, r in resources.items() if r.status == ready})
        signature = definition.signature(
            {role: _content(one) for role, one in resources.items()}, read
        )
    except ValueError as error:
        raise Invalid(translated(message_of(error))) from error
    of = campaign if own_texts else None
    requested = place or place_of(actor, campaign)
    place = _place(requested, resources.values(), of, actor)
    digest = build_digest(signature, place, "own texts" if own_texts else "")
    try:
        with short_write():
            active = Build.objects.filter(options_hash=digest, status__in=Build.ACTIVE).first()
            existing = active or build_made(digest=digest)
            if existing is not None:
                return existing, False
            quota_check(actor=actor, model=Resource, most=settings.RESOURCES_PER_USER)
            named = [*([of] if of else ()), *resources.values()]
            label = name or ", ".join([str(definition.title), *(one.name for one in named)])
            build = Build.objects.create(
                recipe=definition.name,
                name=label[:200],
                options=read,
                options_hash=digest,
                signature=signature,
                own_texts=own_texts,
                **place.fields(),
                created_by_id=actor.pk if actor else None,
            )
            BuildInput.objects.bulk_create(
                BuildInput(build=build, role=role, resource=one) for role, one in resources.items()
            )
            audit(
                actor=actor,
                verb="build resource",
                about=build,
                campaign=place.campaign,
                recipe=recipe,
            )
            BUILD.notify(build.pk)
    except IntegrityError:  # Somebody asked for the same at the same moment.
        return Build.objects.get(options_hash=digest, status__in=Build.ACTIVE), False
    return build, True


def build_made(*, digest: str) -> Build | None:
    """The build of that digest of its signature that is done, and still there."""
    done = Build.objects.filter(options_hash=digest, status=Build.Status.DONE)
    return next(filter(_is_there, done), None)


def build_cancel(*, build: Build, actor: Actor) -> None:
    """Cancel a build; its process stops at the next share that it reports. Raises Conflict if it is
    over. Callers check permission first."""
    with short_write():
        if not cancel(BUILD, build):
            raise Conflict(_("This build has ended."))
        audit(actor=actor, verb="cancel build", about=build, campaign=build.campaign)


def _usable(actor: Actor, campaign: Campaign | None) -> QuerySet[Resource]:
    """What the actor may make something of; the command line, of everything."""
    if not isinstance(actor, User):
        return Resource.objects.all()
    return Resource.objects.filter(seen_in(user=actor, campaign=campaign))


def _place(
    requested: Ownership, resources: Collection[Resource], texts_of: Campaign | None, actor: Actor
) -> Ownership:
    """Where the result is to be. Raises Invalid for inputs of two campaigns, NotAllowed for an
    archived one."""
    input_campaigns = {one.campaign for one in resources if one.campaign is not None}
    campaigns = input_campaigns | ({texts_of} if texts_of else set())
    if len(campaigns) > 1:
        raise Invalid(_("These are of two campaigns: what is of one stays with that one."))
    me = actor.pk if actor else None
    # What colleagues gave to a campaign is not the actor's to take further.
    foreign = any(one.bound or (one.campaign and one.created_by_id != me) for one in resources)
    bound = texts_of is not None or foreign
    if campaigns:
        [campaign] = campaigns
        refuse_archived(campaign)
        return Ownership(Visibility.CAMPAIGN, campaign, me, bound)
    return Ownership(Visibility.MINE, None, me, bound) if bound else requested


def _input(among: QuerySet[Resource], recipe: Recipe, role: str, key: UUID | str) -> Resource:
    resource = one_of(among, key=key, no_such=_("There is no such resource."))
    kind = recipe.inputs.get(role, "")
    if (
        resource.kind != kind
        or resource.status != Resource.Status.READY
        or not resource.stored.is_dir()
    ):
        raise Invalid(
            _("There is no resource %(key)s that is ready and can be %(role)s of %(recipe)s.")
            % {"key": f"{str(key)!r}", "role": role, "recipe": recipe.name}
        )
    if resource.meta.get("words", 0) > settings.BUILD_MAX_WORDS:
        raise Invalid(
            _(
                "%(name)s has more than %(most)s words: use a smaller one, or ask an "
                "administrator, who can raise PARAANNO_BUILD_MAX_WORDS."
            )
            % {"name": resource.name, "most": settings.BUILD_MAX_WORDS}
        )
    return resource


def _content(resource: Resource) -> Path | str:
    """What decides the content of an input: its store, or the SHA-256 of a file to be read."""
    return resource.stored if resource.status == Resource.Status.READY else resource.sha256


def _is_there(build: Build) -> bool:
    return build.resource is not None and Path(build.resource.stored).exists()


# A campaign's own texts as the input of a build: written by the process that builds, since a large
# campaign takes seconds.


STAGE = "texts"
_WITH_OUTPUTS = ("extrinsic",)  # Recipes that take what systems made of the texts too.


def own_texts_write(*, build: Build, tell: Callable[[str, int, float], None]) -> Resource | None:
    """Write the texts of the build's campaign as its input, unless a process before this one has.

    Returns what was made of the same texts before, if that is still there. `tell` gets the stage,
    its number and share. Raises FileRefused if the texts are no table (they were removed, or their
    attributes repeat an id), and what `tell` raises.
    """
    campaign = build.campaign
    if campaign is None or not build.own_texts or build.inputs.filter(role=TEXTS).exists():
        return None
    tell(STAGE, 1, 0.0)
    texts = _written(build, campaign, lambda share: tell(STAGE, 1, share))
    stored = {one.role: one.resource.stored for one in build.inputs.all() if one.resource}
    definition = recipe(build.recipe)
    signature = definition.signature(
        {**stored, TEXTS: texts.stored}, definition.read(build.options)
    )
    made = build_made(digest=build_digest(signature, build.place))
    _keep(build, texts, signature)
    return made.resource if made else None


def _written(build: Build, campaign: Campaign, progress: Callable[[float], None]) -> Resource:
    path = build.folder / f"{STAGE}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = own_texts(campaign=campaign, outputs=build.recipe in _WITH_OUTPUTS)
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    try:
        return resource_store(
            kind="texts",
            path=path,
            name=campaign.name,
            actor=build.created_by,
            place=build.place,
            progress=progress,
        )
    except FileRefused as refusal:
        raise refusal.named(str(path), campaign.name) from refusal
    finally:
        shutil.rmtree(build.folder, ignore_errors=True)


def _keep(build: Build, texts: Resource, signature: str) -> None:
    """The input, and from now on the signature of what is built of it."""
    build.signature = signature
    try:
        _store(build, texts, build_digest(signature, build.place))
    except IntegrityError:  # Another build of the same is active.
        _store(build, texts, build_digest(signature, build.place, str(build.key)))


def _store(build: Build, texts: Resource, digest: str) -> None:
    build.options_hash = digest
    with short_write():
        BuildInput.objects.create(build=build, role=TEXTS, resource=texts)
        build.save(update_fields=["signature", "options_hash"])


# Paraphrases by nearest words: asking for them, and importing them into a campaign.


MOST_BYTES = 20 * 2**20  # Of a file that is sent with a form.
PLAIN_TEXT = (".txt", "")  # Endings of files with a text on each line.


def paraphrases_start(
    *,
    campaign: Campaign,
    inputs: Mapping[str, UUID | str],
    file: UploadedFile | None,
    own: bool,
    options: Mapping[str, object],
    place: Ownership | None = None,
    name: str = "",
    actor: Actor,
) -> tuple[Build, bool]:
    """Ask for PG1 to PG3 of the texts of a resource (`texts` in `inputs`), of a file, or with `own`
    of the campaign's originals. A file becomes a resource: a table, or a text on each line. File
    and result are in `place`, by default the campaign's.

    Returns the build, and whether it is new. Raises Invalid if not one of the three is given, for a
    file that is too large or wrong, and as `build_start`.
    """
    if own + (file is not None) + ("texts" in inputs) != 1:
        raise Invalid(_("Choose the texts: a table, a file, or those of this campaign."))
    sent = None
    if own:
        own_texts_check(campaign=campaign)
        options = {**options, "column": TEXT}
    elif file is not None:
        place = place or place_of(actor, campaign)
        sent, plain = texts_of_file(file=file, actor=actor, place=place)
        if plain:
            options = {**options, "column": TEXT}
    return build_start(
        recipe=GENERATED.name,
        inputs=inputs,
        options=options,
        name=name,
        actor=actor,
        sent=sent,
        campaign=campaign,
        own_texts=own,
        place=place,
    )


def own_texts_check(*, campaign: Campaign) -> None:
    """Raise Invalid if the campaign has no originals that are paraphrased as a whole."""
    if not has_own_texts(campaign=campaign):
        raise Invalid(
            _(
                "This campaign has no texts that are paraphrased as a whole: its items have "
                "phrases. Choose a table or a file."
            )
        )


def is_plain(*, file: UploadedFile) -> bool:
    """Whether its name says that it has a text on each line, and is no table."""
    return Path(file.name or "").suffix.lower() in PLAIN_TEXT


def texts_of_file(*, file: UploadedFile, actor: Actor, place: Ownership) -> tuple[Resource, bool]:
    """An uploaded table, or a text on each line, as a resource in that place that is still to be
    read; and whether it was the latter."""
    name = Path(file.name or "texts").name
    if (file.size or 0) > MOST_BYTES:
        raise Invalid(
            _("%(name)s is larger than %(most)s MB: add it on the page Resources.")
            % {"name": name, "most": MOST_BYTES // 2**20}
        )
    raw = b"".join(file.chunks())
    if not is_plain(file=file):
        return _resource(raw, name=name, actor=actor, place=place), False
    try:
        texts = raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise Invalid(_("%(name)s is not UTF-8: save it as UTF-8.") % {"name": name}) from error
    rows = [{TEXT: text} for text in texts if text.strip()]
    if not rows:
        raise Invalid(_("%(name)s has no text.") % {"name": name})
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return _resource(lines.encode(), name=name, actor=actor, place=place), True


def paraphrases_import(
    *, campaign: Campaign, build: Build, actor: Actor, dry_run: bool = False
) -> ImportReport | ImportJob | None:
    """Import what was generated as items, as their file would be; how it was made is kept. Items
    that are in the campaign already keep their attributes.

    A large file is left to a worker, and its job returned; a dry run of it gives None. Raises
    Conflict if it is not there (any more). Callers check permission first.
    """
    output = generated(build=build)
    if output is None:
        raise Conflict(_("These paraphrases are not there: generate them again."))
    # Stores of former versions have no file of items yet.
    path = output.items if output.items.exists() else write_items(output.items.parent)
    large = has_many(rows=output.rows, size=path.stat().st_size)
    if large and dry_run:
        return None
    about = generated_provenance(build=build, output=output)
    name = f"{build.name.replace('/', '-')}.jsonl"
    with path.open("rb") as stream:
        if large:
            return import_order(
                campaign=campaign,
                what="items",
                stream=stream,
                name=name,
                actor=actor,
                total=output.rows,
                format="jsonl",
                provenance=about,
                keep=True,
            )
        return items_import(
            campaign=campaign,
            stream=stream,
            name=name,
            actor=actor,
            format="jsonl",
            dry_run=dry_run,
            provenance=about,
            keep=True,
        )


def _resource(raw: bytes, *, name: str, actor: Actor, place: Ownership) -> Resource:
    """The resource of a table, which the build's first stage reads, or a worker."""
    with tempfile.TemporaryDirectory(dir=settings.FILE_UPLOAD_TEMP_DIR) as folder:
        path = Path(folder) / "texts.txt"
        path.write_bytes(raw)
        resource, _asked = resource_upload(
            kind="texts", file=path, digest=sha256(path), file_name=name, actor=actor, place=place
        )
    return resource


# Extrinsic evaluations: asking for one, and its outcomes beside metrics.


def extrinsic_start(
    *,
    campaign: Campaign,
    inputs: Mapping[str, UUID | str],
    file: UploadedFile | None,
    own: bool,
    options: Mapping[str, object],
    place: Ownership | None = None,
    name: str = "",
    actor: Actor,
) -> tuple[Build, bool]:
    """Ask for an evaluation of the texts of a resource (`texts` in `inputs`), of a file, or with
    `own` of the campaign's originals and what its systems made of them. File and result are in
    `place`, by default the campaign's.

    Returns the build, and whether it is new. Raises Invalid if not one of the three is given, for a
    file that is too large or no table, and as `build_start`.
    """
    if own + (file is not None) + ("texts" in inputs) != 1:
        raise Invalid(_("Choose the texts: a table, a file, or those of this campaign."))
    if own:
        own_texts_check(campaign=campaign)
        options = {**own_options(campaign=campaign), **options, "original": TEXT}
    _vectors_check(options, inputs)
    sent = None
    if file is not None:
        if is_plain(file=file):
            raise Invalid(_("A table is needed: a file with a header, as .csv, .tsv or .jsonl."))
        place = place or place_of(actor, campaign)
        sent, _plain = texts_of_file(file=file, actor=actor, place=place)
    return build_start(
        recipe=EXTRINSIC.name,
        inputs=inputs,
        options=options,
        name=name,
        actor=actor,
        sent=sent,
        campaign=campaign,
        own_texts=own,
        place=place,
    )


def own_options(*, campaign: Campaign) -> dict[str, str]:
    """What an evaluation of the campaign's own texts is proposed to be of: its systems, and the
    attribute that may be the class."""
    options = {
        "systems": "+".join(own_systems(campaign=campaign)),
        "label": own_label(campaign=campaign),
    }
    return {name: value for name, value in options.items() if value}


def _vectors_check(options: Mapping[str, object], inputs: Mapping[str, UUID | str]) -> None:
    """Raise Invalid for metrics that need word vectors, where none were given."""
    try:
        read = recipe(EXTRINSIC.name).read(options)
    except ValueError as error:
        raise Invalid(translated(message_of(error))) from error
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
            campaign=campaign,
            stream=stream,
            name=f"{build.name}.jsonl",
            actor=actor,
            format="jsonl",
        )
