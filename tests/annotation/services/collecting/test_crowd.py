"""Fifty annotators at once on real servers: every sheet has its three, nothing lost or doubled."""

import pytest

from tools.bench import crowd


@pytest.mark.slow
def test_a_dozen_finish_a_few_sheets(django_db_blocker):
    run("sqlite", sheets=20, annotators=12, unblock=django_db_blocker.unblock)


def run(database, *, sheets, annotators, unblock):
    site = crowd.make_site(database)
    site.unblock = unblock
    try:
        with site.database():
            clients = crowd.make_crowd("crowd", sheets, annotators)
        site.start("web")
        crowd.finish(clients, site.port, "crowd")
        assert [client.wrong for client in clients if client.wrong] == []
        answers = sheets * crowd.K * 2
        assert crowd.check(site, "crowd", clients) == {
            "sheets by annotators": {crowd.K: sheets},
            "told as saved": answers,
            "counted": answers,
            "broken rules": [],
        }
    finally:
        site.close()
