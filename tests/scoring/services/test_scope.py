"""What is made of a campaign stays with it, and the same bytes tell nothing of others."""

import pytest
from django.utils import timezone

from annotation.access import place_of, place_read, refuse_move
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Ownership
from scoring.archives.restore import archive_restore
from scoring.archives.rows import writer_of
from scoring.archives.services import campaign_delete
from scoring.builds.queries import build_get
from scoring.builds.services import build_start
from scoring.models import Build, BuildInput, Resource, Run
from scoring.resources.services import resource_add, resource_remove
from scoring.runs.start import run_start, run_update
from tests.factories import give_role, make_campaign, make_user
from tests.scoring.builds import evaluation_asked, made
from tests.scoring.rich import archived
from tests.scoring.services.builds.test_extrinsic import ASKED, add_reviews

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.fixture
def campaign(tmp_path):
    campaign = make_campaign(items=1, systems=1, open_it=False)
    add_reviews(campaign, tmp_path)
    return campaign


@pytest.fixture
def rival():
    """Who annotates in that campaign, and owns another."""
    rosa, other = make_user("rosa"), make_campaign("other", items=1, cast=False, open_it=False)
    give_role(other, rosa, "owner")
    return other, rosa


def file(folder, text="a b\n", name="t.txt"):
    path = folder / name
    path.write_text(text)
    return path


def added(folder, user, place=None, text="a b\n"):
    return resource_add(kind="corpus", path=file(folder, text), actor=user, place=place)


def stored(user, place, kind="vectors", digest="d" * 64):
    """A row that needs no file."""
    return Resource.objects.create(
        kind=kind,
        name="S",
        sha256=digest,
        size=1,
        status="ready",
        path="x",
        created_by=user,
        **place.fields(),
    )


def test_what_is_made_of_own_texts_is_the_campaigns_for_ever(campaign, rival):
    other, rosa = rival
    give_role(campaign, rosa, "annotator")
    build = made(evaluation_asked(campaign, ASKED)[0])
    assert build.status == "done"
    texts = build.inputs.get(role="texts").resource
    for one in (build, build.resource, texts):
        assert (one.scope, one.campaign, one.bound) == ("campaign", campaign, True)
    with pytest.raises(NotFound):
        build_get(user=rosa, key=build.key)
    with pytest.raises(NotFound):
        build_start(
            recipe="near_words",
            inputs={"texts": texts.key, "vectors": texts.key},
            options={"column": "text"},
            campaign=other,
            actor=rosa,
        )
    with pytest.raises(Conflict, match="came from texts of a campaign"):
        refuse_move(row=texts, user=make_user("alice"))
    # Who may see it there makes more of it, and that is the campaign's too.
    further, _new = build_start(
        recipe="extrinsic",
        inputs={"texts": texts.key},
        options={**ASKED, "original": "text"},
        place=Ownership("site"),
        actor=make_user("dora"),
    )
    assert (further.scope, further.campaign, further.bound) == ("campaign", campaign, True)
    # Nobody takes it into another campaign, who may see both or not.
    give_role(other, make_user("dora"), "researcher")
    with pytest.raises(NotFound):
        build_get(user=make_user("dora"), key=build.key, campaign=other)


def test_the_same_bytes_of_somebody_else_are_a_row_of_their_own(tmp_path, campaign):
    dora, rosa = make_user("dora"), make_user("rosa")
    first = added(tmp_path, dora, place_of(dora, campaign))
    Resource.objects.update(name="Secret")
    mine = added(tmp_path, rosa)
    assert (mine.name, mine.created_by, mine.scope) == ("t.txt", rosa, "mine")
    assert added(tmp_path, rosa) == mine and Resource.objects.count() == 2
    # Colleagues of the campaign get the one that they see.
    assert added(tmp_path, make_user("alice"), place_of(dora, campaign)) == first
    resource_remove(resource=first, actor=dora)
    assert mine.stored.is_dir()


def test_a_build_of_the_same_by_somebody_else_is_another(tmp_path):
    make_campaign(items=1, open_it=False)
    sources = [added(tmp_path, make_user(name)) for name in ("alice", "dora")]
    builds = []
    for one in sources:
        asked = {"inputs": {"text": one.key}, "options": {"order": 1}, "actor": one.created_by}
        build, new = build_start(recipe="lm", name=str(one.pk), **asked)
        assert new
        builds.append(made(build))
        assert build_start(recipe="lm", **asked) == (builds[-1], False)
    first, second = builds
    assert first.resource != second.resource and second.resource.name == second.name
    assert first.resource.stored != second.resource.stored


