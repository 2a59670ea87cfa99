// Scrolling over a number field does not change it: browsers take the wheel for a step of the value.
// A field that is read-only for this one event lets the page scroll instead.
document.addEventListener("wheel", ({ target }) => {
  if (target.type !== "number" || target.readOnly) return;
  target.readOnly = true;
  setTimeout(() => { target.readOnly = false; });
}, { capture: true, passive: true });
