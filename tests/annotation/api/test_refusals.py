"""The schema names what every route may refuse."""

from annotation.http.routes import add_refusals


def schema(method, operation):
    whole = {"paths": {"/a": {method: operation}}, "components": {"schemas": {}}}
    return dict(add_refusals(whole)["paths"]["/a"][method]["responses"])


def test_a_list_is_refused_to_strangers_and_beyond_its_last_page():
    page = {"parameters": [{"in": "query"}], "responses": {"200": {"description": "all"}}}
    found = schema("get", page)
    assert set(found) == {"200", "400", "401", "403", "404", "406", "429", "503"}
    assert found["200"] == {"description": "all"}


def test_a_file_may_find_no_room_and_what_a_route_says_itself_stays():
    upload = {
        "requestBody": {"content": {"multipart/form-data": {}}},
        "responses": {"409": {"description": "The stored value."}},
    }
    found = schema("post", upload)
    assert {"400", "415", "507"} <= set(found)
    assert found["409"]["description"] == "The stored value."
    assert "application/json" in found["409"]["content"]
