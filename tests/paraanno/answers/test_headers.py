"""Static files, which whitenoise answers by itself, have the header too."""

from whitenoise import WhiteNoise

from paraanno.http.errors import NOT_USED


def test_pages_of_other_sites_load_no_static_file(tmp_path, settings):
    (tmp_path / "a.css").write_text("a {}")
    add = settings.WHITENOISE_ADD_HEADERS_FUNCTION
    served = WhiteNoise(None, root=tmp_path, add_headers_function=add)
    answer = served.files["/a.css"].get_response("GET", {})
    if answer.file is not None:
        answer.file.close()
    headers = dict(answer.headers)
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_what_pages_use_is_not_taken_away():
    assert not {"clipboard-write", "fullscreen", "publickey-credentials-get"} & set(NOT_USED)
