import { describe, expect, it } from "vitest";
import { renderMarkdown, slug, titleOf } from "./markdown.ts";

const resolve = (href: string) => (href === "gone" ? null : `to-${href}`);
const render = (markdown: string) => renderMarkdown(markdown, resolve).html;

describe("titleOf", () => {
  it("is the first heading of level 1", () => {
    expect(titleOf("<!-- Generated. -->\n\n## Before\n\n# The @point\n\n# Other")).toBe("The @point");
  });

  it("is null without one", () => {
    expect(titleOf("## Only this")).toBeNull();
  });
});

describe("renderMarkdown", () => {
  it("gives headings ids by their text, each only once", () => {
    const html = render("# email-taken\n\n## email-taken\n\n## email-taken\n\n## `user.list` & more");
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      "email-taken",
      "email-taken-1",
      "email-taken-2",
      "user.list--more",
    ]);
  });

  it("shows raw HTML as text", () => {
    const html = render("<script>alert(1)</script>\n\nand <b onclick='x'>inline</b>");
    expect(html).not.toMatch(/<script|<b/);
    expect(html).toContain("&lt;script&gt;");
  });

  it("leaves out the note on top of a generated file, and no other comment", () => {
    expect(render("<!-- Generated.\nDo not edit. -->\n\n# Title\n\n<!-- later -->")).toBe(
      '<h1 id="title">Title</h1>\n<p>&lt;!-- later --&gt;</p>\n',
    );
  });

  it("makes no link of an address with a script", () => {
    expect(render("[x](javascript:alert(1))")).not.toContain("<a");
  });

  it("links to resolved targets, and keeps the text of links without one", () => {
    expect(render("[a *b*](gone) [c](d) [e](gone)")).toBe('<p>a <em>b</em> <a href="to-d">c</a> e</p>\n');
  });

  it("puts the alternative text, escaped, in place of an image", () => {
    expect(render("![a <b> *c*](d.png)")).toBe("<p>a &lt;b&gt; c</p>\n");
  });

  it("lets the keyboard reach what scrolls: output of a terminal and a picture, no code", () => {
    expect(render("```\nout\n```\n\n```sh\nls\n```")).toBe(
      '<pre tabindex="0"><code>out\n</code></pre>\n<pre><code class="language-sh">ls\n</code></pre>\n',
    );
    const { html } = renderMarkdown("![a](d.png)\n\nb ![a](d.png)", resolve, { resolveImage: (source) => source });
    expect(html).toMatch(/^<p tabindex="0"><img .*\n<p>b <img /);
  });

  it("marks header cells as such, but not empty ones", () => {
    expect(render("| A | |\n| --- | --- |\n| 1 | 2 |").replaceAll("\n", "")).toContain(
      '<tr><th scope="col">A</th><td></td></tr>',
    );
  });

  it("has no inline style in an aligned table", () => {
    expect(render("| A |\n| ---: |\n| 1 |")).not.toContain("style");
  });
});

describe("slug", () => {
  it.each([
    ["email-taken", "email-taken"],
    ["user.list", "user.list"],
    ["UserList", "userlist"],
    ["docs.get.{name}", "docs.get.name"],
    ["  Größe und Maß  ", "größe-und-maß"],
    ['"><script>', "script"],
    ["?!", "section"],
  ])("makes of %s the id %s", (text, id) => {
    expect(slug(text)).toBe(id);
  });
});
