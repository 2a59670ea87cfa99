"""Headers that every answer has beside its policy, those of static files too. Without Django: the
settings name a function of it."""

from __future__ import annotations

from collections.abc import MutableMapping

# Pages ask for none of these; neither may what is in a frame of theirs. Writing to the clipboard is
# not here: links and codes are copied by a button. Of names that it does not know (bluetooth),
# Chromium complains on every page.
NOT_USED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
# Pages of other sites load no page, file or picture of this one; a view made for that says so.
RESOURCES = "Cross-Origin-Resource-Policy"
FURTHER = {
    "Permissions-Policy": ", ".join(f"{name}=()" for name in NOT_USED),
    RESOURCES: "same-origin",
}


def on_static_file(headers: MutableMapping[str, str], _path: str, _url: str) -> None:
    """Whitenoise answers before all other middleware."""
    headers[RESOURCES] = FURTHER[RESOURCES]
