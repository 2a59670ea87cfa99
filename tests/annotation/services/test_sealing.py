"""Secrets are read with the key that sealed them, or a newer one that knows it, and as what they
are."""

from annotation.database import opened, sealed


def test_only_the_site_reads_it(settings):
    secret = sealed("a link", what="letter")
    assert "a link" not in secret
    assert opened(secret, what="letter") == "a link"
    assert opened(secret, what="second factor") is None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", [settings.SECRET_KEY]
    assert opened(secret, what="letter") == "a link"
    settings.SECRET_KEY_FALLBACKS = []
    assert opened(secret, what="letter") is None
