// A setting is saved as soon as it changes; after an undo all are shown as they are again.
import { ask } from "./fragments.js";

document.addEventListener("change", (event) => {
  const form = event.target?.form;
  if (!form || !("autosave" in form.dataset) || !form.reportValidity()) return;
  const hours = [...form.querySelectorAll('input[type="time"]')];
  // Half of the hours is no setting yet.
  if (hours.length && hours.filter((field) => field.value).length === 1) return;
  form.requestSubmit();
});

document.addEventListener("undone", () => ask(document.getElementById("setting-groups"), "/page/settings/groups"));
