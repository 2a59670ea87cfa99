// Suggests a short name while the name is typed, until the user edits it.
const name = document.getElementById("id_name");
const slug = document.getElementById("id_slug");
let own = slug.value !== "";
slug.addEventListener("input", () => { own = slug.value !== ""; });
name.addEventListener("input", () => {
  if (own) return;
  const plain = name.value.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  slug.value = plain.replace(/^-+|-+$/g, "").slice(0, 60);
});
