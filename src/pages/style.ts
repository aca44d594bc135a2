/** Shared by all pages: colours, whose contrast axe checks against WCAG AA on each page, and the navigation. */
const frame = `
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f3f5f9; --ink: #1b2029; --muted: #565f6e; --line: #d9dee7; --accent: #2450c4; --good: #116b3c; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #12151b; --panel: #1c212a; --ink: #e8ebf1; --muted: #a4adbb; --line: #343c49; --accent: #9db9ff; --good: #7edba0; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
nav, main { max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: .6rem 0; list-style: none; }
nav a { display: inline-block; padding: .25rem 0; color: var(--muted); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--ink); text-decoration: underline; text-underline-offset: .35em; text-decoration-thickness: 2px; }
nav li:first-child { margin-right: auto; }
nav li:first-child a { color: var(--ink); font-weight: 650; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
@media print { :root { color-scheme: light; } header { display: none; } }
`;

/** The reference page leaves the rest to the style sheet of Swagger UI, and its widths to the window. */
export const referenceStyle = `${frame}
main { max-width: none; padding: 0; }
.swagger-ui .wrapper { padding: 0 1.25rem; max-width: 74rem; }
.swagger-ui .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path { flex: none; max-width: 100%; }
.swagger-ui table.headers td, .swagger-ui .markdown p { overflow-wrap: anywhere; }
/* Its own colours, where their contrast is below WCAG AA. */
#reference .info .title small, #reference .info .title small.version-stamp { background: #4a5263; }
#reference .info a, #reference a.link { color: var(--accent); }
#reference .btn.authorize, #reference .btn.authorize span { color: var(--good); border-color: var(--good); }
#reference .btn.cancel { color: #b3261e; border-color: #b3261e; }
html.dark-mode #reference .btn.cancel { color: #ff9d94; border-color: #ff9d94; }
#reference .btn.execute { color: #ffffff; background: #2450c4; border-color: #2450c4; }
#reference .opblock.opblock-get .opblock-summary-method { color: #ffffff; background: #1d5fa8; }
#reference .opblock.opblock-post .opblock-summary-method { color: #ffffff; background: #116b3c; }
#reference .parameter__in { color: var(--muted); }
#reference table.headers td.header-col, #reference .response-col_links { color: var(--ink); }
html.dark-mode body, html.dark-mode { background: var(--paper); }
`;

/**
 * The style of every other page, inline: nothing is loaded. Code wraps instead of scrolling: what scrolls must
 * be reachable by keyboard.
 */
export const style = `${frame}
main { padding-top: 1rem; padding-bottom: 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 .6em; text-wrap: balance; }
h1 { font-size: 2rem; margin-top: 1em; letter-spacing: -.015em; }
h2 { font-size: 1.4rem; padding-bottom: .3em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.12rem; }
p, ul, ol, pre, table, dl, blockquote { margin: 0 0 1rem; }
:target { background: var(--panel); }
code { font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; background: var(--panel); padding: .1em .3em; border-radius: 4px; }
pre { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; }
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
time { white-space: nowrap; }
@media (max-width: 40rem) { h1 { font-size: 1.6rem; } td, th code { overflow-wrap: anywhere; } }
@media print { main { max-width: none; padding: 0; } pre, tr, .facts div { break-inside: avoid; } h1, h2, h3, h4 { break-after: avoid; } a { color: inherit; } }
`;
