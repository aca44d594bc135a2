import { style } from "../../src/server/documents/style.ts";

/** The search, which every page of a site has. */
export const searchStyle = `
.search { position: relative; flex: 1; max-width: 28rem; margin-left: auto; }
.search input { width: 100%; padding: .35rem .75rem; font: inherit; color: var(--ink);
  background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
.search input::placeholder { color: var(--muted); opacity: 1; }
.results { position: absolute; right: 0; z-index: 1; width: min(36rem, calc(100vw - 2.5rem));
  max-height: 70vh; margin-top: .3rem; overflow-y: auto; border: 1px solid var(--line);
    border-radius: 8px; background: var(--paper); box-shadow: 0 .5rem 2rem #0003; }
.results p, .results ul { margin: 0; padding: 0; list-style: none; }
.results p { padding: .5rem 1rem; color: var(--muted); font-size: .875rem; }
.results a { display: block; padding: .5rem 1rem; border-top: 1px solid var(--line); color:
  var(--ink); text-decoration: none; }
.results a:is(:hover, :focus) { background: var(--panel); }
.results small { display: block; color: var(--muted); }
mark { background: none; color: var(--accent); font-weight: 600; }
`;

/**
 * The style of the service's own pages, and what only a site has: search, copied code, highlighted
 * code, pictures. A button has a line of its own above its code: over it, it would cover some.
 */
export const siteStyle = `${style}${searchStyle}
main img { max-width: 100%; height: auto; }
@media screen and (max-width: 64rem) { main img { max-width: none; } }
.code { position: relative; }
.copy { position: absolute; top: .4rem; right: .4rem; padding: 0 .6rem; font: inherit;
  font-size: .8rem; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; cursor: pointer; }
.code:has(.copy) pre { padding-top: 2.4rem; }
:root { --name: #7a2ea0; }
@media screen and (prefers-color-scheme: dark) { :root { --name: #d9b3ff; } }
.hljs-comment, .hljs-meta { color: var(--muted); }
.hljs-string, .hljs-regexp { color: var(--good); }
.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-type { color: var(--accent); }
.hljs-attr, .hljs-title, .hljs-variable, .hljs-number { color: var(--name); }
.next { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
@media print { .copy { display: none; } }
`;
