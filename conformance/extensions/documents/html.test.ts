import { describe, expect, it } from "vitest";
import { unsafeParts, visibleText } from "./html.ts";

describe("unsafeParts", () => {
  it.each([
    "<script>go()</script>",
    "<SCRIPT src=a.js></SCRIPT>",
    "<script/src=a.js>",
    '<p onclick="go()">',
    "<svg/onload=go()>",
    '<a href=" java\tscript:go()">',
    '<a href="&#106;avascript&colon;go()">',
    '<a title="a > b" href="data:text/html,x">',
    '<form action="javascript:go()">',
    '<img src="https://other.example/a.png">',
    "<img src=//other.example/a.png>",
    '<img srcset="a.png 1x, https://other.example/a.png 2x">',
    '<link rel="stylesheet" href="https://other.example/a.css">',
    '<base href="https://other.example/">',
    '<iframe srcdoc="x"></iframe>',
    '<meta http-equiv="refresh" content="0; url=https://other.example">',
    "<style>@import 'a.css';</style>",
    "<style>p { background: url( 'https://other.example/a.png' ) }</style>",
    '<p style="background: url(//other.example/a.png)">',
    '<video poster="https://other.example/a.png">',
    '<svg><use xlink:href="https://other.example/a.svg#b"/></svg>',
  ])("sees what is wrong with %s", (html) => {
    expect(unsafeParts(html)).toHaveLength(1);
  });

  it.each([
    '<a href="https://other.example">',
    '<a href="mailto:ada@example.com">',
    '<link rel="canonical" href="https://other.example">',
    '<link rel="stylesheet" href="style.css">',
    '<img src="data:image/png;base64,AAAA">',
    '<img src="/a.png" alt="onload=go()">',
    '<meta http-equiv="refresh" content="30">',
    "<style>p { background: url(a.png) }</style>",
    '<script type="application/ld+json">{}</script>',
    "&lt;script&gt;go()&lt;/script&gt;",
    "<!-- <script>go()</script> -->",
    "<code>on = 1</code>",
  ])("lets %s pass", (html) => {
    expect(unsafeParts(html)).toEqual([]);
  });
});

describe("visibleText", () => {
  it("is what stands in the body, without markup, with its references undone", () => {
    const html =
      "<!doctype html><head><title>T</title></head><body><!-- no --><p>a &lt;b&gt;\n " +
      "<i>c&#33;</i></p><style>d</style>";
    expect(visibleText(html).trim()).toBe("a <b> c!");
  });

  it("leaves a text as it is", () => {
    expect(visibleText("plain 1 < 2")).toBe("plain 1 < 2");
  });
});

it("reads a page of any number of levels", () => {
  expect(visibleText(`${"<b>".repeat(50_000)}deep`)).toBe("deep");
});
