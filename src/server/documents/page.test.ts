import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { anchor, CONTENT_SECURITY_POLICY, escapeHtml, page } from "./page.ts";
import { style } from "./style.ts";

const html = page({
  title: "</title><b>",
  navigation: [{ href: "./", label: "Home" }],
  content: "<p>Content</p>",
});

describe("page", () => {
  it("escapes the title and takes the content as it is", () => {
    expect(html).toContain("<title>&#60;/title&#62;&#60;b&#62;</title>");
    expect(html).toContain("<main>\n<p>Content</p>\n</main>");
  });

  it("is a complete document in a language, with a viewport", () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(html).toContain('name="viewport"');
  });

  it("has the one style and the icon that its policy allows, no script, and loads nothing", () => {
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text ?? "");
    expect(styles).toHaveLength(1);
    const hash = createHash("sha256")
      .update(styles[0] ?? "")
      .digest("base64");
    expect(CONTENT_SECURITY_POLICY).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(html.match(/<link[^>]*/g)).toEqual([
      expect.stringMatching(/^<link rel="icon" href="data:image\/png;base64,[\w+/]+=*"$/),
    ]);
    expect(html).not.toMatch(/<script|<img|style=|url\(|@import/);
  });
});

describe("anchor", () => {
  it("escapes address and label, and marks the link of the page itself", () => {
    expect(anchor({ href: '"&', label: "<", current: true })).toBe(
      '<a href="&#34;&#38;" aria-current="page">&#60;</a>',
    );
    expect(anchor({ href: "a", label: "b" })).toBe('<a href="a">b</a>');
  });
});

describe("escapeHtml", () => {
  it("escapes what could end a text or an attribute", () => {
    expect(escapeHtml(`a<b>&"'é`)).toBe("a&#60;b&#62;&#38;&#34;&#39;é");
  });
});

describe("style", () => {
  it("has a light and a dark scheme", () => {
    expect(style.match(/--paper: #/g)).toHaveLength(2);
  });

  it("keeps a time on one line, in cells that are wide enough for it", () => {
    expect(style).toContain("time { white-space: nowrap; }");
    expect(style).toContain("minmax(min(100%, 18rem), 1fr)");
  });
});
