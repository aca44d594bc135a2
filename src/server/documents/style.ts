/** Shared by all pages: colours, whose contrast axe checks against WCAG AA on each page, and the navigation. */
const frame = `
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f3f5f9; --ink: #1b2029; --muted: #565f6e; --line: #d9dee7; --accent: #2450c4; --good: #116b3c; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #12151b; --panel: #1c212a; --ink: #e8ebf1; --muted: #a4adbb; --line: #343c49; --accent: #9db9ff; --good: #7edba0; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 0; z-index: 2; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; padding: .6rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--panel); }
header > a { color: var(--ink); font-weight: 650; text-decoration: none; }
.columns { max-width: 82rem; margin: 0 auto; }
nav { font-size: .95rem; border-bottom: 1px solid var(--line); padding: 0 1.25rem; }
nav summary { padding: .6rem 0; font-weight: 600; cursor: pointer; }
nav p { margin: 1.1rem 0 .2rem; color: var(--muted); font-size: .8rem; font-weight: 600; text-transform: uppercase; letter-spacing: .05em; }
nav ul { margin: 0; padding: 0 0 .5rem; list-style: none; }
nav a { display: block; padding: .3rem .75rem; border-left: 2px solid var(--line); color: var(--ink); line-height: 1.35; text-decoration: none; }
nav a:hover { border-color: var(--accent); color: var(--accent); }
nav a[aria-current] { border-color: var(--accent); background: var(--panel); font-weight: 600; }
.level-3 a { padding-left: 1.6rem; color: var(--muted); }
main { max-width: 50rem; margin: 0 auto; padding: 0 1.25rem; }
nav div { display: none; }
@media screen and (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
  .menu { grid-row: 1 / span 2; }
  .menu div { display: block; }
  .menu details { display: none; }
  .menu, .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; padding-bottom: 2rem; overflow-y: auto; border: 0; }
  .contents { position: static; padding-bottom: 0; }
  #page { grid-column: 2; min-width: 0; }
  main { margin: 0; }
}
@media screen and (min-width: 80rem) {
  .columns:has(.contents) { grid-template-columns: 15rem minmax(0, 1fr) 15rem; }
  .contents { grid-area: 1 / 3; position: sticky; padding: 0 1.25rem 2rem 0; font-size: .875rem; }
  .contents div { display: block; }
  .contents div::before { content: "Contents"; display: block; margin: 1.1rem 0 .2rem; color: var(--muted); font-weight: 600; }
  .contents details { display: none; }
  .columns:has(.contents) #page { grid-area: 1 / 2; }
}
@media print { :root { color-scheme: light; } header, nav, .skip { display: none; } }
`;

