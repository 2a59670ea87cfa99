// Reports a too large file before the upload: the server would report it only after the last byte.
for (const input of document.querySelectorAll("input[type=file][data-most]")) {
  input.addEventListener("change", () => {
    const large = [...input.files].some((file) => file.size > Number(input.dataset.most));
    input.setCustomValidity(large ? input.dataset.said : "");
    input.reportValidity();
  });
}
