"""What tests of builds share: a corpus, and builds of models of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scoring.models import Build, Resource
from scoring.services.builds.start import build_start
from scoring.services.resources.add import resource_add
from tests.factories import make_user
from tests.scoring.building.language_model.test_kneser_ney import zipf_sentences


def corpus(folder: Path, sentences: int = 50) -> Resource:
    """A resource of the kind corpus, added by Alice."""
    path = folder / "some text.txt"
    path.write_text("".join(" ".join(one) + "\n" for one in zipf_sentences(sentences)))
    return resource_add(kind="corpus", path=path, actor=make_user("alice"))


def asked(resource: Resource, **options: Any) -> Build:
    """A build of a model, asked for by Alice."""
    build, _new = build_start(
        recipe="lm", inputs={"text": resource.key}, options=options, actor=make_user("alice")
    )
    return build