/** The reference page: Swagger UI in the layout, font and colours of the other pages. */
export const referenceStyle = `${frame}
#reference, #reference :not(code, pre, pre *, textarea, code *) { font-family: inherit; }
#reference :is(code, pre, pre *, textarea, .opblock-summary-path) { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
#reference main { max-width: none; margin: 0; padding: 0; }
#reference .wrapper { max-width: 54rem; margin: 0; padding: 0 1.25rem; }
/* What copies the path of the document, and choices of one. */
#reference :is(.opblock-summary .view-line-link, .opblock-summary .copy-to-clipboard, .response-controls:has(option:only-child), label:has(.body-param-content-type option:only-child), .body-param-content-type:has(option:only-child)) { display: none; }
#reference :is(h2, h3, h4, h5, p, li, label, td, th, small, span, pre, code, div, summary, button, .title), #reference a.nostyle { color: var(--ink); }
#reference :is(a[href]:not(.nostyle), a.link) { color: var(--accent); }
#reference :is(.parameter__in, .parameter__type, .opblock-summary-description, small) { color: var(--muted); }
#reference :is(p, td, .opblock-description) { font-size: 1rem; line-height: 1.6; overflow-wrap: anywhere; }
#reference :is(code, .markdown code) { padding: .1em .3em; border-radius: 4px; background: var(--panel); font-size: .9em; font-weight: 400; }
#reference pre { margin: 0 0 1rem; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); color: var(--ink); font-size: .85rem; font-weight: 400; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
#reference pre :is(code, span) { padding: 0; background: none; color: inherit; font: inherit; }
#reference :is(input, select, textarea) { appearance: auto; margin: 0; padding: .4rem .6rem; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font-size: 1rem; font-weight: 400; box-shadow: none; max-width: 100%; }
#reference textarea { min-height: 8rem; font-size: .85rem; field-sizing: content; }
#reference button:not(.opblock-summary-control, .expand-operation, .opblock-control-arrow, .models-control, .model-box-control, .tablinks, [class*=json-schema]) { padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); font-size: .9rem; font-weight: 400; box-shadow: none; cursor: pointer; }
#reference button.execute.execute { border-color: #2450c4; background: #2450c4; color: #ffffff; font-weight: 600; padding: .5rem; }
#reference .information-container .info { margin: 1.5rem 0 1rem; }
#reference .info .title { font-size: 2rem; letter-spacing: -.015em; }
#reference .info .title small { top: 0; margin-left: .6rem; padding: 0; background: none; vertical-align: baseline; }
#reference .info .title small pre { padding: 0; border: 0; background: none; color: var(--muted); font-size: 1rem; }
#reference .info :is(.title .version-stamp, .info__license) { display: none; }
#reference .scheme-container { margin: 0 0 1rem; padding: 0; background: none; box-shadow: none; }
#reference .schemes.wrapper { display: block; }
#reference .schemes-server-container { display: block; margin: 0 0 .75rem; }
#reference .modal-ux { border-color: var(--line); background: var(--paper); color: var(--ink); }
#reference .opblock-tag { margin: 0 0 .5rem; padding: .5rem 0; border-color: var(--line); font-size: 1.4rem; }
#reference .opblock-tag small { padding: 0 .75rem; font-size: 1rem; }
#reference .opblock { margin: 0 0 .6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); box-shadow: none; }
#reference .opblock .opblock-summary { padding: .4rem .6rem; border-color: var(--line); }
#reference .opblock .opblock-summary-method { min-width: 4.2rem; padding: .2rem; border-radius: 6px; background: #1d5fa8; color: #ffffff; font-size: .85rem; text-shadow: none; }
#reference .opblock.opblock-post .opblock-summary-method { background: #116b3c; }
#reference .opblock .opblock-summary-path { flex: none; max-width: 100%; padding: 0 .75rem; font-size: 1rem; font-weight: 600; }
#reference .opblock .opblock-section-header { min-height: 0; padding: .6rem 1rem; gap: .5rem; flex-wrap: wrap; background: none; box-shadow: none; border-top: 1px solid var(--line); }
#reference .opblock-section-header h4 { margin: 0; font-size: 1rem; font-weight: 650; }
#reference .tab-header .tab-item.active h4 span::after { content: none; }
#reference :is(.opblock-description-wrapper, .table-container, .responses-inner, .execute-wrapper, .opblock-section-request-body > div:not(.opblock-section-header)) { padding: .5rem 1rem; }
#reference .opblock-description-wrapper { margin: 0; }
#reference :is(.col_header, th, .headers th, .parameter__name, .response-col_status) { padding: .3rem .75rem .3rem 0; color: var(--muted); font-size: .9rem; font-weight: 600; }
#reference :is(table, tr, thead tr *, tbody tr td) { border-color: var(--line); }
#reference .parameters-col_name { min-width: 9.5rem; padding-right: .75rem; }
#reference :is(.parameter__name, .response-col_status, h4.parameter__name) { color: var(--ink); }
#reference .parameters-col_description input { width: 22rem; }
#reference .parameter__name.required::after, #reference .opblock-section-header h4.required::after { color: var(--muted); }
#reference .response-col_links { display: none; }
#reference table.headers :is(td, p) { padding: .15rem .75rem .15rem 0; font-size: .9rem; font-weight: 400; }
#reference table.headers :is(td, th):is(:first-child, :last-child) { overflow-wrap: normal; white-space: nowrap; }
#reference .response-control-media-type__accept-message { color: var(--good); }
#reference [class*="json-schema-2020-12"] { color: var(--ink); font-size: .9rem; }
#reference :is(.model-box, .json-schema-2020-12) { border-radius: 8px; background: var(--panel); }
#reference .json-schema-2020-12 { margin: .25rem 0; }
#reference .json-schema-2020-12-property--required > .json-schema-2020-12 > .json-schema-2020-12-head .json-schema-2020-12__title::after { color: var(--muted); }
#reference .json-schema-2020-12__attribute--primary { color: var(--accent); }
#reference :is(.json-schema-2020-12__constraint, .json-schema-2020-12-keyword__value) { padding: .1em .3em; background: none; color: var(--muted); font-weight: 400; }
#reference section.models { border-color: var(--line); }
#reference svg { fill: var(--ink); }
#reference .swagger-ui { background: none; }
#reference :is(.copy-to-clipboard, .download-contents) { position: static; display: inline-block; width: auto; height: auto; margin: 0 .5rem 1rem 0; background: none; }
#reference .copy-to-clipboard button { width: auto; height: auto; }
#reference .copy-to-clipboard button::before { content: "Copy"; }
@media (max-width: 40rem) {
  #reference .opblock-summary-description { display: none; }
  #reference :is(.parameters, .responses-table, .live-responses-table) :is(tbody, tr, td), #reference :is(table.parameters, table.responses-table, table.headers) { display: block; width: auto; }
  #reference :is(.col_header, .parameters-col_name) { min-width: 0; padding-bottom: 0; }
  #reference :is(.parameters, .responses-table) thead { display: none; }
  #reference .parameters-col_description :is(input, select) { width: 100%; }
}
`;

