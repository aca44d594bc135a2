import { expect, it } from "vitest";
import type { SystemInformation } from "../../../generated/contract.ts";
import { definition } from "../../service.ts";
import { loadDocuments } from "./documents.ts";
import { landingPage } from "./landing.ts";
import { renderMarkdown, slug } from "./markdown.ts";

const information: SystemInformation = {
  status: "Operational",
  version: "3.0.3",
  server: "Atpoint",
  runtime: "Node.js 20.19.0",
  clientAddress: "192.0.2.7",
  requestMethod: "GET",
  time: "2026-01-31T12:00:00.000Z",
};
const write = landingPage(definition, ["https://one.example/at", "https://two.example"]);

it.each([
  ["two.example", "https://two.example"],
  ["<script>", "https://one.example/at"],
  [undefined, "https://one.example/at"],
])(
  "for Host %s the landing page has a first call of the deployment %s, in one line to be copied",
  (host, url) => {
    expect(write(information, host)).toContain(
      `<pre><code>curl &#39;${url}/api/?@=sysinfo&#39;</code></pre>`,
    );
  },
);

it("links from the landing page to operations, and relatively alone", () => {
  const html = write(information, "one.example");
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
  // A path prefix holds.
  expect(links.filter((href) => !href?.startsWith("./"))).toEqual([]);
  const { representations } = loadDocuments(definition).get("reference") ?? {};
  const reference = String(representations?.["text/html"]?.identity().bytes);
  for (const { name, method, summary } of Object.values(definition.contract.operations)) {
    expect(html).toContain(`#${slug(name)}">${name}</a></td><td>${method}</td><td>${summary}</td>`);
    expect(reference).toContain(`<h2 id="${slug(name)}">`);
  }
});

it("has the operations above the caller's address on the landing page", () => {
  const html = write(information, "one.example");
  expect(html.indexOf("<h2>Operations</h2>")).toBeGreaterThan(0);
  expect(html.indexOf("<h2>Operations</h2>")).toBeLessThan(html.indexOf("Client address"));
});

it("calls the document of the operations and the page to try them by one name each", () => {
  const { title } = loadDocuments(definition).get("reference")?.entry ?? {};
  expect(title).toMatch(/: operations$/);
  const html = write(information, "one.example");
  expect(html).toContain('<a href="./api/?@=docs.get.reference">Operations</a>');
  expect(new Set(html.match(/<a href="\.\/reference">[^<]*/g))).toEqual(
    new Set(['<a href="./reference">Try it']),
  );
});

it("has each operation's own problems and the limits of its input in the document", () => {
  const { content = "" } = loadDocuments(definition).get("reference") ?? {};
  const [, section = ""] = /^## user\.create$(.*?)^## /ms.exec(content) ?? [];
  expect(section).toContain(
    "Problems: [`invalid-idempotency-key`](problems.md#invalid-idempotency-key), " +
      "[`email-taken`](problems.md#email-taken), " +
      "[`idempotency-key-reused`](problems.md#idempotency-key-reused), and the " +
      "[common problems](#common-problems).\n",
  );
  expect(section).toContain(
    "| `data.name` | 1 to 200 characters, [PersonName](#personname) | requ",
  );
  expect(content).toContain("| `limit` | integer 1–200, default 50 | optional |");
  const common = content.slice(content.indexOf("## Common problems"));
  for (const { name, problems, ownProblems } of Object.values(definition.contract.operations))
    for (const code of problems)
      if (!ownProblems.some((own) => own === code))
        expect(common, name).toContain(`[\`${code}\`](problems.md#${code})`);
});

it.each(Object.keys(information))("escapes %s on the landing page", (member) => {
  const hostile = Object.assign({ ...information }, { [member]: `"><script>alert('1')</script>` });
  expect(write(hostile, undefined)).not.toContain("<script");
  expect(write(hostile, undefined)).toContain(
    "&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;",
  );
});

const resolve = (href: string) => (href === "gone" ? null : `to-${href}`);
it.each([
  ["raw HTML as text", "a <b onclick='x'>", "<p>a &lt;b onclick='x'&gt;</p>\n"],
  [
    "the note of a generated file as nothing, another comment as text",
    "<!-- Generated.\nDo not edit. -->\n\n# Title\n\n<!-- later -->",
    '<h1 id="title">Title</h1>\n<p>&lt;!-- later --&gt;</p>\n',
  ],
  [
    "an address with a script as text",
    "[x](javascript:alert(1))",
    "<p>[x](javascript:alert(1))</p>\n",
  ],
  [
    "links with their targets, and as text without one",
    "[a *b*](gone) [c](d) [e](gone)",
    '<p>a <em>b</em> <a href="to-d">c</a> e</p>\n',
  ],
  ["an image as its alternative text", "![a <b> *c*](d.png)", "<p>a &lt;b&gt; c</p>\n"],
  [
    "output of a terminal so that the keyboard reaches it, code without",
    "```\nout\n```\n\n```sh\nls\n```",
    '<pre tabindex="0"><code>out\n</code></pre>\n<pre><code ' +
      'class="language-sh">ls\n</code></pre>\n',
  ],
  [
    "header cells as such, but not empty ones, and no alignment",
    "| A | |\n| ---: | --- |\n| 1 | 2 |",
    '<div tabindex="0"><table>\n<thead>\n<tr>\n<th ' +
      'scope="col">A</th>\n<td></td>\n</tr>\n</thead>\n<tbody>\n' +
      "<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table></div>\n",
  ],
])("Markdown shows %s", (_, markdown, html) => {
  expect(renderMarkdown(markdown, resolve).html).toBe(html);
});

it("has headings with an id by their text, each only once", () => {
  const texts = [
    "email-taken",
    "email-taken",
    "`user.list` & more",
    "UserList",
    "  Größe und Maß",
    '"><script>',
    "?!",
  ];
  const { html } = renderMarkdown(texts.map((text) => `## ${text}`).join("\n\n"), resolve);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const plain = [
    "email-taken",
    "email-taken-1",
    "user.list--more",
    "userlist",
    "größe-und-maß",
    "script",
    "section",
  ];
  expect(ids).toEqual(plain);
});

it("lets the keyboard reach a picture in a paragraph of its own", () => {
  const { html } = renderMarkdown("![a](d.png)\n\nb ![a](d.png)", resolve, (source) => source);
  expect(html).toMatch(/^<p tabindex="0"><img .*\n<p>b <img /);
});
