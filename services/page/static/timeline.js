// The line that follows the slider at once, while the server is asked what held at that moment.
const slider = document.getElementById("as-of");
const line = document.getElementById("as-of-line");
slider?.addEventListener("input", () => {
  for (const end of ["x1", "x2"]) line.setAttribute(end, `${slider.value}%`);
});
