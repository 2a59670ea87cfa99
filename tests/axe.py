"""What axe finds wrong with a page (WCAG 2.2 A and AA, and its best practices)."""

from functools import cache
from importlib.resources import files

# What looks at colours takes far longer than all the rest together.
COLOURS = ("color-contrast", "link-in-text-block")
ALL = {"target-size": {"enabled": True}}
OTHERS = ALL | {name: {"enabled": False} for name in COLOURS}
# What axe finds out about the colours of a text follows from the styles of the text and of what it
# stands in. Of texts whose styles are the same, the first three that are seen are looked at.
TEXTS = """(known) => {
  const unless = (plain, value) => (value === plain ? "" : value);
  const behind = new Map([[null, ""]]);
  const ground = (one) => {
    if (!behind.has(one)) {
      const style = getComputedStyle(one);
      const own = [
        unless("rgba(0, 0, 0, 0)", style.backgroundColor), unless("none", style.backgroundImage),
        unless("none", style.filter), unless("normal", style.mixBlendMode),
        unless("1", style.opacity), style.position === "static" ? "" : `at ${one.className}`,
      ].join(" ").trim();
      behind.set(one, `${ground(one.parentElement)}${own && "/"}${own}`);
    }
    return behind.get(one);
  };
  const letters = (one) => {
    const style = getComputedStyle(one);
    return [style.color, style.fontFamily, style.fontSize, style.fontWeight,
      unless("none", style.textDecorationLine), unless("none", style.textShadow)].join();
  };
  // Of controls that are off, and of single signs, axe says nothing.
  const off = (one) => (one.closest("label")?.control ?? one).closest(
    ":disabled, [aria-disabled=true]");
  const word = (one) => /[\\p{L}\\p{N}]{2}/u.test(one.value || one.textContent);
  const seen = new Map();
  for (const one of document.querySelectorAll("body, body *")) {
    if (!one.matches("input, select, textarea")
      && ![...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim())) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const look = [one.matches("a, input, select, textarea") ? one.tagName : "",
      off(one) ? "off" : "", word(one) ? "word" : "", letters(one),
      one.parentElement ? letters(one.parentElement) : "", ground(one)].join("; ");
    if (known.has(look)) continue;
    if (!seen.has(look)) seen.set(look, []);
    if (seen.get(look).length < 3) seen.get(look).push(one);
  }
  return seen;
}"""
RUN = f"""async ([options, known]) => {{
  const seen = known === null ? null : ({TEXTS})(new Set(known));
  const looks = seen === null ? [] : [...seen.keys()];
  if (seen !== null && !looks.length) return [[], looks];
  const include = seen === null ? document : {{ include: [...seen.values()].flat() }};
  return [(await axe.run(include, options)).violations, looks];
}}"""
# Looks of texts with which nothing is wrong, in light and in dark colours: no page brings them a
# second time.
fine_in_the_light, fine_in_the_dark = set(), set()


@cache
def script():
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def violations(page):
    """A line for each rule that is broken, with the places; empty where all is well."""
    _prepare(page)
    return [*_found(page, {"rules": OTHERS})[0], *_colours(page, fine_in_the_light)]


def violations_light_and_dark(page):
    """The same in the light colours, and what is wrong with the dark ones: they differ in nothing
    else. The page is not loaded a second time."""
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {line}" for line in _colours(page, fine_in_the_dark)]
    page.emulate_media(color_scheme="light")
    return found


def _prepare(page):
    page.wait_for_load_state()  # Before that its colours and sizes may be lacking.
    # Not as a script element: the page's own content security policy would refuse it.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(script())


def _colours(page, fine):
    """`fine` has the looks that need no look any more, and gets those of this page."""
    options = {"runOnly": {"type": "rule", "values": COLOURS}}
    found, looks = _found(page, options, sorted(fine))
    if not found:
        fine.update(looks)
    return found


def _found(page, options, known=None):
    """A line for each rule that is broken: anywhere, or with `known` by a text whose look is not
    among them; and the looks of those texts."""
    found, looks = page.evaluate(RUN, [{"resultTypes": ["violations"], **options}, known])
    lines = [
        f"{one['id']} ({one['impact']}): {one['help']}: "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in one["nodes"][:5])
        for one in found
    ]
    return lines, looks
