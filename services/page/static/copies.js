/** A button with `data-copy` copies the text of the element that it names. */
export function followCopies() {
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
}
