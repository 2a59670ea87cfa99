"""The frame of a campaign's pages: what is simulated."""

from annotation.models import Annotator
from tests.clients import client_of


def test_readers_alone_are_told_that_judgments_are_simulated(campaign):
    def simulated(name):
        return client_of(name).get("/c/camp/guidelines/").context["simulated"]

    assert not simulated("vera")
    Annotator.objects.create(campaign=campaign, code="S", origin="simulated")
    assert simulated("vera") and not simulated("bob")
