"""Runs of metrics that need two files, and of sums of metrics."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.errors import Invalid
from scoring.models import Resource, Run, Score
from scoring.services.runs.start import run_start
from tests.factories import make_campaign
from tests.scoring.metrics.arpa_files import write_model
from tests.scoring.services.runs.started import finish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, str]:
    """The keys of a file of synonyms and of a corpus."""
    contents = {
        "synonyms": "river\tstream\nbank\tshore\n",
        "counts": "#corpus\ten\na river\nbank\n",
    }
    for kind, content in contents.items():
        (tmp_path / f"{kind}.txt").write_text(content)
        call_command("add_resource", kind, str(tmp_path / f"{kind}.txt"))
    return {resource.kind: str(resource.key) for resource in Resource.objects.all()}


@pytest.mark.parametrize(
    ("spec", "files"),
    [
        ("apem_sdgd:lang=en,synonyms={synonyms},counts={counts}", ("synonyms", "counts")),
        ("bleu_apem:lang=en,apem=apem_sd,synonyms={synonyms}", ("synonyms",)),
        ("combine:of=apem_sd{{lang=en}}+pinc,scale=minmax,synonyms={synonyms}", ("synonyms",)),
        ("combine:of=nist+pinc,scale=z,weights=0.5+-0.5", ()),
    ],
)
def test_a_run_finds_the_files_of_its_parts(
    keys: dict[str, str], spec: str, files: tuple[str, ...]
) -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = finish(run_start(campaign=campaign, spec=spec.format(**keys), actor=None))
    assert (run.status, run.error) == ("done", "")
    assert Score.objects.filter(run=run).exclude(value=None).exists()
    for resource in Resource.objects.filter(kind__in=files):
        assert f"{resource.kind}@{resource.sha256}" in run.signature
        assert run.options[resource.kind] == str(resource.key)


def test_fluency_is_scored_on_sentences_only(tmp_path: Path) -> None:
    call_command("add_resource", "lm", str(write_model(tmp_path / "m.arpa")))
    resource = Resource.objects.get()
    assert resource.meta == {"order": 3, "words": 5, "ngrams": 9, "floored": 0}
    campaign = make_campaign(items=3, open_it=False)
    spec = f"lm_fluency:lm={resource.key}"
    run = finish(run_start(campaign=campaign, spec=spec, actor=None))
    assert (run.status, run.error) == ("done", "")
    assert f"lm@{resource.sha256}" in run.signature
    values = Score.objects.filter(run=run).values_list("value", flat=True)
    assert values and all(-3 < value < 0 for value in values)
    with pytest.raises(Invalid, match="lm_fluency scores whole sentences"):
        run_start(campaign=campaign, spec=spec, actor=None, scope="phrase")


def test_a_part_cannot_name_a_file_of_the_server() -> None:
    campaign = make_campaign(items=1, open_it=False)
    for spec, problem in (
        ("combine:of=apem_sd{lang=en;synonyms=/etc/passwd}", "cannot stand inside the braces"),
        ("combine:of=apem_sd{lang=en},synonyms=/etc/passwd", "no resource of the kind synonyms"),
    ):
        with pytest.raises(Invalid, match=problem):
            run_start(campaign=campaign, spec=spec, actor=None)
    assert not Run.objects.exists()
