import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { anchor, CONTENT_SECURITY_POLICY, escapeHtml, page } from "./page.ts";
import { style } from "./style.ts";

const html = page({ title: "</title><b>", navigation: [{ href: "./", label: "Home" }], content: "<p>Content</p>" });

describe("page", () => {
  it("escapes the title and takes the content as it is", () => {
    expect(html).toContain("<title>&#60;/title&#62;&#60;b&#62;</title>");
    expect(html).toContain("<main>\n<p>Content</p>\n</main>");
  });

  it("is a complete document in a language, with a viewport", () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(html).toContain('name="viewport"');
  });

  it("has the one style that its policy allows, no script, and loads nothing", () => {
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text ?? "");
    expect(styles).toHaveLength(1);
    const hash = createHash("sha256")
      .update(styles[0] ?? "")
      .digest("base64");
    expect(CONTENT_SECURITY_POLICY).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(html).not.toMatch(/<script|<link|<img|style=|url\(|@import/);
  });
});

describe("anchor", () => {
  it("escapes address and label, and says where one is", () => {
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
  const schemes = [...style.matchAll(/--paper: #\w{6};[^}]*/g)].map(([text]) => colours(text));

  it("has a light and a dark scheme", () => {
    expect(schemes).toHaveLength(2);
  });

  it("keeps a time on one line, in cells that are wide enough for it", () => {
    expect(style).toContain("time { white-space: nowrap; }");
    expect(style).toContain("minmax(min(100%, 18rem), 1fr)");
  });

  it.each(["ink", "muted", "accent", "good"])("sets %s apart from both backgrounds by WCAG AA, 4.5 to 1", (name) => {
    for (const scheme of schemes) {
      for (const background of ["paper", "panel"]) {
        expect(contrast(scheme.get(name) ?? "", scheme.get(background) ?? "")).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

function colours(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/--(\w+): #(\w{6})/g)].map(([, name = "", colour = ""]) => [name, colour]));
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