/**
 * The style of every other page, inline: nothing is loaded. Code wraps; the output of a terminal scrolls, since its columns have a
 * meaning. What scrolls must be reachable by keyboard.
 */
export const style = `${frame}
main { padding-top: .5rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 .6em; text-wrap: balance; }
h1 { font-size: 2rem; margin-top: 1em; letter-spacing: -.015em; }
h2 { font-size: 1.4rem; padding-bottom: .3em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.12rem; margin-top: 1.6em; }
.anchor { padding: 0 .3em; font-weight: 400; text-decoration: none; opacity: 0; }
:hover > .anchor, .anchor:focus-visible { opacity: 1; }
main :is(p, ul, ol, pre, table, dl, blockquote) { margin: 0 0 1rem; }
:target { background: var(--panel); }
code { font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; background: var(--panel); padding: .1em .3em; border-radius: 4px; }
pre { padding: .75rem 1rem; line-height: 1.45; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; font-size: .85rem; }
@media screen { main [tabindex] { overflow-x: auto; } pre[tabindex] { white-space: pre; } }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 600; }
blockquote { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
.lede { color: var(--muted); font-size: 1.1rem; }
.status { display: inline-block; padding: .2rem .9rem; border: 1px solid var(--good); border-radius: 2rem; color: var(--good); font-weight: 650; }
.status::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .5em; border-radius: 50%; background: var(--good); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1px; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--line); }
.facts div { padding: .8rem 1rem; background: var(--paper); }
.facts dt { color: var(--muted); font-size: .875rem; }
.facts dd { margin: 0; font-weight: 550; overflow-wrap: anywhere; }
.facts dd + dd { color: var(--muted); font-size: .875rem; font-weight: 400; }
time { white-space: nowrap; }
@media (max-width: 40rem) { h1 { font-size: 1.6rem; } td, th code { overflow-wrap: anywhere; } table { font-size: .875rem; } th, td { min-width: 3.6rem; padding-right: .5rem; } }
@media print { main { max-width: none; padding: 0; } pre, tr, .facts div { break-inside: avoid; } h1, h2, h3, h4 { break-after: avoid; } a { color: inherit; } }
`;
