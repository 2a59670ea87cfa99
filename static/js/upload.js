// Reports a too large file before the upload: the server would report it only after the last byte.
for (const input of document.querySelectorAll("input[type=file][data-most]")) {
  input.addEventListener("change", () => {
    const large = [...input.files].some((file) => file.size > Number(input.dataset.most));
    input.setCustomValidity(large ? input.dataset.said : "");
    input.reportValidity();
  });
}

// While a large file is sent, a bar shows how far it is and how long the rest takes. Without this
// script the browser sends the form, and shows nothing.
const LARGE = 1_000_000; // bytes
const MINUTES = 120; // seconds from which on they are told

document.addEventListener("submit", (event) => {
  const form = event.target;
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (event.defaultPrevented || form.enctype !== "multipart/form-data" || size < LARGE) return;
  event.preventDefault();
  send(form, new FormData(form, event.submitter));
});

function send(form, data) {
  const shown = document.getElementById("sending").content.cloneNode(true).querySelector("p");
  const [bar, told] = [shown.querySelector("progress"), shown.querySelector("span")];
  const buttons = [...form.querySelectorAll("button")];
  form.after(shown);
  for (const button of buttons) button.disabled = true;
  told.textContent = shown.dataset.sending;
  const began = performance.now();
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = loaded / total;
    const left = Math.round((((performance.now() - began) / 1000) * (total - loaded)) / loaded);
    const [text, n] = left < MINUTES ? [shown.dataset.seconds, left] : [shown.dataset.minutes, Math.round(left / 60)];
    told.textContent = `${Math.floor(100 * bar.value)} %, ${text.replace("N", n)}`;
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    told.textContent = shown.dataset.sent;
  });
  request.addEventListener("load", () => {
    // The answer is the next page, or this one with what is wrong: as if the browser had sent it.
    history.replaceState(null, "", request.responseURL);
    document.open();
    document.write(request.responseText);
    document.close();
  });
  request.addEventListener("error", () => {
    for (const button of buttons) button.disabled = false;
    bar.hidden = true;
    told.textContent = shown.dataset.failed;
  });
  request.open("POST", form.action);
  request.send(data);
}
