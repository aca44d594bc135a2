/** The style of the HTML report: light and dark, contrast of 4.5 to 1 and more. */
export const style = `
:root { color-scheme: light dark; --text: #1b1c1f; --back: #fff; --soft: #f1f2f4; --line: #c9ccd2; --bad: #a3160f; --good: #14602c; --link: #0b4fa8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e7e8eb; --back: #17181b; --soft: #24262b; --line: #474b53; --bad: #ff9d94; --good: #7fdc9b; --link: #9cc4ff; }
}
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; } .good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
article { border-left: 4px solid var(--bad); padding: .25rem 0 .25rem 1rem; margin: 1.5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; } dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
pre { background: var(--soft); padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
summary { cursor: pointer; padding: .25rem 0; } summary:focus-visible { outline: 2px solid var(--link); }
`;
