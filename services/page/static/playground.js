// A model is shown the latest messages again; older ones are left out of the form.
const MOST_EARLIER = 20;
// A message that was sent leaves the field; Ctrl+Shift+T switches incognito where the browser leaves it.
const field = document.getElementById("say");
const incognito = document.getElementById("incognito");

document.addEventListener("fragment", (event) => {
  const said = event.detail.findLast((element) => element.matches(".said, .said-text span"));
  said?.scrollIntoView({ block: "nearest" });
  // A reply that comes word by word lets its reader write on.
  if (!event.detail.some((element) => element.matches(".said.by-user"))) return;
  field.value = "";
  for (const earlier of [...document.getElementsByName("earlier")].slice(0, -MOST_EARLIER)) earlier.remove();
  field.focus({ preventScroll: true });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.code === "KeyT") {
    event.preventDefault();
    incognito.checked = !incognito.checked;
  }
});
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  field.form.requestSubmit();
});
