"""Fields and options of the forms of builds."""

from django.test import RequestFactory

from scoring.building.recipes.recipe import recipe
from scoring.builds.test_set_views import fields_sent, options_shown


def test_fields_that_are_filled_in_and_options_as_they_were_sent():
    sent = {"option-size": " 50 ", "option-seed": " ", "name": "x"}
    request = RequestFactory().post("/", sent)
    assert fields_sent(request, "option-") == {"size": "50"}
    shown = {one["name"]: one for one in options_shown(request, recipe("vectors"), "option-")}
    assert shown["size"]["value"] == " 50 "
    assert shown["epochs"]["value"] == "5"
    assert shown["model"]["values"] == ("word2vec", "fasttext")
