"""QR codes of links, as pictures inside a page."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe


def qr_drawn(link: str) -> SafeString:
    """The link as a QR code in SVG."""
    import segno

    drawn = segno.make(link, error="m").svg_inline(
        scale=3, border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=False
    )
    return mark_safe(drawn)  # noqa: S308  Numbers alone.