def test_a_user_says_a_place_in_which_they_research(campaign):
    bob = make_user("bob")
    assert place_read(user=bob, value="") == place_of(bob, None)
    assert place_read(user=bob, value="", campaign=campaign).campaign == campaign
    with pytest.raises(Exception, match="does not allow"):
        place_read(user=bob, value="campaign:camp")
    with pytest.raises(NotFound):
        place_read(user=make_user("rosa"), value="campaign:camp")
    with pytest.raises(Invalid):
        place_read(user=bob, value="everybody")


def test_two_campaigns_do_not_mix(tmp_path, campaign, rival):
    other, dora = rival[0], make_user("dora")
    inputs = {
        role: added(tmp_path, dora, place_of(dora, one), f"{role} a\n").key
        for role, one in (("english", campaign), ("foreign", other))
    }
    give_role(other, dora, "researcher")
    with pytest.raises(Invalid, match="two campaigns"):
        build_start(recipe="paraphrases", inputs=inputs, options={}, actor=dora)


def test_metrics_take_what_may_be_used_for_their_campaign(campaign, rival):
    other, rosa = rival
    theirs = stored(make_user("dora"), place_of(None, campaign))
    for actor in (rosa, make_user("alice"), None):  # Alice owns both campaigns.
        with pytest.raises(NotFound):
            run_start(campaign=other, spec=f"wmd:vectors={theirs.key}", actor=actor)
    run = run_start(campaign=other, spec=f"bleu:as={theirs.key}", actor=make_user("alice"))
    assert str(theirs.key) in run.label and theirs.name not in run.label.split()


def test_an_archive_opens_no_file_of_others(campaign, rival):
    """A restored run names by key, or by content, what its campaign may not use."""
    other, rosa = rival
    theirs = stored(make_user("dora"), place_of(None, campaign))
    run = Run.objects.create(
        campaign=other,
        metric="wmd",
        label="wmd",
        options={"vectors": str(theirs.key)},
        signature="s",
        status="done",
        finished_at=timezone.now(),
        last_reference=0,
    )
    write, resources = writer_of(other)
    assert (write(str(theirs.key)), resources) == (str(theirs.key), [])
    with pytest.raises(Conflict, match="no such resource"):
        run_update(run=run, actor=rosa)
    run.options = {"vectors": f"resource:vectors:{theirs.sha256}"}
    run.save()
    again = archive_restore(stream=archived(other), actor=rosa, slug="again")
    assert str(theirs.key) not in again.runs.get().options.values()


def test_removing_tells_no_name_of_a_campaign_that_one_does_not_see(campaign, rival):
    rosa = rival[1]
    shared = stored(rosa, Ownership("site"))
    Run.objects.create(
        campaign=campaign,
        metric="wmd",
        label="Secret",
        options={"vectors": str(shared.key)},
        status="running",
        signature="s",
    )
    with pytest.raises(Conflict) as refusal:
        resource_remove(resource=shared, actor=rosa)
    assert "Secret" not in refusal.value.message and campaign.name not in refusal.value.message
    Run.objects.all().delete()
    build = Build.objects.create(recipe="lm", name="Secret", options_hash="x", created_by=None)
    BuildInput.objects.create(build=build, role="text", resource=shared)
    with pytest.raises(Conflict) as refusal:
        resource_remove(resource=shared, actor=rosa)
    assert "Secret" not in refusal.value.message


def test_a_campaign_goes_with_what_is_bound_to_it_and_gives_back_the_rest(campaign):
    dora, place = make_user("dora"), place_of(None, campaign)
    stored(dora, place)
    stored(dora, place, digest="e" * 64)
    stored(dora, place_of(dora, None), digest="e" * 64)
    stored(dora, Ownership("campaign", campaign, None, True), kind="lm")
    campaign_delete(campaign=campaign, actor=None, typed=campaign.slug)
    left = Resource.objects.values_list("kind", "sha256", "scope", "created_by")
    assert set(left) == {("vectors", char * 64, "mine", dora.pk) for char in "de"}
