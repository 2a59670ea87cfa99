// Minus signs are for display: copied numbers have hyphens, as spreadsheets, statistics programs
// and LaTeX expect.
const below = /\u2212(?=[0-9.])/g;

document.addEventListener("copy", (event) => {
  const selection = getSelection();
  const text = selection.toString();
  if (event.target.closest?.("input, textarea") || text.search(below) < 0) return;
  const box = document.createElement("div");
  for (let at = 0; at < selection.rangeCount; at++) {
    const range = selection.getRangeAt(at);
    const place = range.commonAncestorContainer;
    const table = (place.closest ? place : place.parentElement).closest("table");
    // Rows without a surrounding table would be pasted as one line.
    const part = table ? box.appendChild(document.createElement("table")) : box;
    part.append(range.cloneContents());
  }
  event.clipboardData.setData("text/plain", text.replace(below, "-"));
  event.clipboardData.setData("text/html", box.innerHTML.replace(below, "-"));
  event.preventDefault();
});
