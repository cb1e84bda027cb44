// The line that follows the slider at once, while the server is asked what held at that moment.
const slider = document.getElementById("as-of");
const line = document.getElementById("as-of-line");
const day = document.getElementById("as-of-day");

/** The day of the slider, told at once. */
function showDay() {
  const [begin, end] = ["begin", "end"].map((name) => Date.parse(slider.form.elements[name].value));
  const moment = new Date(begin + ((end - begin) * Number(slider.value)) / 100);
  const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  day.textContent = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: day.dataset.zone }).format(moment);
}
slider?.addEventListener("input", () => {
  showDay();
  for (const end of ["x1", "x2"]) line.setAttribute(end, `${slider.value}%`);
});
