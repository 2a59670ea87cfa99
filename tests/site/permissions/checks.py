"""What an answer must be, by the right that a route asks for and the role of who asks."""

from tests.site.permissions.rights import (
    ANNOTATOR_OF_BODY,
    ANY,
    CREATOR,
    CROWD,
    GRANTED,
    HOLDER,
    KEEPER,
    LAB,
    LOGIN,
    MINE,
    NOT_YET,
    OFF,
    ORGANISER,
    OWN,
    PARTICIPANT,
    READ,
    READER,
    RESEARCH,
    SIGNED,
    SITE,
)
from tests.site.permissions.table import OPEN_TO_CROWD

# What a permitted request may come to: done, elsewhere, or a complaint about an empty body.
DONE = {200, 201, 202, 204, 302}
COMPLAINT = {400, 409, 415, 422}
REFUSED = {401, 403, 404, 405}


def to_login(answer, route):
    """401 for programs, the login page for people."""
    if route.api:
        return bool(answer.status_code == 401)
    return answer.status_code == 302 and answer["Location"].startswith("/accounts/login/")


def check(answer, route, role, right, method):
    """Compare an answer with what the table says."""
    code, said = answer.status_code, (route.name, role, method, answer.status_code)
    if role == CROWD:
        check_crowd(answer, route, right, said)
    elif right == SIGNED:
        assert code == 401, said
    elif right == OFF:
        assert code == 404, said
    elif right == ANY:
        assert code in DONE | COMPLAINT, said
    elif role == "nobody":
        assert to_login(answer, route), said
    elif right == MINE:
        assert (code in DONE) if role == "owner" else (code == 404), said
    elif right == NOT_YET:
        assert code == 404, said
    elif right in (HOLDER, ANNOTATOR_OF_BODY):
        check_own(answer, route, role, right)
    elif may(role, right):
        # Annotators who ask for a campaign's page are sent to their work.
        # A table that nobody sent, too.
        # The old address of the board leads there, and who has confirmed where they came from.
        sent = (route.name, role) == ("campaign", "annotator")
        sent |= route.name in ("import-columns", "progress", "confirm")
        expected = {302} if sent else ({200} if method == "GET" else DONE | COMPLAINT)
        assert code in expected, said
    else:
        hidden = (role == "stranger" and right not in (READER, CREATOR, ORGANISER)) or right in (
            SITE,
            LAB,
        )
        hidden |= right == KEEPER and role != "researcher"
        assert code == (404 if hidden else 403), said


def check_crowd(answer, route, right, said):
    """Their own study, as its annotators see it, and nothing else."""
    code = answer.status_code
    if route.name == "home":
        assert code == 302 and answer["Location"].startswith("/p/"), said
    elif route.name not in OPEN_TO_CROWD or right == RESEARCH:
        assert code == 403, said
    elif right == ANNOTATOR_OF_BODY:
        check_own(answer, route, CROWD, right)
    else:
        other = {SIGNED: {401}, OFF: {404}, HOLDER: {404}}
        assert code in other.get(right, DONE | COMPLAINT), said


def may(role, right):
    if right == SITE:
        return role == "admin"
    if right == PARTICIPANT:
        return role == "stranger"
    of_campaign = {READER: READ, LAB: RESEARCH, KEEPER: OWN, CREATOR: OWN, ORGANISER: OWN}
    return right == LOGIN or role in GRANTED[of_campaign.get(right, right)]


def check_own(answer, route, role, right):
    """Sheets and answers belong to one person."""
    code, said = answer.status_code, (route.name, role, answer.status_code)
    if role == "annotator":
        assert code in {200, 409}, said
    elif right == ANNOTATOR_OF_BODY:
        assert (code, answer.json()["code"]) == (403, "wrong_annotator"), said
    else:
        assert code == (403 if role == "viewer" and not route.api else 404), said
