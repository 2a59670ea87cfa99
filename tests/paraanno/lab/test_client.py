"""The client against a real site, and against one that is busy."""

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from paraanno import lab


class Site(BaseHTTPRequestHandler):
    """Answers what the test put into `server.answers`: (status, headers, body)."""

    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Authorization"]))
        status, headers, body = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    do_POST = do_GET

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def busy():
    server = HTTPServer(("127.0.0.1", 0), Site)
    server.asked, server.answers = [], []
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_list_is_read_to_its_end_and_a_busy_site_is_asked_again(busy):
    busy.answers = [
        (503, {"Retry-After": "0"}, {"code": "unavailable"}),
        (200, {}, {"results": [{"slug": "a"}], "next": f"{busy.url}/api/v1/campaigns?cursor=2"}),
        (200, {}, {"results": [{"slug": "b"}], "next": None}),
    ]
    assert list(lab.Client(busy.url, "secret").campaigns()["slug"]) == ["a", "b"]
    assert busy.asked[0] == busy.asked[1] == ("/api/v1/campaigns?page_size=1000", "Token secret")


def test_a_report_that_a_worker_makes_is_waited_for(busy):
    made = {"scales": {}}
    busy.answers = [(202, {"Retry-After": "1"}, {"result": None}), (200, {}, {"result": made})]
    assert lab.Client(busy.url, "secret").report("mine", "agreement") == made


def test_the_token_goes_to_no_other_site(busy):
    busy.answers = [(200, {}, {"results": [], "next": "http://127.0.0.1:9/api/v1/campaigns"})]
    with pytest.raises(ValueError, match="another site"):
        lab.Client(busy.url, "secret").campaigns()


def test_a_refusal_has_its_code(busy):
    busy.answers = [(404, {}, {"code": "not_found", "detail": "There is no such campaign."})]
    with pytest.raises(lab.SiteRefused, match="404: There is no such campaign.") as refused:
        lab.Client(busy.url, "secret").progress("none")
    assert refused.value.code == "not_found"


def test_an_import_by_a_worker_is_waited_for(busy, tmp_path):
    table = tmp_path / "t\u00e4ble.csv"
    table.write_text("id,text\n1,one\n", "utf-8")
    busy.answers = [
        (202, {}, {"key": "k", "status": "queued"}),
        (200, {}, {"key": "k", "status": "running"}),
        (200, {}, {"key": "k", "status": "done", "report": {"items": 1}}),
        (422, {}, {"code": "invalid", "detail": "line 2"}),
    ]
    client = lab.Client(busy.url, "secret")
    assert client.import_items("demo", table, map="{}") == {"items": 1}
    assert [path.removeprefix("/api/v1/campaigns/demo/imports/") for path, _ in busy.asked] == [
        "items",
        "k",
        "k",
    ]
    with pytest.raises(lab.SiteRefused, match="422: line 2"):
        client.import_judgments("demo", table)


@pytest.mark.slow
def test_the_demo_by_the_client(shared_demo):
    lines = (shared_demo.data_dir / "demo_logins.txt").read_text().splitlines()
    password = dict(line.split("\t")[:2] for line in lines)["researcher"]
    request = urllib.request.Request(
        f"{shared_demo.url}/api/v1/token",
        data=json.dumps({"username": "researcher", "password": password}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        client = lab.Client(shared_demo.url, json.load(answer)["token"])
    assert "demo" in set(client.campaigns()["slug"])
    judgments = client.judgments("demo")
    every = client.judgments("demo", only_counted=False)
    assert len(judgments) == every["counts"].sum() and judgments["counts"].all()
    blocks = client.report("demo", "agreement")["scales"].values()
    assert len(every) > len(judgments) == sum(block["n_ratings"] for block in blocks) > 1000
    assert client.judgments("demo", status="draft").empty
    found = client.agreement("demo")
    assert found.loc[("MEANING", "alpha_ordinal"), "n"] > 100
    assert set(client.results("demo").index.get_level_values("scale")) == {"MEANING", "GRAMMAR"}
    correlation = client.correlation("demo")
    assert correlation.index.names == ["scale", "metric", "statistic"]
    assert correlation.loc[("MEANING", "leave_one_out", "pearson"), "value"] > 0.5
    assert client.results("demo").xs("MEANING")["letters"].ne("").all()
    assert client.report("demo", "agreement")["scales"].keys() == {"MEANING", "GRAMMAR"}
