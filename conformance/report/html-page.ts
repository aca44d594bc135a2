/**
 * The style of the HTML report: light and dark, contrast of at least 4.5 to 1, from the width of a
 * phone upwards.
 */
export const style = `
:root {
  color-scheme: light; --text: #1b1c1f; --back: #fff; --soft: #f1f2f4; --line: #c9ccd2;
  --bad: #a3160f; --good: #14602c; --open: #5a5e66; --link: #0b4fa8;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark; --text: #e7e8eb; --back: #17181b; --soft: #24262b; --line: #474b53;
    --bad: #ff9d94; --good: #7fdc9b; --open: #a9adb6; --link: #9cc4ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
p { margin: .25rem 0; }
small { font-weight: 400; font-size: .85rem; color: var(--open); }
a { color: var(--link); }
code { font-size: .9em; }
[hidden] { display: none !important; }
.verdict { font-size: 1.2rem; font-weight: 600; }
.good, .mark.passed { color: var(--good); }
.bad, .mark.failed { color: var(--bad); }
.mark.incomplete, .mark.known, .mark.not { color: var(--open); }
.mark { font-weight: 600; font-size: .85rem; }
form {
  position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
  padding: .75rem 0; margin-top: 2rem; background: var(--back);
  border-bottom: 1px solid var(--line);
}
input, select {
  font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--open);
  border-radius: 4px; padding: .2rem .4rem; max-width: 100%;
}
output { font-size: .85rem; color: var(--open); }
table { border-collapse: collapse; font-size: .9rem; }
th, td {
  border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left;
  vertical-align: top;
}
.wide { overflow-x: auto; }
thead th, thead ~ tbody tr > * { overflow-wrap: normal; }
thead ~ tbody td:nth-child(2) { min-width: 8rem; }
thead ~ tbody td:last-child { min-width: 12rem; }
article { border-left: 4px solid var(--bad); padding: .25rem 0 .25rem 1rem; margin: 1.5rem 0; }
.clause { margin: 1.25rem 0; }
.requirement { border-top: 1px solid var(--line); scroll-margin-top: 5rem; }
.finding { margin: .5rem 0 .75rem 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0; }
dt { font-weight: 600; }
dd { margin: 0; white-space: pre-wrap; font: .85rem/1.6 ui-monospace, monospace; }
pre {
  background: var(--soft); padding: .75rem; margin: .25rem 0; white-space: pre-wrap;
  font-size: .85rem; border-radius: 4px;
}
summary { cursor: pointer; padding: .35rem 0; }
summary:focus-visible, pre:focus-visible, a:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px;
}
@media (max-width: 40rem) {
  dl { display: block; }
  dt { margin-top: .5rem; }
  form { position: static; }
  table, .wide .wide { overflow-x: auto; }
  thead th { font-size: .75rem; }
  th, td { padding-right: .4rem; }
  .finding { margin-left: 0; }
}
@media print {
  form { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  details, article { break-inside: avoid; }
}
`;

/**
 * The script of the HTML report: it hides what does not match the search and the filters. The page
 * is complete without it.
 */
export const script = `
const form = document.querySelector("form");
const requirements = [...document.querySelectorAll(".requirement")];
const texts = new Map(requirements.map((one) => [one, one.textContent.toLowerCase()]));
function filter() {
  const { words, outcome, origin } = Object.fromEntries(new FormData(form));
  const wanted = words.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const one of requirements)
    one.hidden = !(wanted.every((word) => texts.get(one).includes(word))
      && ["", one.dataset.outcome].includes(outcome)
      && ["", one.dataset.origin].includes(origin));
  for (const part of document.querySelectorAll(".clause"))
    part.hidden = !part.querySelector(".requirement:not([hidden])");
  const shown = requirements.filter((one) => !one.hidden).length;
  document.querySelector("output").value = shown + " of " + requirements.length + " requirements";
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter();
function show() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("details")) return;
  form.reset();
  filter();
  target.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", show);
show();
addEventListener("beforeprint", () => {
  for (const one of requirements) if (one.dataset.outcome === "failed") one.open = true;
});
`;
