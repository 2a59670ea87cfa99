"""The right to each method of each route, and what it names, as addresses.toml gives them."""

import tomllib
from pathlib import Path

from tests.site.permissions.rights import GET, POST, RIGHTS

GIVEN = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))
CONFIRMED, OPEN_TO_CROWD = set(GIVEN["confirmed"]), set(GIVEN["crowd"])
KEYS = {route: what for what, routes in GIVEN["keys"].items() for route in routes}
TABLE = dict(GIVEN["others"])
for methods, part in (((GET,), "pages"), ((GET, POST), "forms"), ((POST,), "acts")):
    for right, names in GIVEN[part].items():
        for name in names:
            assert name not in TABLE, name
            TABLE[name] = dict.fromkeys(methods, right)
assert {right for methods in TABLE.values() for right in methods.values()} <= RIGHTS
