"""One page to browse texts and ratings offline: no server, no address, nothing loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

MOST = 20_000  # Texts in the page; a browser holds more, but not quickly.

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }}
form {{ display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }}
label {{ display: block; font-size: .875rem; }}
input, select, button {{ font: inherit; min-height: 2.75rem; }}
ol {{ list-style: none; padding: 0; }}
li {{ border-top: 1px solid #8888; padding: .75rem 0; overflow-wrap: anywhere; }}
mark {{ background: #ffe49c; color: #1d1e20; }}
small {{ opacity: .8; }}
</style>
<h1>{title}</h1>
<p>{note}</p>
<form>
  <div><label for="word">Text holds</label><input id="word" type="search"></div>
  <div><label for="system">System</label><select id="system"><option value="">all</option></select></div>
  <div><button type="button" id="back">Back</button> <button type="button" id="on">On</button></div>
</form>
<p id="told" role="status"></p>
<ol id="texts"></ol>
<script type="application/json" id="data">{data}</script>
<script>
const {{texts, scales}} = JSON.parse(document.getElementById("data").textContent);
const word = document.getElementById("word"), system = document.getElementById("system");
const list = document.getElementById("texts"), told = document.getElementById("told");
const SHOWN = 50;
let page = 0;
for (const name of [...new Set(texts.flatMap((text) => text.systems))].sort()) {{
  system.append(new Option(name, name));
}}
function line(text) {{
  const item = document.createElement("li");
  const sentence = document.createElement("div");
  sentence.dir = "auto";
  const mark = document.createElement("mark");
  mark.textContent = text.text;
  sentence.append(text.before, mark, text.after);
  const rest = document.createElement("small");
  const given = scales.map((scale) => scale + ": " + (Object.entries(text.given[scale] || {{}})
    .map(([who, value]) => who + " " + value).join(", ") || "none"));
  rest.textContent = "instead of “" + text.phrase + "” · " + text.systems.join(", ") + " · " + given.join(" · ");
  item.append(sentence, rest);
  return item;
}}
function show() {{
  const wanted = word.value.toLowerCase();
  const found = texts.filter((text) => (!system.value || text.systems.includes(system.value)) &&
    (text.before + text.text + text.after + text.phrase).toLowerCase().includes(wanted));
  page = Math.max(0, Math.min(page, Math.ceil(found.length / SHOWN) - 1));
  const from = page * SHOWN;
  told.textContent = found.length
    ? (from + 1) + " to " + Math.min(from + SHOWN, found.length) + " of " + found.length + " texts" : "No text.";
  list.replaceChildren(...found.slice(from, from + SHOWN).map(line));
}}
word.addEventListener("input", () => {{ page = 0; show(); }});
system.addEventListener("change", () => {{ page = 0; show(); }});
document.getElementById("back").addEventListener("click", () => {{ page -= 1; show(); }});
document.getElementById("on").addEventListener("click", () => {{ page += 1; show(); }});
show();
</script>
</html>
"""  # noqa: E501 lines of a page


def browse_page(*, title: str, texts: Sequence[Mapping[str, Any]], scales: Sequence[str]) -> str:
    """The page. Each text: `phrase`, `before`, `text`, `after`, `systems` (labels), `given`
    (scale -> annotator -> value). Beyond MOST, texts are left out and the page says so."""
    shown = list(texts[:MOST])
    note = f"{len(texts)} texts with every rating."
    if len(texts) > MOST:
        note = f"The first {MOST} of {len(texts)} texts; the tables hold all."
    data = json.dumps({"texts": shown, "scales": list(scales)}, ensure_ascii=False)
    # Nothing inside may end the element or begin a comment.
    safe = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.format(title=escape(title), note=escape(note), data=safe)
