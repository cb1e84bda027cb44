// A new secret is scrolled to, and copied on request. It is nowhere else.
import { followCopies } from "./copies.js";

export function followSecrets(formId) {
  followCopies();
  document.addEventListener("fragment", (event) => {
    const secret = event.detail.find((element) => element.querySelector?.(".secret"));
    secret?.scrollIntoView({ block: "center" });
    if (secret) document.getElementById(formId)?.reset();
  });
}
