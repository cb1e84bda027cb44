// A new secret is scrolled to, and copied on request. It is nowhere else.
export function followSecrets(formId) {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = button.dataset.copied;
    } catch {
      // Where the clipboard is closed to pages, the words are selected for the keyboard.
      getSelection().selectAllChildren(text);
    }
  });
  document.addEventListener("fragment", (event) => {
    const secret = event.detail.find((element) => element.querySelector?.(".secret"));
    secret?.scrollIntoView({ block: "center" });
    if (secret) document.getElementById(formId)?.reset();
  });
}
