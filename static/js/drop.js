// A table that is chosen or dropped is sent at once; without this script a button sends it.
for (const form of document.querySelectorAll(".drop-form")) {
  const input = form.querySelector("input[type=file]");
  const pasted = form.querySelector("textarea");
  const button = form.querySelector("button");
  const zone = form.querySelector(".drop");
  button.hidden = true;
  pasted.addEventListener("input", () => { button.hidden = !pasted.value.trim(); });
  input.addEventListener("change", () => { if (input.files.length) form.requestSubmit(); });
  for (const type of ["dragenter", "dragover"]) {
    zone.addEventListener(type, (event) => { event.preventDefault(); zone.dataset.over = "yes"; });
  }
  for (const type of ["dragleave", "drop"]) zone.addEventListener(type, () => { delete zone.dataset.over; });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
