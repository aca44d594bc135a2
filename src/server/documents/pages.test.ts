import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SystemInformation } from "../../../generated/contract.ts";
import { definition } from "../../service.ts";
import { loadDocuments } from "./documents.ts";
import { landingPage } from "./landing.ts";
import { renderMarkdown, slug, titleOf } from "./markdown.ts";
import { anchor, PAGE_HEADERS, page } from "./page.ts";
import { referenceAsset } from "./reference.ts";

const operations = Object.values(definition.contract.operations);

describe("a page", () => {
  const html = page({ title: "</title><b>", navigation: [{ href: "./", label: "Home" }], content: "<p>Content</p>" });

  it("is a complete document in a language, with its title escaped and its content as it is", () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport"/);
    expect(html).toContain("<title>&#60;/title&#62;&#60;b&#62;</title>");
    expect(html).toContain("<main>\n<p>Content</p>\n</main>");
  });

  it("has the one style and the icon that its policy allows, no script, and loads nothing", () => {
    const [style = "", ...others] = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text);
    expect(others).toEqual([]);
    const hash = createHash("sha256").update(style).digest("base64");
    expect(PAGE_HEADERS["Content-Security-Policy"]).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const links = html.match(/<link[^>]*/g);
    expect(links).toEqual([expect.stringMatching(/^<link rel="icon" href="data:image\/png;base64,[\w+/]+=*"$/)]);
    expect(html).not.toMatch(/<script|<img|style=|url\(|@import/);
  });

  it("has links with address and label escaped, and marks the one to itself", () => {
    const link = anchor({ href: `"&'`, label: "a<b>é", current: true });
    expect(link).toBe('<a href="&#34;&#38;&#39;" aria-current="page">a&#60;b&#62;é</a>');
    expect(anchor({ href: "a", label: "b" })).toBe('<a href="a">b</a>');
  });
});

describe("the landing page", () => {
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
  const html = write(information, "one.example");

  it.each([
    ["one.example", "https://one.example/at"],
    ["two.example", "https://two.example"],
    ["<script>", "https://one.example/at"],
    [undefined, "https://one.example/at"],
  ])("has, for Host %s, a first call of the deployment %s, in one line to be copied", (host, url) => {
    expect(write(information, host)).toContain(`<pre><code>curl &#39;${url}/api/?@=sysinfo&#39;</code></pre>`);
  });

  it("links to the documents and the contract by relative links, so that a path prefix holds", () => {
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    const paths = ["openapi.yaml", "reference", ".well-known/api-catalog"];
    const documents = Object.keys(definition.publication.documents).map((name) => `api/?@=docs.get.${name}`);
    expect(links).toEqual(expect.arrayContaining([...paths, ...documents].map((path) => `./${path}`)));
    expect(links.filter((href) => !href?.startsWith("./"))).toEqual([]);
    const [, content = ""] = html.split("<main>");
    expect(content).toContain('<a href="./api/?@=docs.get.quickstart">quickstart</a>');
    expect(content).toContain('<a href="./reference">reference page</a>');
  });

  it("lists every operation, as the reference page does without scripts, and links to its description", () => {
    const { representations } = loadDocuments(definition).get("reference") ?? {};
    const reference = String(representations?.["text/html"]?.identity().bytes);
    const tryIt = String(referenceAsset(definition).identity().bytes);
    for (const { name, method, summary } of operations) {
      const row = html.split("<tr>").find((text) => text.includes(`>${name}</a>`));
      expect(row).toContain(`<td>${method}</td><td>${summary}</td>`);
      const [, id] = /href="[^"]*docs\.get\.reference#([^"]*)"/.exec(row ?? "") ?? [];
      expect(reference).toContain(`<h2 id="${id}">`);
      expect(tryIt).toContain(`>${name}</a>: ${summary}</li>`);
    }
  });

  it("explains the address of the client and the method", () => {
    expect(html).toMatch(/<dd>192\.0\.2\.7<\/dd><dd>[^<]*Rate limits/);
    expect(html).toMatch(/<dd>GET<\/dd><dd>[^<]*proxy/);
    expect(html).toContain("<dd>Node.js 20.19.0</dd></div>");
  });

  it.each(Object.keys(information))("escapes %s", (member) => {
    const hostile = Object.assign({ ...information }, { [member]: `"><script>alert('1')</script>` });
    expect(write(hostile, undefined)).not.toContain("<script");
    expect(write(hostile, undefined)).toContain("&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;");
  });
});

describe("Markdown", () => {
  const resolve = (href: string) => (href === "gone" ? null : `to-${href}`);
  it.each([
    ["raw HTML as text", "a <b onclick='x'>", "<p>a &lt;b onclick='x'&gt;</p>\n"],
    [
      "the note of a generated file as nothing, another comment as text",
      "<!-- Generated.\nDo not edit. -->\n\n# Title\n\n<!-- later -->",
      '<h1 id="title">Title</h1>\n<p>&lt;!-- later --&gt;</p>\n',
    ],
    ["an address with a script as text", "[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"],
    [
      "links with their targets, and as text without one",
      "[a *b*](gone) [c](d) [e](gone)",
      '<p>a <em>b</em> <a href="to-d">c</a> e</p>\n',
    ],
    ["an image as its alternative text", "![a <b> *c*](d.png)", "<p>a &lt;b&gt; c</p>\n"],
    [
      "output of a terminal so that the keyboard reaches it, code without",
      "```\nout\n```\n\n```sh\nls\n```",
      '<pre tabindex="0"><code>out\n</code></pre>\n<pre><code class="language-sh">ls\n</code></pre>\n',
    ],
    [
      "header cells as such, but not empty ones, and no alignment",
      "| A | |\n| ---: | --- |\n| 1 | 2 |",
      '<table>\n<thead>\n<tr>\n<th scope="col">A</th>\n<td></td>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n',
    ],
  ])("shows %s", (_, markdown, html) => {
    expect(renderMarkdown(markdown, resolve).html).toBe(html);
  });

  it("has headings with an id by their text, each only once", () => {
    const { html } = renderMarkdown(
      "# email-taken\n\n## email-taken\n\n## email-taken\n\n## `user.list` & more",
      resolve,
    );
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["email-taken", "email-taken-1", "email-taken-2", "user.list--more"]);
  });

  it("lets the keyboard reach a picture in a paragraph of its own", () => {
    const { html } = renderMarkdown("![a](d.png)\n\nb ![a](d.png)", resolve, (source) => source);
    expect(html).toMatch(/^<p tabindex="0"><img .*\n<p>b <img /);
  });

  it("has the first heading of level 1 as its title, or none", () => {
    expect(titleOf("<!-- Generated. -->\n\n## Before\n\n# The @point\n\n# Other")).toBe("The @point");
    expect(titleOf("## Only this")).toBeNull();
  });

  it.each([
    ["email-taken", "email-taken"],
    ["UserList", "userlist"],
    ["docs.get.{name}", "docs.get.name"],
    ["  Größe und Maß  ", "größe-und-maß"],
    ['"><script>', "script"],
    ["?!", "section"],
  ])("makes of %s the id %s", (text, id) => {
    expect(slug(text)).toBe(id);
  });
});
