"""What tests of builds share: a corpus, builds of models of it, and evaluations."""

from scoring.builds.services import build_start, extrinsic_start
from scoring.builds.work import builds_work
from scoring.resources.services import resource_add
from tests.factories import make_user
from tests.scoring.building.language_model.test_kneser_ney import zipf_sentences


def corpus(folder, sentences=50):
    """A resource of the kind corpus, added by Alice."""
    path = folder / "some text.txt"
    path.write_text("".join(" ".join(one) + "\n" for one in zipf_sentences(sentences)))
    return resource_add(kind="corpus", path=path, actor=make_user("alice"))


def asked(resource, **options):
    """A build of a model, asked for by Alice."""
    build, _new = build_start(
        recipe="lm", inputs={"text": resource.key}, options=options, actor=make_user("alice")
    )
    return build


def evaluation_asked(campaign, options, file=None):
    """An evaluation of a file, or of the campaign's own texts, asked for by Alice; and whether it
    is new."""
    return extrinsic_start(
        campaign=campaign,
        inputs={},
        file=file,
        own=file is None,
        options=options,
        actor=make_user("alice"),
    )


class Killed(BaseException):
    """In place of kill -9."""


def kill(*_, **__):
    raise Killed


def made(build):
    """The build, after the process that builds has run."""
    builds_work()
    build.refresh_from_db()
    return build
