/**
 * Shared by all pages: colours, whose contrast axe checks against WCAG AA on each page, and the
 * navigation.
 */
const frame = `
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f3f5f9; --ink: #1b2029;
  --muted: #565f6e; --line: #d9dee7; --accent: #2450c4; --good: #116b3c; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #12151b; --panel: #1c212a; --ink: #e8ebf1; --muted: #a4adbb; --line: #343c49;
    --accent: #9db9ff; --good: #7edba0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui,
  sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 0; z-index: 2; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center;
  padding: .6rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--panel); }
header > a { color: var(--ink); font-weight: 650; text-decoration: none; }
.columns { max-width: 82rem; margin: 0 auto; }
nav { font-size: .95rem; border-bottom: 1px solid var(--line); padding: 0 1.25rem; }
nav summary { padding: .6rem 0; font-weight: 600; cursor: pointer; }
nav p { margin: 1.1rem 0 .2rem; color: var(--muted); font-size: .8rem; font-weight: 600;
  text-transform: uppercase; letter-spacing: .05em; }
nav ul { margin: 0; padding: 0 0 .5rem; list-style: none; }
nav a { display: block; padding: .3rem .75rem; border-left: 2px solid var(--line);
  color: var(--ink); line-height: 1.35; text-decoration: none; }
nav a[aria-current] { border-color: var(--accent); background: var(--panel); font-weight: 600; }
main { max-width: 50rem; margin: 0 auto; padding: 0 1.25rem; }
.menu div { display: none; }
@media screen and (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
  .menu { position: sticky; top: 0; align-self: start; max-height: 100vh; padding-bottom: 2rem;
    overflow-y: auto; border: 0; }
  .menu div { display: block; }
  .menu details { display: none; }
  main { margin: 0; }
}
@media print { :root { color-scheme: light; } header, nav, .skip { display: none; } }
`;

/**
 * The reference page: Swagger UI as it is, but for contrast that it lacks, the colours of the frame
 * in the dark, what a narrow window has no room for, and what its script adds.
 */
export const referenceStyle = `${frame}
main { max-width: none; padding: 0; }
#reference .wrapper { max-width: 54rem; margin: 0; padding: 0 1.25rem; }
#reference :is(.version-stamp, .response-col_links, .prop-format) { display: none; }
#reference :is(.authorize, .authorize span, .cancel, .parameter__in, .header-col) {
  color: var(--ink); }
#reference :is(.info__license a, .link) { color: var(--accent); }
#reference .info .title small { background: #565f6e; }
#reference .opblock :is(.execute, .opblock-summary-method) { border-color: #1d5fa8;
  background: #1d5fa8; color: #ffffff; }
#reference .opblock.opblock-post .opblock-summary-method { background: #116b3c; }
#reference :is(p, td, pre, .opblock-summary-path) { overflow-wrap: anywhere; }
#reference .parameters td { overflow-wrap: break-word; }
#reference .header-col:last-child { overflow-wrap: normal; white-space: nowrap; }
#reference .opblock-summary-path { display: block; max-width: none; word-break: normal; }
#reference .opblock-summary-path small { display: block; color: var(--muted); font-size: .75rem;
  font-weight: 400; }
#reference .body-param__text { min-height: 11rem; }
#reference .auth-container label { display: grid; gap: .25rem; margin-bottom: 1rem; }
#reference .others { padding: 0 20px 1rem; font-size: .875rem; }
#reference .others summary { padding: .5rem 0; font-weight: 600; cursor: pointer; }
#reference .others dl { display: grid; grid-template-columns: 3rem 1fr; margin: 0; }
#reference .others dd { margin: 0 0 .25rem; }
@media screen and (prefers-color-scheme: dark) {
  html.dark-mode, html.dark-mode #reference :is(.swagger-ui, .scheme-container) {
    background: var(--paper); }
  #reference :is(.others, .others a) { color: var(--ink); }
}
`;

/**
 * The style of every other page, inline: nothing is loaded. Code wraps; the output of a terminal
 * scrolls, since its columns have a meaning, and so do tables, whose words stay whole. What scrolls
 * must be reachable by keyboard, and has a bar that a phone shows too.
 */
export const style = `${frame}
main { padding-top: .5rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 .6em; text-wrap: balance; }
h1 { font-size: 2rem; margin-top: 1em; letter-spacing: -.015em; }
h2 { font-size: 1.4rem; padding-bottom: .3em; border-bottom: 1px solid var(--line); }
.anchor { padding: 0 .3em; font-weight: 400; text-decoration: none; opacity: 0; }
:hover > .anchor, .anchor:focus-visible { opacity: 1; }
main :is(p, ul, ol, pre, table, dl, blockquote) { margin: 0 0 1rem; }
code { font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
  background: var(--panel); padding: .1em .3em; border-radius: 4px; }
pre { padding: .75rem 1rem; line-height: 1.45; border: 1px solid var(--line); border-radius: 8px;
  background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; font-size: .85rem; }
@media screen { main [tabindex] { overflow-x: auto; } pre[tabindex] { white-space: pre; } }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th { color: var(--muted); font-weight: 600; }
td:first-child code { white-space: nowrap; }
blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
.lede, dt, dd + dd { color: var(--muted); }
.status { display: inline-block; padding: .2rem .9rem; border: 1px solid var(--good);
  border-radius: 2rem; color: var(--good); font-weight: 650; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
@media screen { main [tabindex]::-webkit-scrollbar { height: .6rem; }
  main [tabindex]::-webkit-scrollbar-thumb { border-radius: .3rem; background: var(--muted); } }
@media (max-width: 40rem) { h1 { font-size: 1.6rem; } table { font-size: .875rem; }
  td, th { padding-right: .5rem; } td:last-child:nth-child(n + 3) { min-width: 11rem; } }
`;
