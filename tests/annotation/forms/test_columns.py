from io import BytesIO

import pytest

from annotation.errors import Invalid
from annotation.importers.tables import inspect_book, open_book
from annotation.importers.tables.mapping import IGNORE, KINDS, OF, OPTIONS, ROLES_OF_KIND
from annotation.importing.forms import OPTION_LABELS, ROLE_LABELS, chosen_map, role_choices
from tests.annotation.messy import FILES


def test_every_role_and_option_has_a_name_for_people():
    roles = {role for what in KINDS for role in ROLES_OF_KIND[what]} | {IGNORE}
    assert roles - set(ROLE_LABELS) == set(OF) - {"output_of", "voice_of"}
    assert tuple(OPTION_LABELS) == OPTIONS


def test_what_was_chosen_is_the_mapping():
    name = "Runde 1 (merged, wide).xlsx"
    seen = inspect_book(open_book(BytesIO(FILES[name].make()), name))
    data = chosen_map(seen, {"role-G": "attr", "role-D": "output_of:mine", "any_case": "on"})
    roles = {one["column"]: (one["role"], one.get("of", "")) for one in data["columns"]}
    assert roles["G"] == ("attr", "item.Bemerkung") and roles["D"] == ("output_of", "mine")
    assert data["any_case"] and not data["first_place"]
    with pytest.raises(Invalid):
        chosen_map(seen, {"role-Z": "item"})


def test_a_guess_that_no_choice_has_is_one():
    found = dict(role_choices("gold", ["MEANING"], "x", ("value_of", "STYLE")))
    assert {"value_of:MEANING", "value_of:STYLE", "sd_of:MEANING"} <= set(found)
