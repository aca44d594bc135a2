/** The script of the HTML report: it hides what does not match the search and the filters. The page is complete without it. */
export const script = `
const form = document.querySelector("form");
const requirements = [...document.querySelectorAll(".requirement")];
const texts = new Map(requirements.map((one) => [one, one.textContent.toLowerCase()]));
function filter() {
  const { words, outcome, origin } = Object.fromEntries(new FormData(form));
  const wanted = words.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const one of requirements)
    one.hidden = !(wanted.every((word) => texts.get(one).includes(word)) && ["", one.dataset.outcome].includes(outcome) && ["", one.dataset.origin].includes(origin));
  for (const part of document.querySelectorAll(".clause")) part.hidden = !part.querySelector(".requirement:not([hidden])");
  const shown = requirements.filter((one) => !one.hidden).length;
  document.querySelector("output").value = shown + " of " + requirements.length + " requirements";
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
function show() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.matches("details")) { form.reset(); filter(); target.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", show);
show();
addEventListener("beforeprint", () => { for (const one of requirements) if (one.dataset.outcome === "failed") one.open = true; });
`;
