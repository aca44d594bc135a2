import { describe, expect, it } from "vitest";
import { empty, unanswered } from "../../report/sample.fixture.ts";
import type { Exchange } from "../wire/exchange.ts";
import { createRedactor } from "./redact.ts";

const value = 'atp_k+y/with=odd "signs"\'!';
const redactor = createRedactor([
  { name: "API_KEY", value },
  { name: "OTHER", value: `${value}-longer` },
  { name: "PLATFORM", value: "web" },
]);

describe("a redactor", () => {
  it.each([
    ["raw", value],
    ["as a component of a URL", encodeURIComponent(value)],
    ["as a form", new URLSearchParams({ k: value }).toString().slice(2)],
    ["in lower-case escapes", encodeURIComponent(value).toLowerCase().replace("atp_k", "atp_k")],
    ["strictly escaped", encodeURIComponent(value).replace("!", "%21").replace("'", "%27")],
    [
      "with every byte escaped",
      [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    ],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    [
      "escaped once more",
      [...Buffer.from(value)].map((byte) => `%25${byte.toString(16).padStart(2, "0").toUpperCase()}`).join(""),
    ],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in base64url", Buffer.from(value).toString("base64url")],
  ])("finds the value %s", (_spelling, text) => {
    expect(redactor.text(`<${text}>`)).toBe("<$API_KEY>");
    expect(redactor.bytes(Buffer.concat([Buffer.from([0xff]), Buffer.from(text)]))).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from("$API_KEY")]),
    );
  });

  it.each(["", "a", "ab", "abc"])("finds the value inside longer base64, behind %j", (before) => {
    for (const coding of ["base64", "base64url"] as const) {
      const text = Buffer.from(`${before}${value}:and more`).toString(coding);
      expect(redactor.text(text)).toMatch(/^.{0,4}\$API_KEY.{8,}$/);
    }
  });

  it("takes the longest value first, and leaves short ones", () => {
    expect(redactor.text(`${value}-longer ${value} web`)).toBe("$OTHER $API_KEY web");
  });

  describe("of a short value", () => {
    const { text, bytes, exchange } = createRedactor(
      [
        { name: "API_KEY", value: "test" },
        { name: "NO_SCOPES_KEY", value: "a" },
        { name: "REVOKED_KEY", value: "k&y" },
        { name: "EXPIRED_KEY", value },
      ],
      { parts: true },
    );

    it.each([
      ["X-API-KEY: test\r\n", "X-API-KEY: $API_KEY\r\n"],
      ["x-api-key: TESTs", "x-api-key: $API_KEY[1-4:upper]s"],
      ["/api/?X-API-KEY=te%73t&@=test.health", "/api/?X-API-KEY=$API_KEY[part]&@=test.health"],
      ["/api/?@=test.health&X-API-KEY=test", "/api/?@=test.health&X-API-KEY=$API_KEY"],
      ["/api/?X-API-KEY=%74%65%73%74#x", "/api/?X-API-KEY=$API_KEY#x"],
      ["/api/?X-API-KEY=k%26y&x=1", "/api/?X-API-KEY=$REVOKED_KEY&x=1"],
      ["/api/?x-api-key=xtest", "/api/?x-api-key=x$API_KEY"],
      [
        '{"X-API-KEY":"a","no":"a","than":"another"}',
        '{"X-API-KEY":"$NO_SCOPES_KEY","no":"$NO_SCOPES_KEY","than":"another"}',
      ],
      ["X-Echo: a", "X-Echo: $NO_SCOPES_KEY"],
      ["the key test, (test) or dGVzdA==.", "the key $API_KEY, ($API_KEY) or $API_KEY."],
      ["a problem of the latest test.health in test-kit", "a problem of the latest test.health in test-kit"],
      [`X-API-KEY: ${value}`, "X-API-KEY: $EXPIRED_KEY"],
    ])("takes %j for %j", (given, redacted) => {
      expect(text(given)).toBe(redacted);
      expect(bytes(Buffer.from(`\xff${given}`, "latin1")).toString("latin1")).toBe(`\xff${redacted}`);
    });

    it("knows a header by its name", () => {
      const headers = [
        ["x-api-key", "a"],
        ["Accept", "a/b"],
      ] as const;
      const sent = { ...unanswered, request: { ...unanswered.request, headers } };
      expect(exchange(sent).request.headers).toEqual([
        ["x-api-key", "$NO_SCOPES_KEY"],
        ["Accept", "a/b"],
      ]);
    });

    it("is none where answers are searched: it would be found in every other word", () => {
      expect(createRedactor([{ name: "API_KEY", value: "test" }]).text("X-API-KEY: test")).toBe("X-API-KEY: test");
    });
  });

  it("takes long parts for the value when asked to, and says which", () => {
    const secret = "atp_Zq7vX2mK9tR4wY8pL1c";
    const { text, bytes } = createRedactor([{ name: "API_KEY", value: secret }], { parts: true });
    expect(text(`${secret.slice(0, -1)} ${secret.slice(0, 7)}`)).toBe("$API_KEY[1-22] atp_Zq7");
    expect(text(`"${"x".repeat(30)}${secret.slice(0, 9)}"…`)).toBe(`"${"x".repeat(30)}$API_KEY[1-9]"…`);
    expect(text(secret.toUpperCase())).toBe("$API_KEY[1-23:upper]");
    expect(text(secret.replace("v", "V"))).toBe("$API_KEY[1-7]$API_KEY[8-10:upper]$API_KEY[11-23]");
    expect(text(`${secret.slice(0, 11)} ${secret.slice(11)}`)).toBe("$API_KEY[1-11] $API_KEY[12-23]");
    expect(text(Buffer.from(`${secret.slice(0, -1)}0`).toString("base64"))).toMatch(/^\$API_KEY\[part\].{0,4}$/);
    expect(bytes(Buffer.from(`\xff${secret.slice(3)}`, "latin1")).toString("latin1")).toBe("\xff$API_KEY[4-23]");
    expect(createRedactor([], { parts: true }).text(secret)).toBe(secret);
  });

  it("is quick with long texts", () => {
    const { text } = createRedactor([{ name: "API_KEY", value }], { parts: true });
    const long = "The quick brown fox jumps over the lazy dog. ".repeat(100_000);
    expect(text(long)).toBe(long);
  });

  it("goes through a whole exchange", () => {
    const fields = [["X-API-KEY", value]] as const;
    const body = Buffer.from(value);
    const url = `http://t/?k=${encodeURIComponent(value)}`;
    const exchange: Exchange = {
      ...unanswered,
      request: { method: "GET", url, headers: fields, body, raw: body },
      answer: { ...empty, reason: value, headers: fields, body },
      error: `no ${value}`,
    };
    const redacted = redactor.exchange(exchange);
    expect(
      JSON.stringify(redacted, (_key, member) =>
        member?.type === "Buffer" ? Buffer.from(member.data).toString() : member,
      ),
    ).not.toContain("atp_k");
    expect(redacted.request.url).toBe("http://t/?k=$API_KEY");
    expect(redacted.answer?.status).toBe(200);
    expect(redactor.exchange(unanswered)).toEqual(unanswered);
  });
});
