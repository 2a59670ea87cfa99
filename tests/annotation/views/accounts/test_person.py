"""One's own data and account, and those of others for administrators."""

import io
import zipfile

from django.contrib.auth.models import User

from tests.annotation.services.accounts.test_erasure import NAME, zoe_in
from tests.clients import client_of
from tests.factories import make_user


def test_a_person_takes_the_data_and_leaves():
    zoe_in("camp", removes=True)
    zoe = User.objects.get(username=NAME)
    client = client_of(NAME)
    page = client.get("/account/data/").content
    assert b"Camp" in page and b"everything is deleted" in page
    file = client.get("/account/data/everything.zip")
    with zipfile.ZipFile(io.BytesIO(b"".join(file.streaming_content))) as archive:
        assert "account.json" in archive.namelist()
    address = "/account/data/delete/"
    assert b"Nothing has happened yet" in client.get(address).content
    assert client.post(address, {"typed": "zoe"}).status_code == 422
    assert User.objects.filter(pk=zoe.pk).exists()
    done = client.post(address, {"typed": NAME}, follow=True)
    assert b"The account was deleted" in done.content and b"6 were deleted" in done.content
    assert not User.objects.filter(pk=zoe.pk).exists()


def test_an_administrator_from_djangos_admin():
    zoe_in("camp", removes=False)
    zoe, alice = (f"/site/people/{make_user(name).pk}/data/" for name in (NAME, "alice"))
    client, address = client_of("adam"), f"{zoe}delete/"
    led = client.get(f"/admin/auth/user/{make_user(NAME).pk}/delete/")
    assert led["Location"] == address
    assert b"delete_selected" not in client.get("/admin/auth/user/").content
    assert NAME.encode() in client.get(zoe).content
    assert b"".join(client.get(f"{zoe}everything.zip").streaming_content).startswith(b"PK")
    owner = client.get(f"{alice}delete/").content
    assert b"First name another owner" in owner and b"for good" not in owner
    assert client.post(address, {"typed": "other"}).status_code == 422
    done = client.post(address, {"typed": NAME}, follow=True)
    assert done.redirect_chain == [("/site/audit/", 302)]
    assert b"6 judgments keep their code" in done.content
    assert NAME.encode() not in client.get("/site/audit/").content
